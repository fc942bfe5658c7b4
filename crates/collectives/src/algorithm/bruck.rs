//! Bruck's algorithms: ⌈log₂ n⌉ steps for any count.
//!
//! *All-gather*: in the step of distance d = 1, 2, 4, … below n, seat i sends to seat i − d all chunks
//! it has, i, i + 1, …, at most what is missing there: min(d, n − d) of them.
//!
//! *All-to-all*: in the step of distance d seat i sends to seat i + d every block it holds whose way
//! from origin to target has the bit d. A block moves once for each bit of its way, so more bytes are
//! sent than by direct messages: S · Σ (bits of w) over the ways w = 1 … n − 1, about ½ p log₂ p · S.
//! Turning the blocks around in memory before and after takes no time.
//!
//! Source: Bruck, Ho, Kipnis, Upfal, Weathersby, *Efficient algorithms for all-to-all communications
//! in multiport message-passing systems*, IEEE Transactions on Parallel and Distributed Systems 8
//! (1997), sections 3 and 4. HCCL calls the all-gather NB, *non-uniform Bruck*.

use super::nhr::distances;
use crate::draft::{Draft, Task, stage};
use crate::payload::{End, Strides};
use crate::relay::{Relay, Route};
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

/// Sends block j of every seat to seat j, over others.
pub(super) fn all_to_all(draft: &mut Draft, task: &Task) {
    let step = |distance: u32| {
        let route = Route::Hop { distance };
        let relay = Relay { size: task.range.end, supernodes: 1, cards: task.size(), route };
        let (pattern, payload) = (Pattern::Shift { distance }, Payload::Relayed(relay));
        Stage { start: Start::Rendezvous, ..stage(pattern, payload, Action::Store, 1) }
    };
    let stages = distances(task.size()).map(step).collect();
    draft.lane("bruck", task, stages);
}
