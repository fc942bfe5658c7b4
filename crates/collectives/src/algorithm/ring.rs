//! Rings: chunks travel from neighbour to neighbour.
//!
//! The bytes of a ring among n seats are cut in n chunks. *Reduce-scatter*: chunk c leaves seat
//! c + 1 and comes home to seat c after n − 1 steps, taking up every contribution on its way.
//! *All-gather*: chunk c leaves seat c and reaches all others in n − 1 steps. *All-reduce* is one
//! after the other, 2(n − 1) steps; in step k of all of them seat i sends chunk (i − 1 − k) mod n.
//!
//! With several channels the vector is cut among them first; the part of a rank, in a reduce-scatter
//! or an all-gather, is then the chunk of its seat in each channel.
//!
//! Source: Patarasuk, Yuan, *Bandwidth optimal all-reduce algorithms for clusters of workstations*,
//! Journal of Parallel and Distributed Computing 69 (2009), section 4.

use crate::draft::{Draft, Task, stage};
use crate::{Action, LaneId, Pattern, Payload, Stage};

/// Sums the vectors of all seats at all seats; the lane after which a seat has the result.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task) -> LaneId {
    draft.lane("ring", task, vec![scatter(task), gather(task)])
}

/// Sums each chunk at the seat of its number.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task) {
    draft.lane("ring", task, vec![scatter(task)]);
}

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    draft.lane("ring", task, vec![gather(task)]);
}

/// The stage of a reduce-scatter.
pub(super) fn scatter(task: &Task) -> Stage {
    let payload = Payload::RotatingHome(task.range.clone());
    stage(Pattern::Shift { distance: 1 }, payload, Action::Reduce, u64::from(task.size()) - 1)
}

/// The stage of an all-gather.
pub(super) fn gather(task: &Task) -> Stage {
    let payload = Payload::Rotating(task.range.clone());
    stage(Pattern::Shift { distance: 1 }, payload, Action::Store, u64::from(task.size()) - 1)
}
