//! Rates of parties of two and of more: looked up, or solved.

use engine::Error;
use units::Time;

use super::small::{Resources, Set};
use super::{Group, Parties, members};
use crate::allocation::Allocation;
use crate::division::quotient;

impl Parties<'_> {
    /// Brings the rates of a party of two up to date.
    pub(super) fn rate_pair(&mut self, now: Time, number: u32, party: Set) -> Result<(), Error> {
        let Group { first, tracks, first_pair, .. } = self.groups[number as usize];
        let (one, other) = (party.trailing_zeros(), party.ilog2());
        let pair = first_pair + (one * tracks + other) as usize;
        if self.pairs[pair][0] == 0 {
            self.solve(number, party);
            self.pairs[pair] = [self.solved[0], self.solved[1]];
        }
        let rates = self.pairs[pair];
        self.change(now, (first + one) as usize, rates[0])?;
        self.change(now, (first + other) as usize, rates[1])
    }

    /// Brings the rates of a party of more up to date.
    pub(super) fn rate(&mut self, now: Time, number: u32, party: Set) -> Result<(), Error> {
        let first = self.groups[number as usize].first as usize;
        if let Some(known) = self.known.get(number, party) {
            self.solved.clear();
            self.solved.extend_from_slice(known);
        } else {
            self.solve(number, party);
            self.known.insert(number, party, &self.solved);
        }
        for (place, index) in members(party).enumerate() {
            self.change(now, first + index, self.solved[place])?;
        }
        Ok(())
    }

    /// Solves the rates of a party.
    fn solve(&mut self, number: u32, party: Set) {
        let Group { small, solver, .. } = &mut self.groups[number as usize];
        self.solves += 1;
        self.solved.clear();
        match small.shared() {
            Resources::One { capacity, weights } => {
                let weight = members(party).map(|index| u128::from(weights[index])).sum();
                let rate = u64::try_from(quotient(*capacity, weight));
                let rate = rate.expect("a flow crosses a link, whose rate fits");
                self.solved.resize(party.count_ones() as usize, rate);
            }
            Resources::Several(medium) => {
                let solver = solver.get_or_insert_with(|| Box::new(Allocation::new(medium)));
                members(party).for_each(|track| solver.insert(track));
                solver.solve(&mut Vec::new());
                debug_assert_eq!(solver.certify(), Ok(()), "rates are max-min fair");
                self.solved.extend(members(party).map(|track| solver.rate(track)));
                members(party).for_each(|track| solver.remove(track));
            }
        }
    }
}
