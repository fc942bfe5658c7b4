//! Pairwise: one peer after the other.
//!
//! In step k = 1 … n − 1 seat i sends to seat i + k (mod n) and receives from seat i − k: its block for
//! that seat in an *all-to-all*, its contribution to the chunk of that seat in a *reduce-scatter*, its
//! own chunk in an *all-gather*; an *all-reduce* is the last two, one after the other. All n(n − 1)
//! pairs differ in time, so the number of pairs is limited.
//!
//! Source: Thakur, Rabenseifner, Gropp, *Optimization of collective communication operations in
//! MPICH*, International Journal of High Performance Computing Applications 19 (2005), sections 4.3
//! and 4.4.

use crate::draft::{Draft, Task, stage};
use crate::skew::Skew;
use crate::{Action, Group, Pattern, Payload, Refusal, Stage};

/// The most ordered pairs of all groups together: those of one group of 4,096 ranks.
const MAX_PAIRS: u64 = 4_096 * 4_095;

/// Sends block j of every seat to seat j, at growing distances.
pub(super) fn all_to_all(draft: &mut Draft, task: &Task) {
    let stages = rounds(task, &Payload::OfDestination(task.range.clone()), Action::Store);
    draft.lane("pairwise", task, stages);
}

/// The same with uneven blocks.
pub(super) fn all_to_all_v(draft: &mut Draft, task: &Task, imbalance_ppm: u32) {
    let skew = Skew { range: task.range.clone(), imbalance_ppm };
    let stages = rounds(task, &Payload::Skewed(skew), Action::Store);
    draft.lane("pairwise", task, stages);
}

/// Sums the vectors of all seats at all seats.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task) {
    let mut stages = scatter(task);
    stages.extend(gather(task));
    draft.lane("pairwise", task, stages);
}

/// Sums each chunk at the seat of its number.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task) {
    let stages = scatter(task);
    draft.lane("pairwise", task, stages);
}

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    let stages = gather(task);
    draft.lane("pairwise", task, stages);
}

fn scatter(task: &Task) -> Vec<Stage> {
    rounds(task, &Payload::OfDestination(task.range.clone()), Action::Reduce)
}

fn gather(task: &Task) -> Vec<Stage> {
    rounds(task, &Payload::OfSource(task.range.clone()), Action::Store)
}

/// A step for every distance.
fn rounds(task: &Task, payload: &Payload, action: Action) -> Vec<Stage> {
    let step = |distance| stage(Pattern::Shift { distance }, payload.clone(), action, 1);
    (1..task.size()).map(step).collect()
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
