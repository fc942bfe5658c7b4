//! Double binary trees: chunks climb to the root of a tree, summed on the way, and descend again.
//!
//! The bytes are cut in two, one half for each of two trees in which hardly any seat is inside both,
//! and each half in chunks that follow one another: with K chunks and depth D, the *up* lane of a
//! tree lasts K + D − 1 steps, and so does its *down* lane, in which the root passes on chunk c as
//! soon as it has been summed there.
//!
//! Source: Sanders, Speck, Träff, *Two-tree algorithms for full bandwidth broadcast, reduction and
//! scan*, Parallel Computing 35 (2009).

use units::Bytes;

use crate::draft::{Draft, Task, stage};
use crate::payload::chunk_of;
use crate::{Action, LaneId, Pace, Pattern, Payload, Refusal, TreeShape, Wait};

/// The most chunks of one tree.
const MAX_CHUNKS: u64 = 1 << 20;

/// Sums the vectors of all seats at all seats in chunks of at most `chunk` bytes; the two lanes
/// after which a seat has the result.
pub(super) fn all_reduce(
    draft: &mut Draft,
    task: &Task,
    chunk: Bytes,
) -> Result<[LaneId; 2], Refusal> {
    let shapes = [TreeShape::Plain, TreeShape::second(task.size())];
    let mut done = [LaneId(0); 2];
    for (half, shape) in shapes.into_iter().enumerate() {
        let range = chunk_of(&task.range, 2, half as u64);
        let part = Task { range, ..task.clone() };
        done[half] = one_tree(draft, &part, shape, chunk)?;
    }
    Ok(done)
}

fn one_tree(
    draft: &mut Draft,
    task: &Task,
    shape: TreeShape,
    chunk: Bytes,
) -> Result<LaneId, Refusal> {
    let length = task.range.end - task.range.start;
    let chunks = u64::max(1, length.div_ceil(chunk.as_u64()));
    if chunks > MAX_CHUNKS {
        return Err(Refusal::TooManyChunks { chunks, limit: MAX_CHUNKS });
    }
    let height = u64::from(TreeShape::height(task.size()));
    let steps = chunks + height - 1;
    let payload = || Payload::Pipelined { range: task.range.clone(), chunk };
    let climb = stage(Pattern::TreeUp(shape), payload(), Action::Reduce, steps);
    let up = draft.lane("tree up", task, vec![climb]);
    let descend = stage(Pattern::TreeDown(shape), payload(), Action::Store, steps);
    // A child of the root, at depth 1, sends chunk c in step c + D − 1: the root has it when it has
    // completed c + D steps, and passes it on in step c.
    let root = Wait {
        seat: shape.root(task.size()),
        step: 0,
        lane: up,
        completed: height,
        pace: Pace::EachStep,
    };
    Ok(draft.lane_with_waits("tree down", task, vec![descend], vec![root]))
}
