//! A window and nothing else.

use super::{Progress, Sending};

/// A sender that counts what is under way; nothing is ever lost.
#[derive(Clone, Debug)]
pub(crate) struct Ideal {
    window: u32,
    sent: u32,
    come: u32,
}

impl Ideal {
    pub(super) const fn new(window: u32) -> Self {
        Self { window, sent: 0, come: 0 }
    }

    pub(super) const fn can_send(&self, end: u32) -> bool {
        self.sent < end && self.sent - self.come < self.window
    }

    pub(super) const fn send(&mut self) -> Sending {
        self.sent += 1;
        Sending { sequence: self.sent - 1, attempt: 0 }
    }

    pub(super) const fn on_acknowledged(&mut self, come: u32) -> Progress {
        if come <= self.come {
            return Progress::None;
        }
        self.come = come;
        Progress::Some
    }

    pub(super) const fn acknowledged(&self) -> u32 {
        self.come
    }

    pub(super) const fn sent(&self) -> u32 {
        self.sent
    }
}
