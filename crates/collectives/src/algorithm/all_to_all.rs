//! All-to-all, all pairs at once: every rank sends each other rank its block in one step.
//!
//! The buffer of a rank is cut in n blocks, one for each rank; its own block stays where it is. The
//! blocks are equal, or uneven by an imbalance, which makes the last rank a hot spot.

use crate::draft::{Draft, Task, stage};
use crate::skew::Skew;
use crate::{Action, Pattern, Payload};

/// Sends block j of every seat to seat j.
pub(super) fn all_to_all(draft: &mut Draft, task: &Task) {
    at_once(draft, task, Payload::OfDestination(task.range.clone()));
}

/// The same with uneven blocks.
pub(super) fn all_to_all_v(draft: &mut Draft, task: &Task, imbalance_ppm: u32) {
    let skew = Skew { range: task.range.clone(), imbalance_ppm };
    at_once(draft, task, Payload::Skewed(skew));
}

fn at_once(draft: &mut Draft, task: &Task, payload: Payload) {
    draft.lane("all-to-all", task, vec![stage(Pattern::AllPairs, payload, Action::Store, 1)]);
}
