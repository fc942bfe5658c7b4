//! Ranks on the cards of real fabrics, and the groups they form there.

use collectives::{Grouping, Placement, RankId, Refusal, fragmentation, group_ranks, place};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec,
    NicCount, NicSpec, StarSpec, SupernodeId, SupernodeSpec,
};
use units::{Bandwidth, Duration, Ratio};

const ONE: Efficiency = Efficiency { payload: 1, wire: 1 };

/// 11 cards in supernodes of 4: the last one holds 3.
fn cluster() -> Fabric {
    let bandwidth = Bandwidth::from_gigabits_per_second(400);
    let latency = Duration::from_nanos(500);
    let spec = ClusterSpec {
        cards: 11,
        supernode: SupernodeSpec {
            cards: 4,
            inside: InsideSpec::Planes { planes: 1 },
            bandwidth,
            latency,
            efficiency: ONE,
        },
        nics: NicSpec { count: NicCount::PerCard(1), bandwidth, latency, efficiency: ONE },
        outside: ClosSpec {
            leaf_ports: 4,
            tiers: vec![ClosTier { ratio: Ratio::ONE, pod: 0 }],
            top_ports: 8,
            top_switches: None,
            uplink: bandwidth,
            latency,
            efficiency: ONE,
            attach: Attach::IN_ORDER,
        },
    };
    Fabric::build(&FabricSpec::Cluster(spec)).expect("it can be built")
}

fn star(cards: u32) -> Fabric {
    let bandwidth = Bandwidth::from_gigabits_per_second(100);
    let latency = Duration::from_nanos(2_000);
    let spec = StarSpec { cards, bandwidth, latency, efficiency: ONE };
    Fabric::build(&FabricSpec::Star(spec)).expect("it can be built")
}

fn cards(placement: &Placement, ranks: u32, seed: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let placed = place(placement, ranks, &cluster(), &mut rng).expect("they fit");
    placed.into_iter().map(|card| card.0).collect()
}

#[test]
fn ranks_sit_where_the_placement_says() {
    assert_eq!(cards(&Placement::Linear, 5, 0), [0, 1, 2, 3, 4]);
    // Supernodes 0 … 3, 4 … 7 and 8 … 10 in turn; the last round has only two cards left.
    assert_eq!(cards(&Placement::BySupernode, 11, 0), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7]);
    let mut drawn = cards(&Placement::Random, 11, 3);
    assert_eq!(drawn, cards(&Placement::Random, 11, 3));
    assert_ne!(drawn, cards(&Placement::Random, 11, 4));
    drawn.sort_unstable();
    assert_eq!(drawn, (0..11).collect::<Vec<_>>());
}

#[test]
fn strides_runs_and_lists() {
    // Every fourth of 11 cards: 0 4 8, then 1 5 9, then 2.
    assert_eq!(cards(&Placement::Strided { stride: 4 }, 7, 0), [0, 4, 8, 1, 5, 9, 2]);
    assert_eq!(cards(&Placement::Strided { stride: 100 }, 3, 0), [0, 1, 2]);
    let runs = cards(&Placement::Fragmented { run: 2 }, 11, 4);
    assert_ne!(runs, cards(&Placement::Fragmented { run: 2 }, 11, 5));
    let list =
        |cards: &[u32]| Placement::Listed { cards: cards.iter().copied().map(CardId).collect() };
    assert_eq!(cards(&list(&[9, 2, 5]), 2, 0), [9, 2]);
    let refused = |cards: &[u32]| {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        place(&list(cards), 2, &cluster(), &mut rng).expect_err("a refusal")
    };
    assert_eq!(refused(&[1, 11]), Refusal::UnknownCard { card: 11, cards: 11 });
    assert_eq!(refused(&[3, 3]), Refusal::RepeatedCard { card: 3 });
    assert_eq!(refused(&[3]), Refusal::TooManyRanks { ranks: 2, cards: 1 });
}

#[test]
fn fragmentation_counts_supernodes() {
    // Supernodes of 4, 4 and 3: five ranks fit two of them; one card in each touches three.
    let of = |cards: &[u32]| {
        let cards: Vec<CardId> = cards.iter().copied().map(CardId).collect();
        let told = fragmentation(&cards, &cluster());
        (told.supernodes, told.fewest)
    };
    assert_eq!(of(&[0, 1, 2, 3, 4]), (2, 2));
    assert_eq!(of(&[0, 4, 8]), (3, 1));
    assert_eq!(of(&[]), (0, 0));
    let allocated = cards(&Placement::Allocated { busy_ppm: 0 }, 7, 0);
    assert_eq!(allocated, [0, 1, 2, 3, 8, 9, 10]);
}

#[test]
fn more_ranks_than_cards_are_refused() {
    // CASES O09: switches are not cards.
    for placement in [Placement::Linear, Placement::BySupernode, Placement::Random] {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        assert_eq!(
            place(&placement, 12, &cluster(), &mut rng),
            Err(Refusal::TooManyRanks { ranks: 12, cards: 11 })
        );
    }
}

#[test]
fn groups_know_the_supernodes_of_their_ranks() {
    let placed: Vec<CardId> = (0..8).map(CardId).collect();
    let groups = group_ranks(Grouping::Strided, 4, &placed, &cluster()).expect("4 divides 8");
    assert_eq!(groups[1].ranks, [1, 3, 5, 7].map(RankId));
    assert_eq!(groups[1].supernodes, [0, 0, 1, 1].map(SupernodeId));
    assert_eq!(groups[1].default_channels(), 2);
    let refused = group_ranks(Grouping::Consecutive, 3, &placed, &cluster());
    assert_eq!(refused, Err(Refusal::UnevenGroups { ranks: 8, size: 3 }));
}

#[test]
fn cards_of_a_star_stand_alone() {
    let placed: Vec<CardId> = (0..3).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, 3, &placed, &star(3)).expect("3 divides 3");
    assert_eq!(groups[0].blocks().count(), 3);
    assert_eq!(groups[0].default_channels(), 1);
}
