//! Outer fabrics: rails, dual homes, planes, fat-trees, grids of supernodes and dragonflies.

use std::collections::BTreeSet;

use proptest::prelude::*;
use topology::{
    Attach, BuildError, CardId, ClosSpec, ClusterSpec, Domain, DragonflySpec, Efficiency, Fabric,
    FabricSpec, GridEnds, NicCount, NicOrder, Node, NodeId, Router, RouterSpec, Tier,
};
use units::Duration;

use crate::oracle;
use crate::random::shapes;
use crate::specs::{build, build_cluster, cluster, direct, gbps};

/// The hops between two cards.
fn hops(fabric: &Fabric, src: u32, dst: u32) -> usize {
    Router::new(fabric).hashed(CardId(src), CardId(dst), 3).expect("connected").hops.len()
}

/// The outer switches that a node is linked to, by number.
fn above(fabric: &Fabric, node: NodeId) -> Vec<u32> {
    let links = fabric.links_from(node).iter().map(|&link| fabric.link(link));
    let switch = |node| match fabric.node(node) {
        Node::Switch { index, .. } => index,
        Node::Card { .. } => panic!("a switch is at the end"),
    };
    let up = links.filter(|link| link.domain == Domain::Outside && link.dst.0 >= fabric.cards());
    up.map(|link| switch(link.dst)).collect()
}

/// (tier, switches, most ports) outside.
fn switches(fabric: &Fabric) -> Vec<(u8, u32, u32)> {
    let outside = fabric.echo().switches.iter().filter(|row| row.domain == Domain::Outside);
    outside.map(|row| (row.tier, row.count, row.ports)).collect()
}

fn cables(fabric: &Fabric, wanted: Tier) -> u64 {
    let tier = fabric.echo().tiers.iter().find(|tier| tier.tier == wanted);
    tier.map_or(0, |tier| tier.cables)
}

#[test]
fn cards_of_one_rail_share_a_leaf() {
    // 16 servers of 8 cards, leaves of 8: rows of 8 leaves for 8 servers, 2 rows.
    let mut spec = cluster(128);
    spec.outside.leaf_ports = 8;
    spec.outside.attach.order = NicOrder::Rails;
    let fabric = build_cluster(&spec);
    assert_eq!(switches(&fabric)[0], (1, 16, 8 + 8));
    assert_eq!(above(&fabric, NodeId(3)), [3]);
    assert_eq!(above(&fabric, NodeId(8 * 8 + 3)), [8 + 3]);
    // The same card of the next server: one leaf. Another card of it: over a spine.
    assert_eq!([hops(&fabric, 3, 11), hops(&fabric, 3, 12), hops(&fabric, 3, 67)], [2, 4, 4]);
    fabric.check_connected().expect("rails meet at the spines");
    // In order, the same server's cards share a leaf with nobody else.
    spec.outside.attach.order = NicOrder::InOrder;
    assert_eq!(hops(&build_cluster(&spec), 3, 11), 4);
}

#[test]
fn dual_homes_are_two_leaves_with_the_same_cards() {
    let mut spec = cluster(64);
    spec.supernode.cards = 1;
    spec.nics.count = NicCount::PerCard(2);
    spec.outside.leaf_ports = 16;
    spec.outside.attach.homes = 2;
    let fabric = build_cluster(&spec);
    // 64 cards × 2 links / 16 = 8 leaves in 4 pairs.
    assert_eq!(switches(&fabric)[0], (1, 8, 16 + 16));
    for card in 0..64 {
        assert_eq!(above(&fabric, NodeId(card)), [card / 16 * 2, card / 16 * 2 + 1]);
    }
    let path = Router::new(&fabric).spray(CardId(0), CardId(15)).expect("connected");
    assert_eq!((path.hops.len(), path.denominator), (4, 2));
    spec.nics.count = NicCount::PerCard(3);
    let error = Fabric::build(&FabricSpec::Cluster(spec)).expect_err("3 do not divide by 2");
    assert_eq!(error, BuildError::Homes { nics: 3, homes: 2, planes: 1 });
}

