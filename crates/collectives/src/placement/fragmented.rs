//! Runs of neighbouring cards in a random order, as a long-used cluster leaves them free.

use rand::{Rng, RngExt};

/// The first `ranks` cards when the free cards of every supernode are cut in runs of `run` neighbours
/// (the last one before a gap or the end may be shorter) and the runs are shuffled.
pub(super) fn cards(ranks: u32, run: u32, supernodes: &[&[u32]], rng: &mut impl Rng) -> Vec<u32> {
    let mut runs: Vec<&[u32]> = supernodes
        .iter()
        .flat_map(|cards| cards.chunk_by(|&left, &right| left + 1 == right))
        .flat_map(|neighbours| neighbours.chunks(run.max(1) as usize))
        .collect();
    for place in 0..runs.len() {
        let pick = rng.random_range(place..runs.len());
        runs.swap(place, pick);
    }
    runs.into_iter().flatten().copied().take(ranks as usize).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn runs_stay_together_and_within_a_supernode() {
        // 5 + 3 cards in runs of 2: 0 1 | 2 3 | 4 | 5 6 | 7.
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let order = cards(8, 2, &[&[0, 1, 2, 3, 4], &[5, 6, 7]], &mut rng);
        let place = |card| order.iter().position(|&other| other == card).expect("all are there");
        for (left, right) in [(0, 1), (2, 3), (5, 6)] {
            assert_eq!(place(left) + 1, place(right), "{order:?}");
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>());
        assert_ne!(order, sorted);
    }
}
