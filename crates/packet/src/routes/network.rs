//! Which nodes forward, how they are numbered, and which cards are plugged into the same ones.

use rustc_hash::FxHashMap;
use topology::{CardId, Domain, Fabric, Node, NodeId, SupernodeId};

/// The network outside all supernodes; supernode s has network s + 1.
const OUTSIDE: u32 = 0;

/// Nodes numbered within their network (the outer fabric, or one supernode), and cards grouped by what
/// they are plugged into.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The network in which each node forwards, and its place there.
    place: Vec<Option<(u32, u32)>>,
    /// How many nodes forward in each network.
    networks: Vec<u32>,
    /// The group of each card inside and outside.
    group: [Vec<u32>; 2],
    groups: Vec<Group>,
}

/// Cards plugged into the same nodes.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// These nodes.
    pub(super) near: Box<[u32]>,
    /// Their network.
    pub(super) network: u32,
}

impl Group {
    /// Whether their network is outside all supernodes.
    pub(super) const fn domain(&self) -> Domain {
        domain_of(self.network)
    }
}

const fn domain_of(network: u32) -> Domain {
    if network == OUTSIDE { Domain::Outside } else { Domain::Inside }
}

impl Places {
    pub(super) fn new(fabric: &Fabric) -> Self {
        let mut place = vec![None; fabric.nodes().len()];
        let mut networks = vec![0];
        for (place, kind) in place.iter_mut().zip(fabric.nodes()) {
            if let Node::Switch { domain: Domain::Outside, .. } = kind {
                *place = Some((OUTSIDE, networks[0]));
                networks[0] += 1;
            }
        }
        let mut groups = Grouping { known: FxHashMap::default(), groups: Vec::new() };
        let mut inside = Vec::with_capacity(fabric.cards() as usize);
        for supernode in 0..fabric.supernodes() {
            let network = supernode + 1;
            networks.push(number_inside(fabric, SupernodeId(supernode), &mut place));
            for card in fabric.cards_of(SupernodeId(supernode)) {
                inside.push(groups.of(fabric, CardId(card), network));
            }
        }
        let cards = (0..fabric.cards()).map(CardId);
        let outside = cards.map(|card| groups.of(fabric, card, OUTSIDE)).collect();
        Self { place, networks, group: [inside, outside], groups: groups.groups }
    }

    /// The network in which a node forwards, and its place there.
    pub(super) fn of(&self, node: NodeId) -> Option<(u32, u32)> {
        self.place[node.index()]
    }

    /// How many nodes forward in each network.
    pub(super) fn networks(&self) -> &[u32] {
        &self.networks
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group of a card in a network.
    pub(super) fn group(&self, card: CardId, domain: Domain) -> u32 {
        self.group[usize::from(domain == Domain::Outside)][card.index()]
    }

    /// Whether a node forwards in a network what other nodes send.
    pub(super) fn forwards(fabric: &Fabric, node: NodeId, domain: Domain) -> bool {
        match fabric.node(node) {
            Node::Switch { domain: own, .. } => own == domain,
            Node::Card { .. } => fabric.cards_forward(domain),
        }
    }
}

/// Numbers what forwards inside a supernode, from 0; returns how many.
fn number_inside(fabric: &Fabric, supernode: SupernodeId, place: &mut [Option<(u32, u32)>]) -> u32 {
    let mut order = Vec::new();
    let cards_forward = fabric.cards_forward(Domain::Inside);
    let mut visit = |node: NodeId, order: &mut Vec<NodeId>| {
        let forwards = cards_forward || matches!(fabric.node(node), Node::Switch { .. });
        if forwards && place[node.index()].is_none() {
            place[node.index()] = Some((supernode.0 + 1, order.len() as u32));
            order.push(node);
        }
    };
    let inside = |node: NodeId| {
        let links = fabric.links_from(node).iter().map(|&link| *fabric.link(link));
        links.filter(|link| link.domain == Domain::Inside).map(|link| link.dst)
    };
    for card in fabric.cards_of(supernode) {
        visit(NodeId(card), &mut order);
        for next in inside(NodeId(card)) {
            visit(next, &mut order);
        }
    }
    let mut looked = 0;
    while looked < order.len() {
        for next in inside(order[looked]) {
            visit(next, &mut order);
        }
        looked += 1;
    }
    order.len() as u32
}

struct Grouping {
    known: FxHashMap<(Box<[u32]>, u32), u32>,
    groups: Vec<Group>,
}

impl Grouping {
    /// The group of a card in a network, by what it is plugged into.
    fn of(&mut self, fabric: &Fabric, card: CardId, network: u32) -> u32 {
        let domain = domain_of(network);
        let forward = fabric.cards_forward(domain);
        let links = fabric.links_from(card.node()).iter().map(|&link| fabric.link(link));
        let near = links.filter(|link| link.domain == domain).map(|link| link.dst);
        let near = near.filter(|&node| forward || matches!(fabric.node(node), Node::Switch { .. }));
        let mut near: Vec<u32> = near.map(|node| node.0).collect();
        near.sort_unstable();
        near.dedup();
        let next = self.groups.len() as u32;
        let near: Box<[u32]> = near.into();
        let group = *self.known.entry((near.clone(), network)).or_insert(next);
        if group == next {
            self.groups.push(Group { near, network });
        }
        group
    }
}
