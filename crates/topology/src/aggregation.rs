//! Switches that add up what is sent to them and copy what they send: which hang on which.
//!
//! An *aggregator* is a set of switches of one level that hold a vector between them, each an even part of
//! it, the same one for all that hang on the set: the switches of all planes of a supernode or of a node,
//! one leaf, the aggregation switches of a pod, all spines. An aggregator hangs on at most one other, so
//! that a part of the vector climbs a tree of single switches, one for each switch at the top.
//!
//! Source: Graham and others: Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware Architecture
//! for Efficient Data Reduction, COMHPC 2016, section 2 (aggregation trees over the switches of a fabric).

use crate::{CardId, Domain, Fabric, LinkId, Node, NodeId};

/// A set of switches that add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AggregatorId(pub u32);

/// What hangs on an aggregator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hanging {
    /// A card.
    Card(CardId),
    /// The switches of a lower level.
    Switches(AggregatorId),
}

/// One set of switches.
#[derive(Clone, Debug)]
struct Aggregator {
    switches: Vec<NodeId>,
    above: Option<AggregatorId>,
}

/// The aggregators of a fabric under construction.
#[derive(Debug, Default)]
pub(crate) struct Sets(Vec<Aggregator>);

impl Sets {
    /// Adds a set that hangs on nothing yet.
    pub(crate) fn add(&mut self, mut switches: Vec<NodeId>) -> AggregatorId {
        switches.sort_unstable();
        self.0.push(Aggregator { switches, above: None });
        AggregatorId(self.0.len() as u32 - 1)
    }

    /// Hangs a set on another one.
    pub(crate) fn hang(&mut self, below: AggregatorId, above: AggregatorId) {
        self.0[below.0 as usize].above = Some(above);
    }
}

/// All aggregators of a fabric.
#[derive(Debug, Default)]
pub(crate) struct Aggregators {
    sets: Vec<Aggregator>,
    /// The set of each switch that is in one, ascending.
    of_switch: Vec<(NodeId, AggregatorId)>,
}

impl Aggregators {
    /// All sets.
    pub(crate) fn new(Sets(sets): Sets) -> Self {
        let ids = (0..).map(AggregatorId).zip(&sets);
        let entries = ids.flat_map(|(id, set)| set.switches.iter().map(move |&node| (node, id)));
        let mut of_switch: Vec<(NodeId, AggregatorId)> = entries.collect();
        of_switch.sort_unstable();
        Self { sets, of_switch }
    }

    /// The set of a switch.
    fn of(&self, switch: NodeId) -> Option<AggregatorId> {
        let place = self.of_switch.binary_search_by_key(&switch, |&(switch, _)| switch);
        place.ok().map(|place| self.of_switch[place].1)
    }

    /// A set and all above it, from below.
    fn chain(&self, lowest: AggregatorId) -> Vec<AggregatorId> {
        std::iter::successors(Some(lowest), |id| self.sets[id.0 as usize].above).collect()
    }
}

impl Fabric {
    /// Whether some switches of a domain add up what is sent to them and copy what they send.
    pub fn reduces(&self, domain: Domain) -> bool {
        let sets = self.aggregators.sets.iter().filter_map(|set| set.switches.first());
        let of = |node: Node| matches!(node, Node::Switch { domain: it, .. } if it == domain);
        sets.copied().any(|switch| of(self.node(switch)))
    }

    /// The sets of switches above a card in a domain, from below, for each way to get there: inside its
    /// supernode the one over all its planes, outside one for each of its NIC links, in their order. None
    /// where a link leads to switches that only forward, or none is left.
    pub fn aggregators_over(&self, card: CardId, domain: Domain) -> Vec<Vec<AggregatorId>> {
        let links = self.links_from(card.node()).iter();
        let links = links.filter(|&&link| self.link(link).domain == domain);
        let chain = |&link: &LinkId| {
            let lowest = self.aggregators.of(self.link(link).dst);
            lowest.map(|lowest| self.aggregators.chain(lowest)).unwrap_or_default()
        };
        match domain {
            Domain::Inside => links.take(1).map(chain).collect(),
            Domain::Outside => links.map(chain).collect(),
        }
    }

    /// The switches of a set, ascending; at least one.
    pub fn switches_of(&self, id: AggregatorId) -> &[NodeId] {
        &self.aggregators.sets[id.0 as usize].switches
    }

    /// A name for people: the first switch of a set, and how many more there are.
    pub fn aggregator_name(&self, id: AggregatorId) -> String {
        match self.switches_of(id) {
            [only] => self.node_name(*only),
            switches => format!("{} and {} more", self.node_name(switches[0]), switches.len() - 1),
        }
    }
}
