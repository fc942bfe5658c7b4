//! Who looks on at a run: asks it to stop, and hears how far it has come.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use units::Time;

use crate::completion::Error;
use crate::plan::Plan;
use crate::progress::Progress;

/// How far a run has come; told now and then while it runs, from all its threads.
#[derive(Debug, Default)]
pub struct Gauge {
    reached: AtomicU64,
    events: AtomicU64,
    /// What a run that was stopped has delivered of each flow of its plan; empty before that.
    delivered: Mutex<Vec<u64>>,
    progress: Mutex<Option<Progress>>,
}

impl Gauge {
    /// Of a run that has not begun.
    pub const fn new() -> Self {
        Self {
            reached: AtomicU64::new(0),
            events: AtomicU64::new(0),
            delivered: Mutex::new(Vec::new()),
            progress: Mutex::new(None),
        }
    }

    /// The latest instant told so far; parts of the network may be earlier.
    pub fn reached(&self) -> Time {
        Time::from_picos(self.reached.load(Ordering::Relaxed))
    }

    /// The events told so far, some thousands less than there have been.
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// What a run that was stopped had delivered; `None` if none was, or before it had a plan.
    pub fn progress(&self) -> Option<Progress> {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What looks on at a run, if anything does. It changes no result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch<'a> {
    /// Set when the run should stop.
    pub stop: Option<&'a AtomicBool>,
    /// Where the run tells how far it is.
    pub gauge: Option<&'a Gauge>,
}

impl Watch<'_> {
    /// Tells of some more events until `now`.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the run should stop.
    pub fn tell(&self, now: Time, events: u64) -> Result<(), Error> {
        if let Some(gauge) = self.gauge {
            gauge.reached.fetch_max(now.as_picos(), Ordering::Relaxed);
            gauge.events.fetch_add(events, Ordering::Relaxed);
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// Hears what a run that is stopped has delivered, by flow of its plan.
    pub(crate) fn tell_delivered(&self, delivered: impl FnOnce() -> Vec<u64>) {
        if let Some(gauge) = self.gauge {
            *gauge.delivered.lock().unwrap_or_else(PoisonError::into_inner) = delivered();
        }
    }

    /// Adds up what the run of `plan` that was stopped last has delivered, where flow i stands for
    /// `members(i)` transfers of the schedule.
    pub fn tell_progress(&self, plan: &Plan, members: impl Fn(usize) -> u128) {
        let Some(gauge) = self.gauge else { return };
        let mut delivered = gauge.delivered.lock().unwrap_or_else(PoisonError::into_inner);
        // Stopped before anything was delivered, nothing was told.
        let delivered = mem::take(&mut *delivered);
        let of = |flow| delivered.get(flow).copied().unwrap_or_default();
        let progress = Progress::of(plan, of, members);
        *gauge.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_keeps_the_latest_instant_and_adds_up_events() {
        let (stop, gauge) = (AtomicBool::new(false), Gauge::new());
        let watch = Watch { stop: Some(&stop), gauge: Some(&gauge) };
        assert_eq!(watch.tell(Time::from_picos(7), 1024), Ok(()));
        assert_eq!(watch.tell(Time::from_picos(5), 1), Ok(()));
        assert_eq!((gauge.reached(), gauge.events()), (Time::from_picos(7), 1025));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(watch.tell(Time::ZERO, 0), Err(Error::Interrupted));
    }
}
