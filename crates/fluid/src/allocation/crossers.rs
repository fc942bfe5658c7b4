//! Who crosses each resource, in tables that are laid out beforehand.
//!
//! A resource has room for all flows that may ever cross it: coming and going allocates nothing, and what
//! an event touches lies close together. A flow that leaves stays in the lists of what it has crossed, and
//! is passed over there, until more have left than are there; mostly it comes back before or never. So
//! leaving touches no list, and each entry is looked at a few times for all.

use std::ops::Range;

use crate::medium::Medium;

/// So many flows that have left are passed over in any list.
const FEW: u32 = 16;

/// Where the flows of a resource are listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    start: u32,
    /// How many entries there are.
    taken: u32,
}

/// The flows on each resource; where they are listed the resource knows.
#[derive(Clone, Debug)]
pub(super) struct Crossers {
    /// Flows, each with the index of this crossing in its path.
    entries: Vec<(u32, u32)>,
    /// Where the crossings of each flow begin in `is_listed`.
    first_crossing: Vec<u32>,
    /// Whether each crossing of each flow has an entry.
    is_listed: Vec<bool>,
    /// A bit for each flow: whether it is active.
    active: Vec<u64>,
}

impl Crossers {
    /// No flow is active; tells where each resource lists its flows.
    pub(super) fn new(medium: &Medium) -> (Self, impl Iterator<Item = Row>) {
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
        let room = start.pop().expect("one more than resources") as usize;
        let crossers = Self {
            entries: vec![(0, 0); room],
            first_crossing,
            is_listed: vec![false; crossings as usize],
            active: vec![0; medium.flows().div_ceil(64)],
        };
        (crossers, start.into_iter().map(|start| Row { start, taken: 0 }))
    }

    /// Whether a flow is active.
    pub(super) fn is_active(&self, flow: u32) -> bool {
        self.active[flow as usize / 64] >> (flow % 64) & 1 == 1
    }

    /// A flow becomes active; what it crosses lists it.
    pub(super) fn enter(&mut self, flow: u32) {
        self.active[flow as usize / 64] |= 1 << (flow % 64);
    }

    /// The resource of this row, at this place of the path of a flow, lists the flow if it does not yet.
    pub(super) fn list(&mut self, flow: u32, index: u32, row: &mut Row) {
        let crossing = self.first_crossing[flow as usize] + index;
        if !std::mem::replace(&mut self.is_listed[crossing as usize], true) {
            self.entries[(row.start + row.taken) as usize] = (flow, index);
            row.taken += 1;
        }
    }

    /// A flow is no longer active.
    pub(super) fn leave(&mut self, flow: u32) {
        self.active[flow as usize / 64] &= !(1 << (flow % 64));
    }

    /// So many flows on a resource are active, or have only just left: drops the entries of the others
    /// where these are more.
    pub(super) fn tidy(&mut self, row: &mut Row, active: u32) {
        if row.taken.saturating_sub(active) <= active + FEW {
            return;
        }
        let start = row.start as usize;
        let mut kept = start;
        for at in row.range() {
            let (flow, index) = self.entries[at];
            if self.is_active(flow) {
                self.entries[kept] = (flow, index);
                kept += 1;
            } else {
                let first = self.first_crossing[flow as usize];
                self.is_listed[(first + index) as usize] = false;
            }
        }
        row.taken = (kept - start) as u32;
    }

    /// A flow that is not active will take another path, and the resource of this row, at this place of the
    /// one before, lists it no longer.
    pub(super) fn forget(&mut self, flow: u32, index: u32, row: &mut Row) {
        let crossing = self.first_crossing[flow as usize] + index;
        if std::mem::take(&mut self.is_listed[crossing as usize]) {
            let entries = &mut self.entries[row.range()];
            let place = entries.iter().position(|&entry| entry == (flow, index));
            let place = place.expect("what is listed has an entry");
            entries[place] = entries[entries.len() - 1];
            row.taken -= 1;
        }
    }

    /// The active flows of a resource, each with the index of the crossing.
    pub(super) fn flows(&self, row: Row) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.entries(row).filter(|&(flow, _)| self.is_active(flow))
    }

    /// The same, and some that have left.
    pub(super) fn entries(&self, row: Row) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.entries[row.range()].iter().copied()
    }
}

impl Row {
    fn range(self) -> Range<usize> {
        self.start as usize..(self.start + self.taken) as usize
    }
}
