//! Where the transfers of all-to-all stages go, counted by class.

use std::collections::BTreeMap;

use collectives::Transfer;
use engine::{AgentId, Terms};

use super::blocks::{Blocks, Outer};
use super::quotient::{FlowClass, Quotient};
use super::stems::{Meeting, meeting, stem_of};
use crate::Error;
use crate::parts::cards_of;

/// Where transfers go: how many from one sender, and one of them.
#[derive(Clone, Copy)]
struct Target {
    count: u128,
    seat: u32,
}

/// What tells the paths of one sender to seats of one class apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Within the site.
    Site,
    /// Through the switches where the stems meet.
    Stem(u32),
    /// By a block of this class.
    Block(u32),
    /// Inside the supernode, by a block of this class.
    Inner(u32),
    /// There is none.
    Nowhere,
}

impl Quotient<'_, '_> {
    /// Adds what one agent sends in its all-to-all stages, if it is not bundled.
    pub(super) fn add_blocks(&mut self, agent: usize) -> Result<(), Error> {
        let (lane_index, seat) = self.first[agent];
        let Some(blocks) = &self.scene.blocks[lane_index as usize] else { return Ok(()) };
        if self.is_bundled(AgentId(agent as u32)) {
            return Ok(());
        }
        let lane = &self.world.schedule.lanes[lane_index as usize];
        let seats = lane.seats.len() as u32;
        let mut targets = BTreeMap::new();
        self.outer_targets(blocks, (lane_index as usize, seat), &mut targets);
        self.inner_targets(blocks, (lane_index as usize, seat), &mut targets);
        for (stage_index, stage) in lane.stages.iter().enumerate() {
            if !stage.pattern.is_all_pairs() {
                continue;
            }
            for target in targets.values() {
                let transfer = Transfer { src: seat, dst: target.seat, first: 0, end: stage.steps };
                let terms = Terms {
                    stage: stage_index as u32,
                    first: 0,
                    end: stage.steps,
                    sizes: stage.payload.sizes(seats, transfer),
                    part: 0,
                    parts: 1,
                    ordinal: 0,
                    fan_in: 1,
                    action: stage.action,
                    start: stage.start,
                };
                let pair = cards_of(self.world.cards, lane, transfer);
                let path = self.scene.share(self.world, pair)?;
                let members = self.members[agent] * target.count;
                let paths = vec![Some(path)];
                let (src, dst) =
                    (AgentId(agent as u32), self.agent(lane_index as usize, target.seat));
                let (draw, is_bundle) = (0, false);
                self.flows.push(FlowClass { src, dst, terms, paths, members, draw, is_bundle });
            }
        }
        Ok(())
    }

    /// Counts the seats that a seat sends to over the outer fabric, by the way that leads there.
    fn outer_targets(
        &self,
        blocks: &Blocks,
        (lane, seat): (usize, u32),
        targets: &mut BTreeMap<(Way, u32), Target>,
    ) {
        if blocks.sites.is_empty() {
            return;
        }
        let own_cell = blocks.cell_of[seat as usize];
        let own_supernode = blocks.cells[own_cell as usize].supernode;
        let own_site = blocks.site_of[own_cell as usize];
        let way = self.ways(blocks, own_site);
        for (index, cell) in blocks.cells.iter().enumerate() {
            if cell.supernode != own_supernode {
                let way = way(blocks.site_of[index]);
                self.count(lane, &cell.seats, way, targets);
            }
        }
    }

    /// Which way leads from a site to each other.
    fn ways<'b>(&'b self, blocks: &'b Blocks, own: u32) -> Box<dyn Fn(u32) -> Way + 'b> {
        match &blocks.outer {
            Outer::Pairs(pairs) => Box::new(move |other| {
                let index = own as usize * blocks.sites.len() + other as usize;
                let block = pairs[index].expect("cells of two supernodes have a block");
                Way::Block(self.classes.of[block as usize])
            }),
            Outer::Stems { attachments, .. } => {
                let tree = self.scene.tree.as_ref().expect("stems grow from a tree");
                let stem = stem_of(tree, attachments[own as usize]);
                Box::new(move |other| match meeting(tree, &stem, (own, other), attachments) {
                    Some(Meeting::Site) => Way::Site,
                    Some(Meeting::Switch(class)) => Way::Stem(class),
                    // Asking for the path tells who cannot be reached.
                    None => Way::Nowhere,
                })
            }
        }
    }

    /// Counts the seats that a seat sends to inside its supernode.
    fn inner_targets(
        &self,
        blocks: &Blocks,
        (lane, seat): (usize, u32),
        targets: &mut BTreeMap<(Way, u32), Target>,
    ) {
        let own_cell = blocks.inner_cell_of[seat as usize];
        let supernode = blocks.inner_cells[own_cell as usize].supernode;
        for &cell in &blocks.inner_cells_of[&supernode] {
            let Some(block) = blocks.inner.get(&(own_cell, cell)) else { continue };
            let class = self.classes.of[*block as usize];
            let others = blocks.inner_cells[cell as usize].seats.iter().copied();
            let others: Vec<u32> = others.filter(|&other| other != seat).collect();
            self.count(lane, &others, Way::Inner(class), targets);
        }
    }

    /// Counts seats as targets, by the way that leads to them and their own class.
    fn count(
        &self,
        lane: usize,
        seats: &[u32],
        way: Way,
        targets: &mut BTreeMap<(Way, u32), Target>,
    ) {
        for same in
            seats.chunk_by(|&left, &right| self.agent(lane, left) == self.agent(lane, right))
        {
            let key = (way, self.agent(lane, same[0]).0);
            let target = targets.entry(key).or_insert(Target { count: 0, seat: same[0] });
            target.count += same.len() as u128;
        }
    }
}
