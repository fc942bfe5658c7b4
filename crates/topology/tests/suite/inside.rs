//! Supernodes: planes, full mesh, one-card servers and ragged ends.

use topology::{
    BuildError, CardId, ClusterSpec, Domain, Efficiency, Fabric, FabricSpec, GridEnds, InsideSpec,
    MeshDimension, Node, NodeId, Router, Spread, SwitchedMeshSpec, Tier, TwoLevelSpec,
};
use units::{Bandwidth, Duration, Ratio};

use crate::specs::{build_cluster, cluster, gbps};

/// Supernodes of `cards` cards with a network inside.
fn supernode(all: u32, cards: u32, inside: InsideSpec) -> ClusterSpec {
    let mut spec = cluster(all);
    spec.supernode.cards = cards;
    spec.supernode.inside = inside;
    spec
}

/// The hops between two cards of one supernode.
fn hops(fabric: &Fabric, src: u32, dst: u32) -> usize {
    let path = Router::new(fabric).hashed(CardId(src), CardId(dst), 5).expect("connected");
    path.hops.len()
}

/// Checks that trunks and links give the same shares and latency for every pair of a supernode.
fn check_spread(fabric: &Fabric) {
    let (mut router, spread) = (Router::new(fabric), Spread::new(fabric));
    for src in fabric.cards_of(topology::SupernodeId(0)) {
        for dst in fabric.cards_of(topology::SupernodeId(0)).filter(|&dst| dst != src) {
            let (src, dst) = (CardId(src), CardId(dst));
            let path = router.spray(src, dst).expect("connected");
            let site = spread.path(src, dst).expect("connected");
            assert_eq!(path.latency, site.latency);
            // The shares of trunks may need a smaller denominator than those of their links.
            let scale = path.denominator / site.denominator;
            assert_eq!(scale * site.denominator, path.denominator);
            let (out, into) =
                (spread.ports_out(src, Domain::Inside), spread.ports_in(dst, Domain::Inside));
            let ends = site.up.iter().map(|&(port, weight)| (out[port as usize], weight));
            let starts = site.down.iter().map(|&(port, weight)| (into[port as usize], weight));
            for (link, weight) in ends.chain(starts).chain(site.direct.iter().copied()) {
                let hop = path.hops.iter().find(|hop| hop.link == link).expect("a link of both");
                assert_eq!(hop.weight, weight * scale);
            }
            for &(trunk, weight) in &site.trunks {
                let on_trunk =
                    path.hops.iter().filter(|hop| spread.trunk_of(hop.link) == Some(trunk));
                assert_eq!(on_trunk.map(|hop| hop.weight).sum::<u64>(), weight * scale);
            }
        }
    }
}

/// The two-level planes of a `CloudMatrix384`.
fn cloudmatrix(all: u32) -> ClusterSpec {
    let levels = TwoLevelSpec {
        node_cards: 8,
        planes: 7,
        upper_switches: 16,
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    };
    let mut spec = supernode(all, 384, InsideSpec::TwoLevel(levels));
    // 392 GB/s each way: 56 GB/s to each plane.
    spec.supernode.bandwidth = gbps(392 * 8);
    spec
}

