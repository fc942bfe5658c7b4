//! A supernode or server: cards that share a fast network of their own.

use units::{Bandwidth, Duration};

use super::grid::Grid;
use super::half_mesh::HalfMesh;
use super::nd_full_mesh::NdFullMesh;
use super::{
    Efficiency, GridEnds, MeshDimension, SwitchKind, SwitchedMeshSpec, TwoLevelSpec, Wiring,
    full_mesh, peers, planes, switched_mesh, two_level,
};
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
    /// From card to card over one switch or one link, one way, the switch included.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
}

/// How the cards of a supernode are linked; a supernode of one card needs no links.
///
/// In the last three cards forward what others of their supernode send each other, by the fewest
/// links; a link there carries bandwidth × its lanes / the lanes of a card with all its ports in use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InsideSpec {
    /// One switch per plane and a link of every card to each: bandwidth / planes per link.
    Planes {
        /// The number of planes, at least 1.
        planes: u32,
    },
    /// The same with switches that also add up what all their cards send and send one message to all
    /// of them; each does so for 1/planes of a vector.
    ReducingPlanes {
        /// The number of planes, at least 1.
        planes: u32,
    },
    /// A link between every two cards: bandwidth / (cards − 1) per link, at most
    /// [`MAX_MESH`](crate::MAX_MESH) cards.
    FullMesh,
    /// Planes of two levels of switches.
    TwoLevel(TwoLevelSpec),
    /// The same with switches that also add up and copy, as in [`ReducingPlanes`](Self::ReducingPlanes).
    ReducingTwoLevel(TwoLevelSpec),
    /// Card i is linked to the cards i ± offset, round the end: a ring for the offset 1.
    HalfMesh {
        /// The offsets, each 1 … half of the cards and once.
        offsets: Vec<u32>,
    },
    /// A mesh or a torus.
    Grid {
        /// The cards along each side; their product is the cards of a supernode.
        sizes: Vec<u32>,
        /// Mesh or torus.
        ends: GridEnds,
    },
    /// Pods of such meshes, joined by switches.
    SwitchedMesh(SwitchedMeshSpec),
    /// Along each dimension a link between every two cards that differ in it only.
    NdFullMesh {
        /// The dimensions; the product of their sizes is the cards of a supernode.
        dimensions: Vec<MeshDimension>,
    },
}

impl InsideSpec {
    /// About how many links a card has into a supernode of `cards` cards, before anything is built.
    pub fn about_links_of_card(&self, cards: u32) -> u64 {
        match self {
            Self::Planes { planes } | Self::ReducingPlanes { planes } => u64::from(*planes),
            Self::FullMesh => u64::from(cards),
            Self::TwoLevel(levels) | Self::ReducingTwoLevel(levels) => 2 * u64::from(levels.planes),
            Self::SwitchedMesh(switched) => {
                let sizes = switched.dimensions.iter().map(|dimension| u64::from(dimension.size));
                sizes.sum::<u64>() + 2 * u64::from(switched.upper.planes)
            }
            Self::HalfMesh { offsets } => 2 * offsets.len() as u64,
            Self::Grid { sizes, .. } => 2 * sizes.len() as u64,
            Self::NdFullMesh { dimensions } => {
                dimensions.iter().map(|dimension| u64::from(dimension.size)).sum()
            }
        }
    }
}

impl SupernodeSpec {
    /// The one-way links inside supernodes that hold `cards` cards in all.
    ///
    /// # Errors
    /// Sizes and offsets that do not fit the cards of a supernode.
    pub(super) fn links(&self, cards: u32) -> Result<u128, BuildError> {
        let (full, rest) = (cards / self.cards, cards % self.cards);
        let of = |cards: u32| {
            Ok(match &self.inside {
                InsideSpec::Planes { .. }
                | InsideSpec::ReducingPlanes { .. }
                | InsideSpec::FullMesh
                    if cards < 2 =>
                {
                    0
                }
                InsideSpec::Planes { planes } | InsideSpec::ReducingPlanes { planes } => {
                    planes::links(cards, *planes)
                }
                InsideSpec::FullMesh => full_mesh::links(cards),
                InsideSpec::TwoLevel(levels) | InsideSpec::ReducingTwoLevel(levels) => {
                    two_level::links(cards, levels)
                }
                InsideSpec::HalfMesh { offsets } => {
                    peers::links(cards, &HalfMesh::new(self, offsets)?)
                }
                InsideSpec::Grid { sizes, ends } => {
                    peers::links(cards, &Grid::new(self, sizes, *ends)?)
                }
                InsideSpec::SwitchedMesh(switched) => switched_mesh::links(cards, self, switched)?,
                InsideSpec::NdFullMesh { dimensions } => {
                    peers::links(cards, &NdFullMesh::new(self, dimensions)?)
                }
            })
        };
        Ok(u128::from(full) * of(self.cards)? + of(rest)?)
    }

    /// Adds the inside of every supernode.
    pub(super) fn wire(&self, wiring: &mut Wiring) -> Result<(), BuildError> {
        match &self.inside {
            InsideSpec::Planes { planes } => {
                planes::wire(self, (*planes, SwitchKind::Forward), wiring)
            }
            InsideSpec::ReducingPlanes { planes } => {
                planes::wire(self, (*planes, SwitchKind::Reduce), wiring)
            }
            InsideSpec::FullMesh => full_mesh::wire(self, wiring),
            InsideSpec::TwoLevel(levels) => {
                two_level::wire(self, (levels, SwitchKind::Forward), wiring)
            }
            InsideSpec::ReducingTwoLevel(levels) => {
                two_level::wire(self, (levels, SwitchKind::Reduce), wiring)
            }
            InsideSpec::HalfMesh { offsets } => {
                peers::wire(self, &HalfMesh::new(self, offsets)?, wiring)
            }
            InsideSpec::Grid { sizes, ends } => {
                peers::wire(self, &Grid::new(self, sizes, *ends)?, wiring)
            }
            InsideSpec::SwitchedMesh(switched) => switched_mesh::wire(self, switched, wiring),
            InsideSpec::NdFullMesh { dimensions } => {
                peers::wire(self, &NdFullMesh::new(self, dimensions)?, wiring)
            }
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
