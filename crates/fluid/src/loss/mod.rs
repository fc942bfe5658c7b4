//! Lost packets: how transports recover them, and what that costs a transfer.
//!
//! A transfer of b bytes is N = ⌈b / mtu⌉ packets (at least one), each lost with the probability of its
//! path at the instant at which the transfer starts, or moves to a path that loses otherwise. What is
//! repeated is added to the work of the transfer, what is waited for to the time between its last byte and
//! its end. All in integers.

mod expected;
mod failure;
mod hazard;
mod key;
mod legs;
mod lossy;
mod recovery;
mod sampled;
mod skips;
mod state;
mod tally;
mod toll;
mod way;

pub(crate) use failure::tell as tell_failure;
pub(crate) use hazard::Hazard;
pub(crate) use key::key_of;
use key::{leg_key, transfer_key};
pub(crate) use legs::Onward;
pub(crate) use lossy::{Lossy, LossyBuilder};
pub use recovery::{Draw, Recovery, Scheme};
pub(crate) use state::{LossEnd, LossState};
pub use tally::Tally;
pub(crate) use way::LossyWay;
