//! Supernodes: planes, full mesh, one-card servers and ragged ends.

use topology::{
    BuildError, CardId, Efficiency, Fabric, FabricSpec, InsideSpec, Node, NodeId, Router, Tier,
};
use units::{Bandwidth, Duration};

use crate::specs::{build_cluster, cluster, gbps};

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
