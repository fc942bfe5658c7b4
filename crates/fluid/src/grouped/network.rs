//! The network of groups, for a whole plan or for one of its cells.

use std::borrow::Cow;
use std::hint::black_box;

use engine::{CellNetwork, Digest, Error, FlowId, Inbox, Network, News, Recurrent, Tournament};
use units::{Bytes, Time};

use super::clock::Clock;
use super::groups::{Groups, Place, Seat, Shared};
use super::parties::Parties;
use crate::arrivals::Arrivals;
use crate::draining::Draining;

/// The flow-level network, group by group.
#[derive(Clone, Debug)]
pub(crate) struct GroupedNetwork<'g> {
    /// The large groups.
    pub(super) groups: Vec<Group<'g>>,
    /// The small ones.
    pub(super) parties: Parties<'g>,
    /// Where each flow belongs.
    pub(super) places: Cow<'g, [Place]>,
    /// Where each flow is delivered; empty where all are here.
    pub(super) destinations: Vec<Destination>,
    /// When the first flow of each large group will have drained.
    pub(super) ends: Tournament,
    /// Large groups in which something has changed in this instant.
    pub(super) touched: Vec<u32>,
    /// Transfers that have drained and were not told yet, those of nothing among them.
    pub(super) due: Vec<u32>,
    pub(super) arrivals: Arrivals,
    /// Deliveries from other cells.
    pub(super) inbox: Inbox,
    /// Transfers to other cells that have drained.
    pub(super) sent: Vec<(FlowId, Time)>,
    pub(super) settlements: u64,
}

/// A large group and what moves in it.
#[derive(Clone, Debug)]
pub(super) struct Group<'g> {
    pub(super) is_touched: bool,
    pub(super) state: State<'g>,
}

#[derive(Clone, Debug)]
pub(super) enum State<'g> {
    /// Over one resource.
    Common(Clock),
    /// Over several; the flows by their indexes in the group.
    Mixed(Box<Draining<'g>>, Names),
}

/// What the flows of a group are called, by their indexes in it.
#[derive(Clone, Debug)]
pub(super) enum Names {
    /// As they are there.
    Same,
    /// Otherwise.
    Others(Vec<u32>),
}

impl Names {
    pub(super) fn of(&self, index: u32) -> u32 {
        match self {
            Self::Same => index,
            Self::Others(names) => names[index as usize],
        }
    }

    /// Calls so many flows by other names.
    pub(super) fn rename(&mut self, flows: usize, name: impl Fn(u32) -> u32) {
        let names = (0..flows as u32).map(|index| name(self.of(index))).collect();
        *self = Self::Others(names);
    }
}

/// Where a flow is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Here,
    OtherCell,
}

impl<'g> GroupedNetwork<'g> {
    /// A network on which nothing moves yet.
    pub(crate) fn new(groups: &'g Groups<'_>) -> Self {
        let group = |group: Shared<'g>| {
            let state = match group {
                Shared::One(capacity) => State::Common(Clock::new(capacity)),
                Shared::Several(medium, names) => {
                    let names = names.map_or(Names::Same, |names| Names::Others(names.to_vec()));
                    State::Mixed(Box::new(Draining::new(medium)), names)
                }
            };
            Group { is_touched: false, state }
        };
        Self {
            ends: Tournament::new(groups.large.len()),
            groups: groups.large().map(group).collect(),
            parties: Parties::new(groups.small().iter()),
            places: Cow::Borrowed(&groups.places),
            destinations: Vec::new(),
            touched: Vec::new(),
            due: Vec::new(),
            arrivals: Arrivals::default(),
            inbox: Inbox::new(0, 0),
            sent: Vec::new(),
            settlements: 0,
        }
    }

    /// How many times rates were solved.
    pub(crate) fn solves(&self) -> u64 {
        let mixed = self.groups.iter().map(|group| match &group.state {
            State::Common(_) => 0,
            State::Mixed(draining, _) => draining.solves(),
        });
        self.settlements + self.parties.solves() + mixed.sum::<u64>()
    }

    fn touch(&mut self, group: u32) {
        let state = &mut self.groups[group as usize];
        if !state.is_touched {
            state.is_touched = true;
            self.touched.push(group);
        }
    }

    fn drained(&mut self, now: Time, flow: u32) -> Result<News, Error> {
        let latency = self.places[flow as usize].latency;
        let at = now.checked_add(latency).ok_or(Error::TimeRange)?;
        match self.destinations.get(flow as usize) {
            None | Some(Destination::Here) => self.arrivals.push(latency, at, flow),
            Some(Destination::OtherCell) => self.sent.push((FlowId(flow), at)),
        }
        Ok(News::Drained(FlowId(flow)))
    }

    /// A transfer starts.
    pub(super) fn begin(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        if bytes == Bytes::ZERO {
            self.due.push(flow.0);
            return Ok(());
        }
        let group = match self.places[flow.index()].seat {
            Seat::Track(track) => return self.parties.start(now, (track, flow.0), bytes),
            Seat::Clock { group, weight } => {
                let State::Common(clock) = &mut self.groups[group as usize].state else {
                    unreachable!("its group has a clock")
                };
                clock.start(now, flow.0, weight, bytes);
                group
            }
            Seat::Mixed { group, index } => {
                let State::Mixed(draining, _) = &mut self.groups[group as usize].state else {
                    unreachable!("its group has several resources")
                };
                draining.start(now, index, bytes);
                group
            }
        };
        self.touch(group);
        Ok(())
    }

    /// When the first transfer will have drained; [`Time::MAX`] if none moves.
    pub(super) fn next_end(&self) -> Time {
        self.ends.earliest().min(self.parties.next_time())
    }

    /// Whether no flow has drained that was not told yet.
    pub(super) fn nothing_is_due(&self, now: Time) -> bool {
        self.due.is_empty() && self.next_end() > now
    }

    /// Takes out a flow that has drained.
    pub(super) fn pop_due(&mut self, now: Time) -> Option<u32> {
        while self.due.is_empty() && self.ends.earliest() <= now {
            let group = self.ends.pop();
            self.touch(group as u32);
            let places = &self.places;
            match &mut self.groups[group].state {
                State::Common(clock) => {
                    let weight = |flow: u32| match places[flow as usize].seat {
                        Seat::Clock { weight, .. } => weight,
                        Seat::Mixed { .. } | Seat::Track(_) => {
                            unreachable!("its group has a clock")
                        }
                    };
                    self.due.extend(std::iter::from_fn(|| clock.pop_due(now, weight)));
                }
                State::Mixed(draining, names) => {
                    let due = std::iter::from_fn(|| draining.pop_due(now));
                    self.due.extend(due.map(|index| names.of(index)));
                }
            }
        }
        self.due.pop().or_else(|| self.parties.pop_due(now))
    }
}

