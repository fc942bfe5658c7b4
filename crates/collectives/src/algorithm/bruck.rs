//! Bruck's algorithms: ⌈log₂ n⌉ steps for any count.
//!
//! *All-gather*: in the step of distance d = 1, 2, 4, … below n, seat i sends to seat i − d all chunks
//! it has, i, i + 1, …, at most what is missing there: min(d, n − d) of them.
//!
//! Source: Bruck, Ho, Kipnis, Upfal, Weathersby, *Efficient algorithms for all-to-all communications
//! in multiport message-passing systems*, IEEE Transactions on Parallel and Distributed Systems 8
//! (1997), sections 3 and 4. HCCL calls the all-gather NB, *non-uniform Bruck*.

use super::nhr::distances;
use crate::draft::{Draft, Task, stage};
use crate::payload::{End, Strides};
use crate::{Action, Pattern, Payload, Stage, Start};

/// Brings each chunk from the seat of its number to all seats.
pub(super) fn all_gather(draft: &mut Draft, task: &Task) {
    let seats = task.size();
    let step = |distance: u32| {
        let payload = Payload::Strided(Strides {
            range: task.range.clone(),
            first: End::Source,
            // One seat forwards.
            backwards: seats - 1,
            count: distance.min(seats - distance),
        });
        let pattern = Pattern::Shift { distance: seats - distance };
        Stage { start: Start::Rendezvous, ..stage(pattern, payload, Action::Store, 1) }
    };
    let stages = distances(seats).map(step).collect();
    draft.lane("bruck", task, stages);
}