#[test]
fn two_levels_are_those_of_a_cloudmatrix() {
    // 48 nodes × 7 first-level switches = 336, 7 planes × 16 second-level switches = 112 of 48 ports.
    let fabric = build_cluster(&cloudmatrix(384));
    let inside: Vec<_> =
        fabric.echo().switches.iter().filter(|s| s.domain == Domain::Inside).collect();
    let counts: Vec<(u8, u32, u32)> = inside.iter().map(|s| (s.tier, s.count, s.ports)).collect();
    assert_eq!(counts, [(1, 336, 8 + 16), (2, 112, 48)]);
    // 448 GB/s up from each first-level switch = 8 cards × 56 GB/s, 28 GB/s a link: non-blocking.
    let upper = fabric.links().iter().find(|link| link.tier == Tier::InsideUpper).expect("uppers");
    assert_eq!(upper.bandwidth, gbps(28 * 8));
    assert_eq!(fabric.echo().notes, Vec::<String>::new());
    // In a node over 7 switches; between nodes over 7 planes × 16 second-level switches.
    let mut router = Router::new(&fabric);
    let near = router.spray(CardId(0), CardId(7)).expect("connected");
    assert_eq!((near.hops.len(), near.denominator), (7 + 7, 7));
    assert_eq!(near.latency, Duration::from_nanos(500));
    let far = router.spray(CardId(0), CardId(383)).expect("connected");
    assert_eq!((far.hops.len(), far.denominator), (7 + 7 * 16 * 2 + 7, 7 * 16));
    assert_eq!(far.latency, Duration::from_nanos(500 + 2 * 300));
    // 100 cards: 12 nodes and one of 4 cards, in both levels.
    let fabric = build_cluster(&cloudmatrix(100));
    assert_eq!(fabric.echo().switches[0].count, 13 * 7);
    check_spread(&fabric);
    // 2:1 halves the links up; a node alone has no second level.
    let mut spec = cloudmatrix(8);
    assert_eq!(build_cluster(&spec).echo().switches[0].count, 7);
    spec.cards = 16;
    if let InsideSpec::TwoLevel(levels) = &mut spec.supernode.inside {
        levels.ratio = Ratio::new(2, 1).expect("positive");
    }
    let fabric = build_cluster(&spec);
    let upper = fabric.links().iter().find(|link| link.tier == Tier::InsideUpper).expect("uppers");
    assert_eq!(upper.bandwidth, gbps(14 * 8));
}

#[test]
fn rings_and_half_meshes_forward_round_the_circle() {
    // 8 cards, 3,600 Gb/s over 2 ports: 1,800 Gb/s a link; 4 hops to the other side, both ways.
    let fabric = build_cluster(&supernode(16, 8, InsideSpec::HalfMesh { offsets: vec![1] }));
    assert!(fabric.cards_forward(Domain::Inside) && !fabric.cards_forward(Domain::Outside));
    assert_eq!(fabric.echo().tiers[0].cables, 2 * 8);
    assert_eq!(fabric.links()[0].bandwidth, gbps(1_800));
    assert_eq!([1, 2, 3, 4, 5, 7].map(|dst| hops(&fabric, 0, dst)), [1, 2, 3, 4, 3, 1]);
    let path = Router::new(&fabric).spray(CardId(0), CardId(4)).expect("connected");
    assert_eq!((path.hops.len(), path.denominator), (8, 2));
    assert_eq!(path.latency, Duration::from_nanos(4 * 500));
    fabric.check_connected().expect("a ring");
    check_spread(&fabric);
    // Offsets 1 and 4 of 8: the card opposite is one port, 3 × 1,200 Gb/s.
    let fabric = build_cluster(&supernode(8, 8, InsideSpec::HalfMesh { offsets: vec![1, 4] }));
    assert_eq!((fabric.echo().tiers[0].cables, fabric.links()[0].bandwidth), (8 + 4, gbps(1_200)));
    assert_eq!([1, 2, 3, 4].map(|dst| hops(&fabric, 0, dst)), [1, 2, 2, 1]);
    check_spread(&fabric);
    // Offset 2 of 8 joins only even cards: built, and found apart.
    let fabric = build_cluster(&supernode(8, 8, InsideSpec::HalfMesh { offsets: vec![2] }));
    let text = fabric.check_connected().expect_err("two rings").to_string();
    assert!(text.contains("inside of supernode 0") && text.contains("4 and 4"), "{text}");
    for offsets in [vec![0], vec![5], vec![2, 2]] {
        let offset = offsets[0];
        let spec = supernode(8, 8, InsideSpec::HalfMesh { offsets });
        let error = Fabric::build(&FabricSpec::Cluster(spec)).expect_err("no offset");
        assert_eq!(error, BuildError::Offset { offset, cards: 8, limit: 4 });
    }
}

