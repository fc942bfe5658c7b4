//! All-to-all, all pairs at once: every rank sends each other rank its block in one step.
//!
//! The buffer of a rank is cut in n blocks, one for each rank; its own block stays where it is.

use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload};

/// Sends block j of every seat to seat j.
pub(super) fn all_to_all(draft: &mut Draft, task: &Task) {
    let payload = Payload::OfDestination(task.range.clone());
    let step = stage(Pattern::AllPairs, payload, Action::Store, 1);
    draft.lane("all-to-all", task, vec![step]);
}
