//! Small groups: rates follow from who is under way, and are looked up.
//!
//! Tracks under way that share resources, directly or through others under way, are a *party*; its rates
//! depend on nobody else, and not on the past. A party that was met before has the rates that it had
//! then, so max-min rates are solved once for each party and not once for each event. A set of tracks is
//! a number, and who is in a party is found by a few operations on bits. Most parties are one track,
//! which has what its narrowest resource has.
//!
//! Runs of cells that wait for each other at every turn come back to each track after all the others: what
//! changes of a track lies in one line of the cache.

mod parts;
mod rates;
mod small;
mod solving;

use std::hint::black_box;

use engine::{Error, Tournament};
use units::{Bytes, Duration, Time};

use self::rates::Rates;
use self::small::Set;
pub(super) use self::small::{Resources, Small, tracks};
use crate::allocation::Allocation;
use crate::division::quotient;

/// The small groups of a network and what moves in them.
#[derive(Clone, Debug)]
pub(super) struct Parties<'g> {
    groups: Vec<Group<'g>>,
    tracks: Vec<Track>,
    /// When the flow of each track drains at its present rate, if it has one above nothing.
    ends: Tournament,
    /// Groups in which rates may be others than before.
    touched: Vec<u32>,
    /// The rates of each two tracks of a group while they are a party, group by group; 0 where they are
    /// not known.
    pairs: Vec<[u64; 2]>,
    /// Those of larger parties that are known.
    known: Rates,
    /// What was solved or looked up last.
    solved: Vec<u64>,
    solves: u64,
}

/// A group.
#[derive(Clone, Debug)]
struct Group<'g> {
    small: &'g Small,
    /// The first of its tracks.
    first: u32,
    /// How many there are, beside what else a pair asks for and not in another line of the cache.
    tracks: u32,
    /// The first of its pairs of tracks.
    first_pair: usize,
    active: Set,
    /// Tracks whose rates may be others than before.
    open: Set,
    /// Solves the rates of parties that are not known; no flow is active in it between two of them.
    solver: Option<Box<Allocation<'g>>>,
}

/// A track and what is under way on it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Track {
    /// Work left in milli-bit/s × ps, as of `since`.
    left: u128,
    /// The tracks of its group that share a resource with it.
    neighbours: Set,
    since: Time,
    rate: u64,
    /// Its rate where it is a party of its own.
    own_rate: u64,
    group: u32,
    /// What is under way.
    flow: u32,
}

/// The members of a set, in order.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < Set::BITS).then_some(first as usize)
    })
}

impl<'g> Parties<'g> {
    /// Some groups, in which nothing moves yet; their tracks are numbered group by group.
    pub(super) fn new(all: impl Iterator<Item = &'g Small>) -> Self {
        let mut parties = Self {
            groups: Vec::new(),
            tracks: Vec::new(),
            ends: Tournament::new(0),
            touched: Vec::new(),
            pairs: Vec::new(),
            known: Rates::new(0),
            solved: Vec::new(),
            solves: 0,
        };
        all.for_each(|small| parties.add(small));
        parties.ends = Tournament::new(parties.tracks.len());
        parties.known = Rates::new(parties.tracks.len());
        parties
    }

    fn add(&mut self, small: &'g Small) {
        let (group, first) = (self.groups.len() as u32, self.tracks.len() as u32);
        let (count, first_pair) = (small.tracks(), self.pairs.len());
        let tracks = count as u32;
        self.groups.push(Group {
            small,
            first,
            tracks,
            first_pair,
            active: 0,
            open: 0,
            solver: None,
        });
        if count > 1 {
            self.pairs.resize(first_pair + count * count, [0; 2]);
        }
        let tracks = small.neighbours.iter().enumerate();
        self.tracks.extend(tracks.map(|(track, &neighbours)| Track {
            left: 0,
            neighbours,
            since: Time::ZERO,
            rate: 0,
            own_rate: small.own_rate(track),
            group,
            flow: 0,
        }));
    }

    /// Reads through its state in order.
    pub(super) fn look_through(&self) {
        for track in &self.tracks {
            black_box(track.rate);
        }
        for group in &self.groups {
            black_box(group.tracks);
        }
        self.ends.look_through();
    }

    /// How many times rates were solved.
    pub(super) const fn solves(&self) -> u64 {
        self.solves
    }

    /// Takes a transfer of some bytes.
    pub(super) fn start(
        &mut self,
        now: Time,
        (track, flow): (u32, u32),
        bytes: Bytes,
    ) -> Result<(), Error> {
        let one = &mut self.tracks[track as usize];
        (one.left, one.since, one.rate, one.flow) = (bytes.as_work(), now, 0, flow);
        let (own_rate, number) = (one.own_rate, one.group);
        let group = &mut self.groups[number as usize];
        let bit = 1 << (track - group.first);
        group.active |= bit;
        if group.active & one.neighbours == bit {
            return self.change(now, track as usize, own_rate);
        }
        if group.open == 0 {
            self.touched.push(number);
        }
        group.open |= bit;
        Ok(())
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
        let track = self.ends.pop();
        let Track { neighbours, group: number, flow, .. } = self.tracks[track];
        let group = &mut self.groups[number as usize];
        group.active &= !(1 << (track - group.first as usize));
        let open = neighbours & group.active;
        if open != 0 {
            if group.open == 0 {
                self.touched.push(number);
            }
            group.open |= open;
        }
        Some(flow)
    }

