//! Capacities and paths that change while flows come and go.
//!
//! Flows that a change touches leave and come again; so the solution that follows is that of any other
//! instant.

use super::{Allocation, NONE};

impl Allocation<'_> {
    /// The path that a flow takes now or took last.
    pub(crate) fn path(&self, flow: u32) -> u32 {
        self.flows[flow as usize].path
    }

    /// The flows that cross a resource.
    pub fn flows_on(&self, resource: u32) -> impl Iterator<Item = u32> {
        self.crossers.flows(&self.resources[resource as usize].row).map(|(flow, _)| flow)
    }

    /// Whether a path crosses something that carries nothing.
    pub fn is_cut(&self, path: u32) -> bool {
        if !self.some_cut {
            return false;
        }
        let mut crossings = self.medium.crossings(path).iter();
        crossings.any(|crossing| self.capacities[crossing.resource as usize] == 0)
    }

    /// Gives a resource, which no flow crosses at the moment, another capacity.
    ///
    /// # Panics
    /// If a flow crosses it.
    pub fn set_capacity(&mut self, resource: u32, capacity: u128) {
        self.release();
        let state = &mut self.resources[resource as usize];
        assert_eq!(state.flows, 0, "its flows have left");
        state.offered = capacity;
        self.capacities[resource as usize] = capacity;
        self.some_cut |= capacity == 0;
    }

    /// A flow comes and takes `path`; it has no rate before the next solution.
    pub fn insert_on(&mut self, flow: usize, path: u32) {
        assert!(!self.is_active(flow), "a flow comes once before it leaves");
        if self.flows[flow].is_leaving {
            self.release();
        }
        let before = std::mem::replace(&mut self.flows[flow].path, path);
        if before != path && before != NONE {
            for (index, crossing) in self.medium.crossings(before).iter().enumerate() {
                let row = &mut self.resources[crossing.resource as usize].row;
                self.crossers.forget(flow as u32, index as u32, row);
            }
        }
        self.insert(flow);
    }
}
