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
mod perform;
mod recursive;
mod ring;
mod rooted;
mod tree;
mod two_level;

use std::fmt;

use units::Bytes;

use crate::{Group, HalvingOrder};

pub use auto::Choice;
pub(crate) use auto::choose;
pub(crate) use pairwise::check_pairs;
pub(crate) use perform::{check, schedule};

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
    /// HCCL's non-uniform hierarchical ring, in ⌈log₂ n⌉ steps.
    Nhr,
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
            Self::Nhr => "nhr",
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
