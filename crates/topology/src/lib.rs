//! Fabrics of cards, switches and links: builders, routes and what was built.
//!
//! A [`FabricSpec`] holds parameters only. [`Fabric::build`] wires it as a petgraph graph and
//! freezes that to tables by dense ids; [`Fabric::echo`] tells what was built. A [`Router`] gives
//! the [`Path`] of a transfer: which share of it crosses which link.
//!
//! What breaks during a run is known before it: [`Fabric::in_time`] lists the fabric's states as a
//! [`Timeline`].
//!
//! This crate knows nothing of ranks, collectives, messages or time passing.

mod aggregation;
mod build;
mod connectivity;
mod echo;
mod error;
mod fabric;
mod faults;
mod graph;
mod ids;
mod loss;
mod names;
pub mod refinement;
mod routing;
mod sizing;
mod spread;
mod table;
mod timeline;

pub use aggregation::{AggregatorId, Hanging};
pub use build::{
    Attach, ClosSpec, ClosTier, ClusterSpec, DirectSpec, DragonflySpec, Efficiency, ExplicitLink,
    ExplicitSpec, FabricSpec, GridEnds, InsideSpec, MAX_CARDS, MAX_LINKS, MAX_MESH, MeshDimension,
    NicCount, NicOrder, NicSpec, RouterSpec, StarSpec, SupernodeSpec, SwitchKind, SwitchedMeshSpec,
    TwoLevelSpec,
};
pub use echo::{Echo, SwitchCount, TierEcho};
pub use error::BuildError;
pub use fabric::Fabric;
pub use faults::{Fault, FaultError, Part};
pub use graph::{Domain, Link, Node, Tier};
pub use ids::{CardId, LinkId, NodeId, SupernodeId};
pub use loss::{LossId, LossRule, Losses, PathLoss};
pub use routing::{Hop, Path, RouteError, Router, Routing, mix};
pub use sizing::{Sizing, SizingRequest};
pub use spread::{SiteId, SitePath, Spread, Stem, Trunk, TrunkId, TrunkTree};
pub use timeline::{Change, Mishap, Reach, Timeline, TimelineError};