#[test]
fn meshes_and_tori_take_the_fewest_hops() {
    // 4 × 4: 24 links open, 32 joined, 4 ports of 900 Gb/s; corner to corner 6 or 2 hops.
    let grid = |ends| InsideSpec::Grid { sizes: vec![4, 4], ends };
    for (ends, cables, across) in [(GridEnds::Open, 24, 6), (GridEnds::Joined, 32, 2)] {
        let fabric = build_cluster(&supernode(16, 16, grid(ends)));
        assert_eq!(
            (fabric.echo().tiers[0].cables, fabric.links()[0].bandwidth),
            (cables, gbps(900))
        );
        assert_eq!(hops(&fabric, 0, 15), across);
        check_spread(&fabric);
    }
    // A side of two has one link even when joined: 2 × 2 × 2 is a cube of 12 links.
    let cube = InsideSpec::Grid { sizes: vec![2, 2, 2], ends: GridEnds::Joined };
    let fabric = build_cluster(&supernode(8, 8, cube));
    assert_eq!((fabric.echo().tiers[0].cables, hops(&fabric, 0, 7)), (12, 3));
    // 11 of 16 cards: rows of 4, 4 and 3; dark ports are told.
    let fabric = build_cluster(&supernode(27, 16, grid(GridEnds::Open)));
    assert_eq!(fabric.echo().tiers[0].cables, 24 + (3 + 3 + 2) + (4 + 3));
    assert!(fabric.echo().notes.iter().any(|note| note.contains("11 of 16 cards")));
    let error = Fabric::build(&FabricSpec::Cluster(supernode(15, 15, grid(GridEnds::Open))));
    let sizes = "4 × 4".to_owned();
    let refused = BuildError::Sizes { what: "the grid", sizes, product: 16, cards: 15 };
    assert_eq!(error.expect_err("15 is not 16"), refused);
}

#[test]
fn an_n_dimensional_full_mesh_takes_one_hop_a_dimension() {
    // A rack of 8 × 8: each card 7 + 7 links of 4 and 1 lanes, 35 lanes; 64 × 14 / 2 = 448 links.
    let dimension = |size, lanes| MeshDimension { size, lanes };
    let inside = InsideSpec::NdFullMesh { dimensions: vec![dimension(8, 4), dimension(8, 1)] };
    let mut spec = supernode(64, 64, inside);
    spec.supernode.bandwidth = gbps(3_500);
    let fabric = build_cluster(&spec);
    assert_eq!(fabric.echo().tiers[0].cables, 448);
    let rate = |dst| fabric.capacity(NodeId(0), NodeId(dst)) / 1_000_000_000_000;
    assert_eq!([rate(1), rate(8), rate(9)], [100, 400, 0]);
    assert_eq!([1, 7, 8, 56, 9, 63].map(|dst| hops(&fabric, 0, dst)), [1, 1, 1, 1, 2, 2]);
    // Sprayed by capacity at the first hop: 4/5 along the first dimension.
    let path = Router::new(&fabric).spray(CardId(0), CardId(9)).expect("connected");
    let mut weights: Vec<u64> = path.hops.iter().map(|hop| hop.weight).collect();
    weights.sort_unstable();
    assert_eq!((weights, path.denominator), (vec![1, 1, 4, 4], 5));
    check_spread(&fabric);
}

#[test]
fn planes_share_the_bandwidth_and_halve_the_latency() {
    // 3,600 Gb/s over 7 planes: 514.285714285714 Gb/s and 2 milli-bit/s lost; 501 ps = 251 + 250.
    let mut spec = cluster(20);
    spec.supernode.inside = InsideSpec::Planes { planes: 7 };
    spec.supernode.latency = Duration::from_picos(501);
    let fabric = build_cluster(&spec);
    let up = fabric.link(fabric.links_from(NodeId(0))[0]);
    let down = fabric.link(fabric.links_into(NodeId(0))[0]);
    assert_eq!(up.bandwidth, Bandwidth::from_milli_bits_per_second(514_285_714_285_714));
    assert_eq!((up.latency.as_picos(), down.latency.as_picos()), (251, 250));
    let note = &fabric.echo().notes[0];
    assert!(note.contains("7 links") && note.contains(": 2 milli-bit/s"), "{note}");
    // Spray takes a seventh of each plane.
    let path = Router::new(&fabric).spray(CardId(0), CardId(7)).expect("one supernode");
    assert_eq!((path.hops.len(), path.denominator), (14, 7));
    assert_eq!(path.latency, Duration::from_picos(501));
    // 20 cards: two full servers and one of 4; all have 7 planes.
    assert_eq!((fabric.supernodes(), fabric.echo().last_supernode_cards), (3, 4));
    assert_eq!(fabric.echo().switches[0].count, 21);
}

