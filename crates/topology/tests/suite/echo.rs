//! What a report says of a fabric, and its bisection against a maximum flow over every node.

use petgraph::algo::maximum_flow::dinics;
use petgraph::graph::DiGraph;
use proptest::prelude::*;
use topology::{ClosTier, Domain, Fabric, FabricSpec, Node};

use crate::random::{graphs, shapes};
use crate::specs::{build, build_cluster, cluster, explicit, link, ratio, star};

/// The maximum flow between the halves with every card, switch and link for itself.
fn bisection(fabric: &Fabric) -> u128 {
    let mut graph = DiGraph::<(), u128>::new();
    // Each node as a receiver and a sender; only outer switches of tier 1 and up pass traffic on.
    let nodes: Vec<_> =
        fabric.nodes().iter().map(|_| (graph.add_node(()), graph.add_node(()))).collect();
    let (source, sink) = (graph.add_node(()), graph.add_node(()));
    let endless = 1 << 100;
    for (node, &(receives, sends)) in fabric.nodes().iter().zip(&nodes) {
        match *node {
            Node::Card { card, .. } if card.0 < fabric.cards() / 2 => {
                graph.add_edge(source, sends, endless);
            }
            Node::Card { .. } => {
                graph.add_edge(receives, sink, endless);
            }
            Node::Switch { tier: 1.., .. } => {
                graph.add_edge(receives, sends, endless);
            }
            Node::Switch { .. } => {}
        }
    }
    // A border switch passes on what its cards send (up) and what they receive (down).
    for link in fabric.links().iter().filter(|link| link.domain == Domain::Outside) {
        let rate = u128::from(link.bandwidth.as_milli_bits_per_second());
        let (_, sends) = nodes[link.src.index()];
        let (receives, _) = nodes[link.dst.index()];
        let border = |node: Node| matches!(node, Node::Switch { tier: 0, .. });
        let from_card = matches!(fabric.node(link.src), Node::Card { .. });
        let to_card = matches!(fabric.node(link.dst), Node::Card { .. });
        let into = if border(fabric.node(link.dst)) && from_card {
            nodes[link.dst.index()].1
        } else {
            receives
        };
        let out = if border(fabric.node(link.src)) && to_card {
            nodes[link.src.index()].0
        } else {
            sends
        };
        graph.add_edge(out, into, rate);
    }
    dinics(&graph, source, sink).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_bisection_is_the_maximum_flow(shape in shapes()) {
        if let Ok(fabric) = Fabric::build(&FabricSpec::Cluster(shape.spec)) {
            prop_assert_eq!(fabric.echo().bisection, bisection(&fabric));
        }
    }

    #[test]
    fn the_bisection_of_listed_graphs_is_the_maximum_flow(spec in graphs()) {
        let fabric = build(&spec);
        prop_assert_eq!(fabric.echo().bisection, bisection(&fabric));
    }
}

#[test]
fn switches_with_unequal_cables_are_not_taken_for_alike() {
    // m carries 100 in and 300 out, n 300 in and 100 out: 100 + 100 Gb/s, not 400.
    let links = vec![
        link("a", "s", 400, 1),
        link("s", "m", 100, 1),
        link("s", "n", 300, 1),
        link("m", "t", 300, 1),
        link("n", "t", 100, 1),
        link("t", "b", 400, 1),
    ];
    let fabric = build(&explicit("a b", "s t m n", links));
    assert_eq!(fabric.echo().bisection, 200_000_000_000_000);
}

#[test]
fn the_echo_reads_well() {
    // 10,240 cards at 4:1: 160 leaves × 16 uplinks of 0.4 Tb/s = 1.024 Pb/s; the cut in the middle
    // takes 80 leaves × 16 × 0.4 Tb/s = 512 Tb/s.
    let mut spec = cluster(10_240);
    spec.outside.tiers[0].ratio = ratio(4, 1);
    let lines = build_cluster(&spec).echo().lines();
    assert_eq!(
        lines,
        [
            "10,240 cards in 1,280 supernodes of 8",
            "inside: 1,280 × plane switch (8 ports), 10,240 links, 36.864 Pb/s each way",
            "outside: 160 × leaf (64 down + 16 up), 16 × spine (160 ports)",
            "nic: 10,240 links, 4.096 Pb/s each way",
            "leaf-spine: 2,560 links, 1.024 Pb/s each way, ratio 4:1 as asked",
            "bisection of the outer fabric: 512 Tb/s",
        ]
    );
    let lines = build(&star(5)).echo().lines();
    assert_eq!(
        lines,
        [
            "5 cards",
            "outside: 1 × switch (5 ports)",
            "nic: 5 links, 2 Tb/s each way",
            "bisection of the outer fabric: 800 Gb/s",
        ]
    );
    // 2:1 at the leaves and 4:1 above is 8:1.
    let mut spec = cluster(10_240);
    let tier = |over, pod| ClosTier { ratio: ratio(over, 1), pod };
    spec.outside.tiers = vec![tier(2, 32), tier(4, 1)];
    let lines = build_cluster(&spec).echo().lines();
    assert!(lines.contains(&"ratio of all tiers: 8:1".to_owned()));
    // 10,240 = 26 × 384 + 256.
    let mut spec = cluster(10_240);
    spec.supernode.cards = 384;
    let lines = build_cluster(&spec).echo().lines();
    assert_eq!(lines[0], "10,240 cards in 27 supernodes of 384, the last of 256");
    assert!(lines.last().expect("a note").starts_with("note: idealised"));
}
