//! Pairwise all-to-all: one peer after the other.
//!
//! In step k = 1 … n − 1 seat i sends its block for seat i + k (mod n) to it, and receives from
//! seat i − k. All n(n − 1) pairs differ in time, so the number of pairs is limited.

use crate::draft::{Draft, Task, stage};
use crate::{Action, Group, Pattern, Payload, Refusal};

/// The most ordered pairs of all groups together: those of one group of 4,096 ranks.
const MAX_PAIRS: u64 = 4_096 * 4_095;

/// Sends block j of every seat to seat j, at growing distances.
pub(super) fn all_to_all(draft: &mut Draft, task: &Task) {
    let exchange = |distance| {
        let payload = Payload::OfDestination(task.range.clone());
        stage(Pattern::Shift { distance }, payload, Action::Store, 1)
    };
    draft.lane("pairwise", task, (1..task.size()).map(exchange).collect());
}

/// Refuses groups that have too many pairs together.
pub(crate) fn check_pairs(groups: &[Group]) -> Result<(), Refusal> {
    let pairs = groups
        .iter()
        .map(|group| u64::from(group.size()))
        .map(|ranks| ranks * ranks.saturating_sub(1))
        .fold(0, u64::saturating_add);
    if pairs > MAX_PAIRS {
        return Err(Refusal::TooManyPairs { pairs, limit: MAX_PAIRS });
    }
    Ok(())
}
