//! Two-level planes: first-level switches in every node, second-level switches that join the nodes.
//!
//! Source: Zuo and others: Serving Large Language Models on Huawei `CloudMatrix384`,
//! arXiv 2506.12708, 2025, section 3: 48 nodes of 8 cards with 7 first-level chips each, 7 sub-planes of
//! 16 second-level chips of 48 ports.

use petgraph::graph::NodeIndex;
use units::{Bandwidth, Duration, Ratio};

use super::planes::REAL_PORTS;
use super::{Cable, SupernodeSpec, SwitchKind, Wiring, halves};
use crate::{AggregatorId, BuildError, Domain, Node, Tier};

/// A supernode of nodes, in two levels of switches; the planes do not touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TwoLevelSpec {
    /// The cards of one node, at least 1; the last node may be partly filled.
    pub node_cards: u32,
    /// The planes, at least 1: one first-level switch in every node for each.
    pub planes: u32,
    /// The second-level switches of one plane, at least 1, each with one link to every node.
    pub upper_switches: u32,
    /// Downlink : uplink capacity of a first-level switch of a full node.
    pub ratio: Ratio,
    /// The latency of a link between the levels, the switch at its end included.
    pub latency: Duration,
}

/// The one-way links inside one supernode.
pub(super) fn links(cards: u32, spec: &TwoLevelSpec) -> u128 {
    let nodes = u128::from(cards.div_ceil(spec.node_cards.max(1)));
    let of_plane = u128::from(cards) + nodes * u128::from(spec.upper_switches);
    2 * u128::from(spec.planes) * of_plane
}

/// Adds both levels to every supernode of at least two cards; a supernode of one node has no
/// second level.
pub(super) fn wire(
    spec: &SupernodeSpec,
    (levels, kind): (&TwoLevelSpec, SwitchKind),
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    levels.check()?;
    if wiring.cards_of(0).len() < 2 {
        return Ok(());
    }
    let rate = spec.share(levels.planes, wiring);
    wire_levels(spec, (levels, rate, kind), wiring)
}

impl TwoLevelSpec {
    /// Refuses a count of nothing.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        for (what, count) in [
            ("the number of cards per node", self.node_cards),
            ("the number of planes", self.planes),
            ("the number of second-level switches", self.upper_switches),
        ] {
            if count == 0 {
                return Err(BuildError::Zero { what });
            }
        }
        Ok(())
    }
}

/// Adds both levels to every supernode of at least two cards, `rate` being that of a card's link to
/// one plane.
pub(super) fn wire_levels(
    spec: &SupernodeSpec,
    (levels, rate, kind): (&TwoLevelSpec, Bandwidth, SwitchKind),
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    let &TwoLevelSpec { node_cards, planes, upper_switches, .. } = levels;
    let (up, down) = halves(spec.latency);
    let card = Cable::new("the planes", rate, spec.efficiency)?.latency(up, down);
    let rate = upper_rate(rate, levels, wiring);
    let upper = Cable::new("the second level", rate, spec.efficiency)?
        .latency(levels.latency, levels.latency);
    note_ports(levels, wiring);
    let (mut lower_index, mut upper_index) = (0, 0);
    for supernode in 0..wiring.supernodes() {
        let cards = wiring.cards_of(supernode);
        if cards.len() < 2 {
            continue;
        }
        let nodes = cards.len().div_ceil(node_cards as usize);
        let (mut of_node, mut tops) = (vec![Vec::new(); nodes], Vec::new());
        for _ in 0..planes {
            let mut lowers = Vec::new();
            for start in cards.clone().step_by(node_cards as usize) {
                let switch = Node::Switch { domain: Domain::Inside, tier: 1, index: lower_index };
                let switch = wiring.add_switch(switch);
                for number in start..start.saturating_add(node_cards).min(cards.end) {
                    let end = wiring.card(number);
                    wiring.add_cables(end, switch, card, (Tier::Inside, Domain::Inside));
                }
                lowers.push(switch);
                lower_index += 1;
            }
            for (switches, &lower) in of_node.iter_mut().zip(&lowers) {
                switches.push(lower);
            }
            if lowers.len() < 2 {
                continue;
            }
            for top in wiring.add_switches((Domain::Inside, 2), upper_index, upper_switches) {
                for &lower in &lowers {
                    wiring.add_cables(lower, top, upper, (Tier::InsideUpper, Domain::Inside));
                }
                tops.push(top);
            }
            upper_index += upper_switches;
        }
        if kind == SwitchKind::Reduce {
            aggregate(&of_node, &tops, wiring);
        }
    }
    Ok(())
}

/// Lets the switches of each node add up, and those above them, if there are any.
fn aggregate(of_node: &[Vec<NodeIndex>], tops: &[NodeIndex], wiring: &mut Wiring) {
    let nodes: Vec<AggregatorId> =
        of_node.iter().map(|switches| wiring.add_aggregator(switches)).collect();
    if tops.is_empty() {
        return;
    }
    let top = wiring.add_aggregator(tops);
    for node in nodes {
        wiring.aggregators.hang(node, top);
    }
}

/// The rate of one link between the levels, rounded down; what is lost is told.
fn upper_rate(card: Bandwidth, levels: &TwoLevelSpec, wiring: &mut Wiring) -> Bandwidth {
    let all = u128::from(card.as_milli_bits_per_second()) * u128::from(levels.node_cards);
    let over = all.saturating_mul(u128::from(levels.ratio.under()));
    let under = u128::from(levels.ratio.over()) * u128::from(levels.upper_switches);
    if over % under > 0 {
        wiring.note(
            "the links between the levels inside are rounded down to a whole milli-bit/s"
                .to_owned(),
        );
    }
    Bandwidth::from_milli_bits_per_second(u64::try_from(over / under).unwrap_or(u64::MAX))
}

/// Tells which switches have more ports than any that is sold.
fn note_ports(levels: &TwoLevelSpec, wiring: &mut Wiring) {
    let cards = wiring.cards_of(0).len() as u64;
    let nodes = cards.div_ceil(u64::from(levels.node_cards));
    let lower = u64::from(levels.node_cards) + u64::from(levels.upper_switches);
    for (what, ports) in [("a plane switch", lower), ("an upper plane switch", nodes)] {
        if ports > u64::from(REAL_PORTS) {
            wiring.note(format!(
                "idealised: {what} has {ports} ports, the largest one sold has {REAL_PORTS}"
            ));
        }
    }
}
