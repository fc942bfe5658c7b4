//! A supernode or server: cards that share a fast network of their own.

use units::{Bandwidth, Duration};

use super::{Efficiency, Wiring, full_mesh, planes};
use crate::BuildError;

/// The supernodes of a cluster; a classic server is a small one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupernodeSpec {
    /// The cards of one supernode, at least 1; the last one may be partly filled.
    pub cards: u32,
    /// How its cards are linked.
    pub inside: InsideSpec,
    /// The rate of one card, one direction, all its ports into the supernode together.
    pub bandwidth: Bandwidth,
    /// From card to card, one way, switches included.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
}

/// How the cards of a supernode are linked; a supernode of one card needs no links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InsideSpec {
    /// One switch per plane and a link of every card to each: bandwidth / planes per link.
    Planes {
        /// The number of planes, at least 1.
        planes: u32,
    },
    /// A link between every two cards: bandwidth / (cards − 1) per link, at most
    /// [`MAX_MESH`](crate::MAX_MESH) cards.
    FullMesh,
}

impl SupernodeSpec {
    /// The one-way links inside supernodes that hold `cards` cards in all.
    pub(super) fn links(&self, cards: u32) -> u128 {
        let (full, rest) = (cards / self.cards, cards % self.cards);
        let of = |cards: u32| match self.inside {
            _ if cards < 2 => 0,
            InsideSpec::Planes { planes } => planes::links(cards, planes),
            InsideSpec::FullMesh => full_mesh::links(cards),
        };
        u128::from(full) * of(self.cards) + of(rest)
    }

    /// Adds the inside of every supernode.
    pub(super) fn wire(&self, wiring: &mut Wiring) -> Result<(), BuildError> {
        match self.inside {
            InsideSpec::Planes { planes } => planes::wire(self, planes, wiring),
            InsideSpec::FullMesh => full_mesh::wire(self, wiring),
        }
    }

    /// The rate of one of `ports` equal links of a card, rounded down; what is lost is told.
    pub(super) fn share(&self, ports: u32, wiring: &mut Wiring) -> Bandwidth {
        let whole = self.bandwidth.as_milli_bits_per_second();
        let (share, lost) = (whole / u64::from(ports), whole % u64::from(ports));
        if lost > 0 {
            wiring.note(format!(
                "inside bandwidth does not divide by {ports} links: {lost} milli-bit/s per card \
                 are dropped"
            ));
        }
        Bandwidth::from_milli_bits_per_second(share)
    }
}