#[test]
fn a_mesh_shares_the_bandwidth_among_peers() {
    // 8 cards: 7 peers of 3,500 / 7 = 500 Gb/s; 12 cards: meshes of 8 and 4 have 28 + 6 cables.
    let mut spec = cluster(12);
    spec.supernode.inside = InsideSpec::FullMesh;
    spec.supernode.bandwidth = gbps(3_500);
    let fabric = build_cluster(&spec);
    let inside = &fabric.echo().tiers[0];
    assert_eq!((inside.tier, inside.cables), (Tier::Inside, 34));
    let path = Router::new(&fabric).spray(CardId(8), CardId(11)).expect("one supernode");
    assert_eq!((path.hops.len(), path.latency), (1, Duration::from_nanos(500)));
    assert_eq!(fabric.link(path.hops[0].link).bandwidth, gbps(500));
    assert!(fabric.echo().notes.iter().any(|note| note.contains("4 of 8 cards")));
    // 2,000 cards are the most.
    spec.supernode.cards = 2_001;
    let error = Fabric::build(&FabricSpec::Cluster(spec)).expect_err("too large");
    assert_eq!(error, BuildError::MeshTooLarge { cards: 2_001, limit: 2_000 });
}

#[test]
fn one_card_servers_have_no_inside() {
    for inside in [InsideSpec::Planes { planes: 3 }, InsideSpec::FullMesh] {
        let mut spec = cluster(130);
        spec.supernode.cards = 1;
        spec.supernode.inside = inside;
        let fabric = build_cluster(&spec);
        assert!(fabric.links().iter().all(|link| link.tier != Tier::Inside));
        assert_eq!(fabric.supernodes(), 130);
        fabric.check_connected().expect("connected outside");
        // A last server of one card among larger ones has none either.
        spec.supernode.cards = 3;
        let fabric = build_cluster(&spec);
        let alone = fabric.links_from(NodeId(129));
        assert_eq!(alone.len(), 1, "its NIC only");
    }
}

