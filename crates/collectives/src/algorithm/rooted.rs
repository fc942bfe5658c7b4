//! One rank and all others, in a single step; and one rank and another.
//!
//! Seats count from the root, seat 0, and chunk v of a scatter or gather is that of seat v.

use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload, Stage};

/// Brings the vector of seat 0 to all seats.
pub(super) fn broadcast(draft: &mut Draft, task: &Task) {
    let whole = Payload::Whole(task.range.clone());
    once(draft, task, stage(Pattern::FromFirst, whole, Action::Store, 1));
}

/// Brings each chunk from seat 0 to the seat of its number.
pub(super) fn scatter(draft: &mut Draft, task: &Task) {
    let part = Payload::OfDestination(task.range.clone());
    once(draft, task, stage(Pattern::FromFirst, part, Action::Store, 1));
}

/// Sums the vectors of all seats at seat 0.
pub(super) fn reduce(draft: &mut Draft, task: &Task) {
    let whole = Payload::Whole(task.range.clone());
    once(draft, task, stage(Pattern::ToFirst, whole, Action::Reduce, 1));
}

/// Brings each chunk from the seat of its number to seat 0.
pub(super) fn gather(draft: &mut Draft, task: &Task) {
    let part = Payload::OfSource(task.range.clone());
    once(draft, task, stage(Pattern::ToFirst, part, Action::Store, 1));
}

/// Brings the vector of seat 0 to seat 1, the only other one.
pub(super) fn send(draft: &mut Draft, task: &Task) {
    let whole = Payload::Whole(task.range.clone());
    draft.lane("send", task, vec![stage(Pattern::FromFirst, whole, Action::Store, 1)]);
}

fn once(draft: &mut Draft, task: &Task, step: Stage) {
    draft.lane("direct", task, vec![step]);
}
