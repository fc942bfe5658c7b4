//! A fabric listed node by node and link by link.

use rustc_hash::FxHashMap;
use units::{Bandwidth, Duration};

use super::{Cable, Efficiency, Wiring};
use crate::{BuildError, Domain, Tier};

/// Nodes and links by name; every card is its own supernode, all links are outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitSpec {
    /// The names of the cards, in card order, at least one.
    pub cards: Vec<String>,
    /// The names of the switches.
    pub switches: Vec<String>,
    /// The cables; a pair of nodes may be listed once.
    pub links: Vec<ExplicitLink>,
}

/// Full-duplex cables between two named nodes; a card may be linked to a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitLink {
    /// One end.
    pub from: String,
    /// The other end.
    pub to: String,
    /// The rate of one cable, each direction.
    pub bandwidth: Bandwidth,
    /// The latency of one cable, each direction.
    pub latency: Duration,
    /// The number of cables in parallel, at least 1.
    pub count: u32,
}

impl ExplicitSpec {
    /// The cards, and the one-way links that building takes.
    pub(super) fn size(&self) -> (u64, u128) {
        let cables: u128 = self.links.iter().map(|link| u128::from(link.count)).sum();
        (self.cards.len() as u64, 2 * cables)
    }

    /// Builds what is listed.
    pub(super) fn wire(&self) -> Result<Wiring, BuildError> {
        let mut wiring = Wiring::new(self.cards.len() as u32, 1)?;
        // A list of links says nothing of tiers: all its switches are of tier 1.
        wiring.add_switches((Domain::Outside, 1), 0, self.switches.len() as u32);
        let names: Vec<&String> = self.cards.iter().chain(&self.switches).collect();
        let mut numbers = FxHashMap::default();
        for (index, &name) in names.iter().enumerate() {
            if numbers.insert(name.as_str(), index as u32).is_some() {
                return Err(BuildError::NodeTwice { name: name.clone() });
            }
        }
        let mut pairs = FxHashMap::default();
        let mut linked = vec![false; names.len()];
        for (place, link) in self.links.iter().enumerate() {
            let from = find(&numbers, link, &link.from)?;
            let to = find(&numbers, link, &link.to)?;
            if from == to {
                return Err(BuildError::Loop { name: link.from.clone() });
            }
            if let Some(first) = pairs.insert((from.min(to), from.max(to)), place) {
                let (from, to) = (link.from.clone(), link.to.clone());
                return Err(BuildError::LinkTwice { from, to, first, second: place });
            }
            if link.count == 0 {
                return Err(BuildError::Zero { what: "the count of a link" });
            }
            linked[from as usize] = true;
            linked[to as usize] = true;
            self.add(&mut wiring, link, (from, to))?;
        }
        let dark = self.switches.iter().zip(&linked[self.cards.len()..]);
        for (switch, _) in dark.filter(|&(_, &linked)| !linked) {
            wiring.note(format!("switch \"{switch}\" has no link"));
        }
        wiring.names = Some(names.into_iter().cloned().collect());
        Ok(wiring)
    }

    /// Adds the cables of one entry.
    fn add(
        &self,
        wiring: &mut Wiring,
        link: &ExplicitLink,
        (from, to): (u32, u32),
    ) -> Result<(), BuildError> {
        let cable = Cable::new("an explicit link", link.bandwidth, Efficiency::ONE)?
            .latency(link.latency, link.latency)
            .count(link.count);
        let cards = self.cards.len() as u32;
        let tier = if from < cards || to < cards { Tier::Nic } else { Tier::Trunk };
        let ends = [from, to].map(|node| petgraph::graph::NodeIndex::new(node as usize));
        wiring.add_cables(ends[0], ends[1], cable, (tier, Domain::Outside));
        Ok(())
    }
}

/// The number of the node called `name`, an end of `link`.
fn find(
    numbers: &FxHashMap<&str, u32>,
    link: &ExplicitLink,
    name: &str,
) -> Result<u32, BuildError> {
    numbers.get(name).copied().ok_or_else(|| BuildError::NoSuchNode {
        from: link.from.clone(),
        to: link.to.clone(),
        name: name.to_owned(),
    })
}
