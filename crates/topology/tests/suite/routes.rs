//! Paths of random clusters against a naive search in exact fractions, and hop counts.

use proptest::prelude::*;
use topology::{
    CardId, Efficiency, Fabric, FabricSpec, GridEnds, Hop, InsideSpec, LinkId, NicCount, Router,
    SupernodeSpec, Tier,
};
use units::{Duration, Ratio};

use crate::oracle;
use crate::random::{Shape, shapes};
use crate::specs::{build, build_cluster, cluster, fat_tree, ratio, star};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn shares_equal_the_naive_ones(shape in shapes(), seeds in prop::array::uniform6(any::<u32>())) {
        let Ok(fabric) = Fabric::build(&FabricSpec::Cluster(shape.spec.clone())) else {
            return Ok(());
        };
        let mut router = Router::new(&fabric);
        for pair in seeds.chunks(2) {
            let (src, dst) = (CardId(pair[0] % fabric.cards()), CardId(pair[1] % fabric.cards()));
            if src != dst {
                let length = oracle::check(&mut router, (src, dst));
                let expected = hops(&shape, &fabric, (src, dst)).or(length);
                prop_assert_eq!(length, expected);
                prop_assert!(length.is_some());
            }
        }
    }
}

/// The hops between two cards from where they are plugged in, by the closed form where there is one:
/// the sum over the sides of a grid, two over a plane, else up and down once per tier that they do not
/// share.
fn hops(shape: &Shape, fabric: &Fabric, (src, dst): (CardId, CardId)) -> Option<u32> {
    let spec = &shape.spec;
    if fabric.supernode(src) == fabric.supernode(dst) {
        return inside_hops(&spec.supernode, fabric, (src, dst));
    }
    let (owner, each, border) = match spec.nics.count {
        NicCount::PerCard(each) => ([src.0, dst.0], each, 0),
        NicCount::PerSupernode(each) => ([src, dst].map(|card| fabric.supernode(card).0), each, 2),
    };
    let mut blocks = owner.map(|owner| {
        let ports = owner * each..(owner + 1) * each;
        ports.map(|port| port / spec.outside.leaf_ports).collect::<Vec<u32>>()
    });
    let mut up = 1;
    for tier in &spec.outside.tiers {
        if blocks[0].iter().any(|block| blocks[1].contains(block)) {
            return Some(border + 2 * up);
        }
        up += 1;
        let top = up as usize > spec.outside.tiers.len();
        let pod = if top { u32::MAX } else { tier.pod };
        blocks = blocks.map(|blocks| blocks.into_iter().map(|block| block / pod).collect());
    }
    Some(border + 2 * up)
}

/// The hops inside a supernode.
fn inside_hops(spec: &SupernodeSpec, fabric: &Fabric, (src, dst): (CardId, CardId)) -> Option<u32> {
    let cards = fabric.cards_of(fabric.supernode(src));
    let is_full = cards.len() as u32 == spec.cards;
    let places = [src, dst].map(|card| card.0 - cards.start);
    // How far apart along each side, last side fastest.
    let apart = |sizes: &[u32]| {
        let mut stride = 1;
        let apart = sizes.iter().rev().map(|&size| {
            let [one, other] = places.map(|place| place / stride % size);
            stride *= size;
            (one.abs_diff(other), size)
        });
        apart.collect::<Vec<(u32, u32)>>()
    };
    Some(match &spec.inside {
        InsideSpec::Planes { .. } | InsideSpec::ReducingPlanes { .. } => 2,
        InsideSpec::FullMesh => 1,
        InsideSpec::TwoLevel(levels) | InsideSpec::ReducingTwoLevel(levels) => {
            let [one, other] = places.map(|place| place / levels.node_cards);
            if one == other { 2 } else { 4 }
        }
        InsideSpec::HalfMesh { offsets } if is_full && offsets == &[1] => {
            apart(&[spec.cards]).iter().map(|&(apart, size)| apart.min(size - apart)).sum()
        }
        InsideSpec::Grid { sizes, ends: GridEnds::Open } => {
            apart(sizes).iter().map(|&(apart, _)| apart).sum()
        }
        InsideSpec::Grid { sizes, ends: GridEnds::Joined } if is_full => {
            apart(sizes).iter().map(|&(apart, size)| apart.min(size - apart)).sum()
        }
        InsideSpec::NdFullMesh { dimensions } => {
            let sizes: Vec<u32> = dimensions.iter().map(|dimension| dimension.size).collect();
            apart(&sizes).iter().filter(|&&(apart, _)| apart > 0).count() as u32
        }
        InsideSpec::HalfMesh { .. } | InsideSpec::Grid { .. } | InsideSpec::SwitchedMesh(_) => {
            return None;
        }
    })
}

