//! Chains: a vector passes from seat to seat, chunk by chunk.
//!
//! With K chunks among n seats the pipeline has K + n − 2 steps; in step c + k seat k passes chunk c
//! on. A *broadcast* starts at the root; in a *reduce* every seat adds its own chunk and the root is
//! the last seat. (A ring of which one link is not used: NCCL's broadcast and reduce.)
//!
//! Source: Träff, Ripke, Siebert, Balaji, Thakur, Gropp, *A pipelined algorithm for large, irregular
//! all-gather problems*, International Journal of High Performance Computing Applications 24 (2010),
//! section 2 (linear pipelines).

use units::Bytes;

use crate::draft::{Draft, Task, stage};
use crate::{Action, Pattern, Payload, Refusal};

/// The most chunks of one chain.
const MAX_CHUNKS: u64 = 1 << 20;

/// Brings the vector of the first seat to all seats.
pub(super) fn broadcast(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    pipeline(draft, task, chunk, Action::Store)
}

/// Sums the vectors of all seats at the last one.
pub(super) fn reduce(draft: &mut Draft, task: &Task, chunk: Bytes) -> Result<(), Refusal> {
    pipeline(draft, task, chunk, Action::Reduce)
}

fn pipeline(draft: &mut Draft, task: &Task, chunk: Bytes, action: Action) -> Result<(), Refusal> {
    let length = task.range.end - task.range.start;
    let chunks = u64::max(1, length.div_ceil(chunk.as_u64()));
    if chunks > MAX_CHUNKS {
        return Err(Refusal::TooManyChunks { chunks, limit: MAX_CHUNKS });
    }
    let steps = chunks + u64::from(task.size()) - 2;
    let payload = Payload::Pipelined { range: task.range.clone(), chunk };
    draft.lane("chain", task, vec![stage(Pattern::Chain, payload, action, steps)]);
    Ok(())
}
