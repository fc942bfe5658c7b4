//! Uplink pools: the NICs of a supernode behind a border switch.

use topology::{CardId, Domain, NicCount, Node, Router, Tier};
use units::Duration;

use crate::specs::{build_cluster, cluster, gbps};

#[test]
fn a_pool_is_shared_by_the_cards_of_its_supernode() {
    // 4 supernodes of 8 with 4 uplinks each, leaves of 8: supernodes 0, 1 on leaf 0, 2, 3 on 1.
    let mut spec = cluster(32);
    spec.nics.count = NicCount::PerSupernode(4);
    spec.outside.leaf_ports = 8;
    let fabric = build_cluster(&spec);
    fabric.check_connected().expect("connected through the pools");
    let count = |wanted: Tier| fabric.links().iter().filter(|link| link.tier == wanted).count();
    assert_eq!([count(Tier::Border), count(Tier::Nic)], [2 * 32, 2 * 16]);
    let border = fabric.links().iter().find(|link| link.tier == Tier::Border).expect("borders");
    assert_eq!((border.bandwidth, border.latency), (gbps(3_600), Duration::ZERO));
    let mut router = Router::new(&fabric);
    // Card – border – 4 NICs – leaf – 4 NICs – border – card: 2 × 600 ns.
    let near = router.spray(CardId(0), CardId(8)).expect("connected");
    assert_eq!((near.hops.len(), near.denominator), (1 + 4 + 4 + 1, 4));
    assert_eq!(near.latency, Duration::from_nanos(1_200));
    // Inside, never over the border.
    let inside = router.spray(CardId(0), CardId(7)).expect("one supernode");
    assert!(inside.hops.iter().all(|hop| fabric.link(hop.link).domain == Domain::Inside));
    let far = router.hashed(CardId(0), CardId(31), 5).expect("connected");
    assert_eq!(far.hops.len(), 6);
}

#[test]
fn a_pool_carries_no_traffic_of_others() {
    // 3 supernodes of 2 uplinks on leaves of 3: the pool of supernode 1 lies on leaves 0 and 1, a
    // short cut between them that nobody else may take.
    let mut spec = cluster(24);
    spec.nics.count = NicCount::PerSupernode(2);
    spec.outside.leaf_ports = 3;
    let fabric = build_cluster(&spec);
    assert!(fabric.echo().notes[0].contains("NICs of 1 supernodes lie on more than one leaf"));
    let path = Router::new(&fabric).spray(CardId(0), CardId(23)).expect("connected");
    let borders = path.hops.iter().filter(|hop| {
        let node = fabric.node(fabric.link(hop.link).dst);
        matches!(node, Node::Switch { tier: 0, index: 1, .. })
    });
    assert_eq!(borders.count(), 0);
    // Bisection: cards 0 … 11 are supernode 0 and half of 1. Supernode 0 sends 2 NICs, supernode 1
    // as well; supernode 2 receives 2 NICs, supernode 1 as well: at most 4 × 400 Gb/s go out, and
    // 4 × 400 come in.
    assert_eq!(fabric.echo().bisection, 4 * 400_000_000_000_000);
}
