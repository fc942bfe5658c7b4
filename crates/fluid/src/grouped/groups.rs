//! Flows that share resources, directly or not.

use std::borrow::Cow;

use engine::{DisjointSets, FlowId, OwnWay};
use units::{Bytes, Duration};

use super::few;
use super::thinning::{thin, thin_if_worth};
use crate::medium::{Crossing, Medium};

/// So many flows of a group take hundreds of kilobytes.
const MANY_FLOWS: usize = 1_000;

/// The groups of a medium's flows.
#[derive(Clone, Debug)]
pub(crate) struct Groups<'m> {
    /// What all flows cross, without what never decides.
    thin: Cow<'m, Medium>,
    all: Vec<GroupOf>,
    /// Where each flow belongs.
    pub(super) places: Vec<Place>,
}

/// What the flows of a group share.
#[derive(Clone, Debug)]
enum GroupOf {
    /// One resource of that capacity: all flows under way have one rate.
    Common(u128),
    /// Several resources; the flows in the order of their indexes in the group.
    Mixed(Medium, Vec<u32>),
    /// The same of few flows, and which of them share a resource with each.
    Few(Medium, Vec<u32>, Vec<u128>),
    /// The same of more than half of all flows, which keep their indexes: it does without a medium of
    /// its own.
    Most,
}

/// A group as it is told to a network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared<'g> {
    /// One resource of that capacity.
    One(u128),
    /// A medium, and what its flows are called outside; `None`: as they are inside.
    Several(&'g Medium, Option<&'g [u32]>),
    /// The same of few flows, and which of them share a resource with each.
    Few(&'g Medium, &'g [u32], &'g [u128]),
}

/// A flow in its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) group: u32,
    /// Its index in the medium of a mixed group.
    pub(super) index: u32,
    /// Its weight on the one resource of a common group.
    pub(super) weight: u64,
    /// From drained to delivered.
    pub(super) latency: Duration,
}

impl<'m> Groups<'m> {
    /// The groups of a medium.
    ///
    /// # Panics
    /// If the medium changes in time: groups know one capacity and one path.
    pub(crate) fn new(medium: &'m Medium) -> Self {
        assert!(medium.turns().is_empty(), "a medium in groups stays as it is");
        // Dropping what another resource holds back first parts no flows.
        let (group_of, count) = sets(medium).numbered();
        let mut sizes = vec![0_usize; count];
        for &group in &group_of {
            sizes[group as usize] += 1;
        }
        let most = sizes.iter().position(|&size| 2 * size > group_of.len());
        let thin = match most {
            Some(_) => thin_if_worth(medium),
            None => Cow::Owned(thin(medium)),
        };
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut places = Vec::with_capacity(group_of.len());
        for (flow, &group) in group_of.iter().enumerate() {
            let path = thin.only_path(flow);
            let (weight, latency) = (thin.crossings(path).at(0).weight, thin.latency(path));
            let members = &mut members[group as usize];
            let index = if most == Some(group as usize) { flow } else { members.len() } as u32;
            if most != Some(group as usize) {
                members.push(flow as u32);
            }
            places.push(Place { group, index, weight, latency });
        }
        let mut local = vec![u32::MAX; thin.capacities().len()];
        let groups = members.into_iter().enumerate().map(|(group, members)| {
            if most == Some(group) {
                of_most(&thin, &group_of, group as u32)
            } else {
                group_of_members(&thin, members, &mut local)
            }
        });
        let all = groups.collect();
        Self { thin, all, places }
    }

