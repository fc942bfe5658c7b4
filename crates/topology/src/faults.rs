//! A fabric with something broken: dead and slow links, switches and cards, cut uplinks.
//!
//! A fault changes what links carry; routes avoid what is dead and spray in proportion to what is left.
//! When it strikes and when it is repaired is told by a [`Mishap`](crate::Mishap).

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;
use units::Bandwidth;

use crate::table::Table;
use crate::{CardId, Domain, Fabric, LinkId, Node, NodeId, SupernodeId, Tier};

/// What of a fabric is broken, and how fast it still is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The part.
    pub part: Part,
    /// What is left of its speed in parts per million: 0 (dead) … 999,999.
    pub speed_ppm: u32,
}

/// A part of a fabric; links are meant in both directions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// So many of the parallel links between two nodes, by name.
    Link {
        /// One end, such as "leaf 3".
        from: String,
        /// The other end, such as "spine 0".
        to: String,
        /// How many of the links between them, at least 1.
        count: u32,
    },
    /// All links of a switch or a card, by name.
    Node(String),
    /// All links that leave a supernode for the outer fabric.
    Uplinks(SupernodeId),
    /// All links of one kind, by the name of their tier in results, such as "leaf-spine".
    Tier(String),
}

/// Why a fault cannot be put on a fabric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultError {
    /// No node has that name.
    #[error("no card or switch is called \"{name}\"; there are {offered}")]
    NoSuchNode {
        /// The name.
        name: String,
        /// Names that exist, one of each kind.
        offered: String,
    },
    /// Two nodes have too few links between them.
    #[error("{found} links between \"{from}\" and \"{to}\", {asked} are to be broken")]
    TooFewLinks {
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// The links that there are.
        found: usize,
        /// The links asked for.
        asked: u32,
    },
    /// Two nodes have no link between them.
    #[error("no link leads from \"{from}\" to \"{to}\"")]
    NoLink {
        /// Where it should begin.
        from: String,
        /// Where it should end.
        to: String,
    },
    /// A switch where a card is needed.
    #[error("\"{name}\" is a switch, not a card")]
    NoCard {
        /// Its name.
        name: String,
    },
    /// No supernode has that number.
    #[error("supernode {asked}: there are {supernodes}, counted from 0")]
    NoSuchSupernode {
        /// The number.
        asked: u32,
        /// The number of supernodes.
        supernodes: u32,
    },
    /// No links are of that kind.
    #[error("no links are of the tier \"{name}\"; there are {offered}")]
    NoSuchTier {
        /// The name.
        name: String,
        /// The tiers that exist.
        offered: String,
    },
}

impl Fabric {
    /// The fabric with `faults`; several faults of one link multiply.
    ///
    /// Ids, names and the echo stay those of the whole fabric. Links that carry nothing any more are
    /// in no node's list.
    pub fn with_faults(&self, faults: &[Fault]) -> Result<Self, FaultError> {
        let links: Vec<Vec<LinkId>> =
            faults.iter().map(|fault| self.links_of(&fault.part)).collect::<Result<_, _>>()?;
        let speeds = faults.iter().map(|fault| fault.speed_ppm);
        Ok(self.slowed(links.iter().map(Vec::as_slice).zip(speeds)))
    }

