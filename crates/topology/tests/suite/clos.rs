//! Uneven ratios, staggered wiring and refusals of a Clos (CASES O15, O16b).

use std::collections::BTreeMap;

use topology::{
    BuildError, CardId, ClosTier, ClusterSpec, Domain, Fabric, FabricSpec, Node, NodeId, Router,
    Tier,
};
use units::Ratio;

use crate::specs::{build_cluster, cluster, fat_tree, gbps, ratio};

/// What refuses `spec`.
fn refusal(spec: &ClusterSpec) -> BuildError {
    Fabric::build(&FabricSpec::Cluster(spec.clone())).expect_err("it cannot be built")
}

/// The cables to tier-`tier` switches, per switch, in order.
fn top_ports(fabric: &Fabric, tier: u8) -> Vec<usize> {
    let nodes = (0..).map(NodeId).zip(fabric.nodes());
    let tops = nodes.filter(|(_, node)| match **node {
        Node::Switch { domain, tier: found, .. } => domain == Domain::Outside && found == tier,
        Node::Card { .. } => false,
    });
    tops.map(|(id, _)| fabric.links_from(id).len()).collect()
}

/// 2 leaves × 19 hosts of 10 Gb/s, 4 uplinks of 40 Gb/s.
fn nineteen() -> ClusterSpec {
    let mut spec = cluster(38);
    spec.supernode.cards = 1;
    spec.nics.bandwidth = gbps(10);
    spec.outside.leaf_ports = 19;
    spec.outside.uplink = gbps(40);
    spec.outside.tiers[0].ratio = ratio(19, 16);
    spec
}

#[test]
fn nineteen_to_sixteen_is_built_as_asked() {
    // 19 × 10 : 4 × 40 = 190 : 160 = 19 : 16.
    let mut spec = nineteen();
    spec.outside.top_switches = Some(4);
    let fabric = build_cluster(&spec);
    let echo = fabric.echo();
    assert_eq!(echo.ratio, Some(ratio(19, 16)));
    let tier = echo.tiers.last().expect("leaf-spine");
    assert_eq!((tier.asked, tier.built), (Some(ratio(19, 16)), Some(ratio(19, 16))));
    assert_eq!(tier.cables, 2 * 4);
    assert_eq!(top_ports(&fabric, 2), [2; 4]);
    // Ideal spray: a quarter on each uplink.
    let path = Router::new(&fabric).spray(CardId(0), CardId(19)).expect("connected");
    assert_eq!((path.hops.len(), path.denominator), (2 + 2 * 4, 4));
}

#[test]
fn other_uneven_ratios_are_built_or_refused_with_both_port_counts() {
    // 24 down : 16 up of the same rate is 3:2; 4:3 is 24 : 18.
    for (asked, uplinks) in [(ratio(24, 16), 16), (ratio(4, 3), 18), (ratio(1, 2), 48)] {
        let mut spec = cluster(96);
        spec.outside.leaf_ports = 24;
        spec.outside.tiers[0].ratio = asked;
        let fabric = build_cluster(&spec);
        assert_eq!(fabric.echo().ratio, Some(asked));
        assert_eq!(fabric.echo().tiers.last().expect("leaf-spine").cables, 4 * uplinks);
    }
    // 24 at 5:1 needs 24/5 = 4.8 uplinks; 24 : 4 = 6:1 and 24:5 can be built.
    let mut spec = cluster(96);
    spec.outside.leaf_ports = 24;
    spec.outside.tiers[0].ratio = ratio(5, 1);
    let error = refusal(&spec);
    assert_eq!(
        error.to_string(),
        "ratio 5:1 at the leaf cannot be built: 24 down-ports would need 24/5 uplinks; \
         nearest: 6:1 with 4, 24:5 with 5"
    );
    // Less than one uplink: only 24:1 is near.
    spec.outside.tiers[0].ratio = ratio(48, 1);
    let text = refusal(&spec).to_string();
    assert!(text.ends_with("would need 1/2 uplinks; nearest: 24:1 with 1"), "{text}");
    // A pod of 4 leaves at 3:1 needs 4/3 uplinks per aggregation switch.
    let mut spec = fat_tree(8);
    spec.outside.tiers[1].ratio = ratio(3, 1);
    let text = refusal(&spec).to_string();
    assert!(text.contains("at the aggregation switch") && text.contains("4/3"), "{text}");
}

