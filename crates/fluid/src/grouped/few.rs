//! Few flows over several resources: their rates follow from who is under way, and are looked up.
//!
//! Flows under way that share resources, directly or through others under way, are a *party*; its rates
//! depend on nobody else, and not on the past. A party that was met before has the rates that it had
//! then, so max-min rates are solved once for each party and not once for each event. A set of at most
//! [`MOST_FLOWS`] flows is a number, and who is in a party is found by a few operations on bits.

use engine::{Digest, Error, Tournament};
use rustc_hash::FxHashMap;
use units::{Bytes, Duration, Time};

use crate::Medium;
use crate::allocation::Allocation;
use crate::division::quotient;

/// Flows in a set that is a number.
pub(super) const MOST_FLOWS: usize = u128::BITS as usize;

/// Rates that are kept for each flow of the group: more are forgotten, all at once, and solved again.
const MOST_RATES_EACH: usize = 512;

/// A set of flows by their indexes in the group.
type Set = u128;

/// The flows of a small group and what moves of them.
#[derive(Clone, Debug)]
pub(super) struct Few<'g> {
    /// The flows that share a resource with each flow, itself among them.
    neighbours: &'g [Set],
    active: Set,
    /// Flows whose rates may be others than before.
    open: Set,
    flows: Vec<Flow>,
    /// When each active flow drains at its present rate, if it has one above nothing.
    ends: Tournament,
    /// Where the rates of each party that is known begin; they stand in the order of its flows.
    known: FxHashMap<Set, u32>,
    rates: Vec<u64>,
    /// Solves the rates of parties that are not known; no flow is active in it between two of them.
    allocation: Allocation<'g>,
}

/// A flow under way.
#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Work left in milli-bit/s × ps, as of `since`.
    left: u128,
    since: Time,
    rate: u64,
}

/// The flows that share a resource with each flow of `medium`, which has few flows.
pub(super) fn neighbours(medium: &Medium) -> Vec<Set> {
    let mut crossing: Vec<Set> = vec![0; medium.capacities().len()];
    let resources = |flow| medium.crossings(medium.only_path(flow)).iter();
    for flow in 0..medium.flows() {
        for one in resources(flow) {
            crossing[one.resource as usize] |= 1 << flow;
        }
    }
    let of = |flow| resources(flow).fold(0, |set, one| set | crossing[one.resource as usize]);
    (0..medium.flows()).map(of).collect()
}

/// The flows of a set, in order.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < Set::BITS).then_some(first as usize)
    })
}

impl<'g> Few<'g> {
    /// Nothing moves yet.
    pub(super) fn new(medium: &'g Medium, neighbours: &'g [Set]) -> Self {
        Self {
            neighbours,
            active: 0,
            open: 0,
            flows: vec![Flow::default(); medium.flows()],
            ends: Tournament::new(medium.flows()),
            known: FxHashMap::default(),
            rates: Vec::new(),
            allocation: Allocation::new(medium),
        }
    }

    /// How many flows there are.
    pub(super) const fn flows(&self) -> usize {
        self.flows.len()
    }

    /// How many times rates were solved.
    pub(super) const fn solves(&self) -> u64 {
        self.allocation.solves()
    }

    /// Takes a transfer of some bytes.
    pub(super) fn start(&mut self, now: Time, flow: u32, bytes: Bytes) {
        self.active |= 1 << flow;
        self.open |= 1 << flow;
        self.flows[flow as usize] = Flow { left: bytes.as_work(), since: now, rate: 0 };
    }

    /// When the next transfer will have drained; [`Time::MAX`] if none moves.
    pub(super) fn next_time(&self) -> Time {
        self.ends.earliest()
    }

    /// Takes out a transfer that has drained.
    pub(super) fn pop_due(&mut self, now: Time) -> Option<u32> {
        if self.ends.earliest() > now {
            return None;
        }
        let flow = self.ends.winner();
        self.ends.set(flow, Time::MAX);
        self.active &= !(1 << flow);
        self.open |= self.neighbours[flow];
        Some(flow as u32)
    }

    /// The instant is closed: rates are brought up to date.
    pub(super) fn settle(&mut self, now: Time) -> Result<(), Error> {
        self.open &= self.active;
        while self.open != 0 {
            let party = self.party(self.open.trailing_zeros() as usize);
            self.open &= !party;
            let first = self.rates_of(party) as usize;
            for (place, flow) in members(party).enumerate() {
                let rate = self.rates[first + place];
                if rate != self.flows[flow].rate {
                    self.change(now, flow, rate)?;
                }
            }
        }
        Ok(())
    }

