//! The graph under construction: cards first, then switches, and cables as pairs of links.

use petgraph::graph::{DiGraph, NodeIndex};
use units::{Bandwidth, Duration};

use super::Efficiency;
use crate::aggregation::Sets;
use crate::{
    AggregatorId, BuildError, CardId, Domain, Link, LossId, Node, NodeId, SupernodeId, Tier,
};

/// A fabric under construction.
#[derive(Debug)]
pub(crate) struct Wiring {
    /// The graph so far; node `i` of it is `NodeId(i)`, edge `i` is `LinkId(i)`.
    pub(crate) graph: DiGraph<Node, Link>,
    /// The number of cards.
    pub(crate) cards: u32,
    /// The cards of a full supernode.
    pub(crate) supernode_cards: u32,
    /// Whether cards forward what others of their supernode send each other.
    pub(crate) cards_forward: bool,
    /// The switches that add up and copy.
    pub(crate) aggregators: Sets,
    /// The ratios asked for, one per Clos tier from below.
    pub(crate) asked: Vec<units::Ratio>,
    /// What a reader of the report must know: dropped remainders, idealised radix and so on.
    pub(crate) notes: Vec<String>,
    /// The names of the nodes, where the user gave them.
    pub(crate) names: Option<Vec<String>>,
}

/// One kind of full-duplex cable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    bandwidth: Bandwidth,
    goodput: Bandwidth,
    up: Duration,
    down: Duration,
    count: u32,
}

impl Cable {
    /// A cable of `bandwidth` each way, without latency; `what` names it in an error.
    pub(super) fn new(
        what: &'static str,
        bandwidth: Bandwidth,
        efficiency: Efficiency,
    ) -> Result<Self, BuildError> {
        if bandwidth.as_milli_bits_per_second() == 0 {
            return Err(BuildError::NoBandwidth { what });
        }
        let goodput = efficiency.goodput(what, bandwidth)?;
        Ok(Self { bandwidth, goodput, up: Duration::ZERO, down: Duration::ZERO, count: 1 })
    }

    /// The same with a latency from the first end to the second (`up`) and back (`down`).
    pub(super) fn latency(self, up: Duration, down: Duration) -> Self {
        Self { up, down, ..self }
    }

    /// `count` such cables in parallel.
    pub(super) fn count(self, count: u32) -> Self {
        Self { count, ..self }
    }
}

impl Wiring {
    /// `cards` cards in supernodes of `supernode_cards`, the last one perhaps partly filled.
    pub(super) fn new(cards: u32, supernode_cards: u32) -> Result<Self, BuildError> {
        if cards == 0 {
            return Err(BuildError::Zero { what: "the number of cards" });
        }
        if supernode_cards == 0 {
            return Err(BuildError::Zero { what: "the number of cards per supernode" });
        }
        let mut graph = DiGraph::new();
        for card in 0..cards {
            let supernode = SupernodeId(card / supernode_cards);
            graph.add_node(Node::Card { card: CardId(card), supernode });
        }
        let (cards_forward, asked, notes) = (false, Vec::new(), Vec::new());
        Ok(Self {
            graph,
            cards,
            supernode_cards,
            cards_forward,
            aggregators: Sets::default(),
            asked,
            notes,
            names: None,
        })
    }

    /// The node of card `card`.
    pub(super) fn card(&self, card: u32) -> NodeIndex {
        debug_assert!(card < self.cards, "card {card} of {}", self.cards);
        NodeIndex::new(card as usize)
    }

    /// The number of supernodes.
    pub(super) fn supernodes(&self) -> u32 {
        self.cards.div_ceil(self.supernode_cards)
    }

    /// The cards of supernode `supernode`.
    pub(super) fn cards_of(&self, supernode: u32) -> std::ops::Range<u32> {
        let start = supernode * self.supernode_cards;
        start..start.saturating_add(self.supernode_cards).min(self.cards)
    }

    /// Adds a switch.
    pub(super) fn add_switch(&mut self, switch: Node) -> NodeIndex {
        self.graph.add_node(switch)
    }

    /// Adds `count` switches of one tier, numbered from `first`.
    pub(super) fn add_switches(
        &mut self,
        (domain, tier): (Domain, u8),
        first: u32,
        count: u32,
    ) -> Vec<NodeIndex> {
        let numbers = first..first + count;
        numbers.map(|index| self.add_switch(Node::Switch { domain, tier, index })).collect()
    }

    /// Lets switches add up and copy, each an even part.
    pub(super) fn add_aggregator(&mut self, switches: &[NodeIndex]) -> AggregatorId {
        let nodes = switches.iter().map(|switch| NodeId(switch.index() as u32));
        self.aggregators.add(nodes.collect())
    }

    /// Adds the cables of one kind between two nodes: each as two one-way links.
    pub(super) fn add_cables(
        &mut self,
        from: NodeIndex,
        to: NodeIndex,
        cable: Cable,
        (tier, domain): (Tier, Domain),
    ) {
        let Cable { bandwidth, goodput, up, down, count } = cable;
        for _ in 0..count {
            for (src, dst, latency) in [(from, to, up), (to, from, down)] {
                let node = |end: NodeIndex| NodeId(end.index() as u32);
                let (source, target) = (node(src), node(dst));
                let link = Link {
                    src: source,
                    dst: target,
                    bandwidth,
                    goodput,
                    latency,
                    tier,
                    domain,
                    loss: LossId::NEVER,
                };
                self.graph.add_edge(src, dst, link);
            }
        }
    }

    /// Adds a line for the reader of the report.
    pub(super) fn note(&mut self, line: String) {
        self.notes.push(line);
    }
}

/// A latency cut in two halves that add up to it, the first rounded up.
pub(super) fn halves(latency: Duration) -> (Duration, Duration) {
    let first = Duration::from_picos(latency.as_picos().div_ceil(2));
    (first, latency - first)
}
