//! Where cards are plugged in: cards on the same switches are one group to a router.
//!
//! Where cards forward, the cards that a card is linked to count as its switches.

use rustc_hash::FxHashMap;

use crate::{CardId, Domain, Fabric, Node};

/// The switches of each card in one domain, shared among cards plugged in alike.
#[derive(Debug)]
pub(super) struct Attachments {
    /// The group of each card.
    group: Vec<u32>,
    /// The switches of each group, ascending; may be none.
    switches: Vec<Box<[u32]>>,
}

impl Attachments {
    /// Groups the cards of `fabric` by their switches in `domain`; linear in the links of cards.
    pub(super) fn new(fabric: &Fabric, domain: Domain) -> Self {
        let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut switches: Vec<Box<[u32]>> = Vec::new();
        let mut group = Vec::with_capacity(fabric.cards() as usize);
        let mut list = Vec::new();
        let mut recent = None;
        let cards_forward = fabric.cards_forward(domain);
        for card in 0..fabric.cards() {
            list.clear();
            for &link in fabric.links_from(CardId(card).node()) {
                let link = fabric.link(link);
                let is_switch = matches!(fabric.node(link.dst), Node::Switch { .. });
                if (is_switch || cards_forward) && link.domain == domain {
                    list.push(link.dst.0);
                }
            }
            list.sort_unstable();
            list.dedup();
            // Cards in a row are mostly plugged in alike: look at the last group first.
            let same = recent.filter(|&recent: &u32| *switches[recent as usize] == list[..]);
            let number = same.or_else(|| known.get(&list[..]).copied()).unwrap_or_else(|| {
                let number = switches.len() as u32;
                known.insert(list.clone().into(), number);
                switches.push(list.clone().into());
                number
            });
            recent = Some(number);
            group.push(number);
        }
        Self { group, switches }
    }

    /// The group of `card`.
    pub(super) fn group(&self, card: CardId) -> u32 {
        self.group[card.index()]
    }

    /// The switches of `group`, ascending by node.
    pub(super) fn switches(&self, group: u32) -> &[u32] {
        &self.switches[group as usize]
    }
}
