//! Collectives inside one supernode whose switches add up and copy.
//!
//! What the ranks send meets at the switches, piece by piece: a rank sends each byte once and receives
//! each byte once, however many ranks there are. In an *up* lane the ranks send to the switches, in a
//! *down* lane these send one message to all; a piece goes down when all that belongs to it has come up.
//! With K equal pieces of a vector of S bytes and ports of rate B each of the five collectives here
//! takes S/B + S/(K·B) and one latency of the supernode, if no more than the ports is shared.
//!
//! Where ranks have parts of their own each has its turn, the last one first, in as many pieces as
//! any other.
//!
//! Source: Graham and others: Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware Architecture
//! for Efficient Data Reduction, COMHPC 2016, sections 2 and 3 (the result goes down from the switch).

use units::Bytes;

use crate::draft::{Draft, Task, stage};
use crate::{Action, Group, LaneId, Pace, Pattern, Payload, RankId, Refusal, Seats, Wait};

/// The most pieces of one vector.
const MAX_PIECES: u64 = 1 << 20;

/// Who talks to the switches, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Talk {
    /// All at once, piece by piece.
    All,
    /// One after the other, each with its own part.
    InTurn,
}

/// Refuses a group that no supernode holds whole.
pub(super) fn check(draft: &Draft, group: &Group) -> Result<(), Refusal> {
    let supernodes = group.members().len();
    if supernodes > 1 {
        return Err(Refusal::BeyondSwitches { group: draft.group(), supernodes });
    }
    Ok(())
}

/// Sums the vectors of all seats at all seats, in pieces of at most `chunk` bytes.
pub(super) fn all_reduce(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    let pieces = pieces(task, 1, chunk)?;
    let up = up(draft, task, (pieces, Talk::All), Action::Reduce);
    down(draft, task, (pieces, Talk::All), (up, Action::Store));
    Ok(())
}

/// Leaves each seat with its part of the sum.
pub(super) fn reduce_scatter(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    let pieces = pieces(task, task.size(), chunk)?;
    let up = up(draft, task, (pieces, Talk::All), Action::Reduce);
    down(draft, task, (pieces, Talk::InTurn), (up, Action::Store));
    Ok(())
}

/// Brings the part of each seat to all seats, its own included.
pub(super) fn all_gather(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    let pieces = pieces(task, task.size(), chunk)?;
    let up = up(draft, task, (pieces, Talk::InTurn), Action::Store);
    down(draft, task, (pieces, Talk::All), (up, Action::Store));
    Ok(())
}

/// Brings the vector of the first seat to all others.
pub(super) fn broadcast(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    let pieces = pieces(task, 1, chunk)?;
    let (root, others) = parted(task);
    let up = up(draft, &root, (pieces, Talk::All), Action::Store);
    down(draft, &others, (pieces, Talk::All), (up, Action::Store));
    Ok(())
}

/// Sums the vectors of all seats at the first one, which adds its own to the sum of the others.
pub(super) fn reduce(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    let pieces = pieces(task, 1, chunk)?;
    let (root, others) = parted(task);
    let up = up(draft, &others, (pieces, Talk::All), Action::Reduce);
    down(draft, &root, (pieces, Talk::All), (up, Action::Reduce));
    Ok(())
}

/// Into how many pieces of at most `chunk` bytes the vector is cut, the same number for each of `parts`.
fn pieces(task: &Task, parts: u32, chunk: Bytes) -> Result<u64, Refusal> {
    let length = task.range.end - task.range.start;
    let parts = u64::from(parts);
    let of_part = u64::max(1, length.div_ceil(parts).div_ceil(chunk.as_u64()));
    match parts.checked_mul(of_part) {
        Some(pieces) if pieces <= MAX_PIECES => Ok(pieces),
        pieces => {
            let chunks = pieces.unwrap_or(u64::MAX);
            Err(Refusal::TooManyChunks { chunks, limit: MAX_PIECES })
        }
    }
}

/// The first seat alone, and all others.
fn parted(task: &Task) -> (Task, Task) {
    let (root, others) = task.seats.split_at(1);
    let with = |seats: &[RankId]| Task { seats: seats.into(), ..task.clone() };
    (with(root), with(others))
}

/// The seats of a task and, last, that of the switches.
fn with_switches(task: &Task) -> Task {
    let seats: Seats = task.seats.iter().copied().chain([RankId::SWITCHES]).collect();
    Task { seats, ..task.clone() }
}

fn up(draft: &mut Draft, task: &Task, (pieces, talk): (u64, Talk), action: Action) -> LaneId {
    let pattern = match talk {
        Talk::All => Pattern::ToLast,
        Talk::InTurn => Pattern::ToLastInTurn,
    };
    let payload = Payload::Backwards { range: task.range.clone(), pieces };
    let stages = vec![stage(pattern, payload, action, pieces)];
    draft.lane("to switches", &with_switches(task), stages)
}

/// The switches send piece k when it has come up in the lane `up`.
fn down(
    draft: &mut Draft,
    task: &Task,
    (pieces, talk): (u64, Talk),
    (up, action): (LaneId, Action),
) {
    let pattern = match talk {
        Talk::All => Pattern::FromLast,
        Talk::InTurn => Pattern::FromLastInTurn,
    };
    let payload = Payload::Backwards { range: task.range.clone(), pieces };
    let stages = vec![stage(pattern, payload, action, pieces)];
    let switches = task.size();
    let wait = Wait { seat: switches, step: 0, lane: up, completed: 1, pace: Pace::EachStep };
    draft.lane_with_waits("from switches", &with_switches(task), stages, vec![wait]);
}