    /// The active flows that share resources with `flow`, directly or through others.
    fn party(&self, flow: usize) -> Set {
        let mut party: Set = 1 << flow;
        let mut fresh = party;
        while fresh != 0 {
            let one = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let more = self.neighbours[one] & self.active & !party;
            party |= more;
            fresh |= more;
        }
        party
    }

    /// Where the rates of a party begin.
    fn rates_of(&mut self, party: Set) -> u32 {
        if let Some(&first) = self.known.get(&party) {
            return first;
        }
        if self.rates.len() > MOST_RATES_EACH * self.flows.len() {
            self.known.clear();
            self.rates.clear();
        }
        members(party).for_each(|flow| self.allocation.insert(flow));
        self.allocation.solve(&mut Vec::new());
        debug_assert_eq!(self.allocation.certify(), Ok(()), "rates are max-min fair");
        let first = self.rates.len() as u32;
        self.rates.extend(members(party).map(|flow| self.allocation.rate(flow)));
        members(party).for_each(|flow| self.allocation.remove(flow));
        self.known.insert(party, first);
        first
    }

    /// A flow has another rate from now on.
    fn change(&mut self, now: Time, flow: usize, rate: u64) -> Result<(), Error> {
        let state = &mut self.flows[flow];
        state.left -= u128::from(state.rate) * u128::from(now.since(state.since).as_picos());
        (state.since, state.rate) = (now, rate);
        let mut end = Time::MAX;
        if rate > 0 {
            let rate = u128::from(rate);
            let picos = u64::try_from(quotient(state.left + rate - 1, rate));
            let picos = picos.map_err(|_| Error::TimeRange)?;
            end = now.checked_add(Duration::from_picos(picos)).ok_or(Error::TimeRange)?;
        }
        self.ends.set(flow, end);
        Ok(())
    }

    /// Adds the state relative to `now`, its flows named by `name`.
    pub(super) fn digest(&self, now: Time, name: &dyn Fn(u32) -> u32, digest: &mut Digest) {
        for flow in members(self.active) {
            let Flow { left, since, rate } = self.flows[flow];
            let left = left - u128::from(rate) * u128::from(now.since(since).as_picos());
            let words = [left as u64, (left >> 64) as u64, rate];
            digest.add(0x40 | u64::from(name(flow as u32)) << 8, words);
        }
    }

    /// Moves every instant later.
    pub(super) fn shift(&mut self, by: Duration) -> Result<(), Error> {
        let later = |at: Time| at.checked_add(by).ok_or(Error::TimeRange);
        for flow in members(self.active) {
            self.flows[flow].since = later(self.flows[flow].since)?;
            let end = self.ends.get(flow);
            if end < Time::MAX {
                self.ends.set(flow, later(end)?);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Crossing;

    /// Flow 0 crosses both resources, 1 the first and 2 the second; 8 milli-bit/s each.
    fn chain() -> Medium {
        let mut medium = Medium::new(vec![8, 8]);
        for resources in [&[0, 1][..], &[0], &[1]] {
            let crossing = |&resource: &u32| Crossing { resource, weight: 1 };
            let crossings: Vec<Crossing> = resources.iter().map(crossing).collect();
            let path = medium.add_path(&crossings, Duration::ZERO);
            medium.add_flow(path);
        }
        medium
    }

    /// A byte is 8 × 10¹⁵ milli-bit/s × ps: 10¹⁵ ps alone, 2 × 10¹⁵ ps where two share.
    #[test]
    fn a_party_that_was_met_before_is_looked_up() {
        let medium = chain();
        let neighbours = neighbours(&medium);
        assert_eq!(neighbours, [0b111, 0b011, 0b101]);
        let mut few = Few::new(&medium, &neighbours);
        let at = |milliseconds: u64| Time::from_picos(milliseconds * 1_000_000_000);
        let (mut now, mut solves) = (Time::ZERO, 0);
        for round in 1..=3_u64 {
            for flow in 0..3 {
                few.start(now, flow, Bytes::new(1));
            }
            few.settle(now).expect("in range");
            assert_eq!(few.next_time(), at(2_000_000 * round), "each has half");
            now = few.next_time();
            let mut due: Vec<u32> = std::iter::from_fn(|| few.pop_due(now)).collect();
            due.sort_unstable();
            assert_eq!(due, [0, 1, 2]);
            few.settle(now).expect("in range");
            assert_eq!(few.next_time(), Time::MAX);
            assert!(round == 1 || few.solves() == solves, "looked up");
            solves = few.solves();
        }
        // Without flow 0 in the middle the others are two parties, each alone.
        few.start(now, 1, Bytes::new(1));
        few.start(now, 2, Bytes::new(1));
        few.settle(now).expect("in range");
        assert_eq!(few.next_time(), at(7_000_000));
    }
}
