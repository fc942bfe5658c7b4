//! The links of a transfer and the share of it that crosses each.

use thiserror::Error;
use units::Duration;

use crate::{CardId, LinkId};

/// How one flow crosses the fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The links used, in order of id, each once.
    pub hops: Vec<Hop>,
    /// What the weights are shares of; in lowest terms with them, at least 1.
    pub denominator: u64,
    /// The latency of the slowest of the paths used.
    pub latency: Duration,
}

/// One link of a path: weight / denominator of the flow crosses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The link.
    pub link: LinkId,
    /// The share, 1 … denominator.
    pub weight: u64,
}

/// Why a transfer has no path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RouteError {
    /// No links lead there.
    #[error("no path from card {} to card {}", src.0, dst.0)]
    Unreachable {
        /// The sender.
        src: CardId,
        /// The receiver.
        dst: CardId,
    },
    /// A switch that adds up its part of the vector is out of reach.
    #[error(
        "{below} has links to {found} of the {switches} switches above that add up, a part each"
    )]
    SwitchLost {
        /// The card, or switches of the level below.
        below: String,
        /// The switches that it has a link to.
        found: usize,
        /// The switches that each add up their part.
        switches: usize,
    },
    /// What is lost on the way to or from switches that add up would have to be repeated by these.
    #[error(
        "a link between {below} and the switches that add up loses packets, which is not modelled"
    )]
    LossyReduction {
        /// The card, or switches of the level below.
        below: String,
    },
    /// The bandwidths along the way have so little in common that the exact shares of a spray
    /// need a denominator beyond 64 bits, or the latencies add up to more than time can tell.
    #[error("the exact shares or the latency from card {} to card {} exceed 64 bits", src.0, dst.0)]
    TooFine {
        /// The sender.
        src: CardId,
        /// The receiver.
        dst: CardId,
    },
}
