//! What is known of a small group before anything moves.

use std::collections::BTreeMap;

use crate::medium::{Crossing, Medium};

/// A set of tracks by their indexes in the group.
pub(in crate::grouped) type Set = u128;

/// Tracks in a set that is a number.
const MOST_TRACKS: usize = Set::BITS as usize;

/// A few tracks that share resources, directly or not.
///
/// A *track* is the flows of one sender that cross the same in different stages: it sends in one stage at a
/// time, so they take turns, and of a track at most one flow is under way.
#[derive(Clone, Debug)]
pub(in crate::grouped) struct Small {
    shared: Resources,
    /// The tracks that share a resource with each track, itself among them.
    pub(in crate::grouped) neighbours: Vec<Set>,
}

/// What the tracks of a small group share.
#[derive(Clone, Debug)]
pub(in crate::grouped) enum Resources {
    /// One resource, of which each track takes a weight.
    One { capacity: u128, weights: Vec<u64> },
    /// Several; the flows of the medium are the tracks.
    Several(Box<Medium>),
}

/// What tells tracks apart: the sender, what it crosses, and which of the flows in one stage that have both.
type Key = (u32, u32, u32);

/// The track of each of some flows, of which the sender, the way and the stage are told; `None` if there
/// are too many tracks for a small group.
pub(in crate::grouped) fn tracks(flows: impl Iterator<Item = (u32, u32, u32)>) -> Option<Vec<u32>> {
    let mut known: BTreeMap<Key, u32> = BTreeMap::new();
    let mut times: BTreeMap<(u32, u32, u32), u32> = BTreeMap::new();
    let mut track_of = Vec::new();
    for (sender, path, stage) in flows {
        let times = times.entry((sender, path, stage)).or_default();
        let fresh = known.len() as u32;
        track_of.push(*known.entry((sender, path, *times)).or_insert(fresh));
        *times += 1;
        if known.len() > MOST_TRACKS {
            return None;
        }
    }
    Some(track_of)
}

impl Small {
    /// Tracks with these weights over one resource.
    pub(in crate::grouped) fn one(capacity: u128, weights: Vec<u64>) -> Self {
        let all = Set::MAX >> (MOST_TRACKS - weights.len());
        Self { neighbours: vec![all; weights.len()], shared: Resources::One { capacity, weights } }
    }

    /// The tracks of a medium.
    pub(in crate::grouped) fn several(medium: Medium) -> Self {
        let mut crossing: Vec<Set> = vec![0; medium.capacities().len()];
        let resources = |track| medium.crossings(medium.only_path(track)).iter();
        for track in 0..medium.flows() {
            for one in resources(track) {
                crossing[one.resource as usize] |= 1 << track;
            }
        }
        let of = |track| resources(track).fold(0, |set, one| set | crossing[one.resource as usize]);
        let neighbours = (0..medium.flows()).map(of).collect();
        Self { neighbours, shared: Resources::Several(Box::new(medium)) }
    }

    /// How many tracks, at least one.
    pub(in crate::grouped) const fn tracks(&self) -> usize {
        self.neighbours.len()
    }

    /// What they share.
    pub(in crate::grouped) const fn shared(&self) -> &Resources {
        &self.shared
    }

    /// The rate of a track while nobody else is under way: what the narrowest of its resources has.
    pub(in crate::grouped) fn own_rate(&self, track: usize) -> u64 {
        let rate = match &self.shared {
            Resources::One { capacity, weights } => capacity / u128::from(weights[track]),
            Resources::Several(medium) => {
                let crossings = medium.crossings(medium.only_path(track)).iter();
                let share = |one: Crossing| {
                    medium.capacities()[one.resource as usize] / u128::from(one.weight)
                };
                crossings.map(share).min().expect("a path crosses some resource")
            }
        };
        u64::try_from(rate).expect("a flow crosses a link, whose rate fits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_of_one_sender_and_path_take_turns_over_the_stages() {
        // Sender 1 over path 5 in two stages, twice in the first; and over path 6; then sender 2.
        let flows = [(1, 5, 0), (1, 5, 0), (1, 5, 1), (1, 6, 1), (2, 5, 0)];
        assert_eq!(tracks(flows.into_iter()), Some(vec![0, 1, 0, 2, 3]));
        let many = |count| tracks((0..count).map(|sender| (sender, 0, 0)));
        assert_eq!(many(128).map(|tracks| tracks.len()), Some(128));
        assert_eq!(many(129), None);
    }
}
