//! Dissemination barrier: ⌈log₂ n⌉ steps of empty messages.
//!
//! In the step of distance d = 1, 2, 4, … below n seat i tells seat i + d (mod n) that it has come so
//! far. After the last step each seat has heard of all others, directly or not.
//!
//! Source: Hensgen, Finkel, Manber, *Two algorithms for barrier synchronization*, International Journal
//! of Parallel Programming 17 (1988), section 3.

use super::nhr::distances;
use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload};

/// Lets no seat leave before all have come.
pub(super) fn barrier(draft: &mut Draft, task: &Task) {
    let step = |distance| stage(Pattern::Shift { distance }, Payload::Empty, Action::Store, 1);
    draft.lane("dissemination", task, distances(task.size()).map(step).collect());
}
