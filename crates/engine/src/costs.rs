//! Start-up costs of steps and messages, and the speed of reduction.

use units::{Bandwidth, Duration};

/// What a step costs beside its bytes; all zero unless given.
///
/// Wire, switch and NIC delays are not here: they are latency of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Costs {
    /// Time at a rank once a step, before its transfers start.
    pub per_step: Duration,
    /// Time that each message occupies its sender, one after the other, before its transfer starts.
    pub per_message: Duration,
    /// How fast a rank adds up what it received, in bytes of input; `None` costs nothing.
    pub reduce: Option<Bandwidth>,
}