#[test]
fn uplinks_are_dealt_evenly_over_spines_that_do_not_divide() {
    // O16b: 50 leaves × 4 uplinks over 6 spines of 36 ports: 200 = 2 × 34 + 4 × 33.
    let mut spec = cluster(200);
    spec.supernode.cards = 1;
    spec.outside.leaf_ports = 4;
    spec.outside.top_ports = 36;
    spec.outside.top_switches = Some(6);
    let fabric = build_cluster(&spec);
    let mut ports = top_ports(&fabric, 2);
    assert_eq!(ports.iter().sum::<usize>(), 200);
    ports.sort_unstable();
    assert_eq!(ports, [33, 33, 33, 33, 34, 34]);
    // Any two leaves share a spine: 4 + 4 > 6.
    let mut router = Router::new(&fabric);
    for leaf in 1..50 {
        let path = router.hashed(CardId(0), CardId(4 * leaf), 3).expect("connected");
        assert_eq!(path.hops.len(), 4);
    }
    // 5 spines would need 40 ports each; 33 ports give 33 × 6 = 198 < 200.
    spec.outside.top_switches = Some(5);
    let ports = BuildError::TopPorts { switches: 5, uplinks: 200, needed: 40, limit: 36 };
    assert_eq!(refusal(&spec), ports);
    spec.outside.top_switches = Some(6);
    spec.outside.top_ports = 33;
    let ports = BuildError::TopPorts { switches: 6, uplinks: 200, needed: 34, limit: 33 };
    assert_eq!(refusal(&spec), ports);
    // With 8 spines two leaves of 4 uplinks may share none.
    spec.outside.top_switches = Some(8);
    let apart = BuildError::NoCommonTop { switches: 8, uplinks: 4, below: 50, limit: 7 };
    assert_eq!(refusal(&spec), apart);
}

#[test]
fn the_fewest_spines_that_divide_are_taken() {
    // 160 leaves × u uplinks over spines of 256 ports, the flagship's leaf–spine.
    for (asked, spines, ports) in [
        (ratio(1, 2), 128, 160), // 128 uplinks: 80 would hold them, 128 divides 128
        (ratio(1, 1), 64, 160),  // 64: 40 would, 64 divides
        (ratio(2, 1), 32, 160),
        (ratio(4, 1), 16, 160),
        (ratio(8, 1), 8, 160),
    ] {
        let mut spec = cluster(10_240);
        spec.outside.tiers[0].ratio = asked;
        assert_eq!(top_ports(&build_cluster(&spec), 2), vec![ports; spines]);
    }
    // 4 leaves × 64: one spine of 256 ports is enough, with 64 parallel links to each leaf.
    let fabric = build_cluster(&cluster(256));
    assert_eq!(top_ports(&fabric, 2), [256]);
    // 5 leaves × 64 = 320: two, with 32 parallel links to each leaf.
    assert_eq!(top_ports(&build_cluster(&cluster(257)), 2), [160, 160]);
    // 300 leaves of 256-port spines: 75 of 64 uplinks, staggered, since 75 < 2 × 64.
    let fabric = build_cluster(&cluster(300 * 64));
    assert_eq!(top_ports(&fabric, 2), vec![256; 75]);
    assert!(fabric.echo().notes.iter().any(|note| note.contains("staggered")));
    // 600 leaves would take 150 > 127.
    let apart = BuildError::NoCommonTop { switches: 150, uplinks: 64, below: 600, limit: 127 };
    assert_eq!(refusal(&cluster(600 * 64)), apart);
}

