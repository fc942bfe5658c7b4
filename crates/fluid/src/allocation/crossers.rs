//! Who crosses each resource, in tables that are laid out beforehand.
//!
//! A resource has room for all flows that may ever cross it: coming and going allocates nothing, and what
//! an event touches lies close together. A flow that leaves stays in the lists of what it has crossed, and
//! is passed over there, until more have left than are there; mostly it comes back before or never. So
//! leaving touches no list, and each entry is looked at a few times for all.

use crate::medium::Medium;
use crate::ways::Crossings;

/// So many flows that have left are passed over in any list.
const FEW: u32 = 16;

/// The flows on each resource, and those of them that are in the set; how many are in the set the
/// resource knows.
#[derive(Clone, Debug)]
pub(super) struct Crossers {
    /// Where the room of each resource begins.
    start: Vec<u32>,
    /// How many entries of each resource are taken.
    taken: Vec<u32>,
    /// Flows, each with the index of this crossing in its path.
    entries: Vec<(u32, u32)>,
    members: Vec<u32>,
    /// Where the crossings of each flow begin in `is_listed`.
    first_crossing: Vec<u32>,
    /// Whether each crossing of each flow has an entry.
    is_listed: Vec<bool>,
    /// A bit for each flow: whether it is active.
    active: Vec<u64>,
}

impl Crossers {
    pub(super) fn new(medium: &Medium) -> Self {
        let mut start = vec![0_u32; medium.capacities().len() + 1];
        let mut first_crossing = Vec::with_capacity(medium.flows());
        let mut crossings = 0;
        for flow in 0..medium.flows() {
            let mut before = None;
            let mut most = 0;
            for path in medium.paths(flow).flatten() {
                // In the next set of routes a flow mostly takes the path that it has.
                if before.replace(path) != Some(path) {
                    most = most.max(medium.crossings(path).len() as u32);
                    for crossing in medium.crossings(path) {
                        start[crossing.resource as usize + 1] += 1;
                    }
                }
            }
            first_crossing.push(crossings);
            crossings += most;
        }
        for resource in 1..start.len() {
            start[resource] += start[resource - 1];
        }
        let room = start[start.len() - 1] as usize;
        Self {
            taken: vec![0; start.len() - 1],
            start,
            entries: vec![(0, 0); room],
            members: vec![0; room],
            first_crossing,
            is_listed: vec![false; crossings as usize],
            active: vec![0; medium.flows().div_ceil(64)],
        }
    }

    /// Whether a flow is active.
    pub(super) fn is_active(&self, flow: u32) -> bool {
        self.active[flow as usize / 64] >> (flow % 64) & 1 == 1
    }

    /// A flow becomes active and crosses these.
    pub(super) fn enter(&mut self, flow: u32, crossings: Crossings<'_>) {
        self.active[flow as usize / 64] |= 1 << (flow % 64);
        let first = self.first_crossing[flow as usize] as usize;
        for (index, crossing) in crossings.iter().enumerate() {
            if !std::mem::replace(&mut self.is_listed[first + index], true) {
                let resource = crossing.resource as usize;
                let at = self.start[resource] + self.taken[resource];
                debug_assert!(at < self.start[resource + 1], "there is room for every flow");
                self.entries[at as usize] = (flow, index as u32);
                self.taken[resource] += 1;
            }
        }
    }

    /// A flow is no longer active.
    pub(super) fn leave(&mut self, flow: u32) {
        self.active[flow as usize / 64] &= !(1 << (flow % 64));
    }

    /// So many flows on a resource are active, or have only just left: drops the entries of the others
    /// where these are more.
    pub(super) fn tidy(&mut self, resource: u32, active: u32) {
        let taken = self.taken[resource as usize];
        if taken.saturating_sub(active) <= active + FEW {
            return;
        }
        let start = self.start[resource as usize] as usize;
        let mut kept = start;
        for at in start..start + taken as usize {
            let (flow, index) = self.entries[at];
            if self.is_active(flow) {
                self.entries[kept] = (flow, index);
                kept += 1;
            } else {
                let first = self.first_crossing[flow as usize];
                self.is_listed[(first + index) as usize] = false;
            }
        }
        self.taken[resource as usize] = (kept - start) as u32;
    }

    /// A flow that is not active will take another path than these: drops its entries.
    pub(super) fn forget(&mut self, flow: u32, crossings: Crossings<'_>) {
        let first = self.first_crossing[flow as usize] as usize;
        for (index, crossing) in crossings.iter().enumerate() {
            if std::mem::take(&mut self.is_listed[first + index]) {
                let resource = crossing.resource as usize;
                let start = self.start[resource] as usize;
                let end = start + self.taken[resource] as usize;
                let mut entries = self.entries[start..end].iter();
                let place = entries.position(|&entry| entry == (flow, index as u32));
                let place = start + place.expect("what is listed has an entry");
                self.entries[place] = self.entries[end - 1];
                self.taken[resource] -= 1;
            }
        }
    }

    /// The active flows of a resource, each with the index of the crossing.
    pub(super) fn flows(&self, resource: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.entries(resource).filter(|&(flow, _)| self.is_active(flow))
    }

    /// The same, and some that have left.
    pub(super) fn entries(&self, resource: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let start = self.start[resource as usize] as usize;
        let taken = self.taken[resource as usize] as usize;
        self.entries[start..start + taken].iter().copied()
    }

    pub(super) fn set_member(&mut self, resource: u32, place: u32, flow: u32) {
        let at = self.start[resource as usize] + place;
        debug_assert!(at < self.start[resource as usize + 1], "there is room for every flow");
        self.members[at as usize] = flow;
    }

    /// The first so many flows of the set on a resource.
    pub(super) fn members(&self, resource: u32, count: u32) -> &[u32] {
        let start = self.start[resource as usize] as usize;
        &self.members[start..start + count as usize]
    }
}
