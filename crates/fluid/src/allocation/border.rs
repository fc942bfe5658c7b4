//! The certificate where the filled set meets the flows outside it.

use super::Allocation;
use super::resource::{Part, Resource};
use crate::division::quotient;

impl Allocation<'_> {
    /// Collects the flows outside the set that break the certificate on a touched resource.
    pub(super) fn find_joining(&mut self) {
        debug_assert!(self.joining.is_empty());
        for index in 0..self.parts.len() {
            let Part { resource, members, free, .. } = self.parts[index];
            let Resource { flows, weight, .. } = self.resources[resource as usize];
            if members == flows {
                // All are in the set.
            } else if free >= weight {
                self.join_if_held_by_slack(resource);
            } else {
                self.check_tight(resource, free);
            }
        }
    }

    /// A resource with at least one unit free for each unit of weight holds nobody back: every share
    /// of the certificate is then above the rate, since F(s) ≥ free + s·n(s).
    fn join_if_held_by_slack(&mut self, resource: u32) {
        let Resource { held, row, .. } = self.resources[resource as usize];
        if held == 0 {
            return;
        }
        // Who has left is held by nothing.
        for (flow, _) in self.crossers.entries(row) {
            let state = &self.flows[flow as usize];
            if !state.is_in_set && state.holder == resource {
                self.joining.push(flow);
            }
        }
    }

    /// Checks (ii) and (iii) of the certificate on a resource that is full or nearly so.
    fn check_tight(&mut self, resource: u32, free: u128) {
        let mut flows = std::mem::take(&mut self.tight);
        flows.clear();
        for (flow, crossing) in self.crossers.flows(self.resources[resource as usize].row) {
            let weight = self.weight(flow, crossing);
            flows.push((self.tried_rate(flow), weight, flow));
        }
        flows.sort_unstable_by(|left, right| right.cmp(left));
        let fastest = flows[0].0;
        let mut free_and_faster = free;
        let mut weight_of_faster = 0_u128;
        let mut is_certified = false;
        let mut broken_from = None;
        for same in flows.chunk_by(|left, right| left.0 == right.0) {
            let rate = same[0].0;
            let weight: u128 = same.iter().map(|&(_, weight, _)| u128::from(weight)).sum();
            weight_of_faster += weight;
            free_and_faster += weight * u128::from(rate);
            let share = quotient(free_and_faster, weight_of_faster);
            if rate == fastest {
                is_certified = share == u128::from(rate);
            } else if share <= u128::from(rate)
                || same.iter().any(|&(_, _, f)| self.is_held_in_set(f, resource))
            {
                broken_from = Some(rate);
            }
        }
        for &(rate, _, flow) in &flows {
            let state = &self.flows[flow as usize];
            if state.is_in_set {
                continue;
            }
            let is_too_fast = broken_from.is_some_and(|from| rate >= from);
            let lost_holder = state.holder == resource && (rate < fastest || !is_certified);
            if is_too_fast || lost_holder {
                self.joining.push(flow);
            }
        }
        self.tight = flows;
    }

    /// The weight of a flow on a resource that it crosses.
    fn weight(&self, flow: u32, crossing: u32) -> u64 {
        self.medium.weight(self.flows[flow as usize].path, crossing)
    }

    fn is_held_in_set(&self, flow: u32, resource: u32) -> bool {
        let state = &self.flows[flow as usize];
        state.is_in_set && state.next_holder == resource
    }

    /// The rate under trial: the new one in the set, the standing one outside.
    fn tried_rate(&self, flow: u32) -> u64 {
        let state = &self.flows[flow as usize];
        if state.is_in_set { state.next_rate } else { state.rate }
    }
}