#[test]
fn three_tiers_join_pods_through_core_groups() {
    // A k = 8 fat-tree: 128 hosts, 32 leaves, 32 aggregation switches, 16 cores of 8 ports.
    let fabric = build_cluster(&fat_tree(8));
    let counts: Vec<(u8, u32, u32)> =
        fabric.echo().switches.iter().map(|row| (row.tier, row.count, row.ports)).collect();
    assert_eq!(counts, [(1, 32, 8), (2, 32, 8), (3, 16, 8)]);
    // Core c belongs to the group of aggregation position c / 4: it sees that position of each pod.
    for core in 0..16 {
        let node = NodeId(128 + 32 + 32 + core);
        let below: Vec<u32> = fabric
            .links_from(node)
            .iter()
            .map(|&link| match fabric.node(fabric.link(link).dst) {
                Node::Switch { index, .. } => index,
                Node::Card { .. } => panic!("a core is linked to switches"),
            })
            .collect();
        let expected: Vec<u32> = (0..8).map(|pod| pod * 4 + core / 4).collect();
        assert_eq!(below, expected);
    }
    // 4:1 at both tiers is 16:1: 8 ports to 2 uplinks, pods of 8 to 2 cores' links.
    let mut spec = cluster(8 * 8 * 5);
    spec.outside.leaf_ports = 8;
    let tier = ClosTier { ratio: ratio(4, 1), pod: 8 };
    spec.outside.tiers = vec![tier, tier];
    let fabric = build_cluster(&spec);
    assert_eq!(fabric.echo().ratio, Some(ratio(16, 1)));
    let cables: BTreeMap<Tier, u64> =
        fabric.echo().tiers.iter().map(|tier| (tier.tier, tier.cables)).collect();
    // 40 leaves × 2 uplinks; 5 pods × 2 aggregation switches × 2 uplinks.
    assert_eq!(cables[&Tier::Clos { level: 1, levels: 2 }], 80);
    assert_eq!(cables[&Tier::Clos { level: 2, levels: 2 }], 20);
    // Top switches must divide among the 2 groups.
    spec.outside.top_switches = Some(3);
    assert_eq!(refusal(&spec), BuildError::TopGroups { switches: 3, groups: 2 });
}

#[test]
fn nothing_is_built_above_what_needs_no_joining() {
    // One leaf.
    let fabric = build_cluster(&cluster(64));
    assert_eq!(top_ports(&fabric, 2), Vec::<usize>::new());
    let tier = fabric.echo().tiers.last().expect("the tier is told");
    assert_eq!((tier.cables, tier.asked, tier.built), (0, Some(Ratio::ONE), None));
    assert!(fabric.echo().notes.iter().any(|note| note.contains("no leaf-spine links")));
    // One pod: aggregation but no cores.
    let mut spec = fat_tree(8);
    spec.cards = 16;
    let fabric = build_cluster(&spec);
    assert_eq!((top_ports(&fabric, 2).len(), top_ports(&fabric, 3).len()), (4, 0));
    assert!(fabric.echo().notes.iter().any(|note| note.contains("no agg-core links")));
}

/// A change that spoils a cluster.
type Edit = fn(&mut ClusterSpec);

#[test]
fn numbers_of_which_no_clos_can_be_made_are_refused() {
    let edits: [(Edit, &str); 8] = [
        (|spec| spec.outside.tiers.clear(), "a Clos of 0 tiers"),
        (|spec| spec.outside.leaf_ports = 0, "leaf ports is 0"),
        (|spec| spec.outside.top_ports = 0, "top ports is 0"),
        (|spec| spec.outside.top_switches = Some(0), "top switches is 0"),
        (|spec| spec.outside.uplink = gbps(0), "the uplinks is below"),
        (|spec| spec.nics.bandwidth = gbps(0), "the NICs is below"),
        (|spec| spec.nics.count = topology::NicCount::PerCard(0), "NICs is 0"),
        (
            |spec| {
                spec.outside.tiers.push(spec.outside.tiers[0]);
                spec.outside.tiers[0].pod = 0;
            },
            "in a pod is 0",
        ),
    ];
    for (edit, expected) in edits {
        let mut spec = cluster(128);
        edit(&mut spec);
        let text = refusal(&spec).to_string();
        assert!(text.contains(expected), "{text} instead of {expected}");
    }
}
