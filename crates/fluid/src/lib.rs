//! The flow-level network model: exact integer max-min rates, symmetry and recurrence.
//!
//! Every transfer is a fluid; the rates are max-min fair over all links at every moment, in exact
//! integers. [`simulate()`] takes a [`World`] and tells the [`Outcome`]. The plain way lists every
//! transfer over every link; with symmetry, what behaves alike is simulated once. Both give the
//! same outcome, bit for bit.
//!
//! This crate knows no files, no scenario text and no packets.

pub mod allocation;
mod arrivals;
mod bound;
mod bounded;
mod chain;
mod course;
mod division;
mod draining;
mod ending;
mod error;
mod estimate;
mod explanation;
mod fingerprint;
mod floor;
mod grouped;
mod loss;
mod medium;
mod memo;
mod model;
mod moves;
mod network;
mod outcome;
mod paths;
mod plain;
mod simulate;
mod solve;
mod symmetry;
mod traffic;
mod tree_ways;
mod turning;
mod watched;
mod ways;
mod world;

pub use bounded::outcome as bounded;
use engine::parts;
pub use engine::{Conduct, Conducts, Gauge, Switch, Watch};
pub use error::Error;
pub use estimate::{Classes, Estimate, estimate};
pub use explanation::{Apart, Explanation, Reason, Told};
pub use floor::floor;
pub use loss::{Draw, Recovery, Scheme, Tally};
pub use medium::{Crossing, Medium, Turn};
pub use memo::{Memo, Way};
pub use network::FluidNetwork;
pub use outcome::{Bound, Counters, Outcome, Status, TierTraffic, Traffic, Unreachable};
pub use simulate::{explain, simulate};
pub use ways::{Crossings, Iter as CrossingsIter};
pub use world::{Locality, Options, World};
