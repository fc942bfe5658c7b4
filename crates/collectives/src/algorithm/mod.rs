//! The algorithms: which lanes perform a collective among a group.

mod all_to_all;
mod auto;
mod binomial;
mod bruck;
mod chain;
mod direct;
mod dissemination;
mod halving_doubling;
mod hierarchical;
mod nhr;
mod pairwise;
mod recursive;
mod ring;
mod rooted;
mod tree;
mod two_level;

use std::fmt;

use units::Bytes;

use crate::draft::{Draft, Task};
use crate::{Collective, Group, HalvingOrder, Refusal};

pub use auto::Choice;
pub(crate) use auto::choose;
pub(crate) use pairwise::check_pairs;

/// How a collective is performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Chunks travel round a ring: all-reduce, all-gather, reduce-scatter.
    Ring {
        /// How many rings share the vector.
        channels: Channels,
    },
    /// A double binary tree, chunk by chunk: all-reduce.
    Tree {
        /// How many pairs of trees share the vector.
        channels: Channels,
        /// The most bytes of a chunk, at least 1 (16 when sizes are aligned).
        chunk: Bytes,
    },
    /// Vector halving and doubling over a power of two, other counts folded: all-reduce.
    HalvingDoubling {
        /// Which distances come first.
        order: HalvingOrder,
    },
    /// All peers at once: all-reduce (a reduce-scatter, then an all-gather), both alone, all-to-all.
    Direct,
    /// Reduce-scatter inside each supernode, all-reduce of each piece across them, all-gather inside:
    /// all-reduce.
    Hierarchical {
        /// What runs inside a supernode.
        inner: Inner,
        /// What runs across supernodes.
        outer: Outer,
    },
    /// One peer after the other: all-to-all, all-gather, reduce-scatter, all-reduce.
    Pairwise,
    /// Recursive halving or doubling, other counts than powers of two folded: reduce-scatter,
    /// all-gather.
    Recursive,
    /// The non-uniform hierarchical ring of HCCL: all-reduce, all-gather, reduce-scatter.
    Nhr,
    /// Bruck's log-step algorithms: all-gather, all-to-all.
    Bruck,
    /// Inside each supernode first, then between cards of one index: all-to-all.
    TwoLevel,
    /// A binomial tree: broadcast, reduce, gather, scatter.
    Binomial,
    /// From rank to rank, chunk by chunk: broadcast, reduce.
    Chain {
        /// How many chains share the vector.
        channels: Channels,
        /// The most bytes of a chunk, as in [`Algorithm::Tree`].
        chunk: Bytes,
    },
    /// Empty messages over distances 1, 2, 4, …: barrier.
    Dissemination,
    /// By a table of message size and group: all of them.
    Auto,
}

/// How many rings or pairs of trees share the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// One per card of the group's largest block in a supernode, up to 8.
    PerCard,
    /// This many, 1 to [`MAX_CHANNELS`](crate::MAX_CHANNELS).
    Count(u32),
}

/// What a hierarchical all-reduce does inside a supernode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inner {
    /// All peers at once.
    Direct,
    /// A ring.
    Ring,
}

/// What a hierarchical all-reduce does across supernodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outer {
    /// A ring of the owners of a piece.
    Ring,
    /// All owners of a piece at once.
    Direct,
    /// Vector halving and doubling.
    HalvingDoubling {
        /// Which distances come first.
        order: HalvingOrder,
    },
    /// A double binary tree.
    Tree {
        /// The most bytes of a chunk, as in [`Algorithm::Tree`].
        chunk: Bytes,
    },
}

impl Channels {
    /// The number of channels for a group.
    pub(crate) fn count(self, group: &Group) -> u32 {
        match self {
            Self::PerCard => group.default_channels(),
            Self::Count(channels) => channels,
        }
    }
}

