//! How long a sender waits for an acknowledgement, and how often.

use units::{Duration, Time};

use crate::Recovery;

/// What is to be done when the time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// It is not: look again then.
    Later(Time),
    /// Nothing is waited for.
    Idle,
    /// Everything unacknowledged is lost.
    Expired,
    /// The retry limit is reached.
    GiveUp,
}

/// The waiting of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    recovery: Recovery,
    deadline: Option<Time>,
    /// Timeouts since something was acknowledged.
    strikes: u32,
}

impl Patience {
    /// Nothing is waited for yet.
    pub(crate) const fn new(recovery: Recovery) -> Self {
        Self { recovery, deadline: None, strikes: 0 }
    }

    /// Something was sent: waits for its acknowledgement, unless it waits already.
    pub(crate) fn on_sent(&mut self, now: Time) -> Option<Time> {
        if self.deadline.is_none() {
            self.deadline = Some(self.from(now));
        }
        self.deadline
    }

    /// Something new was acknowledged; `is_waiting` if not yet everything: then until when it waits.
    pub(crate) fn on_progress(&mut self, now: Time, is_waiting: bool) -> Option<Time> {
        self.strikes = 0;
        self.deadline = is_waiting.then(|| self.from(now));
        self.deadline
    }

    /// Waits for nothing, and has not waited in vain.
    pub(crate) const fn rest(&mut self) {
        self.strikes = 0;
        self.deadline = None;
    }

    /// The timer has come.
    pub(crate) fn on_timer(&mut self, now: Time) -> Due {
        match self.deadline {
            None => Due::Idle,
            Some(deadline) if deadline > now => Due::Later(deadline),
            Some(_) if self.strikes == self.recovery.retries => {
                self.deadline = None;
                Due::GiveUp
            }
            Some(_) => {
                self.strikes += 1;
                self.deadline = None;
                Due::Expired
            }
        }
    }

    /// The end of the waiting that begins now; the timeout is at least 1 ps and at most 2⁵⁶ ps (20 h).
    fn from(&self, now: Time) -> Time {
        let factor = u64::from(self.recovery.back_off).saturating_pow(self.strikes);
        let picos = self.recovery.timeout.as_picos().saturating_mul(factor);
        now + Duration::from_picos(picos.clamp(1, 1 << 56))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeout_doubles_until_something_comes_and_ends_after_the_last_retry() {
        let recovery = Recovery { timeout: Duration::from_picos(10), back_off: 2, retries: 2 };
        let mut patience = Patience::new(recovery);
        let at = Time::from_picos;
        assert_eq!(patience.on_timer(at(0)), Due::Idle);
        assert_eq!(patience.on_sent(at(0)), Some(at(10)));
        assert_eq!(patience.on_sent(at(5)), Some(at(10)), "one deadline at a time");
        assert_eq!(patience.on_timer(at(9)), Due::Later(at(10)));
        assert_eq!(patience.on_timer(at(10)), Due::Expired);
        assert_eq!(patience.on_sent(at(10)), Some(at(30)));
        assert_eq!(patience.on_progress(at(15), true), Some(at(25)));
        assert_eq!(patience.on_timer(at(20)), Due::Later(at(25)));
        assert_eq!(patience.on_timer(at(25)), Due::Expired);
        assert_eq!(patience.on_sent(at(25)), Some(at(45)));
        assert_eq!(patience.on_timer(at(45)), Due::Expired);
        assert_eq!(patience.on_sent(at(45)), Some(at(85)));
        assert_eq!(patience.on_timer(at(85)), Due::GiveUp);
    }
}
