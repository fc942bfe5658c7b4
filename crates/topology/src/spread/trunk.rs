//! Classes of switches and the trunks between them.

use rustc_hash::FxHashMap;
use units::{Bandwidth, Duration};

use super::histories::Histories;
use crate::fabric::rate;
use crate::refinement::LabelledGraph;
use crate::{Fabric, Link, LinkId, LossId, Node, NodeId};

/// A trunk, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrunkId(pub u32);

impl TrunkId {
    /// The index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All links of one rate, history, latency and loss from one class of switches to another.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// Its links, by id.
    pub links: Vec<LinkId>,
    /// Σ payload rate of its links in milli-bit/s.
    pub capacity: u128,
    /// The latency of one of its links.
    pub latency: Duration,
    /// How often one of its links loses packets.
    pub loss: LossId,
    pub(super) src: u32,
    pub(super) dst: u32,
}

/// What tells links between two classes apart: payload rate, history, latency, loss.
type Kind = (Bandwidth, u32, Duration, LossId);

fn kind(link: &Link, history: u32) -> Kind {
    (link.goodput, history, link.latency, link.loss)
}

/// The trunks of a fabric, as a graph of classes of switches.
#[derive(Clone, Debug)]
pub(super) struct TrunkGraph {
    /// The class of each switch, by node less the number of cards.
    class: Vec<u32>,
    first_switch: u32,
    /// Whether a class is a border switch, which carries only the traffic of its own cards.
    pub(super) is_border: Vec<bool>,
    pub(super) trunks: Vec<Trunk>,
    pub(super) from: Vec<Vec<TrunkId>>,
    pub(super) into: Vec<Vec<TrunkId>>,
    pub(super) trunk_of_link: FxHashMap<LinkId, TrunkId>,
}

impl TrunkGraph {
    pub(super) fn new(fabric: &Fabric, histories: &Histories) -> Self {
        let first_switch = fabric.cards();
        let (class, classes) = classes(fabric, histories);
        let mut is_border = vec![false; classes];
        for (index, &class) in class.iter().enumerate() {
            let node = fabric.node(NodeId(first_switch + index as u32));
            is_border[class as usize] = matches!(node, Node::Switch { tier: 0, .. });
        }
        let mut graph = Self {
            class,
            first_switch,
            is_border,
            trunks: Vec::new(),
            from: vec![Vec::new(); classes],
            into: vec![Vec::new(); classes],
            trunk_of_link: FxHashMap::default(),
        };
        graph.bundle(fabric, histories);
        graph
    }

    fn bundle(&mut self, fabric: &Fabric, histories: &Histories) {
        let mut known: FxHashMap<(u32, u32, Kind), TrunkId> = FxHashMap::default();
        for (link_id, link) in fabric.alive() {
            let (Some(src), Some(dst)) = (self.class_of(link.src), self.class_of(link.dst)) else {
                continue;
            };
            let next = TrunkId(self.trunks.len() as u32);
            let kind = kind(link, histories.of(link_id));
            let trunk = *known.entry((src, dst, kind)).or_insert(next);
            if trunk == next {
                let (latency, loss) = (link.latency, link.loss);
                let links = Vec::new();
                self.trunks.push(Trunk { links, capacity: 0, latency, loss, src, dst });
                self.from[src as usize].push(trunk);
                self.into[dst as usize].push(trunk);
            }
            let state = &mut self.trunks[trunk.index()];
            state.links.push(link_id);
            state.capacity += rate(link.goodput);
            self.trunk_of_link.insert(link_id, trunk);
        }
    }

    /// The class of a switch; `None` for a card.
    pub(super) fn class_of(&self, node: NodeId) -> Option<u32> {
        node.0.checked_sub(self.first_switch).map(|index| self.class[index as usize])
    }
}

/// The class of each switch and the number of classes: equitable by links, with every switch that has
/// cards alone in its class.
fn classes(fabric: &Fabric, histories: &Histories) -> (Vec<u32>, usize) {
    let first_switch = fabric.cards();
    let mut graph = LabelledGraph::default();
    let is_card = |node: NodeId| node.0 < first_switch;
    for index in first_switch..fabric.nodes().len() as u32 {
        let node = NodeId(index);
        let has_cards = fabric.links_from(node).iter().any(|&link| is_card(fabric.link(link).dst))
            || fabric.links_into(node).iter().any(|&link| is_card(fabric.link(link).src));
        let is_border = matches!(fabric.node(node), Node::Switch { tier: 0, .. });
        graph.vertex(if has_cards || is_border { u64::from(index) + 1 } else { 0 });
    }
    let mut labels: FxHashMap<Kind, u32> = FxHashMap::default();
    for (id, link) in fabric.alive() {
        if is_card(link.src) || is_card(link.dst) {
            continue;
        }
        let next = labels.len() as u32;
        let label = *labels.entry(kind(link, histories.of(id))).or_insert(next);
        graph.edge(link.src.0 - first_switch, link.dst.0 - first_switch, label);
    }
    let classes = graph.refine();
    (classes.of, classes.count)
}
