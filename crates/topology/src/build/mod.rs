//! Builders: one file per fabric holds its parameters and how it is wired.
//!
//! A new inside of a supernode is one file beside `planes` and a variant of [`InsideSpec`]; a new
//! whole fabric is one file beside `star` and a variant of [`FabricSpec`].

mod attach;
mod border;
mod clos;
mod cluster;
mod direct;
mod dragonfly;
mod efficiency;
mod explicit;
mod fat_tree;
mod full_mesh;
mod grid;
mod half_mesh;
mod limits;
mod nd_full_mesh;
mod peers;
mod planes;
mod quotient;
mod star;
mod supernode;
mod switched_mesh;
mod switches;
mod two_level;
mod wiring;

pub use attach::{Attach, NicOrder};
pub use clos::{ClosSpec, ClosTier};
pub use cluster::{ClusterSpec, NicCount, NicSpec};
pub use direct::{DirectSpec, RouterSpec};
pub use dragonfly::DragonflySpec;
pub use efficiency::Efficiency;
pub use explicit::{ExplicitLink, ExplicitSpec};
pub use full_mesh::MAX_MESH;
pub use grid::GridEnds;
pub use limits::{MAX_CARDS, MAX_LINKS};
pub use nd_full_mesh::MeshDimension;
pub use star::StarSpec;
pub use supernode::{InsideSpec, SupernodeSpec};
pub use switched_mesh::SwitchedMeshSpec;
pub use switches::SwitchKind;
pub use two_level::TwoLevelSpec;

pub(crate) use quotient::ratio_of;
pub(crate) use wiring::Wiring;
use wiring::{Cable, halves};

use crate::BuildError;

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FabricSpec {
    /// Supernodes or servers under a Clos.
    Cluster(ClusterSpec),
    /// Supernodes or servers on routers that are linked to each other.
    Direct(DirectSpec),
    /// Every card on one switch.
    Star(StarSpec),
    /// Nodes and links as listed.
    Explicit(ExplicitSpec),
}

impl FabricSpec {
    /// Refuses what is too large, then builds the graph.
    pub(crate) fn wire(&self) -> Result<Wiring, BuildError> {
        match self {
            Self::Cluster(spec) => spec.wire(),
            Self::Direct(spec) => spec.wire(),
            Self::Star(spec) => {
                limits::check(spec.size())?;
                spec.wire()
            }
            Self::Explicit(spec) => {
                limits::check(spec.size())?;
                spec.wire()
            }
        }
    }
}