impl Algorithm {
    /// The number of channels of a group; 1 for algorithms that know no channels.
    pub fn channels(self, group: &Group) -> u32 {
        match self {
            Self::Ring { channels }
            | Self::Tree { channels, .. }
            | Self::Chain { channels, .. } => channels.count(group),
            Self::HalvingDoubling { .. }
            | Self::Direct
            | Self::Hierarchical { .. }
            | Self::Pairwise
            | Self::Recursive
            | Self::Nhr
            | Self::Bruck
            | Self::TwoLevel
            | Self::Binomial
            | Self::Dissemination
            | Self::Auto => 1,
        }
    }

    /// The most bytes of a pipeline chunk, where there is a pipeline.
    pub(crate) const fn chunk(self) -> Option<Bytes> {
        match self {
            Self::Tree { chunk, .. }
            | Self::Chain { chunk, .. }
            | Self::Hierarchical { outer: Outer::Tree { chunk }, .. } => Some(chunk),
            _ => None,
        }
    }

    /// The same with other pipeline chunks, where there is a pipeline.
    pub(crate) const fn with_chunk(self, bytes: Bytes) -> Self {
        match self {
            Self::Tree { channels, .. } => Self::Tree { channels, chunk: bytes },
            Self::Chain { channels, .. } => Self::Chain { channels, chunk: bytes },
            Self::Hierarchical { inner, outer: Outer::Tree { .. } } => {
                Self::Hierarchical { inner, outer: Outer::Tree { chunk: bytes } }
            }
            other => other,
        }
    }
}