    /// The fabric with these links at these speeds, in parts per million of what they carry now.
    pub(crate) fn slowed<'l>(&self, links: impl Iterator<Item = (&'l [LinkId], u32)>) -> Self {
        let mut fabric = self.clone();
        for (links, speed_ppm) in links {
            for link in links {
                let goodput = &mut fabric.links[link.index()].goodput;
                let whole = u128::from(goodput.as_milli_bits_per_second());
                let left = u64::try_from(whole * u128::from(speed_ppm) / 1_000_000);
                let left = left.expect("less than it was");
                *goodput = Bandwidth::from_milli_bits_per_second(left);
            }
        }
        let sources = fabric.alive().map(|(id, link)| (link.src.index(), id));
        let from = Table::new(fabric.nodes.len(), sources);
        let ends = fabric.alive().map(|(id, link)| (link.dst.index(), id));
        let into = Table::new(fabric.nodes.len(), ends);
        (fabric.from, fabric.into) = (from, into);
        fabric
    }

    /// The one-way links of a part.
    pub(crate) fn links_of(&self, part: &Part) -> Result<Vec<LinkId>, FaultError> {
        match part {
            Part::Node(name) => {
                let node = self.node_named(name)?;
                let out = self.links_from(node).iter();
                Ok(out.chain(self.links_into(node)).copied().collect())
            }
            Part::Link { from, to, count } => {
                let (src, dst) = (self.node_named(from)?, self.node_named(to)?);
                let between = self.links_from(src).iter();
                let between: Vec<LinkId> =
                    between.copied().filter(|&link| self.link(link).dst == dst).collect();
                if between.len() < *count as usize {
                    return Err(FaultError::TooFewLinks {
                        from: from.clone(),
                        to: to.clone(),
                        found: between.len(),
                        asked: *count,
                    });
                }
                let broken = between[..*count as usize].iter();
                Ok(broken.flat_map(|&link| [link, link.reverse()]).collect())
            }
            Part::Uplinks(supernode) => {
                if supernode.0 >= self.supernodes() {
                    let (asked, supernodes) = (supernode.0, self.supernodes());
                    return Err(FaultError::NoSuchSupernode { asked, supernodes });
                }
                Ok(self.uplinks_of(*supernode))
            }
            Part::Tier(name) => self.links_of_tier(name),
        }
    }

    /// The outer links of the cards of a supernode, both ways.
    fn uplinks_of(&self, supernode: SupernodeId) -> Vec<LinkId> {
        let nodes = self.cards_of(supernode).map(NodeId);
        let links =
            nodes.flat_map(|node| self.links_from(node).iter().chain(self.links_into(node)));
        links.copied().filter(|&link| self.link(link).domain == Domain::Outside).collect()
    }

    /// All links of a tier, both ways.
    fn links_of_tier(&self, name: &str) -> Result<Vec<LinkId>, FaultError> {
        let tiers: BTreeSet<Tier> = self.links.iter().map(|link| link.tier).collect();
        let Some(tier) = tiers.iter().find(|tier| tier.to_string() == name) else {
            let offered: Vec<String> = tiers.iter().map(|tier| format!("\"{tier}\"")).collect();
            let offered = offered.join(", ");
            return Err(FaultError::NoSuchTier { name: name.to_owned(), offered });
        };
        let links = (0..).map(LinkId).zip(&self.links);
        Ok(links.filter(|(_, link)| link.tier == *tier).map(|(id, _)| id).collect())
    }

    /// The links that lead from one node to another, by their names, in this direction only.
    ///
    /// # Errors
    /// A node that is not there, or no link.
    pub fn links_between(&self, from: &str, to: &str) -> Result<Vec<LinkId>, FaultError> {
        let (src, dst) = (self.node_named(from)?, self.node_named(to)?);
        let links = self.links_from(src).iter().copied();
        let links: Vec<LinkId> = links.filter(|&link| self.link(link).dst == dst).collect();
        if links.is_empty() {
            return Err(FaultError::NoLink { from: from.to_owned(), to: to.to_owned() });
        }
        Ok(links)
    }

    /// The card of that name.
    ///
    /// # Errors
    /// A node that is not there, or a switch.
    pub fn card_named(&self, name: &str) -> Result<CardId, FaultError> {
        match self.node_named(name)? {
            NodeId(card) if card < self.cards() => Ok(CardId(card)),
            _ => Err(FaultError::NoCard { name: name.to_owned() }),
        }
    }

    fn node_named(&self, name: &str) -> Result<NodeId, FaultError> {
        let nodes = || (0..self.nodes.len() as u32).map(NodeId);
        nodes().find(|&node| self.node_name(node) == name).ok_or_else(|| {
            let mut kinds: BTreeMap<(Option<Domain>, u8), String> = BTreeMap::new();
            for node in nodes() {
                let kind = match self.node(node) {
                    Node::Card { .. } => (None, 0),
                    Node::Switch { domain, tier, .. } => (Some(domain), tier),
                };
                kinds.entry(kind).or_insert_with(|| self.node_name(node));
            }
            let offered: Vec<String> = kinds.into_values().map(|n| format!("\"{n}\"")).collect();
            FaultError::NoSuchNode { name: name.to_owned(), offered: offered.join(", ") }
        })
    }
}