    /// The instant is closed: rates are brought up to date.
    pub(super) fn settle(&mut self, now: Time) -> Result<(), Error> {
        while let Some(number) = self.touched.pop() {
            let group = &mut self.groups[number as usize];
            let mut open = std::mem::take(&mut group.open) & group.active;
            let first = group.first as usize;
            while open != 0 {
                let party = self.party(number, open.trailing_zeros() as usize);
                open &= !party;
                match party.count_ones() {
                    1 => {
                        let track = first + party.trailing_zeros() as usize;
                        self.change(now, track, self.tracks[track].own_rate)?;
                    }
                    2 => self.rate_pair(now, number, party)?,
                    _ => self.rate(now, number, party)?,
                }
            }
        }
        Ok(())
    }

    /// The tracks under way that share resources with one of them, directly or through others.
    fn party(&self, group: u32, index: usize) -> Set {
        let Group { first, active, .. } = self.groups[group as usize];
        let mut party: Set = 1 << index;
        let mut fresh = party;
        while fresh != 0 {
            let one = fresh.trailing_zeros();
            fresh &= fresh - 1;
            let neighbours = self.tracks[(first + one) as usize].neighbours;
            let more = neighbours & active & !party;
            party |= more;
            fresh |= more;
        }
        party
    }

    /// A track has this rate from now on.
    fn change(&mut self, now: Time, track: usize, rate: u64) -> Result<(), Error> {
        let state = &mut self.tracks[track];
        if rate == state.rate {
            return Ok(());
        }
        state.left -= u128::from(state.rate) * u128::from(now.since(state.since).as_picos());
        (state.since, state.rate) = (now, rate);
        let mut end = Time::MAX;
        if rate > 0 {
            let rate = u128::from(rate);
            let picos = u64::try_from(quotient(state.left + rate - 1, rate));
            let picos = picos.map_err(|_| Error::TimeRange)?;
            end = now.checked_add(Duration::from_picos(picos)).ok_or(Error::TimeRange)?;
        }
        self.ends.set(track, end);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::medium::{Crossing, Medium};

    /// Track 0 crosses both resources, 1 the first and 2 the second; 8 milli-bit/s each.
    fn chain() -> Small {
        let mut medium = Medium::new(vec![8, 8]);
        for resources in [&[0, 1][..], &[0], &[1]] {
            let crossing = |&resource: &u32| Crossing { resource, weight: 1 };
            let crossings: Vec<Crossing> = resources.iter().map(crossing).collect();
            let path = medium.add_path(&crossings, Duration::ZERO);
            medium.add_flow(path);
        }
        Small::several(medium)
    }

    /// A byte is 8 × 10¹⁵ milli-bit/s × ps: 10¹⁵ ps alone, 2 × 10¹⁵ ps where two share.
    #[test]
    fn a_party_that_was_met_before_is_looked_up() {
        let chain = chain();
        assert_eq!(chain.neighbours, [0b111, 0b011, 0b101]);
        let mut parties = Parties::new(std::iter::once(&chain));
        let at = |milliseconds: u64| Time::from_picos(milliseconds * 1_000_000_000);
        let mut now = Time::ZERO;
        for round in 1..=3_u64 {
            for track in 0..3 {
                parties.start(now, (track, track + 7), Bytes::new(1)).expect("in range");
            }
            parties.settle(now).expect("in range");
            assert_eq!(parties.next_time(), at(2_000_000 * round), "each has half");
            now = parties.next_time();
            let mut due: Vec<u32> = std::iter::from_fn(|| parties.pop_due(now)).collect();
            due.sort_unstable();
            assert_eq!(due, [7, 8, 9]);
            parties.settle(now).expect("in range");
            assert_eq!((parties.next_time(), parties.solves()), (Time::MAX, 1), "looked up");
        }
        // Without track 0 in the middle the others are two parties, each alone.
        parties.start(now, (1, 1), Bytes::new(1)).expect("in range");
        parties.start(now, (2, 2), Bytes::new(1)).expect("in range");
        parties.settle(now).expect("in range");
        assert_eq!((parties.next_time(), parties.solves()), (at(7_000_000), 1));
    }

    /// One byte alone for half of its time, then both at half the rate: the first has drained after
    /// 0.5 + 1 units of 10¹⁵ ps, when the second has half of its byte left and is alone.
    #[test]
    fn a_part_goes_on_where_the_whole_stood() {
        let chain = chain();
        let groups = [&chain, &chain];
        let mut whole = Parties::new(groups.into_iter());
        let at = |micros: u64| Time::from_picos(micros * 1_000_000);
        assert_eq!((whole.tracks_of(0), whole.place(4)), (3, (1, 1)));
        whole.start(Time::ZERO, (4, 40), Bytes::new(1)).expect("in range");
        whole.settle(Time::ZERO).expect("in range");
        let mut part = whole.part(&[1], |flow| flow + 1);
        part.start(at(500_000_000), (0, 0), Bytes::new(1)).expect("in range");
        part.settle(at(500_000_000)).expect("in range");
        assert_eq!(part.next_time(), at(1_500_000_000));
        assert_eq!(part.pop_due(at(1_500_000_000)), Some(41));
        part.settle(at(1_500_000_000)).expect("in range");
        assert_eq!(part.next_time(), at(2_000_000_000));
    }
}
