//! A fabric, frozen: nodes and links in tables by dense ids.

use std::ops::Range;
use std::sync::Arc;

use units::Bandwidth;

use crate::aggregation::Aggregators;
use crate::build::Wiring;
use crate::names::Names;
use crate::table::Table;
use crate::{
    BuildError, CardId, Domain, Echo, FabricSpec, Link, LinkId, Losses, Node, NodeId, SupernodeId,
    connectivity,
};

/// Cards, switches and links, built from a [`FabricSpec`].
///
/// Cards are the first nodes, in card order. Links 2k and 2k + 1 are the two directions of one
/// cable. Memory is linear in nodes and links.
#[derive(Clone, Debug)]
pub struct Fabric {
    cards: u32,
    supernode_cards: u32,
    cards_forward: bool,
    pub(crate) aggregators: Arc<Aggregators>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<Link>,
    pub(crate) from: Table<LinkId>,
    pub(crate) into: Table<LinkId>,
    pub(crate) losses: Losses,
    names: Names,
    echo: Echo,
}

impl Fabric {
    /// Builds `spec`, in time and memory linear in its cards and links.
    ///
    /// # Errors
    /// What cannot be built is refused, by estimate and before building if it is too large
    /// ([`MAX_CARDS`](crate::MAX_CARDS), [`MAX_LINKS`](crate::MAX_LINKS)). A fabric that falls
    /// apart is built: see [`check_connected`](Self::check_connected).
    pub fn build(spec: &FabricSpec) -> Result<Self, BuildError> {
        let Wiring {
            graph,
            cards,
            supernode_cards,
            cards_forward,
            aggregators,
            asked,
            notes,
            names,
        } = spec.wire()?;
        let (nodes, edges) = graph.into_nodes_edges();
        let nodes: Vec<Node> = nodes.into_iter().map(|node| node.weight).collect();
        let links: Vec<Link> = edges.into_iter().map(|edge| edge.weight).collect();
        let ids = || (0..).map(LinkId).zip(&links);
        let from = Table::new(nodes.len(), ids().map(|(id, link)| (link.src.index(), id)));
        let into = Table::new(nodes.len(), ids().map(|(id, link)| (link.dst.index(), id)));
        let names = Names::new(names, &asked);
        let echo = Echo::default();
        let mut fabric = Self {
            cards,
            supernode_cards,
            cards_forward,
            aggregators: Arc::new(Aggregators::new(aggregators)),
            nodes,
            links,
            from,
            into,
            losses: Losses::default(),
            names,
            echo,
        };
        fabric.echo = Echo::of(&fabric, &asked, notes);
        Ok(fabric)
    }

    /// The number of cards, at least 1; switches are not counted.
    pub fn cards(&self) -> u32 {
        self.cards
    }

    /// The number of supernodes, at least 1; without supernodes each card counts as its own.
    pub fn supernodes(&self) -> u32 {
        self.cards.div_ceil(self.supernode_cards)
    }

    /// The cards of a full supernode; the last one may hold fewer.
    pub fn supernode_cards(&self) -> u32 {
        self.supernode_cards
    }

    /// Whether cards forward, in `domain`, what other cards send each other: only inside a
    /// supernode, and only where its cards are linked to each other without being a full mesh.
    pub fn cards_forward(&self, domain: Domain) -> bool {
        self.cards_forward && domain == Domain::Inside
    }

    /// The supernode that holds `card`.
    pub fn supernode(&self, card: CardId) -> SupernodeId {
        debug_assert!(card.0 < self.cards, "{card:?} of {}", self.cards);
        SupernodeId(card.0 / self.supernode_cards)
    }

    /// The numbers of the cards of `supernode`.
    pub fn cards_of(&self, supernode: SupernodeId) -> Range<u32> {
        let start = supernode.0 * self.supernode_cards;
        start..start.saturating_add(self.supernode_cards).min(self.cards)
    }

    /// All nodes by [`NodeId`]: cards first, in card order, then switches.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node `node`.
    pub fn node(&self, node: NodeId) -> Node {
        self.nodes[node.index()]
    }

    /// All one-way links by [`LinkId`].
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The one-way links that carry something, by id.
    pub fn alive(&self) -> impl Iterator<Item = (LinkId, &Link)> + Clone {
        let links = (0..).map(LinkId).zip(&self.links);
        links.filter(|(_, link)| link.goodput > Bandwidth::default())
    }

    /// The link `link`.
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// The links that leave `node`, in order of id.
    pub fn links_from(&self, node: NodeId) -> &[LinkId] {
        self.from.row(node.index())
    }

    /// The links that enter `node`, in order of id.
    pub fn links_into(&self, node: NodeId) -> &[LinkId] {
        self.into.row(node.index())
    }

    /// The capacity from `src` straight to `dst` in milli-bit/s of wire: parallel links add up.
    pub fn capacity(&self, src: NodeId, dst: NodeId) -> u128 {
        let links = self.links_from(src).iter().map(|&link| self.link(link));
        links.filter(|link| link.dst == dst).map(|link| rate(link.bandwidth)).sum()
    }

    /// How often links lose packets, and when that changes.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// What was built.
    pub fn echo(&self) -> &Echo {
        &self.echo
    }

    /// A name for people: "card 17", "leaf 3", "spine 0", or as the user named it.
    pub fn node_name(&self, node: NodeId) -> String {
        self.names.of(node, self.node(node))
    }

    /// What the switches of one domain and tier are called, in the singular: "spine".
    pub fn switch_name(&self, domain: Domain, tier: u8) -> String {
        self.names.switch(domain, tier)
    }

    /// A name for people: "leaf 3 → spine 0".
    pub fn link_name(&self, link: LinkId) -> String {
        let Link { src, dst, .. } = *self.link(link);
        format!("{} → {}", self.node_name(src), self.node_name(dst))
    }

    /// Whether every card can send to every other: inside its supernode over the supernode,
    /// elsewhere over the outer fabric.
    ///
    /// # Errors
    /// [`BuildError::Disconnected`] names the components, their sizes and one unreachable pair.
    pub fn check_connected(&self) -> Result<(), BuildError> {
        connectivity::check(self)
    }
}

/// A rate in milli-bit/s, wide enough to be added up.
pub(crate) fn rate(bandwidth: Bandwidth) -> u128 {
    u128::from(bandwidth.as_milli_bits_per_second())
}