/// Adds the lanes that perform `collective` of `size` bytes among `group` (of at least 2 ranks).
pub(crate) fn schedule(
    draft: &mut Draft,
    group: &Group,
    collective: Collective,
    algorithm: Algorithm,
    size: Bytes,
) -> Result<(), Refusal> {
    let whole = Task {
        seats: group.ranks.clone().into(),
        range: 0..size.as_u64(),
        channel: 0,
        after: Vec::new(),
    };
    match collective {
        Collective::AllReduce => return all_reduce(draft, group, algorithm, &whole),
        Collective::AllGather => match algorithm {
            Algorithm::Ring { channels } => {
                for task in channel_tasks(group, channels, size) {
                    ring::all_gather(draft, &task);
                }
            }
            Algorithm::Direct => direct::all_gather(draft, &whole),
            Algorithm::Pairwise => pairwise::all_gather(draft, &whole),
            Algorithm::Recursive => recursive::all_gather(draft, &whole),
            Algorithm::Nhr => nhr::all_gather(draft, &whole),
            Algorithm::Bruck => bruck::all_gather(draft, &whole),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::ReduceScatter => match algorithm {
            Algorithm::Ring { channels } => {
                for task in channel_tasks(group, channels, size) {
                    ring::reduce_scatter(draft, &task);
                }
            }
            Algorithm::Direct => direct::reduce_scatter(draft, &whole),
            Algorithm::Pairwise => pairwise::reduce_scatter(draft, &whole),
            Algorithm::Recursive => recursive::reduce_scatter(draft, &whole),
            Algorithm::Nhr => nhr::reduce_scatter(draft, &whole),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::AllToAll => match algorithm {
            Algorithm::Direct => all_to_all::all_to_all(draft, &whole),
            Algorithm::Pairwise => pairwise::all_to_all(draft, &whole),
            Algorithm::Bruck => bruck::all_to_all(draft, &whole),
            Algorithm::TwoLevel => return two_level::all_to_all(draft, group, &whole),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::AllToAllV { imbalance_ppm } => match algorithm {
            Algorithm::Direct => all_to_all::all_to_all_v(draft, &whole, imbalance_ppm),
            Algorithm::Pairwise => pairwise::all_to_all_v(draft, &whole, imbalance_ppm),
            _ => return Err(not_offered(collective, algorithm)),
        },
        Collective::Barrier => dissemination::barrier(draft, &whole),
        Collective::Broadcast { root }
        | Collective::Reduce { root }
        | Collective::Gather { root }
        | Collective::Scatter { root } => {
            return rooted_collective(draft, group, (collective, root), algorithm, size);
        }
        Collective::SendReceive { from, to } => {
            let seats = [from, to].map(|place| group.ranks[place as usize]).into();
            rooted::send(draft, &Task { seats, ..whole });
        }
    }
    Ok(())
}

fn rooted_collective(
    draft: &mut Draft,
    group: &Group,
    (collective, root): (Collective, u32),
    algorithm: Algorithm,
    size: Bytes,
) -> Result<(), Refusal> {
    let root = group.ranks[root as usize];
    if let Algorithm::Chain { channels, chunk } = algorithm {
        for task in channel_tasks(group, channels, size) {
            match collective {
                Collective::Broadcast { .. } => chain::broadcast(draft, &task.from(root), chunk)?,
                Collective::Reduce { .. } => chain::reduce(draft, &task.to(root), chunk)?,
                _ => return Err(not_offered(collective, algorithm)),
            }
        }
        return Ok(());
    }
    let seats = group.ranks.clone().into();
    let whole = Task { seats, range: 0..size.as_u64(), channel: 0, after: Vec::new() }.from(root);
    let perform = match (collective, algorithm) {
        (Collective::Broadcast { .. }, Algorithm::Binomial) => binomial::broadcast,
        (Collective::Broadcast { .. }, Algorithm::Direct) => rooted::broadcast,
        (Collective::Reduce { .. }, Algorithm::Binomial) => binomial::reduce,
        (Collective::Reduce { .. }, Algorithm::Direct) => rooted::reduce,
        (Collective::Gather { .. }, Algorithm::Binomial) => binomial::gather,
        (Collective::Gather { .. }, Algorithm::Direct) => rooted::gather,
        (Collective::Scatter { .. }, Algorithm::Binomial) => binomial::scatter,
        (Collective::Scatter { .. }, Algorithm::Direct) => rooted::scatter,
        _ => return Err(not_offered(collective, algorithm)),
    };
    perform(draft, &whole);
    Ok(())
}

fn all_reduce(
    draft: &mut Draft,
    group: &Group,
    algorithm: Algorithm,
    whole: &Task,
) -> Result<(), Refusal> {
    let size = Bytes::new(whole.range.end);
    match algorithm {
        Algorithm::Ring { channels } => {
            for task in channel_tasks(group, channels, size) {
                ring::all_reduce(draft, &task);
            }
        }
        Algorithm::Tree { chunk, channels } => {
            for task in channel_tasks(group, channels, size) {
                tree::all_reduce(draft, &task, chunk)?;
            }
        }
        Algorithm::HalvingDoubling { order } => {
            halving_doubling::all_reduce(draft, whole, order);
        }
        Algorithm::Direct => {
            direct::all_reduce(draft, whole);
        }
        Algorithm::Hierarchical { inner, outer } => {
            hierarchical::all_reduce(draft, group, inner, outer, size)?;
        }
        Algorithm::Pairwise => pairwise::all_reduce(draft, whole),
        Algorithm::Nhr => {
            nhr::all_reduce(draft, whole);
        }
        _ => return Err(not_offered(Collective::AllReduce, algorithm)),
    }
    Ok(())
}

/// Refuses a collective that the algorithm does not perform.
pub(crate) const fn check(collective: Collective, algorithm: Algorithm) -> Result<(), Refusal> {
    use Collective::{
        AllGather, AllReduce, AllToAll, AllToAllV, Barrier, Broadcast, Gather, Reduce,
        ReduceScatter, Scatter,
    };
    let offered = match algorithm {
        Algorithm::Ring { .. } | Algorithm::Nhr => {
            matches!(collective, AllReduce | AllGather | ReduceScatter)
        }
        Algorithm::Auto => true,
        Algorithm::Direct => !matches!(collective, Barrier),
        Algorithm::Pairwise => matches!(
            collective,
            AllReduce | AllGather | ReduceScatter | AllToAll | AllToAllV { .. }
        ),
        Algorithm::Recursive => matches!(collective, AllGather | ReduceScatter),
        Algorithm::Bruck => matches!(collective, AllGather | AllToAll),
        Algorithm::TwoLevel => matches!(collective, AllToAll),
        Algorithm::Binomial => {
            matches!(collective, Broadcast { .. } | Reduce { .. } | Gather { .. } | Scatter { .. })
        }
        Algorithm::Chain { .. } => matches!(collective, Broadcast { .. } | Reduce { .. }),
        Algorithm::Dissemination => matches!(collective, Barrier),
        Algorithm::Tree { .. }
        | Algorithm::HalvingDoubling { .. }
        | Algorithm::Hierarchical { .. } => matches!(collective, AllReduce),
    };
    if offered { Ok(()) } else { Err(not_offered(collective, algorithm)) }
}

const fn not_offered(collective: Collective, algorithm: Algorithm) -> Refusal {
    let offered = match collective {
        Collective::AllReduce => {
            "ring, tree, halving-doubling, direct, pairwise, NHR and hierarchical"
        }
        Collective::AllGather => "ring, direct, pairwise, recursive, NHR and Bruck",
        Collective::ReduceScatter => "ring, direct, pairwise, recursive and NHR",
        Collective::AllToAll => "direct (all pairs at once), pairwise, Bruck and two-level",
        Collective::AllToAllV { .. } => "direct (all pairs at once) and pairwise",
        Collective::Broadcast { .. } | Collective::Reduce { .. } => "binomial, chain and direct",
        Collective::Gather { .. } | Collective::Scatter { .. } => "binomial and direct",
        Collective::Barrier => "dissemination",
        Collective::SendReceive { .. } => "direct",
    };
    Refusal::NotOffered { collective, algorithm, offered }
}

/// One task for each channel: its rotated seats and its part of the vector.
fn channel_tasks(
    group: &Group,
    channels: Channels,
    size: Bytes,
) -> impl Iterator<Item = Task> + use<> {
    let channels = channels.count(group);
    group.seats(channels).into_iter().enumerate().map(move |(channel, seats)| Task {
        seats,
        range: crate::payload::chunk_of(&(0..size.as_u64()), u64::from(channels), channel as u64),
        channel: channel as u32,
        after: Vec::new(),
    })
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ring { .. } => f.write_str("ring"),
            Self::Tree { .. } => f.write_str("tree"),
            Self::HalvingDoubling { order } => write_halving(f, *order),
            Self::Direct => f.write_str("direct"),
            Self::Hierarchical { inner, outer } => write!(f, "hierarchical ({inner}, {outer})"),
            Self::Pairwise => f.write_str("pairwise"),
            Self::Recursive => f.write_str("recursive"),
            Self::Nhr => f.write_str("NHR"),
            Self::Bruck => f.write_str("Bruck"),
            Self::TwoLevel => f.write_str("two-level"),
            Self::Binomial => f.write_str("binomial"),
            Self::Chain { .. } => f.write_str("chain"),
            Self::Dissemination => f.write_str("dissemination"),
            Self::Auto => f.write_str("auto"),
        }
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Direct => "direct",
            Self::Ring => "ring",
        })
    }
}

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ring => f.write_str("ring"),
            Self::Direct => f.write_str("direct"),
            Self::HalvingDoubling { order } => write_halving(f, *order),
            Self::Tree { .. } => f.write_str("tree"),
        }
    }
}

/// The usual order has the plain name.
fn write_halving(f: &mut fmt::Formatter<'_>, order: HalvingOrder) -> fmt::Result {
    f.write_str(match order {
        HalvingOrder::DistanceDoubling => "halving-doubling",
        HalvingOrder::DistanceHalving => "halving-doubling (far first)",
    })
}
