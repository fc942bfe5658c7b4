//! Who joins the set that is filled.

use super::members::Members;
use super::resource::{Part, Resource};
use super::{Allocation, NONE};

/// So many flows, or resources, at once: what they ask for fits the nearest cache.
const AT_ONCE: usize = 32;

impl Allocation<'_> {
    /// The set begins with the flows that came, and those held back where something has changed.
    pub(super) fn seed(&mut self, changed: &mut Vec<(u32, u64)>) {
        let mut arrived = std::mem::take(&mut self.arrived);
        let mut relieved = std::mem::take(&mut self.relieved);
        for flow in arrived.drain(..) {
            // It may have left again, or left and come once more.
            if !self.is_active(flow as usize) || self.flows[flow as usize].holder != NONE {
                continue;
            }
            if self.is_alone(flow) {
                self.give_all(flow);
                changed.push((flow, 0));
            } else {
                self.join(&[flow]);
                let crossings = self.crossings(flow as usize).iter();
                let crossed = crossings.map(|crossing| crossing.resource);
                relieved.extend(crossed.filter(|&it| self.resources[it as usize].held > 0));
            }
        }
        relieved.sort_unstable();
        relieved.dedup();
        let mut joining = std::mem::take(&mut self.joining);
        for resources in relieved.chunks(AT_ONCE) {
            self.collect_held(resources, &mut joining);
        }
        relieved.clear();
        self.join(&joining);
        joining.clear();
        self.joining = joining;
        self.arrived = arrived;
        self.relieved = relieved;
    }

    /// All flows that these resources hold back are about to join the set. Memory is asked for all who may be
    /// before the first is looked at.
    fn collect_held(&mut self, resources: &[u32], joining: &mut Vec<u32>) {
        self.candidates.clear();
        for &resource in resources {
            let Resource { held, row, .. } = &self.resources[resource as usize];
            if *held > 0 {
                let entries = self.crossers.entries(row);
                self.candidates.extend(entries.map(|(flow, _)| (flow, resource)));
            }
        }
        for &(flow, resource) in &self.candidates {
            // Who has left is held by nothing.
            if self.flows[flow as usize].holder == resource {
                joining.push(flow);
            }
        }
    }

    /// These flows join the set. What they cross is fetched from memory by a pass that decides nothing on
    /// what it finds, so that none waits for the one before.
    pub(super) fn join(&mut self, flows: &[u32]) {
        for flows in flows.chunks(AT_ONCE) {
            let first = self.set.len();
            for &flow in flows {
                self.offer(flow);
            }
            for index in first..self.set.len() {
                self.ask(self.set[index]);
            }
        }
    }

    /// The capacity of a flow is on offer again.
    fn offer(&mut self, flow: u32) {
        let state = &mut self.flows[flow as usize];
        if std::mem::replace(&mut state.is_in_set, true) {
            return;
        }
        self.set.push(flow);
        let rate = u128::from(state.rate);
        for crossing in self.crossings(flow as usize) {
            let resource = &mut self.resources[crossing.resource as usize];
            resource.offered += u128::from(crossing.weight) * rate;
        }
    }

    /// A flow of the set asks for capacity.
    fn ask(&mut self, flow: u32) {
        let are_chained = Members::are_chained(self.set.len());
        for crossing in self.crossings(flow as usize) {
            let resource = &mut self.resources[crossing.resource as usize];
            if resource.part == NONE {
                resource.part = self.parts.len() as u32;
                self.parts.push(Part::new(crossing.resource));
            }
            let part = &mut self.parts[resource.part as usize];
            part.asked += u128::from(crossing.weight);
            part.members += 1;
            if are_chained {
                self.members.push(flow, &mut part.first);
            }
        }
    }
}
