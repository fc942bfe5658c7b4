//! What losses cost one transfer.

use units::{Bytes, Duration};

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

/// How a transfer with losses ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It arrives, at this cost.
    Arrives(Toll),
    /// A packet was repeated as often as it may be, and lost again.
    GivesUp,
}