    /// The groups in order.
    pub(super) fn told(&self) -> impl Iterator<Item = Shared<'_>> {
        self.all.iter().map(|group| match group {
            GroupOf::Common(capacity) => Shared::One(*capacity),
            GroupOf::Mixed(medium, names) => Shared::Several(medium, Some(names)),
            GroupOf::Few(medium, names, neighbours) => Shared::Few(medium, names, neighbours),
            GroupOf::Most => Shared::Several(&self.thin, None),
        })
    }

    /// How many groups.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether a group has many flows on average, too many for a cache.
    pub(crate) fn are_large(&self) -> bool {
        self.places.len() > MANY_FLOWS * self.all.len()
    }

    /// Sets of flows that share something, for [`engine::Cells`].
    pub(crate) fn together(&self) -> DisjointSets {
        let mut sets = DisjointSets::new(self.places.len());
        let mut first = vec![u32::MAX; self.all.len()];
        for (flow, place) in self.places.iter().enumerate() {
            let first = &mut first[place.group as usize];
            *first = (*first).min(flow as u32);
            sets.join(*first, flow as u32);
        }
        sets
    }

    /// Whether every flow has its way to itself, at a rate above nothing.
    pub(crate) fn share_nothing(&self) -> bool {
        let alone = |group: &GroupOf| matches!(group, GroupOf::Common(_));
        self.all.len() == self.places.len()
            && self.all.iter().all(alone)
            && self.places.iter().all(|place| self.own_rate(place) > 0)
    }

    /// Whether every flow that is under way has a rate above nothing, whoever else is.
    pub(crate) fn always_move(&self) -> bool {
        let mut asked = vec![0_u128; self.all.len()];
        for place in &self.places {
            asked[place.group as usize] += u128::from(place.weight);
        }
        self.told().zip(asked).all(|(group, asked)| match group {
            Shared::One(capacity) => capacity >= asked,
            Shared::Several(medium, _) | Shared::Few(medium, ..) => {
                let mut asked = vec![0_u128; medium.capacities().len()];
                for flow in 0..medium.flows() {
                    for crossing in medium.crossings(medium.only_path(flow)) {
                        asked[crossing.resource as usize] += u128::from(crossing.weight);
                    }
                }
                medium.capacities().iter().zip(asked).all(|(&capacity, asked)| capacity >= asked)
            }
        })
    }

    /// The rate of a flow that has its way to itself.
    fn own_rate(&self, place: &Place) -> u128 {
        match self.all[place.group as usize] {
            GroupOf::Common(capacity) => capacity / u128::from(place.weight),
            GroupOf::Mixed(..) | GroupOf::Few(..) | GroupOf::Most => 0,
        }
    }

    /// From drained to delivered.
    pub(crate) fn latency(&self, flow: FlowId) -> Duration {
        self.places[flow.index()].latency
    }
}

impl OwnWay for Groups<'_> {
    fn draining(&self, flow: FlowId, bytes: Bytes) -> Duration {
        let picos = bytes.as_work().div_ceil(self.own_rate(&self.places[flow.index()]));
        Duration::from_picos(u64::try_from(picos).unwrap_or(u64::MAX))
    }

    fn latency(&self, flow: FlowId) -> Duration {
        Self::latency(self, flow)
    }
}

/// Joins the flows that cross the same resource.
fn sets(medium: &Medium) -> DisjointSets {
    let mut sets = DisjointSets::new(medium.flows());
    let mut first = vec![u32::MAX; medium.capacities().len()];
    for flow in 0..medium.flows() {
        for crossing in medium.crossings(medium.only_path(flow)) {
            let first = &mut first[crossing.resource as usize];
            *first = (*first).min(flow as u32);
            sets.join(*first, flow as u32);
        }
    }
    sets
}

/// What the flows of a group that is most of them share.
fn of_most(medium: &Medium, group_of: &[u32], group: u32) -> GroupOf {
    let flows = (0..medium.flows()).filter(|&flow| group_of[flow] == group);
    let mut crossed = flows.flat_map(|flow| medium.crossings(medium.only_path(flow)));
    let first = crossed.next().expect("a flow crosses some resource").resource;
    if crossed.all(|crossing| crossing.resource == first) {
        return GroupOf::Common(medium.capacities()[first as usize]);
    }
    GroupOf::Most
}

/// What the flows of a group share; `local` is scratch and holds no number before and after.
fn group_of_members(medium: &Medium, members: Vec<u32>, local: &mut [u32]) -> GroupOf {
    let mut resources = Vec::new();
    for &flow in &members {
        for crossing in medium.crossings(medium.only_path(flow as usize)) {
            let number = &mut local[crossing.resource as usize];
            if *number == u32::MAX {
                *number = resources.len() as u32;
                resources.push(crossing.resource);
            }
        }
    }
    let capacities = resources.iter().map(|&resource| medium.capacities()[resource as usize]);
    let group = if let [only] = resources[..] {
        GroupOf::Common(medium.capacities()[only as usize])
    } else {
        let mut own = Medium::new(capacities.collect());
        let mut crossings = Vec::new();
        for &flow in &members {
            crossings.clear();
            let path = medium.only_path(flow as usize);
            let whole = medium.crossings(path).iter();
            crossings.extend(whole.map(|Crossing { resource, weight }| Crossing {
                resource: local[resource as usize],
                weight,
            }));
            let own_path = own.add_path(&crossings, medium.latency(path));
            own.add_flow(own_path);
        }
        if members.len() <= few::MOST_FLOWS {
            let neighbours = few::neighbours(&own);
            GroupOf::Few(own, members, neighbours)
        } else {
            GroupOf::Mixed(own, members)
        }
    };
    for resource in resources {
        local[resource as usize] = u32::MAX;
    }
    group
}
