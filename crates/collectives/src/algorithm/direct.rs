//! Direct: every seat talks to all others at once.
//!
//! The bytes among n seats are cut in n chunks. *Reduce-scatter*: each seat sends chunk c to seat c.
//! *All-gather*: seat c sends chunk c to all. *All-reduce* is one after the other, two steps.

use crate::draft::{Draft, Task, stage};
use crate::{Action, LaneId, Pattern, Payload, Stage};

/// Sums the vectors of all seats at all seats; the lane after which a seat has the result.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task) -> LaneId {
    draft.lane("direct", task, vec![scatter(task), gather(task)])
}

/// Sums each chunk at the seat of its number.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task) {
    draft.lane("direct", task, vec![scatter(task)]);
}

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    draft.lane("direct", task, vec![gather(task)]);
}

/// The stage of a reduce-scatter.
pub(super) fn scatter(task: &Task) -> Stage {
    stage(Pattern::AllPairs, Payload::OfDestination(task.range.clone()), Action::Reduce, 1)
}

/// The stage of an all-gather.
pub(super) fn gather(task: &Task) -> Stage {
    stage(Pattern::AllPairs, Payload::OfSource(task.range.clone()), Action::Store, 1)
}