#[test]
fn hops_and_latencies_add_up() {
    // 8-card servers, leaves of 64: 0–1 inside, 0–8 on one leaf, 0–64 over a spine.
    let fabric = build_cluster(&cluster(128));
    let mut router = Router::new(&fabric);
    let mut path = |src, dst| router.spray(CardId(src), CardId(dst)).expect("connected");
    assert_eq!(path(0, 1).hops.len(), 2);
    assert_eq!(path(0, 1).latency, Duration::from_nanos(500));
    // NIC – leaf – NIC: 2 × 600 ns.
    assert_eq!((path(0, 8).hops.len(), path(0, 8).latency), (2, Duration::from_nanos(1_200)));
    // 2 leaves of 64 uplinks fit one 256-port spine: 64 parallel links each, so 2 + 2 × 64 links;
    // 2 × 600 + 2 × 700 = 2,600 ns.
    let across = path(0, 64);
    assert_eq!((across.hops.len(), across.denominator), (130, 64));
    assert_eq!(across.latency, Duration::from_nanos(2_600));

    // A fat-tree of 4-port switches: 2 hosts a leaf, 2 leaves a pod; 0–1, 0–2, 0–4.
    let fabric = build_cluster(&fat_tree(4));
    let mut router = Router::new(&fabric);
    let mut length = |dst| router.hashed(CardId(0), CardId(dst), 1).expect("connected").hops.len();
    assert_eq!([length(1), length(2), length(4)], [2, 4, 6]);

    // A star: 1,001 ps as 501 + 500.
    let fabric = build(&star(3));
    let path = Router::new(&fabric).spray(CardId(2), CardId(0)).expect("connected");
    assert_eq!(path.latency, Duration::from_picos(1_001));
    // Card 2 sends on link 4, card 0 receives on link 1.
    let hop = |link| Hop { link: LinkId(link), weight: 1 };
    assert_eq!((path.hops, path.denominator), (vec![hop(1), hop(4)], 1));
}

#[test]
fn spray_loads_every_link_of_a_regular_clos_alike() {
    // 4:1 over 16 spines: a permutation shift by 64 puts 64 flows on each leaf's 16 uplinks,
    // 64/16 = 4 flows' worth on each.
    let mut spec = cluster(640);
    spec.outside.tiers[0].ratio = ratio(4, 1);
    spec.outside.top_ports = 10;
    let fabric = build_cluster(&spec);
    let mut router = Router::new(&fabric);
    let mut load = vec![0u64; fabric.links().len()];
    for src in 0..640 {
        let path = router.spray(CardId(src), CardId((src + 64) % 640)).expect("connected");
        assert_eq!(path.denominator, 16);
        for hop in path.hops {
            load[hop.link.index()] += hop.weight;
        }
    }
    for (link, load) in fabric.links().iter().zip(load) {
        match link.tier {
            // One flow of 16 sixteenths on each NIC.
            Tier::Nic => assert_eq!(load, 16),
            Tier::Clos { .. } => assert_eq!(load, 4 * 16),
            _ => assert_eq!(load, 0),
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_questions_before() {
    let fabric = build_cluster(&fat_tree(8));
    let mut warm = Router::new(&fabric);
    for src in 0..fabric.cards() {
        let (src, dst) = (CardId(src), CardId((src * 37 + 5) % fabric.cards()));
        if src == dst {
            continue;
        }
        let mut cold = Router::new(&fabric);
        assert_eq!(warm.spray(src, dst), cold.spray(src, dst));
        assert_eq!(warm.hashed(src, dst, 9), cold.hashed(src, dst, 9));
        assert_eq!(warm.hashed(dst, src, 9), cold.hashed(dst, src, 9));
    }
}

#[test]
fn shares_follow_goodput() {
    // 3/4 of 400 Gb/s is 300 Gb/s on every NIC; uplinks carry all of theirs.
    let mut spec = cluster(128);
    spec.nics.efficiency = Efficiency { payload: 3, wire: 4 };
    spec.outside.tiers[0].ratio = Ratio::ONE;
    let fabric = build_cluster(&spec);
    let nic = fabric.links().iter().find(|link| link.tier == Tier::Nic).expect("NICs");
    assert_eq!(nic.goodput.as_milli_bits_per_second(), 300_000_000_000_000);
    assert_eq!(nic.bandwidth.as_milli_bits_per_second(), 400_000_000_000_000);
}

// No input leads there: collectives, tables and lists of flows refuse a rank that sends to itself. A caller
// that asks all the same is a fault of ours, which must stop the run and not become a path of no links; so
// the panic itself is what is promised and tested.
#[test]
#[should_panic(expected = "a card does not send to itself")]
fn a_card_has_no_path_to_itself() {
    let fabric = build(&star(2));
    let _ = Router::new(&fabric).spray(CardId(1), CardId(1));
}
