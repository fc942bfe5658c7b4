//! Bisection bandwidth by maximum flow.

use petgraph::algo::maximum_flow::dinics;
use petgraph::graph::DiGraph;

use super::merged::{Merged, Trunk};
use crate::fabric::rate;
use crate::{Domain, Fabric, Node, NodeId};

/// What the first half of the cards (rounded down) can send to the rest over the outer fabric, in
/// milli-bit/s of wire.
///
/// The maximum flow from a source before all cards of the first half to a sink behind all others.
/// Cards are added up per switch, parallel links per pair, and switches that an equitable partition
/// finds alike are merged with all their capacity, which does not change the maximum flow (a linear
/// programme). Source: Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour
/// Refinement, ESA 2014.
pub(super) fn bisection(fabric: &Fabric) -> u128 {
    let half = fabric.cards() / 2;
    let first = |node: NodeId| node.0 < half;
    let is_card = |node: NodeId| node.0 < fabric.cards();
    let sender = |node: NodeId| node.0 - fabric.cards();
    let (receivers, switches) = receivers(fabric);
    let receiver = |node: NodeId| receivers[sender(node) as usize];
    let mut straight = 0;
    let mut ends = vec![(0u128, 0u128); switches];
    let mut trunks = Vec::new();
    for link in fabric.links().iter().filter(|link| link.domain == Domain::Outside) {
        let rate = rate(link.bandwidth);
        match (is_card(link.src), is_card(link.dst)) {
            (true, true) if first(link.src) && !first(link.dst) => straight += rate,
            (true, false) if first(link.src) => ends[sender(link.dst) as usize].0 += rate,
            (false, true) if !first(link.dst) => ends[receiver(link.src) as usize].1 += rate,
            (false, false) => {
                trunks.push(Trunk { from: sender(link.src), to: receiver(link.dst), rate });
            }
            // Cards of the first half that receive, cards of the other that send.
            _ => {}
        }
    }
    let merged = Merged::new(&ends, trunks);
    straight + flow(&merged)
}

/// The number under which each switch receives, and how many numbers there are.
///
/// It is the number under which the switch sends, but for border switches: nobody else's traffic
/// passes them, so what they receive and what they send are kept apart.
fn receivers(fabric: &Fabric) -> (Vec<u32>, usize) {
    let switches = &fabric.nodes()[fabric.cards() as usize..];
    let mut next = switches.len() as u32;
    let number = |(number, node): (u32, &Node)| match node {
        Node::Switch { tier: 0, .. } => {
            next += 1;
            next - 1
        }
        _ => number,
    };
    let receivers = (0..).zip(switches).map(number).collect();
    (receivers, next as usize)
}

/// The maximum flow through the merged switches.
fn flow(merged: &Merged) -> u128 {
    let mut graph = DiGraph::<(), u128>::new();
    let source = graph.add_node(());
    let sink = graph.add_node(());
    let nodes: Vec<_> = merged.ends.iter().map(|_| graph.add_node(())).collect();
    for (&node, &(from_cards, to_cards)) in nodes.iter().zip(&merged.ends) {
        for (from, to, rate) in [(source, node, from_cards), (node, sink, to_cards)] {
            if rate > 0 {
                graph.add_edge(from, to, rate);
            }
        }
    }
    for trunk in &merged.trunks {
        let [from, to] = [trunk.from, trunk.to].map(|class| nodes[class as usize]);
        graph.add_edge(from, to, trunk.rate);
    }
    dinics(&graph, source, sink).0
}
