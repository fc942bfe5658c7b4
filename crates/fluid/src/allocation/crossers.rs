//! Who crosses each resource, in tables that are laid out beforehand.
//!
//! A resource has room for all flows that may ever cross it: coming and going allocates nothing, and what
//! an event touches lies close together. A flow that leaves stays in the lists of what it has crossed, and
//! is passed over there, until half as many have left as are there, and some more; mostly it comes back
//! before or never. So leaving touches no list, and each entry is looked at a few times for all. The first
//! entries lie with what else is asked of the resource, so that who crosses one of few flows is known with
//! it.

use crate::medium::Medium;

/// So many flows that have left are passed over in any list.
const FEW: u32 = 8;

/// So many entries of a list are kept with the resource itself, most of those of a fat-tree in even use.
const NEAR: usize = 3;

/// A flow, with the index of this crossing in its path.
type Entry = (u32, u32);

/// The flows of a resource as they are listed: the first of them here, at hand with all else that is asked
/// of the resource, the others in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    start: u32,
    /// How many entries there are.
    taken: u32,
    near: [Entry; NEAR],
}

/// The flows on each resource; where they are listed the resource knows.
#[derive(Clone, Debug)]
pub(super) struct Crossers {
    /// Entries that are not near.
    far: Vec<Entry>,
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
            start[resource] = start[resource].saturating_sub(NEAR as u32) + start[resource - 1];
        }
        let room = start.pop().expect("one more than resources") as usize;
        let crossers = Self {
            far: vec![(0, 0); room],
            first_crossing,
            is_listed: vec![false; crossings as usize],
            active: vec![0; medium.flows().div_ceil(64)],
        };
        let row = |start| Row { start, taken: 0, near: [(0, 0); NEAR] };
        (crossers, start.into_iter().map(row))
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
            row.taken += 1;
            *self.entry_mut(row, row.taken as usize - 1) = (flow, index);
        }
    }

    /// A flow is no longer active.
    pub(super) fn leave(&mut self, flow: u32) {
        self.active[flow as usize / 64] &= !(1 << (flow % 64));
    }

    /// So many flows on a resource are active, or have only just left: drops the entries of the others
    /// where these are half as many, and [`FEW`] more.
    pub(super) fn tidy(&mut self, row: &mut Row, active: u32) {
        if row.taken.saturating_sub(active) <= active / 2 + FEW {
            return;
        }
        let mut kept = 0;
        for place in 0..row.taken as usize {
            let (flow, index) = *self.entry_mut(row, place);
            if self.is_active(flow) {
                *self.entry_mut(row, kept) = (flow, index);
                kept += 1;
            } else {
                let first = self.first_crossing[flow as usize];
                self.is_listed[(first + index) as usize] = false;
            }
        }
        row.taken = kept as u32;
    }

    /// A flow that is not active will take another path, and the resource of this row, at this place of the
    /// one before, lists it no longer.
    pub(super) fn forget(&mut self, flow: u32, index: u32, row: &mut Row) {
        let crossing = self.first_crossing[flow as usize] + index;
        if std::mem::take(&mut self.is_listed[crossing as usize]) {
            let place = self.entries(row).position(|entry| entry == (flow, index));
            let place = place.expect("what is listed has an entry");
            let last = *self.entry_mut(row, row.taken as usize - 1);
            *self.entry_mut(row, place) = last;
            row.taken -= 1;
        }
    }

    /// The entry at a place of a row, below as many as there are.
    fn entry_mut<'a>(&'a mut self, row: &'a mut Row, place: usize) -> &'a mut Entry {
        match place.checked_sub(NEAR) {
            None => &mut row.near[place],
            Some(far) => &mut self.far[row.start as usize + far],
        }
    }

    /// The active flows of a resource, each with the index of the crossing.
    pub(super) fn flows<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Entry> + 'a {
        self.entries(row).filter(|&(flow, _)| self.is_active(flow))
    }

    /// The same, and some that have left.
    pub(super) fn entries<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Entry> + 'a {
        let (taken, start) = (row.taken as usize, row.start as usize);
        let near = &row.near[..taken.min(NEAR)];
        let far = &self.far[start..start + taken.saturating_sub(NEAR)];
        near.iter().chain(far).copied()
    }
}
