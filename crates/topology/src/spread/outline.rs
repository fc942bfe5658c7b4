//! What paths depend on, but for how many links a trunk has.

use std::hash::{Hash, Hasher};

use super::site_path::Spread;
use crate::{CardId, Domain, LinkId, NodeId};

impl Spread<'_> {
    /// Tells `hasher` all that sprayed paths between these cards depend on where the outer switches
    /// form a tree, in numbers of links at cards, of classes of switches and of trunks: the ports of
    /// the cards, and the stems. Not told are the links of trunks, hence their rates: fabrics that
    /// differ in these alone are told alike. Linear in cards and classes.
    ///
    /// Nothing is told of what packets lose.
    pub fn outline(&self, cards: &[CardId], hasher: &mut impl Hasher) {
        self.fabric.cards().hash(hasher);
        for &card in cards {
            (card, self.fabric.supernode(card)).hash(hasher);
            for domain in [Domain::Inside, Domain::Outside] {
                self.fabric.cards_forward(domain).hash(hasher);
                for link in self.ports_out(card, domain) {
                    self.outline_port(link, self.fabric.link(link).dst, hasher);
                }
                for link in self.ports_in(card, domain) {
                    self.outline_port(link, self.fabric.link(link).src, hasher);
                }
            }
        }
        for (class, is_border) in (0..).zip(&self.graph.is_border) {
            is_border.hash(hasher);
            let stem = self.tree().and_then(|tree| tree.stem(class));
            let latency = |trunk: super::TrunkId| self.graph.trunks[trunk.index()].latency;
            let told = stem.map(|it| (it.parent, it.up, latency(it.up), it.down, latency(it.down)));
            told.hash(hasher);
        }
    }

    /// A port with the class of switches, or the card, behind it.
    fn outline_port(&self, port: LinkId, behind: NodeId, hasher: &mut impl Hasher) {
        let link = self.fabric.link(port);
        let class = self.graph.class_of(behind).ok_or(behind);
        (port, link.src < link.dst, link.goodput, link.latency, class).hash(hasher);
    }
}
