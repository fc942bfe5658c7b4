//! The flows of a small set on each part, in one short chain after the other.
//!
//! Most sets are a handful of flows, and what these chains take stays close at hand. Of a set of many flows
//! a resource is crossed by so many that looking through all who cross it costs little more, and a chain of
//! them all would be as large as all lists of who crosses what.

use super::NONE;

/// A set of more flows is not chained.
const FEW_FLOWS: usize = 4_096;

/// Links of chains, each a flow and the link before, up to [`NONE`].
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    links: Vec<(u32, u32)>,
}

impl Members {
    /// Whether a set of so many flows has chains.
    pub(super) const fn are_chained(flows: usize) -> bool {
        flows <= FEW_FLOWS
    }

    /// Adds a flow before the chain that begins at `first`.
    pub(super) fn push(&mut self, flow: u32, first: &mut u32) {
        let link = self.links.len() as u32;
        self.links.push((flow, std::mem::replace(first, link)));
    }

    /// The flows of the chain that begins at `first`.
    pub(super) fn chain(&self, mut first: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::from_fn(move || {
            if first == NONE {
                return None;
            }
            let (flow, next) = self.links[first as usize];
            first = next;
            Some(flow)
        })
    }

    /// No part has a chain.
    pub(super) fn clear(&mut self) {
        self.links.clear();
    }
}
