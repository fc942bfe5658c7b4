//! Ranks, placement and collective algorithms as schedules of transfers.
//!
//! [`plan()`] turns a collective of some groups of ranks into a [`Schedule`]; [`flows()`] does so with an
//! explicit list; [`place`] puts ranks on cards. [`proof`] executes a schedule on sets and shows what
//! every rank ends with. The crate knows nothing of time that passes, rates or routes.

mod algorithm;
mod collective;
mod draft;
mod exchange;
mod flows;
mod folding;
mod group;
mod jobs;
mod pattern;
mod payload;
mod placement;
mod plan;
pub mod proof;
mod refusal;
mod relay;
mod schedule;
mod sizes;
mod sizing;
mod skew;
mod tree_shape;

pub use algorithm::{Algorithm, Channels, Choice, Inner, Outer};
pub use collective::Collective;
pub use exchange::exchange;
pub use flows::{Flow, flows};
pub use folding::{Cut, Halving, HalvingOrder};
pub use group::{Group, MAX_CHANNELS, SwitchTree};
pub use jobs::{repeated, together};
pub use payload::{End, Strides};
pub use placement::{Fragmentation, Grouping, Placement, Room, fragmentation, group_ranks, place};
pub use plan::{Plan, Request, plan};
pub use refusal::Refusal;
pub use relay::{Relay, Route};
pub use schedule::{
    Action, Lane, LaneId, LaneName, Pace, Pattern, Payload, RankId, Rounds, Schedule, Seats, Sizes,
    Stage, Start, Transfer, Wait,
};
pub use sizes::Steady;
pub use sizing::Sizing;
pub use skew::Skew;
pub use tree_shape::TreeShape;
