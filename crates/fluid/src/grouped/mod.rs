//! The flow-level network in groups: flows that share a bottleneck share a clock.
//!
//! The same model as [`FluidNetwork`](crate::FluidNetwork), rearranged so that an event costs what it
//! changes:
//!
//! * resources that another one always holds back first are dropped ([`thinning`]);
//! * what is left falls into *groups* of flows that share resources ([`groups`]);
//! * a group over one resource needs no allocation: its flows have one rate, hence one clock, and each
//!   flow knows the reading at which it has drained ([`clock`]);
//! * in a small group rates are looked up by who is under way ([`parties`]); large ones keep the
//!   incremental max-min allocation;
//! * the calendar holds one entry for each large group and for each sender of a small one ([`network`]);
//! * groups whose agents meet only through delivered messages are run cell by cell
//!   ([`engine::Cells`], [`cells`]).

mod cells;
mod clock;
mod filing;
mod groups;
mod network;
mod own;
mod parties;
mod thinning;
mod way;

pub(crate) use groups::Groups;
pub(crate) use network::GroupedNetwork;
pub(crate) use own::OwnWays;
