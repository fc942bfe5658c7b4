//! Who looks on at a run: asks it to stop, and hears how far it has come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use units::Time;

use crate::completion::Error;

/// How far a run has come; told now and then while it runs, from all its threads.
#[derive(Debug, Default)]
pub struct Gauge {
    reached: AtomicU64,
    events: AtomicU64,
}

impl Gauge {
    /// Of a run that has not begun.
    pub const fn new() -> Self {
        Self { reached: AtomicU64::new(0), events: AtomicU64::new(0) }
    }

    /// The latest instant told so far; parts of the network may be earlier.
    pub fn reached(&self) -> Time {
        Time::from_picos(self.reached.load(Ordering::Relaxed))
    }

    /// The events told so far, some thousands less than there have been.
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
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
