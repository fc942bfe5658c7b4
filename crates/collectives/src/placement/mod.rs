//! Which card each rank runs on, and how ranks form groups.

mod allocated;
mod fragmented;
mod rail;
mod room;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use topology::{CardId, Fabric, SupernodeId};

use crate::{Group, RankId, Refusal, SwitchTree};
pub use room::Room;

/// How ranks are put on cards, one on each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// Rank i runs on card i.
    Linear,
    /// Ranks are dealt to the supernodes in turn, each on the next free card there; a full supernode
    /// is passed over. MPI calls it `--map-by node`; it fills rail after rail, a rail being the cards
    /// with one index.
    BySupernode,
    /// Each group of ranks runs on one rail, the cards with one index in their supernodes, in the order of
    /// these. Rails are filled in their order; what is left of one after its last whole group stays free.
    Rail {
        /// How many groups the ranks form, a divisor of their number.
        groups: u32,
        /// Which ranks belong together.
        grouping: Grouping,
    },
    /// Ranks run on cards 0, s, 2s, … of all cards, then on 1, 1 + s, …
    Strided {
        /// s, at least 1.
        stride: u32,
    },
    /// Ranks fill runs of neighbouring cards of a supernode, the runs in a random order.
    Fragmented {
        /// The cards of a run, at least 1.
        run: u32,
    },
    /// Rank i runs on the i-th card listed.
    Listed {
        /// The cards, each once, at least as many as ranks.
        cards: Vec<CardId>,
    },
    /// The same, and the cards may belong to other jobs as well.
    Shared {
        /// The cards, each once, at least as many as ranks.
        cards: Vec<CardId>,
    },
    /// Some cards, drawn at random, are busy; ranks take as few supernodes as they can.
    Allocated {
        /// How many of all cards are busy, in parts per million, rounded down to a card.
        busy_ppm: u32,
    },
    /// Ranks run on cards drawn without replacement, each arrangement equally likely.
    Random,
}

/// How ranks form groups of equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// Group g has the ranks g·size … (g + 1)·size − 1.
    Consecutive,
    /// Group g of G has the ranks g, g + G, g + 2G, …
    Strided,
}

/// The card of each of `ranks` ranks.
///
/// Only random, fragmented and allocated placements draw from `rng`.
///
/// # Errors
/// [`Refusal::TooManyRanks`] when the fabric has fewer free cards; a listed card that does not exist or
/// stands twice.
pub fn place(
    placement: &Placement,
    ranks: u32,
    fabric: &Fabric,
    rng: &mut impl Rng,
) -> Result<Vec<CardId>, Refusal> {
    Room::new(fabric).place(placement, ranks, rng)
}

/// Over how many supernodes ranks are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragmentation {
    /// The supernodes that hold one of them.
    pub supernodes: u32,
    /// The fewest that could hold them all, if no card was busy.
    pub fewest: u32,
}

/// How fragmented ranks on these cards are.
pub fn fragmentation(cards: &[CardId], fabric: &Fabric) -> Fragmentation {
    let mut used: Vec<u32> = cards.iter().map(|&card| fabric.supernode(card).0).collect();
    used.sort_unstable();
    used.dedup();
    let size = |id| {
        let cards = fabric.cards_of(SupernodeId(id));
        cards.end - cards.start
    };
    let mut sizes: Vec<u32> = (0..fabric.supernodes()).map(size).collect();
    sizes.sort_unstable();
    let (mut fewest, mut rest) = (0, cards.len() as u32);
    while let (true, Some(size)) = (rest > 0, sizes.pop()) {
        rest = rest.saturating_sub(size);
        fewest += 1;
    }
    Fragmentation { supernodes: used.len() as u32, fewest }
}

/// The cards listed for `ranks` ranks.
fn listed(ranks: u32, list: &[CardId], cards: u32) -> Result<Vec<CardId>, Refusal> {
    if let Some(card) = list.iter().find(|card| card.0 >= cards) {
        return Err(Refusal::UnknownCard { card: card.0, cards });
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Refusal::RepeatedCard { card: pair[0].0 });
    }
    let found = list.len() as u32;
    if found < ranks {
        return Err(Refusal::TooManyRanks { ranks, cards: found });
    }
    Ok(list[..ranks as usize].to_vec())
}

/// The groups of `size` ranks that `ranks` ranks on the given cards form.
///
/// # Errors
/// [`Refusal::UnevenGroups`] when `size` is 0 or does not divide the ranks, which must be at least 1.
///
/// # Panics
/// If a card of the fabric is not given for each rank.
pub fn group_ranks(
    grouping: Grouping,
    size: u32,
    cards: &[CardId],
    fabric: &Fabric,
) -> Result<Vec<Group>, Refusal> {
    let members = grouped(grouping, size, cards.len() as u32)?;
    let group = |ranks: Vec<RankId>| {
        let supernode = |rank: &RankId| fabric.supernode(cards[rank.0 as usize]);
        let supernodes = ranks.iter().map(supernode).collect();
        let of_group: Vec<CardId> = ranks.iter().map(|rank| cards[rank.0 as usize]).collect();
        let trees = SwitchTree::over(&of_group, fabric);
        Group { ranks, supernodes, trees }
    };
    Ok(members.into_iter().map(group).collect())
}

