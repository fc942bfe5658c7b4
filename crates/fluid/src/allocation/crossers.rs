//! Who crosses each resource, in two tables that are laid out beforehand.
//!
//! A resource has room for all flows that may ever cross it: coming and going allocates nothing, and what
//! an event touches lies close together.

use crate::Medium;

/// The flows on each resource, and those of them that are in the set; how many there are of both the
/// resource knows.
#[derive(Clone, Debug)]
pub(super) struct Crossers {
    /// Where the room of each resource begins.
    start: Vec<u32>,
    /// Flows, each with the index of this crossing in its path.
    flows: Vec<(u32, u32)>,
    members: Vec<u32>,
}

impl Crossers {
    pub(super) fn new(medium: &Medium) -> Self {
        let mut start = vec![0_u32; medium.capacities().len() + 1];
        for flow in 0..medium.flows() {
            let mut before = None;
            for path in medium.paths(flow).flatten() {
                // In the next set of routes a flow mostly takes the path that it has.
                if before.replace(path) != Some(path) {
                    for crossing in medium.crossings(path) {
                        start[crossing.resource as usize + 1] += 1;
                    }
                }
            }
        }
        for resource in 1..start.len() {
            start[resource] += start[resource - 1];
        }
        let room = start[start.len() - 1] as usize;
        Self { start, flows: vec![(0, 0); room], members: vec![0; room] }
    }

    fn at(&self, resource: u32, place: u32) -> usize {
        let at = self.start[resource as usize] + place;
        debug_assert!(at < self.start[resource as usize + 1], "there is room for every flow");
        at as usize
    }

    /// The flow at a place of a resource, with the index of the crossing.
    pub(super) fn get(&self, resource: u32, place: u32) -> (u32, u32) {
        self.flows[self.at(resource, place)]
    }

    pub(super) fn set(&mut self, resource: u32, place: u32, flow: (u32, u32)) {
        let at = self.at(resource, place);
        self.flows[at] = flow;
    }

    pub(super) fn set_member(&mut self, resource: u32, place: u32, flow: u32) {
        let at = self.at(resource, place);
        self.members[at] = flow;
    }

    /// The first so many flows of a resource.
    pub(super) fn flows(&self, resource: u32, count: u32) -> &[(u32, u32)] {
        let start = self.start[resource as usize] as usize;
        &self.flows[start..start + count as usize]
    }

    /// The first so many flows of the set on a resource.
    pub(super) fn members(&self, resource: u32, count: u32) -> &[u32] {
        let start = self.start[resource as usize] as usize;
        &self.members[start..start + count as usize]
    }
}
