//! Go-back-N: after a gap everything behind it is sent again.

use super::{Progress, Sending};

/// A sender that returns to the first packet that has not come.
#[derive(Clone, Debug)]
pub(crate) struct GoBack {
    window: u32,
    /// All before it have come.
    acknowledged: u32,
    /// The packet to send next.
    next: u32,
    /// All before it have been sent at least once.
    sent: u32,
    /// How often the sender has gone back: no packet has been sent more often than that before.
    returns: u8,
}

impl GoBack {
    pub(super) const fn new(window: u32) -> Self {
        Self { window, acknowledged: 0, next: 0, sent: 0, returns: 0 }
    }

    pub(super) const fn can_send(&self, end: u32) -> bool {
        self.next < end && self.next - self.acknowledged < self.window
    }

    pub(super) fn send(&mut self) -> Sending {
        let sequence = self.next;
        let attempt = if sequence < self.sent { self.returns } else { 0 };
        self.next += 1;
        self.sent = self.sent.max(self.next);
        Sending { sequence, attempt }
    }

    pub(super) fn on_acknowledged(&mut self, count: u32) -> Progress {
        if count <= self.acknowledged {
            return Progress::None;
        }
        self.acknowledged = count;
        self.next = self.next.max(count);
        Progress::Some
    }

    /// The receiver refuses once for each gap, so every refusal is heeded.
    pub(super) fn on_refused(&mut self, expected: u32) -> Progress {
        let progress = self.on_acknowledged(expected);
        if expected == self.acknowledged {
            self.go_back();
        }
        progress
    }

    pub(super) fn on_timeout(&mut self) {
        self.go_back();
    }

    const fn go_back(&mut self) {
        if self.next > self.acknowledged {
            self.next = self.acknowledged;
            self.returns = self.returns.saturating_add(1);
        }
    }

    pub(super) const fn acknowledged(&self) -> u32 {
        self.acknowledged
    }

    pub(super) const fn sent(&self) -> u32 {
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_sends_everything_behind_the_gap_again() {
        let mut sender = GoBack::new(4);
        let first: Vec<u32> = (0..4).map(|_| sender.send().sequence).collect();
        assert_eq!(first, [0, 1, 2, 3]);
        assert!(!sender.can_send(9), "the window is full");
        // Packet 1 was lost: the receiver has 0 and refuses 2.
        assert_eq!(sender.on_refused(1), Progress::Some);
        let again: Vec<Sending> = (0..4).map(|_| sender.send()).collect();
        let attempts: Vec<(u32, u8)> = again.iter().map(|it| (it.sequence, it.attempt)).collect();
        assert_eq!(attempts, [(1, 1), (2, 1), (3, 1), (4, 0)]);
        assert_eq!(sender.on_refused(0), Progress::None, "an old refusal");
        assert!(!sender.can_send(9));
    }
}
