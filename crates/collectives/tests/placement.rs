//! Ranks on the cards of real fabrics, and the groups they form there.

use collectives::{Grouping, Placement, RankId, Refusal, Room, fragmentation, group_ranks, place};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec,
    NicCount, NicSpec, StarSpec, SupernodeId, SupernodeSpec, SwitchKind,
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
            switches: SwitchKind::Forward,
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

/// Rail placement in so many groups.
fn by_rail(groups: u32, grouping: Grouping) -> Placement {
    Placement::Rail { groups, grouping }
}

#[test]
fn groups_lie_on_one_rail_each() {
    // The rails of supernodes 0 … 3, 4 … 7 and 8 … 10 are 0 4 8, 1 5 9, 2 6 10 and 3 7. Groups of three
    // fill the first three; of groups of two each rail has one, and 8, 9 and 10 stay free.
    let consecutive = |groups, ranks| cards(&by_rail(groups, Grouping::Consecutive), ranks, 0);
    assert_eq!(consecutive(3, 9), [0, 4, 8, 1, 5, 9, 2, 6, 10]);
    assert_eq!(consecutive(4, 8), [0, 4, 1, 5, 2, 6, 3, 7]);
    // Single ranks lie on a rail wherever they are.
    assert_eq!(consecutive(11, 11), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7]);
    // Strided groups {0, 2, 4} and {1, 3, 5}: the first has rail 0, the second rail 1.
    assert_eq!(cards(&by_rail(2, Grouping::Strided), 6, 0), [0, 1, 4, 5, 8, 9]);
    let refused = |groups, ranks, fabric: &Fabric| {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        place(&by_rail(groups, Grouping::Consecutive), ranks, fabric, &mut rng)
            .map(|cards| cards.len())
    };
    let off =
        |groups, size, fitting, longest| Err(Refusal::OffRails { groups, size, fitting, longest });
    assert_eq!(refused(1, 4, &cluster()), off(1, 4, 0, 3));
    assert_eq!(refused(5, 10, &cluster()), off(5, 2, 4, 3));
    assert_eq!(refused(2, 5, &cluster()), Err(Refusal::UnevenGroups { ranks: 5, size: 2 }));
    assert_eq!(refused(7, 5, &cluster()), Err(Refusal::UnevenGroups { ranks: 5, size: 0 }));
    // The cards of a star stand alone: all of them are one rail.
    assert_eq!(refused(1, 4, &star(4)), Ok(4));
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

/// Cards 0, 1, 2, 5 and 9 of supernodes 0 … 3, 4 … 7 and 8 … 10 belong to others: free are 3 | 4 6 7 |
/// 8 10.
#[test]
fn placements_go_by_the_free_cards() {
    let fabric = cluster();
    let mut room = Room::new(&fabric);
    room.take(&[0, 1, 2, 5, 9].map(CardId));
    let placed = |placement: &Placement, ranks| {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let cards = room.place(placement, ranks, &mut rng);
        cards.map(|cards| cards.into_iter().map(|card| card.0).collect::<Vec<u32>>())
    };
    assert_eq!(placed(&Placement::Linear, 4), Ok(vec![3, 4, 6, 7]));
    assert_eq!(placed(&Placement::BySupernode, 6), Ok(vec![3, 4, 8, 6, 10, 7]));
    assert_eq!(placed(&Placement::Strided { stride: 2 }, 6), Ok(vec![3, 6, 8, 4, 7, 10]));
    // Rails: 4 8, none, 6 10, 3 7.
    let pairs = placed(&by_rail(3, Grouping::Consecutive), 6);
    assert_eq!(pairs, Ok(vec![4, 8, 6, 10, 3, 7]));
    let three = Refusal::OffRails { groups: 1, size: 3, fitting: 0, longest: 2 };
    assert_eq!(placed(&by_rail(1, Grouping::Consecutive), 3), Err(three));
    // The most free cards first, whole; then the fewest that suffice for the last one.
    assert_eq!(placed(&Placement::Allocated { busy_ppm: 0 }, 4), Ok(vec![4, 6, 7, 3]));
    for drawn in [Placement::Random, Placement::Fragmented { run: 2 }] {
        let mut cards = placed(&drawn, 6).expect("six are free");
        if drawn != Placement::Random {
            // 6 and 7 are neighbours; 4 and 6, 8 and 10 are not.
            let six = cards.iter().position(|&card| card == 6).expect("it is free");
            assert_eq!(cards[six + 1], 7, "{cards:?}");
        }
        cards.sort_unstable();
        assert_eq!(cards, [3, 4, 6, 7, 8, 10]);
    }
    let refused = Refusal::TooFewFreeCards { ranks: 7, free: 6, taken: 5 };
    assert_eq!(placed(&Placement::Linear, 7), Err(refused));
    let cards = vec![CardId(4), CardId(5)];
    let listed = Placement::Listed { cards: cards.clone() };
    assert_eq!(placed(&listed, 1), Ok(vec![4]));
    assert_eq!(placed(&listed, 2), Err(Refusal::TakenCard { card: 5 }));
    assert_eq!(placed(&Placement::Shared { cards }, 2), Ok(vec![4, 5]));
}
