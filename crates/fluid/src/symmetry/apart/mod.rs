//! Why ranks that might behave alike do not.
//!
//! Ranks at the same place of different supernodes, or of different leaves, are counterparts: taken by
//! whichever more of them are alike. Each group is held against one of the most frequent kind; where a
//! rank and its counterpart fell into two classes, the difference is followed back through the rounds
//! of refinement to what differs by itself.

mod names;
mod words;

use std::collections::BTreeMap;

use collectives::Lane;
use rustc_hash::FxHashMap;
use topology::refinement::{Classes, Rounds};

use self::words::Words;
use super::scene::Scene;
use crate::World;
use crate::explanation::{Apart, Reason};

/// The most rounds that are looked back.
const MOST_ROUNDS: u64 = 16;
/// The most edges that are looked at in all rounds together, about a second's work.
const MOST_EDGES: u64 = 50_000_000;
/// The most pairs of ranks that are followed back; later ones are counted with those alike them.
const MOST_TRACES: usize = 2_000;

/// A reason, and what makes two of them one.
pub(super) struct Told {
    /// The kind of reason.
    pub(super) kind: &'static str,
    /// The reason by its example.
    pub(super) why: String,
}

/// Tells which groups of ranks are alike in `classes`, and why the others are not.
pub(super) fn find<'a>(world: &World<'a>, scene: &Scene<'a>, classes: &Classes) -> Apart {
    let rounds = MOST_ROUNDS.min(MOST_EDGES / (scene.graph.edges() as u64 + 1)).max(2);
    let rounds = Rounds::new(&scene.graph, rounds as usize);
    let by = |group: &'static str| {
        let mut search = Search {
            world,
            scene,
            classes,
            words: Words::new(world, scene, &rounds),
            apart: Apart { group, ..Apart::default() },
            known: FxHashMap::default(),
            reasons: BTreeMap::new(),
        };
        for (index, lane) in world.schedule.lanes.iter().enumerate() {
            search.lane(index, lane);
        }
        search.finish()
    };
    let found: Vec<Apart> = ways_to_group(world).iter().map(|group| by(group)).collect();
    // One group of each lane is that which the others are held against, and says nothing.
    let lanes = world.schedule.lanes.len() as u64;
    let like = |apart: &Apart, all: u64| {
        u128::from(apart.alike.saturating_sub(lanes)) * u128::from(all.saturating_sub(lanes))
    };
    let more_alike = |best: Apart, other: Apart| {
        let is_more = like(&other, best.groups) > like(&best, other.groups);
        if is_more || (other.alike == other.groups && best.alike < best.groups) {
            other
        } else {
            best
        }
    };
    found.into_iter().reduce(more_alike).unwrap_or_default()
}

