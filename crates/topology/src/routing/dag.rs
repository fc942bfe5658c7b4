//! All shortest paths between two groups of cards, as next hops level by level.

use std::ops::Range;

use super::cone::{Cone, SwitchGraph};
use super::marks::Marks;
use crate::table::Table;
use crate::{LinkId, NodeId};

/// A next hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edge {
    /// The link.
    pub(super) link: LinkId,
    /// The place of the switch at its end in [`Dag::nodes`].
    pub(super) to: u32,
}

/// The switches and links of all shortest paths from one set of switches to another.
///
/// Each link is on some shortest path, and each shortest path is there. Size and time to build are
/// those of the two half-way cones, found from both ends: small in a Clos of any size.
#[derive(Debug)]
pub(super) struct Dag {
    /// The switches level by level, ascending within a level.
    pub(super) nodes: Vec<NodeId>,
    levels: Vec<u32>,
    next: Table<Edge>,
    links: usize,
}

impl Dag {
    /// The paths from the roots of `near` to the roots of `far`, if there are any.
    ///
    /// The cones are searched as deep as needed, the narrower one first, until they touch: when the
    /// levels a and b touch for the first time the distance is a + b, and every shortest path has
    /// exactly one switch in both.
    pub(super) fn between(
        (graph, marks): (&SwitchGraph, &mut Marks),
        near: &mut Cone,
        far: &mut Cone,
    ) -> Option<Self> {
        let (mut up, mut down) = (0, 0);
        let mut meeting = meet(near, far, (up, down));
        // A border switch is in no other cone: two of them meet at distance 2 or more.
        let border = near.at(0).first().is_some_and(|&root| graph.is_border(root));
        if meeting.is_empty() && border {
            let found = near.search(graph, 1) && far.search(graph, 1);
            (up, down) = (1, 1);
            meeting = if found { meet(near, far, (up, down)) } else { Vec::new() };
        }
        while meeting.is_empty() {
            let wider = near.at(up).len() > far.at(down).len();
            if !wider && near.search(graph, up + 1) {
                up += 1;
            } else if far.search(graph, down + 1) {
                down += 1;
            } else if near.search(graph, up + 1) {
                up += 1;
            } else {
                return None;
            }
            meeting = meet(near, far, (up, down));
        }
        Some(Self::through((graph, marks), (near, up), (far, down), &meeting))
    }

    /// The paths through the `meeting` switches, `up` links from near and `down` links from far.
    fn through(
        (graph, marks): (&SwitchGraph, &mut Marks),
        (near, up): (&Cone, usize),
        (far, down): (&Cone, usize),
        meeting: &[u32],
    ) -> Self {
        let mut found = Found::default();
        marks.wipe();
        for &switch in meeting {
            found.switch(marks, switch, up as u32);
        }
        for level in (0..up as u32).rev() {
            for &switch in near.at(level as usize) {
                let arcs = graph.arcs(switch).iter();
                let useful = arcs.filter(|arc| marks.get(arc.to) == Some(level + 1));
                if found.links(useful.map(|arc| (switch, arc.link, arc.to))) {
                    found.switch(marks, switch, level);
                }
            }
        }
        for left in (0..down).rev() {
            let level = (up + down - left) as u32;
            for &switch in far.at(left) {
                let arcs = graph.arcs(switch).iter();
                let useful = arcs.filter(|arc| marks.get(arc.to) == Some(level - 1));
                if found.links(useful.map(|arc| (arc.to, arc.link.reverse(), switch))) {
                    found.switch(marks, switch, level);
                }
            }
        }
        found.freeze(marks, up + down + 1)
    }

    /// The number of levels, at least 1.
    pub(super) fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// The places of the switches at `level`.
    pub(super) fn level(&self, level: usize) -> Range<usize> {
        self.levels[level] as usize..self.levels[level + 1] as usize
    }

    /// The next hops of the switch at `place`, by link; none at the last level.
    pub(super) fn next(&self, place: usize) -> &[Edge] {
        self.next.row(place)
    }

    /// The place of `node` at `level`, if it is there.
    pub(super) fn place(&self, level: usize, node: NodeId) -> Option<usize> {
        let places = self.level(level);
        let found = self.nodes[places.clone()].binary_search(&node).ok()?;
        Some(places.start + found)
    }

    /// Switches and links, the measure of its memory.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.links
    }
}

/// Switches and links of shortest paths, as they are found.
#[derive(Default)]
struct Found {
    switches: Vec<(u32, u32)>,
    links: Vec<(u32, LinkId, u32)>,
}

impl Found {
    /// Adds a switch.
    fn switch(&mut self, marks: &mut Marks, switch: u32, level: u32) {
        marks.set(switch, level);
        self.switches.push((level, switch));
    }

    /// Adds links as (sender, link, receiver); says whether there was any.
    fn links(&mut self, links: impl Iterator<Item = (u32, LinkId, u32)>) -> bool {
        let before = self.links.len();
        self.links.extend(links);
        self.links.len() > before
    }

    /// Orders switches by (level, number) and links by (sender, number).
    fn freeze(mut self, marks: &mut Marks, height: usize) -> Dag {
        self.switches.sort_unstable();
        let mut levels = vec![0u32; height + 1];
        marks.wipe();
        for (place, &(level, switch)) in (0u32..).zip(&self.switches) {
            levels[level as usize + 1] = place + 1;
            marks.set(switch, place);
        }
        let place = |switch| marks.get(switch).expect("both ends of a link found are found");
        let links = self.links.iter();
        let edges =
            links.map(|&(from, link, to)| (place(from) as usize, Edge { link, to: place(to) }));
        let mut next = Table::new(self.switches.len(), edges);
        next.sort_rows_by_key(|edge| edge.link);
        let nodes = self.switches.into_iter().map(|(_, switch)| NodeId(switch)).collect();
        Dag { nodes, levels, next, links: self.links.len() }
    }
}

/// The switches `up` links from the near roots and `down` from the far ones.
fn meet(near: &Cone, far: &Cone, (up, down): (usize, usize)) -> Vec<u32> {
    let (left, right) = (near.at(up), far.at(down));
    if left.len() <= right.len() {
        left.iter().copied().filter(|&switch| far.is_at(switch, down)).collect()
    } else {
        right.iter().copied().filter(|&switch| near.is_at(switch, up)).collect()
    }
}
