//! Switches that add up: which hang on which, and the ways between them.

use topology::{
    AggregatorId, CardId, ClosTier, ClusterSpec, Domain, Fabric, FabricSpec, Hanging, Hop,
    InsideSpec, NicCount, RouteError, SwitchKind, TwoLevelSpec,
};
use units::{Duration, Ratio};

use crate::specs::cluster;

/// 16 cards in servers of 4 on leaves of 4, whose outer switches add up.
fn adding(change: impl FnOnce(&mut ClusterSpec)) -> Fabric {
    let mut spec = cluster(16);
    spec.supernode.cards = 4;
    spec.outside.leaf_ports = 4;
    spec.outside.switches = SwitchKind::Reduce;
    change(&mut spec);
    Fabric::build(&FabricSpec::Cluster(spec)).expect("it can be built")
}

/// The names of the sets above a card, way by way.
fn above(fabric: &Fabric, card: u32, domain: Domain) -> Vec<Vec<String>> {
    let ways = fabric.aggregators_over(CardId(card), domain);
    let name = |&set: &AggregatorId| fabric.aggregator_name(set);
    ways.iter().map(|way| way.iter().map(name).collect()).collect()
}

#[test]
fn leaves_hang_on_spines_and_pods_on_cores() {
    let two = adding(|spec| spec.outside.top_switches = Some(4));
    assert!(two.reduces(Domain::Outside) && !two.reduces(Domain::Inside));
    assert_eq!(above(&two, 5, Domain::Outside), [["leaf 1", "spine 0 and 3 more"]]);
    // Leaves of 2, two leaves and two aggregation switches a pod, one core for each of these.
    let three = adding(|spec| {
        spec.outside.leaf_ports = 2;
        spec.outside.tiers = vec![ClosTier { ratio: Ratio::ONE, pod: 2 }; 2];
    });
    let chain = ["leaf 2", "aggregation switch 2 and 1 more", "core 0 and 1 more"];
    assert_eq!(above(&three, 5, Domain::Outside), [chain]);
    // One set for each of two NICs; none behind a border switch, and none where switches forward.
    let nics = adding(|spec| spec.nics.count = NicCount::PerCard(2));
    let ways = above(&nics, 5, Domain::Outside);
    assert_eq!(ways, [["leaf 2", "spine 0"], ["leaf 2", "spine 0"]]);
    let border = adding(|spec| spec.nics.count = NicCount::PerSupernode(2));
    assert_eq!(above(&border, 5, Domain::Outside), [Vec::<String>::new()]);
    let plain = adding(|spec| spec.outside.switches = SwitchKind::Forward);
    assert!(!plain.reduces(Domain::Outside));
}

#[test]
fn planes_of_a_node_hang_on_those_above() {
    let levels = TwoLevelSpec {
        node_cards: 2,
        planes: 3,
        upper_switches: 2,
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    };
    let fabric = adding(|spec| spec.supernode.inside = InsideSpec::ReducingTwoLevel(levels));
    // 3 switches in each node, 3 · 2 above them.
    let ways = fabric.aggregators_over(CardId(5), Domain::Inside);
    let [way] = &ways[..] else { panic!("{ways:?}") };
    let up = fabric.way_up(Hanging::Card(CardId(5)), way[0]).expect("all planes are there");
    assert_eq!((up.hops.len(), up.denominator, up.latency), (3, 3, Duration::from_nanos(250)));
    let up = fabric.way_up(Hanging::Switches(way[0]), way[1]).expect("all planes are there");
    assert_eq!((up.hops.len(), up.denominator, up.latency), (6, 6, Duration::from_nanos(300)));
}

#[test]
fn a_vector_is_cut_evenly_over_switches_and_over_the_links_to_one() {
    // Three uplinks to two spines: two links to one of them share its half.
    let fabric = adding(|spec| {
        spec.outside.leaf_ports = 3;
        spec.outside.top_switches = Some(2);
    });
    let way = &fabric.aggregators_over(CardId(0), Domain::Outside)[0];
    let up = fabric.way_up(Hanging::Switches(way[0]), way[1]).expect("both spines are there");
    let mut weights: Vec<u64> = up.hops.iter().map(|hop: &Hop| hop.weight).collect();
    weights.sort_unstable();
    assert_eq!((weights, up.denominator), (vec![1, 1, 2], 4));
    // The way down takes the same cables.
    let down = fabric.way_down(way[1], Hanging::Switches(way[0])).expect("both spines are there");
    let back: Vec<Hop> =
        down.hops.iter().map(|hop| Hop { link: hop.link.reverse(), ..*hop }).collect();
    assert_eq!(back, up.hops);
    // Nobody hangs on the spines but the leaves.
    let refused = fabric.way_up(Hanging::Card(CardId(0)), way[1]);
    let below = "card 0".to_owned();
    assert_eq!(refused, Err(RouteError::SwitchLost { below, found: 0, switches: 2 }));
}
