//! What losses cost one transfer.

use units::{Bytes, Duration, Probability};

/// What losses add to a transfer, and what is counted of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Toll {
    /// Bytes that are sent again.
    pub(crate) extra: Bytes,
    /// From the last byte to the end of the transfer.
    pub(crate) delay: Duration,
    /// Timeouts in parts of 10¹².
    pub(crate) timeouts: u128,
    /// That the transfer lost something, in parts of 10¹².
    pub(crate) hit: u64,
}

impl Toll {
    /// The share `done`/`of` of it but for the bytes: the delay rounded up, the counts down; nothing of
    /// what sends nothing.
    pub(super) fn share(&self, done: u64, of: u64) -> Self {
        if done == 0 {
            return Self::default();
        }
        let (done, of) = (u128::from(done), u128::from(of));
        let delay = (u128::from(self.delay.as_picos()) * done).div_ceil(of);
        // The quotient apart from the rest, for products within 128 bits.
        let timeouts = self.timeouts / of * done + self.timeouts % of * done / of;
        let hit = u128::from(self.hit) * done / of;
        Self {
            extra: Bytes::ZERO,
            delay: Duration::from_picos(u64::try_from(delay).expect("at most the whole")),
            timeouts,
            hit: u64::try_from(hit).expect("at most the whole"),
        }
    }

    /// Both, one after the other, for one transfer.
    pub(super) fn and(&self, next: &Self) -> Self {
        let one = Probability::ONE.parts();
        let extra = self.extra.as_u64().saturating_add(next.extra.as_u64());
        Self {
            extra: Bytes::new(extra),
            delay: self.delay.checked_add(next.delay).unwrap_or(Duration::MAX),
            timeouts: self.timeouts.saturating_add(next.timeouts),
            hit: self.hit.saturating_add(next.hit).min(one),
        }
    }
}

/// How a transfer with losses ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It arrives, at this cost.
    Arrives(Toll),
    /// A packet was repeated as often as it may be, and lost again.
    GivesUp,
}
