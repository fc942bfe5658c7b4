//! The certificate where the filled set meets the flows outside it.

use std::cmp::Reverse;

use super::Allocation;
use super::resource::{Part, Resource};
use crate::division::quotient;

/// So many flows are looked up at once, or a few more: some kilobytes.
const AT_ONCE: usize = 256;

/// A full resource that is to be checked, of which so much is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    resource: u32,
    free: u128,
    /// Where its flows end among those listed, then among those looked up; those of the check before end
    /// where they begin.
    end: usize,
}

impl Allocation<'_> {
    /// Collects the flows outside the set that break the certificate on a touched resource.
    pub(super) fn find_joining(&mut self) {
        debug_assert!(self.joining.is_empty());
        let mut next = 0;
        while next < self.parts.len() {
            next = self.look_up(next);
            let mut checks = std::mem::take(&mut self.checks);
            let mut start = 0;
            for check in checks.drain(..) {
                self.check_tight(check, start);
                start = check.end;
            }
            self.checks = checks;
        }
    }

    /// Looks up who crosses the next full resources, from a part on, and at what rates; tells which part
    /// comes next. Memory is asked for many at once, which takes little longer than for one: nothing is
    /// decided on who is listed where before all are.
    fn look_up(&mut self, first: usize) -> usize {
        let next = self.list(first);
        self.tight.clear();
        let mut start = 0;
        for check in &mut self.checks {
            for &(flow, index) in &self.listed[start..check.end] {
                if self.crossers.is_active(flow) {
                    let state = &self.flows[flow as usize];
                    let weight = self.medium.weight(state.path, index);
                    self.tight.push((state.tried_rate(), weight, flow));
                }
            }
            start = check.end;
            check.end = self.tight.len();
        }
        next
    }

    /// Lists who crosses the next full resources, from a part on; tells which part comes next.
    fn list(&mut self, first: usize) -> usize {
        self.listed.clear();
        for index in first..self.parts.len() {
            let Part { resource, members, free, .. } = self.parts[index];
            let Resource { flows, row, .. } = &self.resources[resource as usize];
            let weight = self.weights.get(resource as usize).copied();
            let weight = weight.unwrap_or(u128::from(*flows));
            if members == *flows {
                // All are in the set.
            } else if free >= weight {
                self.join_if_held_by_slack(resource);
            } else {
                self.listed.extend(self.crossers.entries(row));
                self.checks.push(Check { resource, free, end: self.listed.len() });
                if self.listed.len() > AT_ONCE {
                    return index + 1;
                }
            }
        }
        self.parts.len()
    }

    /// A resource with at least one unit free for each unit of weight holds nobody back: every share
    /// of the certificate is then above the rate, since F(s) ≥ free + s·n(s).
    fn join_if_held_by_slack(&mut self, resource: u32) {
        let Resource { held, row, .. } = &self.resources[resource as usize];
        if *held == 0 {
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

    /// Checks (ii) and (iii) of the certificate on a resource that is full or nearly so; its flows begin at
    /// `start` of those looked up.
    fn check_tight(&mut self, Check { resource, free, end }: Check, start: usize) {
        let mut all = std::mem::take(&mut self.tight);
        let flows = &mut all[start..end];
        flows.sort_unstable_by_key(|&(rate, _, _)| Reverse(rate));
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
        for &(rate, _, flow) in &*flows {
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
        self.tight = all;
    }

    fn is_held_in_set(&self, flow: u32, resource: u32) -> bool {
        let state = &self.flows[flow as usize];
        state.is_in_set && state.next_holder == resource
    }
}
