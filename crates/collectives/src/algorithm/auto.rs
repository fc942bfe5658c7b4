//! The algorithm by a table of message size and group.
//!
//! | collective | when | algorithm |
//! |---|---|---|
//! | all-reduce | S ≤ 512 KiB | halving–doubling |
//! | | larger, one supernode or one rank in each | ring |
//! | | larger, several supernodes | hierarchical (direct, ring) |
//! | all-gather | S ≤ 512 KiB, p a power of two | recursive |
//! | | S ≤ 80 KiB, other p | Bruck |
//! | | larger | ring |
//! | reduce-scatter | S ≤ 512 KiB | recursive |
//! | | larger | ring |
//! | all-to-all | blocks ≤ 256 B | Bruck |
//! | | larger | direct |
//! | all-to-all-v | always | direct |
//! | broadcast | S ≤ 12 KiB or p < 8 | binomial |
//! | | larger | chain of 128 KiB |
//! | reduce | S ≤ 2 KiB or p < 8 | binomial |
//! | | larger | chain of 128 KiB |
//! | gather, scatter | always | binomial |
//! | barrier | always | dissemination |
//! | send–receive | always | direct |
//!
//! Source of the sizes: Thakur, Rabenseifner, Gropp, *Optimization of collective communication
//! operations in MPICH*, International Journal of High Performance Computing Applications 19 (2005),
//! section 4. Ours where it has no counterpart here: the hierarchical row, chains instead of scatter
//! and all-gather for long broadcasts and reduces, rings instead of pairwise reduce-scatters, and no
//! pairwise all-to-all. No library chooses by just this table.

use units::Bytes;

use crate::{Algorithm, Channels, Collective, Group, HalvingOrder, Inner, Outer, Request};

/// What the table says of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The row of the table, in words.
    pub rule: &'static str,
}

const KIB: u64 = 1_024;
const RING: Algorithm = Algorithm::Ring { channels: Channels::PerCard };
const CHAIN: Algorithm =
    Algorithm::Chain { channels: Channels::PerCard, chunk: Bytes::new(128 * KIB) };
const HALVING_DOUBLING: Algorithm =
    Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling };
const HIERARCHICAL: Algorithm =
    Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };

/// The choice for a request, by its largest group.
pub(crate) fn choose(request: &Request<'_>) -> Choice {
    let Some(group) = request.groups.iter().max_by_key(|group| group.size()) else {
        // Refused in a moment, by any algorithm.
        return Choice { algorithm: Algorithm::Direct, rule: "there are no ranks" };
    };
    let ranks = group.size();
    let size = request.size.as_u64();
    let (algorithm, rule) = match request.collective {
        Collective::AllReduce => all_reduce(group, size),
        Collective::AllGather if size <= 512 * KIB && ranks.is_power_of_two() => {
            (Algorithm::Recursive, "at most 512 KiB among a power of two")
        }
        Collective::AllGather if size <= 80 * KIB && !ranks.is_power_of_two() => {
            (Algorithm::Bruck, "at most 80 KiB among no power of two")
        }
        Collective::AllGather => (RING, "more than 512 KiB, or 80 KiB among no power of two"),
        Collective::ReduceScatter if size <= 512 * KIB => (Algorithm::Recursive, "at most 512 KiB"),
        Collective::ReduceScatter => (RING, "more than 512 KiB"),
        Collective::AllToAll if size <= 256 * u64::from(ranks) => {
            (Algorithm::Bruck, "blocks of at most 256 B")
        }
        Collective::AllToAll => (Algorithm::Direct, "blocks of more than 256 B"),
        Collective::AllToAllV { .. } | Collective::SendReceive { .. } => {
            (Algorithm::Direct, "any size")
        }
        Collective::Broadcast { .. } if size <= 12 * KIB || ranks < 8 => {
            (Algorithm::Binomial, "at most 12 KiB or fewer than 8 ranks")
        }
        Collective::Broadcast { .. } => (CHAIN, "more than 12 KiB among 8 ranks or more"),
        Collective::Reduce { .. } if size <= 2 * KIB || ranks < 8 => {
            (Algorithm::Binomial, "at most 2 KiB or fewer than 8 ranks")
        }
        Collective::Reduce { .. } => (CHAIN, "more than 2 KiB among 8 ranks or more"),
        Collective::Gather { .. } | Collective::Scatter { .. } => (Algorithm::Binomial, "any size"),
        Collective::Barrier => (Algorithm::Dissemination, "always"),
    };
    Choice { algorithm, rule }
}

fn all_reduce(group: &Group, size: u64) -> (Algorithm, &'static str) {
    let members = group.members();
    let has_inside = members.len() > 1 && members.iter().any(|places| places.len() > 1);
    match (size <= 512 * KIB, has_inside) {
        (true, _) => (HALVING_DOUBLING, "at most 512 KiB"),
        (false, true) => (HIERARCHICAL, "more than 512 KiB across several supernodes"),
        (false, false) => (RING, "more than 512 KiB within one supernode, or one rank in each"),
    }
}
