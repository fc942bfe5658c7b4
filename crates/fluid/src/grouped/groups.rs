//! Flows that share resources, directly or not.

use std::borrow::Cow;

use engine::{DisjointSets, FlowId, Plan};
use units::Duration;

use super::filing::Filing;
use super::parties::{Resources, Small};
use super::thinning::{thin, thin_if_worth};
use crate::medium::Medium;

/// So many flows of a group take hundreds of kilobytes.
const MANY_FLOWS: usize = 1_000;

/// The groups of a medium's flows.
#[derive(Clone, Debug)]
pub(crate) struct Groups<'m> {
    /// What all flows cross, without what never decides.
    pub(super) thin: Cow<'m, Medium>,
    pub(super) large: Vec<GroupOf>,
    pub(super) small: Vec<Small>,
    /// Where each flow belongs.
    pub(super) places: Vec<Place>,
}

/// What the flows of a large group share.
#[derive(Clone, Debug)]
pub(super) enum GroupOf {
    /// One resource of that capacity: all flows under way have one rate.
    Common(u128),
    /// Several resources; the flows in the order of their indexes in the group.
    Mixed(Medium, Vec<u32>),
    /// The same of more than half of all flows, which keep their indexes: it does without a medium of
    /// its own.
    Most,
}

/// A large group as it is told to a network.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared<'g> {
    /// One resource of that capacity.
    One(u128),
    /// A medium, and what its flows are called outside; `None`: as they are inside.
    Several(&'g Medium, Option<&'g [u32]>),
}

/// A flow in its group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) seat: Seat,
    /// From drained to delivered.
    pub(super) latency: Duration,
}

/// Where a flow stands in its group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seat {
    /// In a large group over one resource, of which it takes a weight.
    Clock { group: u32, weight: u64 },
    /// In a large group over several, by its index there.
    Mixed { group: u32, index: u32 },
    /// On a track of a small group; tracks are numbered over all of them.
    Track(u32),
}

impl<'m> Groups<'m> {
    /// The groups of a medium, which takes the flows of a plan.
    ///
    /// # Panics
    /// If the medium changes in time: groups know one capacity and one path.
    pub(crate) fn new(plan: &Plan, medium: &'m Medium) -> Self {
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
        for (flow, &group) in group_of.iter().enumerate() {
            members[group as usize].push(flow as u32);
        }
        let unplaced = Place { seat: Seat::Track(0), latency: Duration::ZERO };
        let places = vec![unplaced; medium.flows()];
        let mut groups = Self { thin, large: Vec::new(), small: Vec::new(), places };
        let mut filing =
            Filing { plan, local: vec![u32::MAX; medium.capacities().len()], tracks: 0 };
        for members in members {
            filing.add(&mut groups, members);
        }
        groups
    }

    /// The large groups in order.
    pub(super) fn large(&self) -> impl Iterator<Item = Shared<'_>> {
        self.large.iter().map(|group| match group {
            GroupOf::Common(capacity) => Shared::One(*capacity),
            GroupOf::Mixed(medium, names) => Shared::Several(medium, Some(names)),
            GroupOf::Most => Shared::Several(&self.thin, None),
        })
    }

    /// The small groups in order.
    pub(super) fn small(&self) -> &[Small] {
        &self.small
    }

    /// Whether a group has many flows on average, too many for a cache.
    pub(crate) fn are_large(&self) -> bool {
        self.places.len() > MANY_FLOWS * (self.large.len() + self.small.len())
    }

    /// Sets of flows that share something, for [`engine::Cells`].
    pub(crate) fn together(&self) -> DisjointSets {
        let mut sets = DisjointSets::new(self.places.len());
        let numbered = (self.large.len()..).zip(&self.small);
        let of_track: Vec<usize> = numbered
            .flat_map(|(group, small)| std::iter::repeat_n(group, small.tracks()))
            .collect();
        let mut first = vec![u32::MAX; self.large.len() + self.small.len()];
        for (flow, place) in self.places.iter().enumerate() {
            let group = match place.seat {
                Seat::Clock { group, .. } | Seat::Mixed { group, .. } => group as usize,
                Seat::Track(track) => of_track[track as usize],
            };
            first[group] = first[group].min(flow as u32);
            sets.join(first[group], flow as u32);
        }
        sets
    }

    /// Whether every flow that is under way has a rate above nothing, whoever else is.
    pub(crate) fn always_move(&self) -> bool {
        let mut asked = vec![0_u128; self.large.len()];
        for place in &self.places {
            if let Seat::Clock { group, weight } = place.seat {
                asked[group as usize] += u128::from(weight);
            }
        }
        let has_room = |medium: &Medium| {
            let mut asked = vec![0_u128; medium.capacities().len()];
            for flow in 0..medium.flows() {
                for crossing in medium.crossings(medium.only_path(flow)) {
                    asked[crossing.resource as usize] += u128::from(crossing.weight);
                }
            }
            medium.capacities().iter().zip(asked).all(|(&capacity, asked)| capacity >= asked)
        };
        let mut large = self.large().zip(asked).map(|(group, asked)| match group {
            Shared::One(capacity) => capacity >= asked,
            Shared::Several(medium, _) => has_room(medium),
        });
        large.all(|moves| moves)
            && self.small.iter().all(|small| match small.shared() {
                Resources::One { capacity, weights } => {
                    *capacity >= weights.iter().copied().map(u128::from).sum()
                }
                Resources::Several(medium) => has_room(medium),
            })
    }

    /// From drained to delivered.
    pub(crate) fn latency(&self, flow: FlowId) -> Duration {
        self.places[flow.index()].latency
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
