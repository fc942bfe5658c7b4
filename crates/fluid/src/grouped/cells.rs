//! From the network of the whole to the networks of its cells.

use std::borrow::Cow;

use engine::{Cells, FlowId, Inbox, Tournament};
use units::Time;

use super::groups::Seat;
use super::network::{Destination, Group, GroupedNetwork, State};
use crate::arrivals::Arrivals;

impl<'g> GroupedNetwork<'g> {
    /// The networks of the cells, which go on where this one stands, between two instants.
    ///
    /// # Panics
    /// If a group belongs to two cells.
    pub(crate) fn divide(self, cells: &Cells) -> Vec<Self> {
        assert!(self.touched.is_empty() && self.due.is_empty(), "the instant is closed");
        let mut groups: Vec<Option<Group<'g>>> = self.groups.into_iter().map(Some).collect();
        let mut local = vec![u32::MAX; groups.len()];
        let mut local_small = vec![u32::MAX; self.parties.groups()];
        let mut settlements = self.settlements;
        let mut networks: Vec<Self> = (0..cells.len())
            .map(|cell| {
                let (names, own) = cells.flows(cell);
                let (mut small, mut tracks) = (Vec::new(), 0);
                let mut network = Self {
                    groups: Vec::new(),
                    parties: self.parties.part(&[], |flow| flow),
                    places: Cow::default(),
                    destinations: Vec::with_capacity(own),
                    ends: Tournament::new(0),
                    touched: Vec::new(),
                    due: Vec::new(),
                    arrivals: Arrivals::default(),
                    inbox: Inbox::new(own as u32, names.len() - own),
                    sent: Vec::new(),
                    settlements: std::mem::take(&mut settlements),
                };
                let (mut ends, mut places) = (Vec::new(), Vec::with_capacity(own));
                for (index, name) in names[..own].iter().enumerate() {
                    let mut place = self.places[name.index()];
                    match &mut place.seat {
                        Seat::Clock { group, .. } | Seat::Mixed { group, .. } => {
                            let global = *group as usize;
                            if let Some(group) = groups[global].take() {
                                local[global] = network.groups.len() as u32;
                                network.groups.push(renamed(group, cells));
                                ends.push(self.ends.get(global));
                            }
                            *group = local[global];
                        }
                        Seat::Track(track) => {
                            let (group, index) = self.parties.place(*track);
                            let first = &mut local_small[group as usize];
                            if *first == u32::MAX {
                                *first = tracks;
                                tracks += self.parties.tracks_of(group);
                                small.push(group);
                            }
                            *track = *first + index;
                        }
                    }
                    let destination = if cells.stays(cell, index) {
                        Destination::Here
                    } else {
                        Destination::OtherCell
                    };
                    network.destinations.push(destination);
                    places.push(place);
                }
                network.places = Cow::Owned(places);
                let name = |flow: u32| cells.sender(FlowId(flow)).1.0;
                network.parties = self.parties.part(&small, name);
                network.ends = Tournament::new(ends.len());
                for (group, end) in ends.into_iter().enumerate() {
                    network.ends.set(group, end);
                }
                network
            })
            .collect();
        for (at, flow) in self.arrivals.iter() {
            deliver(&mut networks, cells, FlowId(flow), at);
        }
        networks
    }
}

/// A transfer on its way arrives where its receiver is.
fn deliver(networks: &mut [GroupedNetwork<'_>], cells: &Cells, flow: FlowId, at: Time) {
    let (from, _) = cells.sender(flow);
    let (to, index) = cells.receiver(flow);
    let network = &mut networks[to];
    if from == to {
        let latency = network.places[index.index()].latency;
        network.arrivals.push(latency, at, index.0);
    } else {
        network.inbox.push(index, at);
    }
}

/// A group whose flows are called by their indexes in the cell.
fn renamed<'g>(mut group: Group<'g>, cells: &Cells) -> Group<'g> {
    let name = |flow: u32| cells.sender(FlowId(flow)).1.0;
    match &mut group.state {
        State::Common(clock) => clock.rename(name),
        State::Mixed(draining, names) => names.rename(draining.flows(), name),
    }
    group
}
