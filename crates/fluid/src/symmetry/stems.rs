//! All-to-all over a tree of switches: sites are joined through their stems, not pair by pair.
//!
//! Where the merged switches of the outer fabric form a tree, all that two sites exchange goes up their
//! stems to where these meet. So a site is joined to the switches it hangs on, these to those above,
//! and each of them to the trunks of its stem: linear in the sites, whatever the pairs. What a seat
//! sends to seats of some class through some meeting point is then the same for all seats of its
//! class: all of them below that point, less those below its own branch, less those of its own
//! supernode, which the holes count.

use std::collections::BTreeMap;

use topology::{Stem, TrunkTree};

use super::blocks::{Blocks, Outer};
use super::intern::{Colour, Label};
use super::scene::Scene;

/// Where the stems of two sites meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meeting {
    /// They are one site.
    Site,
    /// At a class of switches.
    Switch(u32),
}

impl Scene<'_> {
    /// Joins the sites of a lane through the tree of switches; `None` if a site hangs on none.
    pub(super) fn add_stems(
        &mut self,
        blocks: &Blocks,
        cards: &[topology::CardId],
        site_vertices: &[u32],
    ) -> Option<Outer> {
        let tree = self.tree.clone()?;
        let attachments: Option<Vec<u32>> = blocks
            .sites
            .iter()
            .map(|cells| {
                let seat = blocks.cells[cells[0] as usize].seats[0];
                self.spread.attachment(cards[seat as usize])
            })
            .collect();
        let attachments = attachments?;
        let mut vertices: BTreeMap<u32, u32> = BTreeMap::new();
        for (site, &class) in attachments.iter().enumerate() {
            let vertex = self.add_switch(&tree, class, &mut vertices);
            self.edge(site_vertices[site], vertex, Label::PartOf);
        }
        Some(Outer::Stems { attachments, vertices })
    }

    /// The vertex of a class of switches, made with those above it at its first use.
    fn add_switch(
        &mut self,
        tree: &TrunkTree,
        class: u32,
        vertices: &mut BTreeMap<u32, u32>,
    ) -> u32 {
        if let Some(&vertex) = vertices.get(&class) {
            return vertex;
        }
        let vertex = self.vertex(Colour::Switch);
        vertices.insert(class, vertex);
        if let Some(Stem { parent, up, down }) = tree.stem(class) {
            let above = self.add_switch(tree, parent, vertices);
            self.edge(vertex, above, Label::PartOf);
            let latency = |trunk: topology::TrunkId| self.spread.trunks()[trunk.index()].latency;
            let latencies = (latency(up), latency(down));
            let (up, down) = (self.resources.of_trunk(up.0), self.resources.of_trunk(down.0));
            let (up, down) = (self.resource(up), self.resource(down));
            self.edge(vertex, up, Label::StemUp(latencies.0));
            self.edge(vertex, down, Label::StemDown(latencies.1));
        }
        vertex
    }

    /// Marks, in each meeting point, the pairs of cells of one supernode, which do not talk over it.
    pub(super) fn add_stem_holes(&mut self, blocks: &Blocks, site_vertices: &[u32]) {
        let Outer::Stems { attachments, vertices } = &blocks.outer else { return };
        let tree = self.tree.clone().expect("stems grow from a tree");
        for cells in blocks.cells_of.values() {
            for &src in cells {
                let stem = stem_of(&tree, attachments[blocks.site_of[src as usize] as usize]);
                for &dst in cells {
                    let sites = (blocks.site_of[src as usize], blocks.site_of[dst as usize]);
                    let met = meeting(&tree, &stem, sites, attachments);
                    let place = match met {
                        Some(Meeting::Site) => site_vertices[sites.0 as usize],
                        Some(Meeting::Switch(class)) => vertices[&class],
                        None => continue,
                    };
                    let hole = self.vertex(Colour::Hole);
                    self.edge(hole, blocks.cells[src as usize].vertex, Label::Source);
                    self.edge(hole, blocks.cells[dst as usize].vertex, Label::Destination);
                    self.edge(hole, place, Label::PartOf);
                }
            }
        }
    }
}

/// A class of switches and all above it, from below.
pub(super) fn stem_of(tree: &TrunkTree, class: u32) -> Vec<u32> {
    let above = |&class: &u32| tree.stem(class).map(|stem| stem.parent);
    std::iter::successors(Some(class), above).collect()
}

/// Where a site meets one that hangs on the first class of `stem`; `None` if no way joins them.
pub(super) fn meeting(
    tree: &TrunkTree,
    stem: &[u32],
    (own, other): (u32, u32),
    attachments: &[u32],
) -> Option<Meeting> {
    if own == other {
        return Some(Meeting::Site);
    }
    let climb = |&class: &u32| tree.stem(class).map(|stem| stem.parent);
    let mut above = std::iter::successors(Some(attachments[other as usize]), climb);
    above.find(|class| stem.contains(class)).map(Meeting::Switch)
}
