//! An allocator that knows supernodes: some cards are busy, and a job takes as few supernodes as it can.

use rand::Rng;

use super::{drawn, slices};
use crate::Refusal;

/// The cards for `ranks` ranks when `busy_ppm` parts per million of all cards, drawn at random, are
/// busy beside those that the lists of `supernodes` leave out: supernodes with the most free cards
/// first, whole, and for the rest the one with the fewest that suffice; the lower number among equals.
/// That is the least number of supernodes.
pub(super) fn cards(
    ranks: u32,
    busy_ppm: u32,
    (supernodes, all): (&[&[u32]], u32),
    rng: &mut impl Rng,
) -> Result<Vec<u32>, Refusal> {
    // At most a million parts: the quotient fits what it comes from.
    let busy = (u64::from(all) * u64::from(busy_ppm.min(1_000_000)) / 1_000_000) as u32;
    let mut is_busy = vec![false; all as usize];
    for card in drawn(busy, all, rng) {
        is_busy[card as usize] = true;
    }
    let mut left = Vec::with_capacity(all as usize);
    let mut ends = Vec::with_capacity(supernodes.len());
    for cards in supernodes {
        left.extend(cards.iter().copied().filter(|&card| !is_busy[card as usize]));
        ends.push(left.len());
    }
    let mut free: Vec<&[u32]> = slices(&left, &ends).collect();
    let count = left.len() as u32;
    if ranks > count {
        return Err(Refusal::TooManyRanks { ranks, cards: count });
    }
    free.sort_by_key(|cards| std::cmp::Reverse(cards.len()));
    let mut taken = Vec::with_capacity(ranks as usize);
    for (index, cards) in free.iter().enumerate() {
        let rest = ranks as usize - taken.len();
        if cards.len() <= rest {
            taken.extend(*cards);
            continue;
        }
        let fitting = free[index..].iter().take_while(|cards| cards.len() >= rest);
        let fewest = fitting.map(|cards| cards.len()).min().expect("this one suffices");
        let best = free[index..].iter().find(|cards| cards.len() == fewest);
        taken.extend(&best.expect("one has so many")[..rest]);
        break;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn place(ranks: u32, busy_ppm: u32, supernodes: &[Range<u32>]) -> Result<Vec<u32>, Refusal> {
        let all = supernodes.last().map_or(0, |cards| cards.end);
        let free: Vec<u32> = (0..all).collect();
        let ends: Vec<usize> = supernodes.iter().map(|cards| cards.end as usize).collect();
        let supernodes: Vec<&[u32]> = slices(&free, &ends).collect();
        cards(ranks, busy_ppm, (&supernodes, all), &mut ChaCha8Rng::seed_from_u64(1))
    }

    #[test]
    fn cards_of_other_jobs_are_not_free() {
        // Of two supernodes of 4 the first has 1 card left: 4 ranks take the second one whole, the
        // fifth goes to the first; a sixth finds no card.
        let free: [&[u32]; 2] = [&[3], &[4, 5, 6, 7]];
        let place = |ranks| cards(ranks, 0, (&free, 8), &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(place(4), Ok(vec![4, 5, 6, 7]));
        assert_eq!(place(5), Ok(vec![4, 5, 6, 7, 3]));
        assert_eq!(place(6), Err(Refusal::TooManyRanks { ranks: 6, cards: 5 }));
    }

    #[test]
    fn large_supernodes_come_first_and_the_rest_fits_best() {
        // Supernodes of 2, 4, 3 and 3 cards: 4, then of the two 3s and the 2 the one that fits 2.
        let supernodes = [0..2, 2..6, 6..9, 9..12];
        assert_eq!(place(6, 0, &supernodes), Ok(vec![2, 3, 4, 5, 0, 1]));
        assert_eq!(place(3, 0, &supernodes), Ok(vec![6, 7, 8]));
        assert_eq!(place(0, 0, &supernodes), Ok(vec![]));
    }

    #[test]
    fn busy_cards_are_not_taken() {
        // A quarter of 12 cards is busy.
        let supernodes = [0..6, 6..12];
        let taken = place(9, 250_000, &supernodes).expect("nine are free");
        let mut sorted = taken.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 9);
        let refused = place(10, 250_000, &supernodes);
        assert_eq!(refused, Err(Refusal::TooManyRanks { ranks: 10, cards: 9 }));
    }
}