/// The ranks of each group.
fn grouped(grouping: Grouping, size: u32, ranks: u32) -> Result<Vec<Vec<RankId>>, Refusal> {
    if ranks == 0 || size == 0 || !ranks.is_multiple_of(size) {
        return Err(Refusal::UnevenGroups { ranks, size });
    }
    let groups = ranks / size;
    let rank = |group, place| match grouping {
        Grouping::Consecutive => RankId(group * size + place),
        Grouping::Strided => RankId(group + place * groups),
    };
    Ok((0..groups).map(|group| (0..size).map(|place| rank(group, place)).collect()).collect())
}

/// The cards of ranks whose groups lie on one rail each.
fn on_rails(
    (groups, grouping): (u32, Grouping),
    ranks: u32,
    (supernodes, first): (&[&[u32]], &[u32]),
) -> Result<Vec<u32>, Refusal> {
    let size = ranks.checked_div(groups).unwrap_or(0);
    let members = match grouped(grouping, size, ranks) {
        Ok(members) if members.len() == groups as usize => members,
        _ => return Err(Refusal::UnevenGroups { ranks, size }),
    };
    let chosen = rail::cards((groups, size), supernodes, first)?;
    let mut cards = vec![0; ranks as usize];
    for (rank, card) in members.into_iter().flatten().zip(chosen) {
        cards[rank.0 as usize] = card;
    }
    Ok(cards)
}

/// The parts of a list that end at the given places.
fn slices<'a>(list: &'a [u32], ends: &'a [usize]) -> impl Iterator<Item = &'a [u32]> {
    let mut start = 0;
    ends.iter().map(move |&end| &list[std::mem::replace(&mut start, end)..end])
}

/// The first `ranks` cards when supernodes give one in turn.
fn dealt(ranks: u32, supernodes: &[&[u32]]) -> Vec<u32> {
    let mut supernodes: Vec<_> = supernodes.iter().map(|cards| cards.iter()).collect();
    let mut cards = Vec::with_capacity(ranks as usize);
    while cards.len() < ranks as usize {
        let missing = ranks as usize - cards.len();
        let before = cards.len();
        cards.extend(supernodes.iter_mut().filter_map(Iterator::next).take(missing));
        assert!(cards.len() > before, "there is a card for each rank");
        supernodes.retain(|rest| rest.len() > 0);
    }
    cards
}

/// The first `ranks` cards of a shuffled deck.
///
/// Source: Durstenfeld, *Algorithm 235: random permutation*, Communications of the ACM 7 (1964).
fn drawn(ranks: u32, cards: u32, rng: &mut impl Rng) -> Vec<u32> {
    let mut deck: Vec<u32> = (0..cards).collect();
    for rank in 0..ranks {
        let pick = rng.random_range(rank..cards);
        deck.swap(rank as usize, pick as usize);
    }
    deck.truncate(ranks as usize);
    deck
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn ranks_are_dealt_in_turn_past_full_supernodes() {
        // Supernodes of 3, 1 and 2 cards: 0 3 4, then 1 5, then 2.
        let supernodes: [&[u32]; 3] = [&[0, 1, 2], &[3], &[4, 5]];
        assert_eq!(dealt(6, &supernodes), [0, 3, 4, 1, 5, 2]);
        assert_eq!(dealt(4, &supernodes), [0, 3, 4, 1]);
    }

    #[test]
    fn draws_are_permutations_and_follow_the_seed() {
        let drawn_by = |seed| drawn(100, 100, &mut ChaCha8Rng::seed_from_u64(seed));
        let mut sorted = drawn_by(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
        assert_eq!(drawn_by(1), drawn_by(1));
        assert_ne!(drawn_by(1), drawn_by(2));
    }

    #[test]
    fn every_card_is_drawn_equally_often() {
        // 6,000 draws of 1 rank from 6 cards: 1,000 each, standard deviation √(6000·1/6·5/6) = 29;
        // five of them are 144.
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut counts = [0_u32; 6];
        for _ in 0..6_000 {
            counts[drawn(1, 6, &mut rng)[0] as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(1_000) <= 144), "{counts:?}");
    }

    #[test]
    fn groups_cover_all_ranks_once() {
        let numbers = |grouping| {
            let groups = grouped(grouping, 3, 6).expect("3 divides 6");
            groups.iter().map(|ranks| ranks.iter().map(|r| r.0).collect()).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(numbers(Grouping::Consecutive), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(numbers(Grouping::Strided), [[0, 2, 4], [1, 3, 5]]);
    }

    #[test]
    fn uneven_groups_are_refused() {
        for (size, ranks) in [(4, 18), (0, 18), (19, 18), (1, 0)] {
            let refused = grouped(Grouping::Consecutive, size, ranks);
            assert_eq!(refused, Err(Refusal::UnevenGroups { ranks, size }));
        }
    }
}