#[test]
fn planes_do_not_touch_each_other() {
    // Each NIC has a port in each of 2 planes of 4 leaves and their own spines.
    let mut spec = cluster(64);
    spec.nics.count = NicCount::PerCard(2);
    spec.outside.leaf_ports = 16;
    spec.outside.top_ports = 16;
    spec.outside.attach.planes = 2;
    let fabric = build_cluster(&spec);
    // 4 × 16 uplinks in 16-port spines: 4 in each plane.
    assert_eq!(switches(&fabric), [(1, 8, 32), (2, 8, 16)]);
    for card in 0..64 {
        assert_eq!(above(&fabric, NodeId(card)), [card / 16, 4 + card / 16]);
    }
    let leaf = |index: u32| NodeId(64 + 8 + index);
    let spines: BTreeSet<u32> = above(&fabric, leaf(0)).into_iter().collect();
    assert_eq!(spines.into_iter().collect::<Vec<u32>>(), [0, 1, 2, 3]);
    let path = Router::new(&fabric).spray(CardId(0), CardId(63)).expect("connected");
    // 2 planes × (up, 16 links to the spines, 16 from them, down).
    assert_eq!((path.hops.len(), path.denominator), (2 * (1 + 16 + 16 + 1), 2 * 16));
    fabric.check_connected().expect("both planes reach all cards");
    // Half of the cards send 2 × 400 Gb/s, and both planes carry it: 32 × 2 × 400.
    assert_eq!(fabric.echo().bisection, 64 * 400_000_000_000_000);
}

/// A fat-tree of `ports`-port switches over `cards` cards with NICs as given.
fn fat_tree(cards: u32, ports: u32, layers: u32, nics: NicCount, planes: u32) -> ClusterSpec {
    let mut spec = cluster(cards);
    let (latency, efficiency) = (Duration::from_nanos(700), Efficiency::ONE);
    spec.nics.count = nics;
    spec.outside = ClosSpec::fat_tree((ports, layers), gbps(400), latency, efficiency)
        .expect("an even number of ports");
    spec.outside.attach.planes = planes;
    spec
}

#[test]
fn fat_trees_have_the_published_numbers_of_switches() {
    // Source: DeepSeek-AI: Insights into DeepSeek-V3, arXiv 2505.09343 (ISCA 2025), table 3: two
    // layers of 64-port switches join 2,048 endpoints by 96 switches and 2,048 links.
    let one = NicCount::PerCard(1);
    let fabric = build_cluster(&fat_tree(2_048, 64, 2, one, 1));
    assert_eq!(switches(&fabric), [(1, 64, 64), (2, 32, 64)]);
    assert_eq!(cables(&fabric, Tier::Clos { level: 1, levels: 1 }), 2_048);
    // Three layers: 65,536 endpoints, 5,120 switches, 131,072 links between switches.
    let fabric = build_cluster(&fat_tree(65_536, 64, 3, one, 1));
    assert_eq!(switches(&fabric), [(1, 2_048, 64), (2, 2_048, 64), (3, 1_024, 64)]);
    let levels = [1, 2].map(|level| cables(&fabric, Tier::Clos { level, levels: 2 }));
    assert_eq!(levels.iter().sum::<u64>(), 131_072);
    // Eight planes of two layers: 2,048 servers of 8 NICs, one in each plane: 768 switches.
    let fabric = build_cluster(&fat_tree(16_384, 64, 2, NicCount::PerSupernode(8), 8));
    let count: u32 = switches(&fabric).iter().filter(|row| row.0 > 0).map(|row| row.1).sum();
    assert_eq!((count, cables(&fabric, Tier::Clos { level: 1, levels: 1 })), (768, 16_384));
    // One card more does not fit, nor do odd ports or four layers.
    let error = Fabric::build(&FabricSpec::Cluster(fat_tree(2_049, 64, 2, one, 1)));
    assert!(matches!(error, Err(BuildError::TopPorts { .. })), "{error:?}");
    let tree = |ports, layers| {
        let (latency, efficiency) = (Duration::from_nanos(700), Efficiency::ONE);
        ClosSpec::fat_tree((ports, layers), gbps(400), latency, efficiency).expect_err("refused")
    };
    assert_eq!(tree(7, 2), BuildError::OddPorts { ports: 7 });
    assert_eq!(tree(8, 4), BuildError::Layers { layers: 4 });
}

#[test]
fn routers_of_supernodes_stand_in_a_ring_a_mesh_or_a_torus() {
    // 8 supernodes in a ring of 2 cables: 8 × 2; 4 router hops to the other side, both ways.
    let grid = |sizes: &[u32], ends| RouterSpec::Grid { sizes: sizes.to_vec(), ends, cables: 2 };
    let ring = build(&direct(cluster(64), grid(&[8], GridEnds::Joined)));
    assert_eq!(switches(&ring), [(1, 8, 8 + 4)]);
    assert_eq!(cables(&ring, Tier::Trunk), 16);
    assert_eq!([1, 8, 32, 56].map(|dst| hops(&ring, 0, dst)), [2, 3, 6, 3]);
    let path = Router::new(&ring).spray(CardId(0), CardId(32)).expect("connected");
    assert_eq!((path.hops.len(), path.denominator), (2 + 2 * 4 * 2, 4));
    // Two cables of 800 Gb/s on each side of a half: 4 × 800.
    assert_eq!(ring.echo().bisection, 4 * 800_000_000_000_000);
    // 2 × 4: 10 open links, 2 more joined (a side of two has one).
    for (ends, links, far) in [(GridEnds::Open, 10, 4), (GridEnds::Joined, 12, 3)] {
        let fabric = build(&direct(cluster(64), grid(&[2, 4], ends)));
        assert_eq!(cables(&fabric, Tier::Trunk), 2 * links);
        let corner = if ends == GridEnds::Open { 7 } else { 6 };
        assert_eq!(hops(&fabric, 0, 8 * corner), 2 + far);
        fabric.check_connected().expect("routers forward");
    }
    let error = Fabric::build(&direct(cluster(64), grid(&[3, 3], GridEnds::Open)));
    assert!(matches!(error, Err(BuildError::Sizes { product: 9, cards: 8, .. })), "{error:?}");
}

