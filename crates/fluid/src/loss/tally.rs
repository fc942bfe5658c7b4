//! What a run lost.

use super::toll::Toll;

/// Losses of a run, added up: drawn ones exactly, expected ones as means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The payload of all transfers in bytes, each counted once.
    pub payload_bytes: u128,
    /// Payload bytes that were sent again, by transfers.
    pub repeated_bytes: u128,
    /// How often a sender waited for a timeout, in parts of 10¹².
    pub timeouts: u128,
    /// How many transfers lost something, in parts of 10¹².
    pub hit: u128,
}

impl Tally {
    /// Counts so many transfers of one cost.
    pub(crate) fn add(&mut self, toll: &Toll, transfers: u128) {
        self.repeated_bytes += u128::from(toll.extra.as_u64()) * transfers;
        self.timeouts += toll.timeouts * transfers;
        self.hit += u128::from(toll.hit) * transfers;
    }

    /// Counts what another part of the run has counted.
    pub(super) fn merge(&mut self, other: &Self) {
        self.payload_bytes += other.payload_bytes;
        self.repeated_bytes += other.repeated_bytes;
        self.timeouts += other.timeouts;
        self.hit += other.hit;
    }

    /// Takes back what was counted of so many transfers of one cost.
    pub(crate) fn remove(&mut self, toll: &Toll, transfers: u128) {
        self.repeated_bytes -= u128::from(toll.extra.as_u64()) * transfers;
        self.timeouts -= toll.timeouts * transfers;
        self.hit -= u128::from(toll.hit) * transfers;
    }
}