#[test]
fn a_plane_beyond_a_real_radix_is_labelled() {
    let mut spec = cluster(384);
    spec.supernode.cards = 384;
    let notes = build_cluster(&spec).echo().notes.clone();
    assert!(notes.iter().any(|note| note.starts_with("idealised") && note.contains("384 ports")));
    let notes = build_cluster(&cluster(384)).echo().notes.clone();
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn supernodes_that_do_not_line_up_with_leaves_stay_right() {
    // Supernodes of 24 on leaves of 64: cards 48 … 71 lie on leaves 0 and 1.
    let mut spec = cluster(150);
    spec.supernode.cards = 24;
    let fabric = build_cluster(&spec);
    let leaf = |card: u32| {
        let nic = fabric.links_from(NodeId(card)).iter().map(|&link| fabric.link(link));
        let mut nic = nic.filter(|link| link.tier == Tier::Nic);
        match fabric.node(nic.next().expect("a NIC").dst) {
            Node::Switch { index, .. } => index,
            Node::Card { .. } => panic!("a NIC ends at a leaf"),
        }
    };
    assert_eq!([48, 63, 64, 71, 128, 149].map(leaf), [0, 0, 1, 1, 2, 2]);
    let mut router = Router::new(&fabric);
    let mut hops = |src, dst| router.hashed(CardId(src), CardId(dst), 0).expect("path").hops.len();
    // Inside over the plane though on two leaves; to the next supernode on one leaf; across leaves.
    assert_eq!([hops(48, 71), hops(71, 72), hops(47, 48), hops(0, 149)], [2, 2, 2, 4]);
}

#[test]
fn efficiencies_are_shares_of_the_wire() {
    let mut spec = cluster(16);
    for (payload, wire) in [(0, 1), (3, 2), (1, 0)] {
        spec.supernode.efficiency = Efficiency { payload, wire };
        let error = Fabric::build(&FabricSpec::Cluster(spec.clone())).expect_err("no share");
        assert_eq!(error, BuildError::Efficiency { what: "the planes", payload, wire });
    }
    // ⌊3,600 Gb/s × 4,096 / 4,158⌋ = 3,546,320,346,320,346 milli-bit/s.
    spec.supernode.efficiency = Efficiency { payload: 4_096, wire: 4_158 };
    let fabric = build_cluster(&spec);
    assert_eq!(fabric.links()[0].goodput.as_milli_bits_per_second(), 3_546_320_346_320_346);
}

/// Two pods of 2 × 4 cards in racks of 4, two planes with one upper switch each: a card has 1 + 3 links
/// in the mesh, of 2 and 1 lanes, and one of 1 lane to each plane.
fn two_pods() -> ClusterSpec {
    let dimension = |size, lanes| MeshDimension { size, lanes };
    let upper = TwoLevelSpec {
        node_cards: 4,
        planes: 2,
        upper_switches: 1,
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    };
    let dimensions = vec![dimension(2, 2), dimension(4, 1)];
    let switched = SwitchedMeshSpec { dimensions, upper, upper_lanes: 1 };
    let mut spec = supernode(16, 16, InsideSpec::SwitchedMesh(switched));
    // 2 + 3 + 2 = 7 lanes of 100 Gb/s.
    spec.supernode.bandwidth = gbps(700);
    spec
}

#[test]
fn pods_of_meshes_are_joined_by_switches() {
    let fabric = build_cluster(&two_pods());
    // A pod: 8 × 4 / 2 = 16 links. 16 × 2 to 4 racks × 2 switches, and these to 2 upper ones.
    let inside = |tier| {
        fabric.echo().tiers.iter().find(|it| it.tier == tier).map(|it| it.cables).expect("built")
    };
    assert_eq!((inside(Tier::Inside), inside(Tier::InsideUpper)), (2 * 16 + 16 * 2, 8));
    let rate = |dst| fabric.capacity(NodeId(0), NodeId(dst)) / 1_000_000_000_000;
    // In the rack, in the other rack, in the other pod; to the switch of the rack; 4 cards × 100 up.
    assert_eq!([rate(1), rate(4), rate(5), rate(8), rate(16)], [100, 200, 0, 0, 100]);
    let upper = fabric.links().iter().find(|link| link.tier == Tier::InsideUpper).expect("uppers");
    assert_eq!(upper.bandwidth, gbps(400));
    // One hop along a line; two in the pod; rack – upper – rack between pods, over both planes.
    assert_eq!([1, 4, 5, 8, 15].map(|dst| hops(&fabric, 0, dst)), [1, 1, 2, 4, 4]);
    let far = Router::new(&fabric).spray(CardId(0), CardId(15)).expect("connected");
    assert_eq!((far.hops.len(), far.denominator), (2 * 4, 2));
    // Half of 500 ns to the rack's switch and from it, 300 ns twice.
    assert_eq!(far.latency, Duration::from_nanos(500 + 2 * 300));
    fabric.check_connected().expect("pods and switches");
    check_spread(&fabric);
}

#[test]
fn pods_that_do_not_divide_a_supernode_are_refused() {
    let mut spec = two_pods();
    spec.supernode.cards = 12;
    spec.cards = 12;
    let error = Fabric::build(&FabricSpec::Cluster(spec)).expect_err("8 does not divide 12");
    assert_eq!(error, BuildError::Pods { pod: 8, cards: 12 });
    // 12 of 16 cards: one pod, and one rack of the other.
    let mut spec = two_pods();
    spec.cards = 12;
    let fabric = build_cluster(&spec);
    assert_eq!(hops(&fabric, 0, 11), 4);
    fabric.check_connected().expect("connected");
    check_spread(&fabric);
}