#[test]
fn a_dragonfly_joins_every_two_groups() {
    // p = 2, a = 4, h = 2: 9 groups of 8 NICs; 72 one-card servers, 36 routers of 2 + 3 + 2 ports.
    let mut spec = cluster(72);
    spec.supernode.cards = 1;
    let shape = DragonflySpec { router_ports: 2, group_routers: 4, global_links: 2 };
    let fabric = build(&direct(spec.clone(), RouterSpec::Dragonfly(shape)));
    assert_eq!(switches(&fabric), [(1, 36, 7)]);
    assert_eq!((cables(&fabric, Tier::Trunk), cables(&fabric, Tier::Global)), (9 * 6, 36));
    assert!(fabric.echo().notes.is_empty());
    for router in 0..36 {
        assert_eq!(fabric.links_from(NodeId(72 + router)).len(), 7, "every port is used");
    }
    // At most local, global, local between the two NIC links.
    assert_eq!([1, 2].map(|dst| hops(&fabric, 0, dst)), [2, 3]);
    assert!((8..72).all(|dst| (3..=5).contains(&hops(&fabric, 0, dst))));
    fabric.check_connected().expect("one global link between every two groups");
    // 4 groups: ⌊8 / 3⌋ = 2 links each, 2 of 8 ports dark; 10 groups are too many.
    spec.cards = 32;
    let fabric = build(&direct(spec.clone(), RouterSpec::Dragonfly(shape)));
    assert_eq!(cables(&fabric, Tier::Global), 6 * 2);
    assert!(fabric.echo().notes[0].contains("2 of 8 global ports"), "{:?}", fabric.echo().notes);
    spec.cards = 73;
    let error = Fabric::build(&direct(spec, RouterSpec::Dragonfly(shape))).expect_err("too many");
    assert_eq!(error, BuildError::Groups { groups: 10, limit: 9 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn paths_equal_the_naive_ones(
        shape in shapes(), kind in 0u32..6, numbers in prop::array::uniform3(1u32..5),
        seeds in prop::array::uniform6(any::<u32>())
    ) {
        let mut spec = shape.spec;
        let [one, two, three] = numbers;
        let each = match spec.nics.count {
            NicCount::PerCard(each) | NicCount::PerSupernode(each) => each,
        };
        let supernodes = spec.cards.div_ceil(spec.supernode.cards);
        let side = (1..=one).rev().find(|side| supernodes.is_multiple_of(*side)).unwrap_or(1);
        let grid = |ends| RouterSpec::Grid { sizes: vec![side, supernodes / side], ends, cables: two };
        let spec = match kind {
            0 => {
                spec.outside.attach.order = NicOrder::Rails;
                FabricSpec::Cluster(spec)
            }
            1 => {
                spec.outside.attach = Attach { order: NicOrder::Rails, homes: each, planes: 1 };
                FabricSpec::Cluster(spec)
            }
            2 => {
                spec.outside.attach = Attach { order: NicOrder::InOrder, homes: 1, planes: each };
                FabricSpec::Cluster(spec)
            }
            3 => direct(spec, grid(GridEnds::Open)),
            4 => direct(spec, grid(GridEnds::Joined)),
            _ => {
                let global_links = three * 8;
                let shape = DragonflySpec { router_ports: one, group_routers: two, global_links };
                direct(spec, RouterSpec::Dragonfly(shape))
            }
        };
        let Ok(fabric) = Fabric::build(&spec) else { return Ok(()) };
        fabric.check_connected().expect("all of these hang together");
        let mut router = Router::new(&fabric);
        for pair in seeds.chunks(2) {
            let (src, dst) = (CardId(pair[0] % fabric.cards()), CardId(pair[1] % fabric.cards()));
            if src != dst {
                prop_assert!(oracle::check(&mut router, (src, dst)).is_some());
            }
        }
    }
}
