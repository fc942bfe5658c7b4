//! NHR, the non-uniform hierarchical ring: ⌈log₂ n⌉ steps for any count, no byte more than a ring.
//!
//! *Reduce-scatter*: in the step of distance d = 1, 2, 4, … below n, seat i sends to seat i − d the
//! chunks i − d, i − 3d, i − 5d, … (mod n), ⌊(n − 1 + d) / 2d⌋ of them. *All-gather* is the same
//! backwards: the largest distance first, seat i sends to seat i + d the chunks i, i − 2d, i − 4d, …
//! *All-reduce* is one after the other. Over all steps every seat sends n − 1 chunks, once each, so
//! unlike recursive halving nothing is sent twice when n is no power of two.
//!
//! A receiver announces that it is ready before the data is sent: both sides must be there.
//!
//! Source: Huawei, *HCCL user guide*, algorithm overview (NHR); the chunks of each step follow its open
//! source (`reduce_scatter_nhr`, `all_gather_nhr`). The layout that makes the chunks of a step
//! neighbours in memory is not modelled: it changes no size.

use crate::draft::{Draft, Task, stage};
use crate::payload::{End, Strides};
use crate::{Action, LaneId, Pattern, Payload, Stage, Start};

/// Sums the vectors of all seats at all seats; the lane after which a seat has the result.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task) -> LaneId {
    let mut stages = scatter(task);
    stages.extend(gather(task));
    draft.lane("nhr", task, stages)
}

/// Sums each chunk at the seat of its number.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task) {
    let stages = scatter(task);
    draft.lane("nhr", task, stages);
}

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    let stages = gather(task);
    draft.lane("nhr", task, stages);
}

/// The stages of a reduce-scatter.
pub(super) fn scatter(task: &Task) -> Vec<Stage> {
    let seats = task.size();
    let step = |distance| {
        let payload = strides(task, End::Destination, distance);
        step(seats - distance, payload, Action::Reduce)
    };
    distances(seats).map(step).collect()
}

/// The stages of an all-gather.
pub(super) fn gather(task: &Task) -> Vec<Stage> {
    let step = |distance| step(distance, strides(task, End::Source, distance), Action::Store);
    let mut stages: Vec<Stage> = distances(task.size()).map(step).collect();
    stages.reverse();
    stages
}

/// 1, 2, 4, … below the number of seats.
pub(super) fn distances(seats: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(1_u32), |distance| distance.checked_mul(2))
        .take_while(move |&distance| distance < seats)
}

fn strides(task: &Task, first: End, distance: u32) -> Payload {
    let seats = u64::from(task.size());
    let (distance, backwards) = (u64::from(distance), 2 * u64::from(distance));
    let count = (seats - 1 + distance) / backwards;
    // Reduced by the number of seats, both fit the 32 bits they come from.
    let backwards = (backwards % seats) as u32;
    Payload::Strided(Strides { range: task.range.clone(), first, backwards, count: count as u32 })
}

fn step(distance: u32, payload: Payload, action: Action) -> Stage {
    Stage { start: Start::Rendezvous, ..stage(Pattern::Shift { distance }, payload, action, 1) }
}
