//! Which nodes forward, how they are numbered, and how far they are from a group of cards.

use rustc_hash::FxHashMap;
use topology::{CardId, Domain, Fabric, LinkId, Node, NodeId, SupernodeId};

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
    near: Box<[u32]>,
    /// Their network.
    pub(super) network: u32,
}

impl Group {
    const fn domain(&self) -> Domain {
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
    fn forwards(fabric: &Fabric, node: NodeId, domain: Domain) -> bool {
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

/// A search for what is how far from a group of cards.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The links from each node and into it, node by node, and where those of each begin.
    from: Vec<Hop>,
    into: Vec<Hop>,
    starts: Vec<(u32, u32)>,
    distance: Vec<u32>,
    /// The nodes reached with their distances, nearest first.
    reached: Vec<(u32, u32)>,
    next: Vec<LinkId>,
}

/// A link, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Hop {
    link: LinkId,
    domain: Domain,
    /// The other end.
    node: u32,
    /// Whether that carries only its own cards' traffic.
    is_border: bool,
    /// Whether that forwards what other nodes send.
    forwards: bool,
}

/// Not reached.
const FAR: u32 = u32::MAX;

impl Search {
    /// A search over a fabric.
    pub(super) fn new(fabric: &Fabric) -> Self {
        let mut search = Self {
            from: Vec::with_capacity(fabric.links().len()),
            into: Vec::with_capacity(fabric.links().len()),
            starts: vec![(0, 0)],
            distance: vec![FAR; fabric.nodes().len()],
            reached: Vec::new(),
            next: Vec::new(),
        };
        let hop = |link: LinkId, node: NodeId| {
            let domain = fabric.link(link).domain;
            let is_border = matches!(fabric.node(node), Node::Switch { tier: 0, .. });
            let forwards = Places::forwards(fabric, node, domain);
            Hop { link, domain, node: node.0, is_border, forwards }
        };
        for node in (0..fabric.nodes().len() as u32).map(NodeId) {
            let from = fabric.links_from(node).iter();
            search.from.extend(from.map(|&link| hop(link, fabric.link(link).dst)));
            let into = fabric.links_into(node).iter();
            search.into.extend(into.map(|&link| hop(link, fabric.link(link).src)));
            search.starts.push((search.from.len() as u32, search.into.len() as u32));
        }
        search
    }

    /// Finds how many links each node is away from the nodes next to a group, backwards over the
    /// links that carry something.
    ///
    /// Border switches carry only their own cards' traffic: they are beginnings and ends.
    pub(super) fn find(&mut self, fabric: &Fabric, group: &Group) {
        for &(node, _) in &self.reached {
            self.distance[node as usize] = FAR;
        }
        let domain = group.domain();
        self.reached.clear();
        for &node in &group.near {
            self.reached.push((node, 0));
            self.distance[node as usize] = 0;
        }
        let mut looked = 0;
        while looked < self.reached.len() {
            let (node, distance) = self.reached[looked];
            looked += 1;
            if distance > 0 && matches!(fabric.node(NodeId(node)), Node::Switch { tier: 0, .. }) {
                continue;
            }
            let (start, end) = (self.starts[node as usize].1, self.starts[node as usize + 1].1);
            for hop in &self.into[start as usize..end as usize] {
                let far = &mut self.distance[hop.node as usize];
                if hop.forwards && hop.domain == domain && *far == FAR {
                    *far = distance + 1;
                    self.reached.push((hop.node, distance + 1));
                }
            }
        }
    }

    /// The nodes reached with their distances, nearest first.
    pub(super) fn reached(&self) -> &[(u32, u32)] {
        &self.reached
    }

    /// The links of a reached node that lead nearer to a group, in order of id.
    pub(super) fn next(&mut self, node: u32, group: &Group) -> &[LinkId] {
        let own = self.distance[node as usize];
        let domain = group.domain();
        let (start, end) = (self.starts[node as usize].0, self.starts[node as usize + 1].0);
        let leads_nearer = |hop: &&Hop| {
            let distance = self.distance[hop.node as usize];
            hop.domain == domain && distance < own && (distance == 0 || !hop.is_border)
        };
        self.next.clear();
        let hops = self.from[start as usize..end as usize].iter();
        self.next.extend(hops.filter(leads_nearer).map(|hop| hop.link));
        &self.next
    }
}
