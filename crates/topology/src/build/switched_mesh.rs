//! Pods that are n-dimensional full meshes, joined by a switched upper level: UB-Mesh beyond one pod.
//!
//! Each card has links to its peers in the mesh of its pod and one to each plane of two levels of switches:
//! first-level switches in every rack, second-level ones that join the racks of all pods. Cards
//! forward; paths are the fewest links over both.
//!
//! Source: Liao and others: UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network
//! Architecture, arXiv 2503.20377, 2025, section 3 (pods on high-radix switches).

use units::Bandwidth;

use super::nd_full_mesh::NdFullMesh;
use super::peers::Peers;
use super::{MeshDimension, SupernodeSpec, SwitchKind, TwoLevelSpec, Wiring, peers, two_level};
use crate::BuildError;

/// Pods with a switched upper level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SwitchedMeshSpec {
    /// The mesh of a pod; the product of the sizes divides the cards of a supernode.
    pub dimensions: Vec<MeshDimension>,
    /// The switches: a node of it is a rack, which divides a pod.
    pub upper: TwoLevelSpec,
    /// The lanes of a card's link to one plane, at least 1, beside those of the mesh.
    pub upper_lanes: u32,
}

impl SwitchedMeshSpec {
    /// The cards of a pod.
    fn pod(&self) -> u32 {
        let sizes = self.dimensions.iter().map(|dimension| dimension.size);
        sizes.fold(1_u32, u32::saturating_mul)
    }

    /// The mesh of a pod.
    fn mesh(&self, spec: &SupernodeSpec) -> Result<NdFullMesh<'_>, BuildError> {
        let pod = self.pod();
        if pod == 0 || !spec.cards.is_multiple_of(pod) {
            return Err(BuildError::Pods { pod, cards: spec.cards });
        }
        NdFullMesh::new(&SupernodeSpec { cards: pod, ..spec.clone() }, &self.dimensions)
    }
}

/// The one-way links inside one supernode of `cards` cards.
pub(super) fn links(
    cards: u32,
    spec: &SupernodeSpec,
    switched: &SwitchedMeshSpec,
) -> Result<u128, BuildError> {
    let mesh = switched.mesh(spec)?;
    Ok(peers::links(cards, &mesh) + two_level::links(cards, &switched.upper))
}

/// Adds the pods and their switches to every supernode.
pub(super) fn wire(
    spec: &SupernodeSpec,
    switched: &SwitchedMeshSpec,
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    let mesh = switched.mesh(spec)?;
    let SwitchedMeshSpec { upper, upper_lanes, .. } = switched;
    upper.check()?;
    if *upper_lanes == 0 {
        return Err(BuildError::Zero { what: "the number of lanes to a plane" });
    }
    let all_upper = u64::from(*upper_lanes) * u64::from(upper.planes);
    let lanes = mesh.lanes().saturating_add(all_upper);
    peers::wire_pods(spec, (&mesh, lanes, switched.pod()), wiring)?;
    let lane = spec.bandwidth.as_milli_bits_per_second() / lanes;
    let rate = lane.saturating_mul(u64::from(*upper_lanes));
    let rate = Bandwidth::from_milli_bits_per_second(rate);
    two_level::wire_levels(spec, (upper, rate, SwitchKind::Forward), wiring)
}
