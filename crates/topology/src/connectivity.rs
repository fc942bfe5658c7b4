//! Whether every card can reach every other, given which cards forward.

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

use crate::{BuildError, CardId, Domain, Fabric, Node, NodeId, SupernodeId};

/// Checks the inside of every supernode, then the outer fabric if there is more than one.
pub(crate) fn check(fabric: &Fabric) -> Result<(), BuildError> {
    let (inside, outside) =
        (Parts::new(fabric, Domain::Inside), Parts::new(fabric, Domain::Outside));
    for supernode in 0..fabric.supernodes() {
        let cards = fabric.cards_of(SupernodeId(supernode));
        inside.check(cards.clone(), || format!("inside of supernode {supernode}"))?;
    }
    if fabric.supernodes() > 1 {
        outside.check(0..fabric.cards(), || "outer fabric".to_owned())?;
    }
    Ok(())
}

/// The connected parts of one domain.
struct Parts<'f> {
    fabric: &'f Fabric,
    domain: Domain,
    /// Nodes joined by links of the domain between nodes that forward.
    switched: UnionFind<u32>,
    /// Nodes joined by any links of the domain.
    joined: UnionFind<u32>,
}

impl<'f> Parts<'f> {
    /// Joins what the links of `domain` join; almost linear in the links.
    fn new(fabric: &'f Fabric, domain: Domain) -> Self {
        let mut switched = UnionFind::new(fabric.nodes().len());
        let mut joined = UnionFind::new(fabric.nodes().len());
        for (_, link) in fabric.alive().filter(|(_, link)| link.domain == domain) {
            joined.union(link.src.0, link.dst.0);
            let forwards = |node| match fabric.node(node) {
                Node::Card { .. } => fabric.cards_forward(domain),
                // A border switch carries only what its own cards send and receive.
                Node::Switch { tier, .. } => tier > 0,
            };
            if forwards(link.src) && forwards(link.dst) {
                switched.union(link.src.0, link.dst.0);
            }
        }
        Self { fabric, domain, switched, joined }
    }

    /// Refuses `cards` if two of them cannot reach each other.
    fn check(
        &self,
        cards: std::ops::Range<u32>,
        place: impl Fn() -> String,
    ) -> Result<(), BuildError> {
        let mut groups: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut members: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for card in cards.clone() {
            let parts = self.parts_of(CardId(card));
            let group = *groups.entry(parts).or_insert_with_key(|parts| {
                members.push((parts.clone(), Vec::new()));
                members.len() - 1
            });
            members[group].1.push(card);
        }
        // Cards in a part in common reach each other; a part common to all settles it.
        let common = members.first().is_some_and(|(parts, _)| {
            parts.iter().any(|part| members.iter().all(|(other, _)| other.contains(part)))
        });
        if common || cards.len() < 2 {
            return Ok(());
        }
        for (place_of_group, (parts, sources)) in members.iter().enumerate() {
            for (others, targets) in &members[place_of_group..] {
                if parts.iter().any(|part| others.contains(part)) {
                    continue;
                }
                self.check_direct(sources, targets, &cards, &place)?;
            }
        }
        Ok(())
    }

    /// Refuses two groups of cards without a switch in common unless all are linked directly.
    fn check_direct(
        &self,
        sources: &[u32],
        targets: &[u32],
        cards: &std::ops::Range<u32>,
        place: &impl Fn() -> String,
    ) -> Result<(), BuildError> {
        for &src in sources {
            let links = self.fabric.links_from(NodeId(src)).iter();
            let links = links.map(|&link| self.fabric.link(link));
            let mut near: Vec<u32> =
                links.filter(|link| link.domain == self.domain).map(|link| link.dst.0).collect();
            near.sort_unstable();
            let far = |&&dst: &&u32| dst != src && near.binary_search(&dst).is_err();
            if let Some(&dst) = targets.iter().find(far) {
                return Err(self.refusal(cards.clone(), place(), (src, dst)));
            }
        }
        Ok(())
    }

    /// The parts that `card` can send into, ascending.
    fn parts_of(&self, card: CardId) -> Vec<u32> {
        let mut parts = Vec::new();
        if self.fabric.cards_forward(self.domain) {
            parts.push(self.switched.find(card.0));
        }
        for &link in self.fabric.links_from(card.node()) {
            let link = self.fabric.link(link);
            if link.domain != self.domain {
                continue;
            }
            match self.fabric.node(link.dst) {
                Node::Card { .. } => {}
                Node::Switch { tier: 0, .. } => {
                    // What lies behind the border switch, and the switch itself.
                    parts.push(link.dst.0);
                    let beyond = self.fabric.links_from(link.dst).iter();
                    let beyond = beyond.map(|&link| self.fabric.link(link).dst);
                    let beyond = beyond.filter(|&node| node.0 >= self.fabric.cards());
                    parts.extend(beyond.map(|node| self.switched.find(node.0)));
                }
                Node::Switch { .. } => parts.push(self.switched.find(link.dst.0)),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The refusal that names the components that hold `cards`.
    fn refusal(
        &self,
        cards: std::ops::Range<u32>,
        domain: String,
        (src, dst): (u32, u32),
    ) -> BuildError {
        let mut roots: Vec<u32> = cards.map(|card| self.joined.find(card)).collect();
        roots.sort_unstable();
        let mut sizes: Vec<usize> =
            roots.chunk_by(|left, right| left == right).map(<[u32]>::len).collect();
        sizes.sort_unstable_by(|left, right| right.cmp(left));
        let name = |card| self.fabric.node_name(NodeId(card));
        BuildError::Disconnected {
            domain,
            components: sizes.len() as u64,
            sizes: list(&sizes),
            src: name(src),
            dst: name(dst),
        }
    }
}

/// The first sizes, largest first: "4 and 4", "9, 5, 5, 5 and 12 more".
fn list(sizes: &[usize]) -> String {
    /// How many are told one by one.
    const TOLD: usize = 8;
    let told: Vec<String> = sizes.iter().take(TOLD).map(ToString::to_string).collect();
    match (sizes.len().saturating_sub(TOLD), told.split_last()) {
        (0, Some((last, first))) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (0, _) => told.concat(),
        (more, _) => format!("{} and {more} more", told.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_a_list() {
        assert_eq!(list(&[4]), "4");
        assert_eq!(list(&[4, 4]), "4 and 4");
        assert_eq!(list(&[3, 2, 1]), "3, 2 and 1");
        assert_eq!(list(&[1; 10]), "1, 1, 1, 1, 1, 1, 1, 1 and 2 more");
    }
}
