//! All-to-all over other ranks, and with uneven blocks.

use collectives::{Algorithm, Collective, Refusal, plan};

use crate::support::{Order, RAGGED, group, prove, request, sizes, total};

#[test]
fn two_levels_deliver_every_block() {
    for (supernodes, cards) in [(1, 5), (5, 1), (2, 2), (3, 4), (4, 8), (7, 3), (16, 8)] {
        let ranks = supernodes * cards;
        let groups = [group(ranks, &[cards])];
        for (size, order) in
            sizes(ranks).into_iter().zip([Order::Newest, Order::First].iter().cycle())
        {
            let request = request(&groups, Collective::AllToAll, Algorithm::TwoLevel, size);
            let sent = prove(&request, *order);
            // m(n − 1)S inside, n(m − 1)S across.
            let hops = supernodes * (cards - 1) + cards * (supernodes - 1);
            assert_eq!(sent, u128::from(hops) * u128::from(size), "{supernodes} × {cards}");
        }
    }
}

#[test]
fn two_levels_do_not_mind_the_order_of_ranks() {
    let mut groups = [group(12, &[4])];
    groups[0].supernodes.reverse();
    groups[0].supernodes.swap(0, 7);
    groups[0].ranks.swap(3, 11);
    for seed in 0..20 {
        let request = request(&groups, Collective::AllToAll, Algorithm::TwoLevel, 1_001);
        assert_eq!(prove(&request, Order::Random(seed)), 17 * 1_001);
    }
}

#[test]
fn unequal_supernodes_have_no_two_levels() {
    let groups = [group(9, &RAGGED)];
    let refused = plan(&request(&groups, Collective::AllToAll, Algorithm::TwoLevel, 9)).map(|_| ());
    // 3, 5 and 1 ranks.
    assert_eq!(refused, Err(Refusal::UnequalSupernodes { group: 0, least: 1, most: 5 }));
}

#[test]
fn uneven_blocks_arrive_and_add_up() {
    for ranks in (1..=17).chain([32, 33, 90]) {
        let groups = [group(ranks, &RAGGED)];
        for imbalance_ppm in [0, 1, 200_000, 999_999, 1_000_000] {
            let collective = Collective::AllToAllV { imbalance_ppm };
            for size in sizes(ranks) {
                for algorithm in [Algorithm::Direct, Algorithm::Pairwise] {
                    let sent = prove(&request(&groups, collective, algorithm, size), Order::First);
                    assert_eq!(sent, total(collective, algorithm, &groups[0], size));
                }
            }
        }
    }
    let groups = [group(4, &RAGGED)];
    let collective = Collective::AllToAllV { imbalance_ppm: 1_000_001 };
    let refused = plan(&request(&groups, collective, Algorithm::Direct, 1)).map(|_| ());
    assert_eq!(refused, Err(Refusal::Imbalance { imbalance_ppm: 1_000_001 }));
}