impl Network for GroupedNetwork<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        self.begin(now, flow, bytes)
    }

    fn next_time(&self) -> Option<Time> {
        let arrival = self.arrivals.next_time().unwrap_or(Time::MAX);
        let next = arrival.min(self.next_end()).min(self.inbox.next_time());
        (next < Time::MAX).then_some(next)
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        if let Some(flow) = self.inbox.pop_due(now) {
            return Ok(Some(News::Delivered(flow)));
        }
        if let Some(flow) = self.arrivals.pop_due(now) {
            return Ok(Some(News::Delivered(FlowId(flow))));
        }
        match self.pop_due(now) {
            Some(flow) => self.drained(now, flow).map(Some),
            None => Ok(None),
        }
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        for index in 0..self.touched.len() {
            let group = self.touched[index] as usize;
            let Group { is_touched, state } = &mut self.groups[group];
            *is_touched = false;
            let next = match state {
                State::Common(clock) => {
                    self.settlements += 1;
                    clock.settle(now)?
                }
                State::Mixed(draining, _) => {
                    draining.settle(now)?;
                    draining.next_time().unwrap_or(Time::MAX)
                }
            };
            self.ends.set(group, next);
        }
        self.touched.clear();
        self.parties.settle(now)
    }

    fn look_ahead(&self, most: usize, tell: &mut dyn FnMut(FlowId)) {
        for &flow in self.due.iter().rev().take(most) {
            black_box(self.places[flow as usize].latency);
            tell(FlowId(flow));
        }
        self.arrivals.look_ahead(most, &mut |flow| tell(FlowId(flow)));
    }
}

impl Recurrent for GroupedNetwork<'_> {
    fn digest(&self, now: Time, digest: &mut Digest) {
        for group in &self.groups {
            match &group.state {
                State::Common(clock) => clock.digest(now, digest),
                State::Mixed(draining, names) => {
                    draining.digest(now, &|index| names.of(index), digest);
                }
            }
        }
        self.parties.digest(now, digest);
        for (at, flow) in self.arrivals.iter() {
            digest.add(0x41, [u64::from(flow), at.since(now).as_picos(), 0]);
        }
    }

    fn next_change(&self, _now: Time) -> Option<Time> {
        None
    }

    /// Where nothing changes, the schedule tells what has been carried.
    fn skip(&mut self, _flow: FlowId, _bytes: u128) {}

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        for (index, group) in self.groups.iter_mut().enumerate() {
            match &mut group.state {
                State::Common(clock) => clock.shift(by)?,
                State::Mixed(draining, _) => draining.shift(by)?,
            }
            let end = self.ends.get(index);
            if end < Time::MAX {
                self.ends.set(index, end.checked_add(by).ok_or(Error::TimeRange)?);
            }
        }
        self.parties.shift(by)?;
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}

impl CellNetwork for GroupedNetwork<'_> {
    fn sent(&mut self) -> &mut Vec<(FlowId, Time)> {
        &mut self.sent
    }

    fn receive(&mut self, flow: FlowId, at: Time) {
        self.inbox.push(flow, at);
    }
}
