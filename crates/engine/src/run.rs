//! From the beginning of a run to its end, or part of the way.

use std::sync::atomic::AtomicBool;

use units::Time;

use crate::completion::{Completion, Error, Limits};
use crate::drive::{Drive, STOP_INTERVAL};
use crate::network::{Network, Recurrent};
use crate::plan::Plan;
use crate::recurrence::Switch;

/// Runs `plan` on `network` to its end.
pub fn run<N: Recurrent>(plan: &Plan, network: N, limits: Limits<'_>) -> Result<Completion, Error> {
    let mut drive = Drive::new(plan, network, limits);
    drive.advance(Until::End)?;
    Ok(drive.into_completion().0)
}

/// Runs `plan` on `network`, whose states cannot be compared, to its end, event by event.
pub fn run_straight<N: Network>(
    plan: &Plan,
    network: N,
    stop: Option<&AtomicBool>,
) -> Result<Completion, Error> {
    let limits = Limits { stop, recurrence: Switch::Off, threads: 1 };
    let mut drive = Drive::new(plan, network, limits);
    let mut instants = 0_u64;
    while let Some(now) = drive.next_time() {
        // A network may pass many instants without news.
        instants += 1;
        if instants.is_multiple_of(STOP_INTERVAL) {
            drive.check_stop()?;
        }
        drive.close_instant(now)?;
    }
    Ok(drive.into_completion().0)
}

/// How far a run goes before it pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To its end.
    End,
    /// Until it has handled so many events.
    Events(u64),
    /// Through all instants before this one.
    Before(Time),
}

impl<N: Recurrent> Drive<'_, N> {
    /// Goes on, and tells whether there was nothing left to do.
    pub fn advance(&mut self, until: Until) -> Result<bool, Error> {
        while let Some(now) = self.next_time() {
            match until {
                Until::Events(most) if self.counters.events >= most => return Ok(false),
                Until::Before(horizon) if now >= horizon => return Ok(false),
                _ => {}
            }
            self.close_instant(now)?;
            self.skip_periods()?;
        }
        Ok(true)
    }
}
