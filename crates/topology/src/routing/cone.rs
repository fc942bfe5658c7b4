//! The switches around an attachment, by distance, searched no deeper than paths need.

use rustc_hash::FxHashMap;

use crate::table::Table;
use crate::{Domain, Fabric, LinkId, Node};

/// A link to a node, by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arc {
    /// The node at its end.
    pub(super) to: u32,
    /// The link.
    pub(super) link: LinkId,
}

/// The links between switches, and between cards and what they forward to.
#[derive(Debug)]
pub(super) struct SwitchGraph {
    /// The first node that may forward: a card only where cards do.
    first: u32,
    arcs: Table<Arc>,
    border: Vec<bool>,
}

impl SwitchGraph {
    /// The switches of `fabric`; linear in its nodes and links.
    pub(super) fn new(fabric: &Fabric) -> Self {
        let cards = fabric.cards();
        let first = if fabric.cards_forward(Domain::Inside) { 0 } else { cards };
        let links = fabric.alive();
        let arcs = links.filter(|(_, link)| {
            let is_switched = link.src.0 >= cards && link.dst.0 >= cards;
            is_switched || fabric.cards_forward(link.domain)
        });
        let arcs = arcs
            .map(|(id, link)| ((link.src.0 - first) as usize, Arc { to: link.dst.0, link: id }));
        let nodes = &fabric.nodes()[first as usize..];
        let is_border = |node: &Node| matches!(node, Node::Switch { tier: 0, .. });
        let border = nodes.iter().map(is_border).collect();
        Self { first, arcs: Table::new(nodes.len(), arcs), border }
    }

    /// The links from `switch` to others that may forward.
    pub(super) fn arcs(&self, switch: u32) -> &[Arc] {
        self.arcs.row((switch - self.first) as usize)
    }

    /// Whether `switch` carries only the traffic of its own cards.
    pub(super) fn is_border(&self, switch: u32) -> bool {
        self.border[(switch - self.first) as usize]
    }

    /// The nodes that may forward: the first, and how many.
    pub(super) fn nodes(&self) -> (u32, usize) {
        (self.first, self.border.len())
    }
}

/// The switches around some roots, level by level: level k is k links away.
///
/// Every cable has both directions, so the distance is the same both ways. Border switches are
/// roots only: nobody else's traffic passes them.
#[derive(Debug)]
pub(super) struct Cone {
    level: FxHashMap<u32, u32>,
    order: Vec<u32>,
    starts: Vec<usize>,
}

impl Cone {
    /// The cone of `roots`, level 0 only.
    pub(super) fn new(roots: &[u32]) -> Self {
        let level = roots.iter().map(|&root| (root, 0)).collect();
        Self { level, order: roots.to_vec(), starts: vec![0, roots.len()] }
    }

    /// The switches at distance `level`; none beyond the last level searched.
    pub(super) fn at(&self, level: usize) -> &[u32] {
        match self.starts.get(level + 1) {
            Some(&end) => &self.order[self.starts[level]..end],
            None => &[],
        }
    }

    /// Whether `switch` is `level` links away.
    pub(super) fn is_at(&self, switch: u32, level: usize) -> bool {
        self.level.get(&switch) == Some(&(level as u32))
    }

    /// Searches until `level` is known; says whether there is any switch at that distance.
    pub(super) fn search(&mut self, graph: &SwitchGraph, level: usize) -> bool {
        while self.starts.len() < level + 2 {
            let next = self.starts.len() - 1;
            for place in self.starts[next - 1]..self.starts[next] {
                for arc in graph.arcs(self.order[place]) {
                    if !graph.is_border(arc.to) && !self.level.contains_key(&arc.to) {
                        self.level.insert(arc.to, next as u32);
                        self.order.push(arc.to);
                    }
                }
            }
            self.starts.push(self.order.len());
        }
        !self.at(level).is_empty()
    }

    /// The number of switches searched.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }
}

/// The most switches that cached cones hold together: about 100 MB.
const CACHE: usize = 4_000_000;

/// Cones by group of cards, made when first asked for and forgotten when they grow too many.
#[derive(Debug, Default)]
pub(super) struct Cones {
    cones: Vec<Option<Cone>>,
    switches: usize,
}

impl Cones {
    /// Takes the cone of `group` out, or makes it from `roots`.
    pub(super) fn take(&mut self, group: u32, roots: &[u32]) -> Cone {
        let cone = self.cones.get_mut(group as usize).and_then(Option::take);
        let cone = cone.unwrap_or_else(|| Cone::new(roots));
        self.switches = self.switches.saturating_sub(cone.len());
        cone
    }

    /// Puts the cone of `group` back.
    pub(super) fn put(&mut self, group: u32, cone: Cone) {
        if self.switches + cone.len() > CACHE {
            *self = Self::default();
        }
        let place = group as usize;
        if self.cones.len() <= place {
            self.cones.resize_with(place + 1, || None);
        }
        self.switches += cone.len();
        self.cones[place] = Some(cone);
    }
}
