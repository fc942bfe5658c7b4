//! Mesh and torus: places in rows and columns, each linked to its neighbours.

use super::SupernodeSpec;
use super::peers::{Peers, check_sizes};
use crate::BuildError;

/// What lies beyond the ends of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GridEnds {
    /// Nothing: a mesh, whose places at an edge have fewer neighbours.
    Open,
    /// The other end: a torus. A side of two has one link, not two.
    Joined,
}

/// A grid of any number of dimensions; places are numbered with the last dimension fastest.
#[derive(Clone, Debug)]
pub(super) struct Grid<'a> {
    pub(super) sizes: &'a [u32],
    pub(super) ends: GridEnds,
}

impl<'a> Grid<'a> {
    /// The grid of a full supernode, whose cards it must have.
    pub(super) fn new(
        spec: &SupernodeSpec,
        sizes: &'a [u32],
        ends: GridEnds,
    ) -> Result<Self, BuildError> {
        check_sizes("the grid", sizes.iter().copied(), spec.cards)?;
        Ok(Self { sizes, ends })
    }
}

impl Peers for Grid<'_> {
    const WHAT: &'static str = "the grid";

    fn lanes(&self) -> u64 {
        // Both ways along each side, but for sides of two, which have one neighbour.
        self.sizes.iter().map(|&size| u64::from(size.min(3) - 1)).sum()
    }

    fn ports(&self) -> u64 {
        self.lanes()
    }

    fn after(&self, index: u32) -> Vec<(u32, u32)> {
        let mut peers = Vec::new();
        let mut stride = 1;
        for &size in self.sizes.iter().rev() {
            let place = index / stride % size;
            if place + 1 < size {
                peers.push((index + stride, 1));
            }
            if self.ends == GridEnds::Joined && place == 0 && size > 2 {
                peers.push((index + stride * (size - 1), 1));
            }
            stride *= size;
        }
        peers.sort_unstable();
        peers
    }
}
