//! Groups are filed with the large or with the small ones.

use std::collections::BTreeMap;

use engine::Plan;

use super::groups::{GroupOf, Groups, Place, Seat};
use super::parties::{Small, tracks};
use crate::medium::{Crossing, Medium};

/// More tracks than that over one resource share a clock, which brings all of them up to date at once.
const FEW_IN_COMMON: usize = 2;

/// Files one group after the other.
pub(super) struct Filing<'p> {
    /// Who sends each flow, and in which stage.
    pub(super) plan: &'p Plan,
    /// The number of each resource in a group; scratch, which holds none between two groups.
    pub(super) local: Vec<u32>,
    /// Tracks that were filed.
    pub(super) tracks: u32,
}

impl Filing<'_> {
    /// Files the flows of a group.
    pub(super) fn add(&mut self, groups: &mut Groups<'_>, members: Vec<u32>) {
        let medium = &*groups.thin;
        let resources = self.number(medium, &members);
        let mut ways: BTreeMap<Vec<(u32, u64)>, u32> = BTreeMap::new();
        let ends = members.iter().map(|&flow| {
            let one = &self.plan.flows()[flow as usize];
            let crossings = medium.crossings(medium.only_path(flow as usize)).iter();
            let fresh = ways.len() as u32;
            // Paths that cross the same are one way, listed twice or not.
            let way = crossings.map(|one| (one.resource, one.weight)).collect();
            (one.src.0, *ways.entry(way).or_insert(fresh), one.stage)
        });
        let track_of = tracks(ends);
        let count = track_of.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let common = if let [only] = resources[..] { Some(only) } else { None };
        match (common, track_of) {
            (Some(only), Some(track_of)) if count <= FEW_IN_COMMON => {
                let capacity = medium.capacities()[only as usize];
                let firsts = firsts(&members, &track_of);
                let weights = firsts.map(|flow| weight(medium, flow)).collect();
                groups.small.push(Small::one(capacity, weights));
                self.seat_on_tracks(groups, &members, &track_of);
            }
            (Some(only), _) => {
                let group = groups.large.len() as u32;
                groups.large.push(GroupOf::Common(medium.capacities()[only as usize]));
                let medium = &*groups.thin;
                for &flow in &members {
                    let seat = Seat::Clock { group, weight: weight(medium, flow) };
                    groups.places[flow as usize] = place(medium, flow, seat);
                }
            }
            (None, Some(track_of)) => {
                let own = self.own_medium(medium, &resources, firsts(&members, &track_of));
                groups.small.push(Small::several(own));
                self.seat_on_tracks(groups, &members, &track_of);
            }
            (None, None) => {
                let group = groups.large.len() as u32;
                // Most of all flows keep their indexes, and their medium.
                let is_most = 2 * members.len() > medium.flows();
                for (index, &flow) in (0..).zip(&members) {
                    let index = if is_most { flow } else { index };
                    let seat = Seat::Mixed { group, index };
                    groups.places[flow as usize] = place(medium, flow, seat);
                }
                groups.large.push(if is_most {
                    GroupOf::Most
                } else {
                    let own = self.own_medium(medium, &resources, members.iter().copied());
                    GroupOf::Mixed(own, members)
                });
            }
        }
        for resource in resources {
            self.local[resource as usize] = u32::MAX;
        }
    }

    /// Numbers the resources that some flows cross.
    fn number(&mut self, medium: &Medium, members: &[u32]) -> Vec<u32> {
        let mut resources = Vec::new();
        for &flow in members {
            for crossing in medium.crossings(medium.only_path(flow as usize)) {
                let number = &mut self.local[crossing.resource as usize];
                if *number == u32::MAX {
                    *number = resources.len() as u32;
                    resources.push(crossing.resource);
                }
            }
        }
        resources
    }

    /// What some flows of a group cross, over the resources of that group alone.
    fn own_medium(
        &self,
        medium: &Medium,
        resources: &[u32],
        flows: impl Iterator<Item = u32>,
    ) -> Medium {
        let capacity = |&resource: &u32| medium.capacities()[resource as usize];
        let mut own = Medium::new(resources.iter().map(capacity).collect());
        let mut crossings = Vec::new();
        for flow in flows {
            crossings.clear();
            let path = medium.only_path(flow as usize);
            let whole = medium.crossings(path).iter();
            crossings.extend(whole.map(|Crossing { resource, weight }| Crossing {
                resource: self.local[resource as usize],
                weight,
            }));
            let own_path = own.add_path(&crossings, medium.latency(path));
            own.add_flow(own_path);
        }
        own
    }

    /// Gives the flows of the last small group their tracks.
    fn seat_on_tracks(&mut self, groups: &mut Groups<'_>, members: &[u32], track_of: &[u32]) {
        let medium = &*groups.thin;
        for (&flow, &track) in members.iter().zip(track_of) {
            let seat = Seat::Track(self.tracks + track);
            groups.places[flow as usize] = place(medium, flow, seat);
        }
        self.tracks += groups.small.last().map_or(0, Small::tracks) as u32;
    }
}

/// The first flow of each track, in order.
fn firsts<'a>(members: &'a [u32], track_of: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let mut fresh = 0;
    members.iter().zip(track_of).filter_map(move |(&flow, &track)| {
        let is_first = track == fresh;
        fresh += u32::from(is_first);
        is_first.then_some(flow)
    })
}

/// What a flow takes of the first resource that it crosses.
fn weight(medium: &Medium, flow: u32) -> u64 {
    medium.crossings(medium.only_path(flow as usize)).at(0).weight
}

fn place(medium: &Medium, flow: u32, seat: Seat) -> Place {
    Place { seat, latency: medium.latency(medium.only_path(flow as usize)) }
}
