//! n-dimensional full mesh: along each dimension every card is linked to all others of its line.
//!
//! Source: Liao and others: UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network
//! Architecture, arXiv 2503.20377, 2025, section 3.

use super::SupernodeSpec;
use super::peers::{Peers, check_sizes};
use crate::BuildError;

/// One dimension of an n-dimensional full mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeshDimension {
    /// The cards of one line, at least 1.
    pub size: u32,
    /// The lanes of one link along it, at least 1: the bandwidth of a card is shared by lane.
    pub lanes: u32,
}

/// The mesh of a full supernode; cards are numbered with the last dimension fastest.
#[derive(Clone, Debug)]
pub(super) struct NdFullMesh<'a>(&'a [MeshDimension]);

impl<'a> NdFullMesh<'a> {
    /// The mesh of a full supernode, whose cards it must have.
    pub(super) fn new(
        spec: &SupernodeSpec,
        dimensions: &'a [MeshDimension],
    ) -> Result<Self, BuildError> {
        let sizes = dimensions.iter().map(|dimension| dimension.size);
        check_sizes("the n-dimensional full mesh", sizes, spec.cards)?;
        if dimensions.iter().any(|dimension| dimension.lanes == 0) {
            return Err(BuildError::Zero { what: "the number of lanes" });
        }
        Ok(Self(dimensions))
    }
}

impl Peers for NdFullMesh<'_> {
    const WHAT: &'static str = "the n-dimensional full mesh";

    fn lanes(&self) -> u64 {
        let lanes = |it: &MeshDimension| u64::from(it.size - 1) * u64::from(it.lanes);
        self.0.iter().map(lanes).fold(0, u64::saturating_add)
    }

    fn ports(&self) -> u64 {
        self.0.iter().map(|dimension| u64::from(dimension.size - 1)).sum()
    }

    fn after(&self, index: u32) -> Vec<(u32, u32)> {
        let mut peers = Vec::new();
        let mut stride = 1;
        for dimension in self.0.iter().rev() {
            let place = index / stride % dimension.size;
            let others = 1..dimension.size - place;
            peers.extend(others.map(|step| (index + stride * step, dimension.lanes)));
            stride *= dimension.size;
        }
        peers.sort_unstable();
        peers
    }
}
