//! Sizes as given, or rounded down so that all chunks are equal.

use serde::{Deserialize, Serialize};
use units::Bytes;

use crate::folding::Fold;
use crate::{Algorithm, Collective, Group, Outer, Refusal, Request};

/// What aligned chunks are multiples of, in bytes, as in nccl-tests.
const ALIGNMENT: u64 = 16;

/// How the size of a collective is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sizing {
    /// As given: chunks may differ by one byte, and the last chunk of a pipeline may be smaller.
    Exact,
    /// Rounded down to the next size at which all chunks of the algorithm are equal multiples of 16
    /// bytes (the pieces of unequal supernodes: multiples of 16 bytes; the messages of log-step
    /// algorithms: several chunks); 0 stays 0. A tree's chunks may shrink a little below the size asked for, to be equal.
    Aligned,
}

/// The size used and, for each group, the algorithm with the pipeline chunk it uses.
pub(crate) struct Sized {
    pub(crate) size: Bytes,
    pub(crate) algorithms: Vec<Algorithm>,
}

/// The size that a request uses.
pub(crate) fn sized(request: &Request<'_>) -> Result<Sized, Refusal> {
    let Request { collective, algorithm, size, .. } = *request;
    let least_chunk = match request.sizing {
        Sizing::Exact => 1,
        Sizing::Aligned => ALIGNMENT,
    };
    if let Some(chunk) = algorithm.chunk().filter(|chunk| chunk.as_u64() < least_chunk) {
        return Err(Refusal::ChunkTooSmall { chunk, least: Bytes::new(least_chunk) });
    }
    if request.sizing == Sizing::Exact || size == Bytes::ZERO {
        return Ok(Sized { size, algorithms: vec![algorithm; request.groups.len()] });
    }
    let parts: Vec<u128> =
        request.groups.iter().map(|group| parts(group, collective, algorithm, size)).collect();
    let unit: u128 = request.groups.iter().zip(&parts).fold(1, |unit, (group, &parts)| {
        // A rank alone cuts nothing.
        let alignment = if group.size() == 1 { 1 } else { u128::from(ALIGNMENT) };
        lcm(unit, parts.saturating_mul(alignment))
    });
    if unit > u128::from(size.as_u64()) {
        return Err(Refusal::TooSmallToAlign { size, least: unit, algorithm });
    }
    let used = size.as_u64() - size.as_u64() % unit as u64;
    let algorithms =
        parts.iter().map(|parts| algorithm.with_chunk(Bytes::new(used / *parts as u64))).collect();
    Ok(Sized { size: Bytes::new(used), algorithms })
}

/// Into how many equal parts the algorithm cuts the vector of a group.
fn parts(group: &Group, collective: Collective, algorithm: Algorithm, size: Bytes) -> u128 {
    let ranks = group.size();
    if ranks == 1 {
        return 1;
    }
    let channels = algorithm.channels(group);
    match algorithm {
        Algorithm::Ring { .. } => u128::from(channels) * u128::from(ranks),
        Algorithm::Tree { chunk, .. } => {
            let trees = 2 * u128::from(channels);
            trees * pipeline(size, trees, chunk)
        }
        Algorithm::Chain { chunk, .. } => {
            let chains = u128::from(channels);
            chains * pipeline(size, chains, chunk)
        }
        Algorithm::InNetwork { chunk } => {
            let has_parts = matches!(collective, Collective::AllGather | Collective::ReduceScatter);
            let trees = group.trees.len().max(1) as u128;
            let parts = if has_parts { u128::from(ranks) } else { trees };
            parts * pipeline(size, parts, chunk)
        }
        // These move whole vectors.
        Algorithm::Binomial | Algorithm::Direct if collective.is_whole() => 1,
        Algorithm::Dissemination => 1,
        Algorithm::Auto => unreachable!("auto has been replaced by what it chooses"),
        Algorithm::HalvingDoubling { .. } => u128::from(Fold::new(ranks).core()),
        Algorithm::Hierarchical { outer, .. } => hierarchical_parts(group, outer, size),
        Algorithm::Direct
        | Algorithm::Pairwise
        | Algorithm::Recursive
        | Algorithm::Nhr
        | Algorithm::Bruck
        | Algorithm::Binomial
        | Algorithm::TwoLevel => u128::from(ranks),
    }
}

/// The shards of all supernodes end at multiples of 1/lcm of their sizes; each such part is cut
/// again by the algorithm across.
fn hierarchical_parts(group: &Group, outer: Outer, size: Bytes) -> u128 {
    let members = group.members();
    let shards = members.iter().fold(1, |shards, places| lcm(shards, places.len() as u128));
    let owners = members.len() as u32;
    let pieces = match outer {
        _ if owners == 1 => 1,
        Outer::Ring | Outer::Direct => u128::from(owners),
        Outer::HalvingDoubling { .. } => u128::from(Fold::new(owners).core()),
        Outer::Tree { chunk } => 2 * pipeline(size, shards.saturating_mul(2), chunk),
    };
    shards.saturating_mul(pieces)
}

/// The least number of equal chunks of at most `chunk` bytes for one of `trees` parts of the vector,
/// all lengths counted in whole units of alignment.
fn pipeline(size: Bytes, trees: u128, chunk: Bytes) -> u128 {
    let units = u128::from(size.as_u64()) / trees / u128::from(ALIGNMENT);
    units.div_ceil(u128::from(chunk.as_u64() / ALIGNMENT)).max(1)
}

/// The least common multiple, or the largest number when it is too large to tell.
const fn lcm(left: u128, right: u128) -> u128 {
    let (mut divisor, mut rest) = (left, right);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (left / divisor).saturating_mul(right)
}
