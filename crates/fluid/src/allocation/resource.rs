//! What is known of each resource, a cache line each, and of those that a solution touches.
//!
//! Among ten thousand flows an arrival finds what it crosses in no near cache, so what it asks of a resource
//! lies in one line; what a solution works with again and again lies together, whatever the resources are.

use super::NONE;
use super::crossers::Row;
use crate::division::quotient;

/// A resource and the flows that cross it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Resource {
    /// Capacity not used by its flows, those in the set left out.
    pub(super) offered: u128,
    /// How many flows it holds back.
    pub(super) held: u32,
    /// How many flows cross it.
    pub(super) flows: u32,
    /// Where these are listed.
    pub(super) row: Row,
    /// Its place among the parts, where the set touches it; else [`NONE`].
    pub(super) part: u32,
}

/// What a resource that the set touches offers to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) resource: u32,
    /// How many flows of the set cross it.
    pub(super) members: u32,
    /// Where the chain of these begins, if they are chained.
    pub(super) first: u32,
    /// Σ weight of the flows in the set.
    pub(super) asked: u128,
    /// Of what is offered, what is not yet given to fixed flows.
    pub(super) free: u128,
    /// Of `asked`, the flows not yet fixed.
    pub(super) unfixed: u128,
}

impl Resource {
    /// A resource that nobody crosses.
    pub(super) const fn new(capacity: u128, row: Row) -> Self {
        Self { offered: capacity, held: 0, flows: 0, row, part: NONE }
    }
}

impl Part {
    /// A resource of which the set has asked nothing yet.
    pub(super) const fn new(resource: u32) -> Self {
        Self { resource, members: 0, first: NONE, asked: 0, free: 0, unfixed: 0 }
    }

    /// What each unit of weight not yet fixed would get, cut at the highest rate: a flow crosses a link,
    /// whose rate fits, so that a resource with a higher share never has the lowest one. So has one without
    /// such flows.
    pub(super) fn share(&self) -> u64 {
        if self.unfixed == 0 {
            return u64::MAX;
        }
        u64::try_from(quotient(self.free, self.unfixed)).unwrap_or(u64::MAX)
    }
}
