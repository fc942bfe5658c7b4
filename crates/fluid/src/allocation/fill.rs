//! Water-filling of the flows in the set, all others held as they are.

use std::cmp::Reverse;

use super::members::Members;
use super::resource::Part;
use super::{Allocation, NONE};

/// Of so few resources the shares are kept up to date, and the lowest is looked for one by one: that asks
/// for no order and guesses nothing.
const FEW_RESOURCES: usize = 64;

impl Allocation<'_> {
    /// Gives every flow of the set its rate and its holder.
    pub(super) fn fill(&mut self) {
        for &flow in &self.set {
            self.flows[flow as usize].next_holder = NONE;
        }
        self.shares.clear();
        for part in &mut self.parts {
            part.free = self.resources[part.resource as usize].offered;
            part.unfixed = part.asked;
            self.shares.push(part.share());
        }
        let are_few = self.parts.len() <= FEW_RESOURCES;
        if !are_few {
            self.sort_shares();
        }
        let mut lowest = std::mem::take(&mut self.lowest);
        let mut unfixed = self.set.len();
        while unfixed > 0 {
            let rate =
                if are_few { self.find_lowest(&mut lowest) } else { self.pop_lowest(&mut lowest) };
            assert!(rate < u64::MAX, "a flow crosses a link, whose rate fits");
            unfixed -= self.fix(&lowest, rate, are_few);
        }
        self.heap.clear();
        self.lowest = lowest;
    }

    /// The lowest share, and all parts that have it.
    fn find_lowest(&self, lowest: &mut Vec<u32>) -> u64 {
        lowest.clear();
        let level = self.shares.iter().fold(u64::MAX, |level, &share| level.min(share));
        for (index, &share) in self.shares.iter().enumerate() {
            if share == level {
                lowest.push(index as u32);
            }
        }
        level
    }

    fn sort_shares(&mut self) {
        let mut shares = std::mem::take(&mut self.heap).into_vec();
        for (index, &share) in self.shares.iter().enumerate() {
            shares.push(Reverse((share, index as u32)));
        }
        self.heap = shares.into();
    }

    /// Takes out all parts with the lowest share, which is returned.
    ///
    /// Shares only rise while flows are fixed at or below them, so a stale entry is too low and
    /// meets us before any true one of that height.
    fn pop_lowest(&mut self, lowest: &mut Vec<u32>) -> u64 {
        lowest.clear();
        let mut level = None;
        while let Some(&Reverse((noted, index))) = self.heap.peek() {
            if level.is_some_and(|level| noted > level) {
                break;
            }
            self.heap.pop();
            let part = &self.parts[index as usize];
            if part.unfixed == 0 {
                continue;
            }
            let share = part.share();
            if share > noted {
                self.heap.push(Reverse((share, index)));
            } else {
                level = Some(share);
                lowest.push(index);
            }
        }
        level.expect("a flow of the set crosses something")
    }

    /// Fixes all unfixed flows of the `lowest` parts together, and tells how many they are. Where resources
    /// `are_few`, what they offer to others is kept up to date.
    fn fix(&mut self, lowest: &[u32], rate: u64, are_few: bool) -> usize {
        let mut fixed = std::mem::take(&mut self.joining);
        for &index in lowest {
            let Part { resource, first, .. } = self.parts[index as usize];
            let flows = &mut self.flows;
            let mut fix = |flow: u32| {
                let state = &mut flows[flow as usize];
                if state.is_in_set && state.next_holder == NONE {
                    state.next_holder = resource;
                    state.next_rate = rate;
                    fixed.push(flow);
                }
            };
            if Members::are_chained(self.set.len()) {
                self.members.chain(first).for_each(&mut fix);
            } else {
                let row = &self.resources[resource as usize].row;
                self.crossers.entries(row).for_each(|(flow, _)| fix(flow));
            }
        }
        let count = fixed.len();
        for (place, &flow) in fixed.iter().enumerate() {
            self.look_ahead(&fixed, place);
            for crossing in self.crossings(flow as usize) {
                let index = self.resources[crossing.resource as usize].part as usize;
                let part = &mut self.parts[index];
                part.free -= u128::from(crossing.weight) * u128::from(rate);
                part.unfixed -= u128::from(crossing.weight);
                if are_few {
                    self.shares[index] = part.share();
                }
            }
        }
        fixed.clear();
        self.joining = fixed;
        count
    }
}
