//! From the beginning of a run to its end, or part of the way.

use units::Time;

use crate::completion::{Completion, Error, Limits};
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::Plan;

/// Runs `plan` on `network` to its end.
pub fn run<N: Network>(plan: &Plan, network: N, limits: Limits<'_>) -> Result<Completion, Error> {
    let mut drive = Drive::new(plan, network, limits);
    drive.advance(Until::End)?;
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
