//! From the beginning of a run to its end, or part of the way.

use units::Time;

use crate::completion::{Completion, Error, Limits};
use crate::drive::{Drive, STOP_INTERVAL};
use crate::network::{Network, Recurrent};
use crate::plan::Plan;

/// Runs `plan` on `network` to its end, skipping whole periods of a recurring state.
pub fn run<N: Recurrent>(plan: &Plan, network: N, limits: Limits<'_>) -> Result<Completion, Error> {
    let mut drive = Drive::new(plan, network, limits);
    drive.advance(Until::End)?;
    Ok(drive.into_completion().0)
}

/// Runs `plan` on `network` to its end, event by event.
pub fn run_straight<N: Network>(
    plan: &Plan,
    network: N,
    limits: Limits<'_>,
) -> Result<Completion, Error> {
    let mut drive = Drive::new(plan, network, limits);
    if let Err(error) = drive.advance_straight(Until::End) {
        drive.tell_delivered();
        return Err(error);
    }
    Ok(drive.into_completion().0)
}

/// How far a run goes before it pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To its end.
    End,
    /// Until it has handled so many events and nothing has come back: counted from the beginning and,
    /// once periods were skipped, anew from the next stage on.
    Unskipped(u64),
    /// Through all instants before one, or until it has handled so many events.
    Before(Time, u64),
}

impl<N: Recurrent> Drive<'_, N> {
    /// Goes on, skipping whole periods of a recurring state, and tells whether there was nothing left
    /// to do.
    pub fn advance(&mut self, until: Until) -> Result<bool, Error> {
        let end = self.skip_ahead(until);
        if end.is_err() {
            self.tell_delivered();
        }
        end
    }

    fn skip_ahead(&mut self, until: Until) -> Result<bool, Error> {
        while let Some(now) = self.next_time() {
            if self.is_reached(until, now) {
                return Ok(false);
            }
            self.close_instant(now)?;
            self.skip_periods()?;
        }
        Ok(true)
    }
}

impl<N: Network> Drive<'_, N> {
    /// Goes on, event by event, and tells whether there was nothing left to do.
    pub fn advance_straight(&mut self, until: Until) -> Result<bool, Error> {
        let mut instants = 0_u64;
        while let Some(now) = self.next_time() {
            if self.is_reached(until, now) {
                return Ok(false);
            }
            // A network may pass many instants without news.
            instants += 1;
            if instants.is_multiple_of(STOP_INTERVAL) {
                self.limits.watch.tell(self.now, 0)?;
            }
            self.close_instant(now)?;
        }
        Ok(true)
    }

    /// Tells who looks on how much of each flow was delivered.
    fn tell_delivered(&self) {
        self.limits.watch.tell_delivered(|| self.delivered.clone());
    }

    fn is_reached(&self, until: Until, now: Time) -> bool {
        match until {
            Until::End => false,
            Until::Unskipped(most) => self.recurrence.events_in_vain(&self.counters) >= most,
            Until::Before(horizon, most) => now >= horizon || self.counters.events >= most,
        }
    }
}
