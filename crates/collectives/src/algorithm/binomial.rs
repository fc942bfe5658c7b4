//! Binomial trees from and to a root: ⌈log₂ n⌉ steps.
//!
//! Seats count from the root, seat 0. *Downwards* (broadcast, scatter) the masks go from the highest
//! power of two below n to 1, *upwards* (reduce, gather) from 1 to it: in the step of mask m the seats
//! that are multiples of 2m face the seats m further. A scatter or gather moves the chunks of the
//! whole branch; chunk v is that of seat v, so the root's chunk comes first.
//!
//! Upwards a transfer starts when both sides have entered the step: a parent takes one child at a time.
//!
//! Source: Thakur, Rabenseifner, Gropp, *Optimization of collective communication operations in
//! MPICH*, International Journal of High Performance Computing Applications 19 (2005), sections 4.2
//! and 4.6.

use super::nhr::distances;
use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload, Stage, Start};

/// Brings the vector of seat 0 to all seats.
pub(super) fn broadcast(draft: &mut Draft, task: &Task) {
    let stages = down(task, |_| Payload::Whole(task.range.clone()));
    draft.lane("binomial", task, stages);
}

/// Brings each chunk from seat 0 to the seat of its number.
pub(super) fn scatter(draft: &mut Draft, task: &Task) {
    let stages = down(task, |mask| Payload::Branch { range: task.range.clone(), mask });
    draft.lane("binomial", task, stages);
}

/// Sums the vectors of all seats at seat 0.
pub(super) fn reduce(draft: &mut Draft, task: &Task) {
    let stages = up(task, Action::Reduce, |_| Payload::Whole(task.range.clone()));
    draft.lane("binomial", task, stages);
}

/// Brings each chunk from the seat of its number to seat 0.
pub(super) fn gather(draft: &mut Draft, task: &Task) {
    let stages =
        up(task, Action::Store, |mask| Payload::Branch { range: task.range.clone(), mask });
    draft.lane("binomial", task, stages);
}

fn down(task: &Task, payload: impl Fn(u32) -> Payload) -> Vec<Stage> {
    let step = |mask| stage(Pattern::FanOut { mask }, payload(mask), Action::Store, 1);
    let mut stages: Vec<Stage> = distances(task.size()).map(step).collect();
    stages.reverse();
    stages
}

fn up(task: &Task, action: Action, payload: impl Fn(u32) -> Payload) -> Vec<Stage> {
    let step = |mask| Stage {
        start: Start::Rendezvous,
        ..stage(Pattern::FanIn { mask }, payload(mask), action, 1)
    };
    distances(task.size()).map(step).collect()
}
