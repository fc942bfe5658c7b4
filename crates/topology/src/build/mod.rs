//! Builders: one file per fabric holds its parameters and how it is wired.
//!
//! A new inside of a supernode is one file beside `planes` and a variant of [`InsideSpec`]; a new
//! whole fabric is one file beside `star` and a variant of [`FabricSpec`].

mod border;
mod clos;
mod cluster;
mod efficiency;
mod explicit;
mod full_mesh;
mod limits;
mod planes;
mod quotient;
mod star;
mod supernode;
mod wiring;

pub use clos::{ClosSpec, ClosTier};
pub use cluster::{ClusterSpec, NicCount, NicSpec};
pub use efficiency::Efficiency;
pub use explicit::{ExplicitLink, ExplicitSpec};
pub use full_mesh::MAX_MESH;
pub use limits::{MAX_CARDS, MAX_LINKS};
pub use star::StarSpec;
pub use supernode::{InsideSpec, SupernodeSpec};

pub(crate) use quotient::ratio_of;
pub(crate) use wiring::Wiring;
use wiring::{Cable, halves};

use crate::BuildError;

/// What to build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FabricSpec {
    /// Supernodes or servers under a Clos.
    Cluster(ClusterSpec),
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
