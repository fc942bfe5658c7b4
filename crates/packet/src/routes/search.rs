//! How far nodes are from groups of cards, and which links lead nearer.
//!
//! Many groups are searched from at once, with a bit for each at every node: what is the same for all is done
//! once.
//!
//! Source: Then, Kaufmann, Chirigati et al.: *The More the Merrier: Efficient Multi-Source Graph Traversal*,
//! Proceedings of the VLDB Endowment 8 (4), 2014, section 3.

use topology::{Domain, Fabric, LinkId, Node, NodeId};

use super::network::{Group, Places};

/// So many groups are searched from at once.
pub(super) const MOST: usize = u64::BITS as usize;

/// A search backwards from groups of one domain over the links that carry something, all nodes of one distance
/// after another.
///
/// Border switches carry only their own cards' traffic: they are beginnings and ends.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The links from each node and into it that may lie on a way, node by node, and where those of each begin.
    from: Vec<Hop>,
    into: Vec<Hop>,
    starts: Vec<(u32, u32)>,
    /// Whether a node is a border switch.
    is_border: Vec<bool>,
    domain: Domain,
    distance: u32,
    /// The nodes at the present distance from some group, and those one link nearer.
    layer: Vec<u32>,
    before: Vec<u32>,
    /// For each node the groups that it has been reached from.
    seen: Vec<u64>,
    /// Those from which it is at the present distance, one link nearer, and one further.
    here: Vec<u64>,
    nearer: Vec<u64>,
    further: Vec<u64>,
    /// The nodes that were reached, some several times.
    reached: Vec<u32>,
    next: Vec<LinkId>,
}

/// A link, seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Hop {
    link: LinkId,
    domain: Domain,
    /// The other end.
    node: u32,
}

impl Search {
    /// A search over a fabric.
    pub(super) fn new(fabric: &Fabric) -> Self {
        let nodes = fabric.nodes();
        let mut search = Self {
            from: Vec::new(),
            into: Vec::new(),
            starts: vec![(0, 0)],
            is_border: nodes
                .iter()
                .map(|node| matches!(node, Node::Switch { tier: 0, .. }))
                .collect(),
            domain: Domain::Outside,
            distance: 0,
            layer: Vec::new(),
            before: Vec::new(),
            seen: vec![0; nodes.len()],
            here: vec![0; nodes.len()],
            nearer: vec![0; nodes.len()],
            further: vec![0; nodes.len()],
            reached: Vec::new(),
            next: Vec::new(),
        };
        for node in (0..nodes.len() as u32).map(NodeId) {
            for &link in fabric.links_from(node) {
                let (domain, node) = (fabric.link(link).domain, fabric.link(link).dst);
                // No group is plugged into a card that forwards nothing, and no way leads over it.
                if fabric.cards_forward(domain) || matches!(fabric.node(node), Node::Switch { .. })
                {
                    search.from.push(Hop { link, domain, node: node.0 });
                }
            }
            for &link in fabric.links_into(node) {
                let (domain, node) = (fabric.link(link).domain, fabric.link(link).src);
                if Places::forwards(fabric, node, domain) {
                    search.into.push(Hop { link, domain, node: node.0 });
                }
            }
            search.starts.push((search.from.len() as u32, search.into.len() as u32));
        }
        search
    }

