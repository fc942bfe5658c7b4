//! Sites: cards with equal ports to equal neighbours.

use rustc_hash::FxHashMap;
use units::{Bandwidth, Duration};

use super::histories::Histories;
use crate::{CardId, Domain, Fabric, Link, LinkId, LossId, NodeId};

/// A site of one domain, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A port as seen from its card: neighbour, payload rate, history, latency, loss.
type Port = (NodeId, Bandwidth, u32, Duration, LossId);

/// What cards of one site share: the card itself if it stands alone, and its ports.
type Standing = (Option<u32>, Vec<Port>, Vec<Port>);

/// The sites of one domain.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    of: Vec<SiteId>,
}

impl Sites {
    pub(super) fn new(fabric: &Fabric, domain: Domain, histories: &Histories) -> Self {
        if fabric.cards_forward(domain) {
            return Self { of: (0..fabric.cards()).map(SiteId).collect() };
        }
        let mut known: FxHashMap<Standing, SiteId> = FxHashMap::default();
        let of = (0..fabric.cards())
            .map(|card| {
                let port = |id: LinkId, end: fn(&Link) -> NodeId| {
                    let link = fabric.link(id);
                    (end(link), link.goodput, histories.of(id), link.latency, link.loss)
                };
                let out = ports_out(fabric, CardId(card), domain);
                let out: Vec<Port> = out.map(|id| port(id, |link| link.dst)).collect();
                let into = ports_in(fabric, CardId(card), domain);
                let into: Vec<Port> = into.map(|id| port(id, |link| link.src)).collect();
                // A link from card to card belongs to these two alone: who has one stands alone.
                let is_card = |&(node, ..): &Port| node.0 < fabric.cards();
                let alone = out.iter().chain(&into).any(is_card).then_some(card);
                let next = SiteId(known.len() as u32);
                *known.entry((alone, out, into)).or_insert(next)
            })
            .collect();
        Self { of }
    }

    pub(super) fn of(&self, card: CardId) -> SiteId {
        self.of[card.index()]
    }
}

/// The links that leave a card into one domain, in order of id.
pub(super) fn ports_out(
    fabric: &Fabric,
    card: CardId,
    domain: Domain,
) -> impl Iterator<Item = LinkId> + Clone {
    let links = fabric.links_from(card.node()).iter().copied();
    links.filter(move |&link| fabric.link(link).domain == domain)
}

/// The links that enter a card from one domain, in order of id.
pub(super) fn ports_in(
    fabric: &Fabric,
    card: CardId,
    domain: Domain,
) -> impl Iterator<Item = LinkId> + Clone {
    let links = fabric.links_into(card.node()).iter().copied();
    links.filter(move |&link| fabric.link(link).domain == domain)
}