/// By what ranks are grouped.
fn ways_to_group(world: &World<'_>) -> &'static [&'static str] {
    match world.fabric.supernode_cards() {
        1 => &["leaf"],
        _ if world.fabric.supernodes() == 1 => &["rank"],
        _ => &["supernode", "leaf"],
    }
}

struct Search<'a, 's> {
    world: &'s World<'a>,
    scene: &'s Scene<'a>,
    classes: &'s Classes,
    words: Words<'a, 's>,
    apart: Apart,
    /// The kind of reason found for two classes.
    known: FxHashMap<(u32, u32), &'static str>,
    /// How many groups each kind of reason was found for, and its first example.
    reasons: BTreeMap<&'static str, (u64, String)>,
}

impl Search<'_, '_> {
    /// Compares the groups of one lane.
    fn lane(&mut self, index: usize, lane: &Lane) {
        let groups = self.groups(lane);
        let class = |seat: u32| self.classes.of[self.scene.seats[index][seat as usize] as usize];
        let classes: Vec<Vec<u32>> =
            groups.iter().map(|group| group.iter().map(|&seat| class(seat)).collect()).collect();
        let mut frequency: BTreeMap<&[u32], (u64, usize)> = BTreeMap::new();
        for (number, classes) in classes.iter().enumerate() {
            frequency.entry(classes).or_insert((0, number)).0 += 1;
        }
        let mut kinds: Vec<&(u64, usize)> = frequency.values().collect();
        kinds.sort_by_key(|&&(count, first)| (u64::MAX - count, first));
        // Where no kind is frequent, one of the most frequent length stands for the rest.
        let Some(reference) = common(&groups, &kinds) else { return };
        self.apart.groups += groups.len() as u64;
        for (number, group) in groups.iter().enumerate() {
            if classes[number] == classes[reference] {
                self.apart.alike += 1;
                continue;
            }
            let kind =
                self.compare(index, (group, &groups[reference]), &classes, (number, reference));
            if let Some(known) = self.reasons.get_mut(kind) {
                known.0 += 1;
            }
        }
    }

    /// The seats of a lane by supernode, by what their cards hang on, or each for itself.
    fn groups(&self, lane: &Lane) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (seat, &rank) in (0..).zip(lane.seats.iter()) {
            // Switches that add up are nobody's rank.
            let Some(&card) = self.world.cards.get(rank.0 as usize) else { continue };
            let group = match self.apart.group {
                "supernode" => self.world.fabric.supernode(card).0,
                "leaf" => self.scene.spread.attachment(card).unwrap_or(u32::MAX),
                _ => seat,
            };
            groups.entry(group).or_default().push(seat);
        }
        let lone = groups.len() == 1;
        let each = |seats: Vec<u32>| -> Vec<Vec<u32>> {
            if lone { seats.into_iter().map(|seat| vec![seat]).collect() } else { vec![seats] }
        };
        groups.into_values().flat_map(each).collect()
    }

    /// Why two groups of a lane are not alike, by the first ranks that are not counterparts.
    fn compare(
        &mut self,
        lane: usize,
        (group, reference): (&[u32], &[u32]),
        classes: &[Vec<u32>],
        (number, other): (usize, usize),
    ) -> &'static str {
        if group.len() != reference.len() {
            return self.tell(self.words.filling(self.apart.group, lane, group, reference));
        }
        let place = (0..group.len()).find(|&place| classes[number][place] != classes[other][place]);
        let place = place.expect("groups of one length that differ do so at some place");
        let pair = (classes[number][place], classes[other][place]);
        if let Some(&known) = self.known.get(&pair) {
            return known;
        }
        if self.known.len() >= MOST_TRACES {
            return self.tell(Told {
                kind: "more",
                why: "in places that were not looked into one by one".to_owned(),
            });
        }
        let vertex = |seat: u32| self.scene.seats[lane][seat as usize];
        let told = self.words.difference(vertex(group[place]), vertex(reference[place]));
        let kind = self.tell(told);
        self.known.insert(pair, kind);
        kind
    }

    fn tell(&mut self, told: Told) -> &'static str {
        self.reasons.entry(told.kind).or_insert((0, told.why));
        told.kind
    }

    fn finish(self) -> Apart {
        let mut apart = self.apart;
        let reasons = self.reasons.into_values();
        apart.reasons = reasons.map(|(groups, why)| Reason { groups, why }).collect();
        apart.reasons.sort_by_key(|reason| u64::MAX - reason.groups);
        apart
    }
}

/// The group that the others are held against: of the most frequent kind among those of the most
/// frequent length.
fn common(groups: &[Vec<u32>], kinds: &[&(u64, usize)]) -> Option<usize> {
    let mut lengths: BTreeMap<usize, u64> = BTreeMap::new();
    for group in groups {
        *lengths.entry(group.len()).or_default() += 1;
    }
    let (&length, _) = lengths.iter().max_by_key(|&(length, count)| (count, length))?;
    kinds.iter().map(|kind| kind.1).find(|&first| groups[first].len() == length)
}