    /// Begins at the nodes next to some groups of one domain, at most [`MOST`].
    pub(super) fn begin<'g>(&mut self, groups: impl Iterator<Item = &'g Group>) {
        for node in self.reached.drain(..) {
            let node = node as usize;
            (self.seen[node], self.here[node], self.nearer[node]) = (0, 0, 0);
        }
        self.layer.clear();
        self.before.clear();
        self.distance = 0;
        for (bit, group) in groups.enumerate() {
            self.domain = group.domain();
            for &node in &group.near {
                if self.here[node as usize] == 0 {
                    self.layer.push(node);
                }
                self.here[node as usize] |= 1 << bit;
                self.seen[node as usize] |= 1 << bit;
            }
        }
        self.reached.extend(&self.layer);
    }

    /// Goes one link further away.
    pub(super) fn advance(&mut self) {
        let mut ahead = Vec::new();
        for &node in &self.layer {
            if self.distance > 0 && self.is_border[node as usize] {
                continue;
            }
            let (start, end) = (self.starts[node as usize].1, self.starts[node as usize + 1].1);
            for hop in &self.into[start as usize..end as usize] {
                let far = hop.node as usize;
                let new = self.here[node as usize] & !self.seen[far];
                if new != 0 && hop.domain == self.domain {
                    if self.further[far] == 0 {
                        ahead.push(hop.node);
                    }
                    self.further[far] |= new;
                }
            }
        }
        for &node in &self.before {
            self.nearer[node as usize] = 0;
        }
        for &node in &self.layer {
            self.nearer[node as usize] = std::mem::take(&mut self.here[node as usize]);
        }
        for &node in &ahead {
            self.here[node as usize] = std::mem::take(&mut self.further[node as usize]);
            self.seen[node as usize] |= self.here[node as usize];
        }
        self.before = std::mem::replace(&mut self.layer, ahead);
        self.reached.extend(&self.layer);
        self.distance += 1;
    }

    /// How many links the nodes of the layer are away.
    pub(super) const fn distance(&self) -> u32 {
        self.distance
    }

    /// The nodes at that distance from some group.
    pub(super) fn layer(&self) -> &[u32] {
        &self.layer
    }

    /// The groups from which a node is at that distance, by bit.
    pub(super) fn groups(&self, node: u32) -> u64 {
        self.here[node as usize]
    }

    /// The links of a node of the layer that lead nearer to the first of `groups`, in order of id, and all of
    /// these groups to which the same links do.
    pub(super) fn next(&mut self, node: u32, groups: u64) -> (&[LinkId], u64) {
        let first = groups & groups.wrapping_neg();
        let mut alike = groups;
        let (start, end) = (self.starts[node as usize].0, self.starts[node as usize + 1].0);
        self.next.clear();
        for hop in &self.from[start as usize..end as usize] {
            let leads_on = self.distance == 1 || !self.is_border[hop.node as usize];
            if hop.domain != self.domain || !leads_on {
                continue;
            }
            let nearer = self.nearer[hop.node as usize];
            if nearer & first != 0 {
                self.next.push(hop.link);
                alike &= nearer;
            } else {
                alike &= !nearer;
            }
        }
        (&self.next, alike)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use topology::{
        ClosSpec, ClusterSpec, Efficiency, FabricSpec, InsideSpec, NicCount, NicSpec, SupernodeSpec,
    };
    use units::{Bandwidth, Duration};

    use super::*;

    /// 432 cards on 72 leaves of a fat-tree of three layers: more groups than are searched from at once.
    fn fat_tree() -> Fabric {
        let (bandwidth, latency) =
            (Bandwidth::from_gigabits_per_second(400), Duration::from_micros(1));
        let efficiency = Efficiency::ONE;
        let outside = ClosSpec::fat_tree((12, 3), bandwidth, latency, efficiency).expect("even");
        let inside = InsideSpec::Planes { planes: 1 };
        let supernode = SupernodeSpec { cards: 2, inside, bandwidth, latency, efficiency };
        let nics = NicSpec { count: NicCount::PerCard(1), bandwidth, latency, efficiency };
        let spec = ClusterSpec { cards: 432, supernode, nics, outside };
        Fabric::build(&FabricSpec::Cluster(spec)).expect("the fat-tree can be built")
    }

    /// Distance and next hops of every node to every group, searched from so many at once.
    fn ways(fabric: &Fabric, at_once: usize) -> BTreeMap<(usize, u32), (u32, Vec<LinkId>)> {
        let (places, mut search) = (Places::new(fabric), Search::new(fabric));
        let mut ways = BTreeMap::new();
        let mut number = 0;
        for of_domain in places.groups().chunk_by(|one, other| one.domain() == other.domain()) {
            for groups in of_domain.chunks(at_once) {
                search.begin(groups.iter());
                while !search.layer().is_empty() {
                    for node in search.layer().to_vec() {
                        let mut left = search.groups(node);
                        while left != 0 {
                            let (distance, (next, alike)) =
                                (search.distance(), search.next(node, left));
                            for bit in (0..MOST).filter(|bit| alike >> bit & 1 != 0) {
                                let way = (distance, next.to_vec());
                                assert_eq!(ways.insert((number + bit, node), way), None);
                            }
                            left &= !alike;
                        }
                    }
                    search.advance();
                }
                number += groups.len();
            }
        }
        ways
    }

    #[test]
    fn many_groups_at_once_are_as_one_by_one() {
        let fabric = fat_tree();
        let together = ways(&fabric, MOST);
        assert_eq!(together, ways(&fabric, 1));
        // The leaves of another pod are four links away, by the 6 switches above each.
        let far = together.values().filter(|(distance, next)| (*distance, next.len()) == (4, 6));
        // 72 leaves, 12 pods of 6: to each of 72 groups there are 66 such leaves.
        assert_eq!(far.count(), 72 * 66);
    }
}
