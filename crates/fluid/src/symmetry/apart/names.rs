//! Names for what a scene is made of.

use topology::LinkId;
use topology::refinement::Rounds;
use units::Bandwidth;

use crate::World;
use crate::symmetry::intern::Label;
use crate::symmetry::scene::Scene;

/// More levels than lie between a seat and the topmost switch that its site hangs on.
const MOST_LEVELS: usize = 8;

/// What a vertex stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A seat, by lane and seat.
    Seat(u32, u32),
    /// A transfer, by its index.
    Listed(u32),
    /// A link or trunk.
    Resource(u32),
    /// Cells, sites, blocks and holes of all-to-all stages.
    Structure,
}

/// Names for what a scene is made of.
pub(super) struct Names<'a, 's> {
    pub(super) world: &'s World<'a>,
    pub(super) scene: &'s Scene<'a>,
    pub(super) rounds: &'s Rounds,
    pub(super) meanings: Vec<Meaning>,
    pub(super) labels: Vec<Label>,
}

impl<'a, 's> Names<'a, 's> {
    pub(super) fn new(world: &'s World<'a>, scene: &'s Scene<'a>, rounds: &'s Rounds) -> Self {
        let mut meanings = vec![Meaning::Structure; scene.graph.vertices()];
        for (lane, seats) in (0..).zip(&scene.seats) {
            for (seat, &vertex) in (0..).zip(seats) {
                meanings[vertex as usize] = Meaning::Seat(lane, seat);
            }
        }
        for (index, listed) in (0..).zip(&scene.listed) {
            meanings[listed.vertex as usize] = Meaning::Listed(index);
        }
        for (resource, &vertex) in (0..).zip(&scene.resource_vertex) {
            if let Some(meaning) = meanings.get_mut(vertex as usize) {
                *meaning = Meaning::Resource(resource);
            }
        }
        Self { world, scene, rounds, meanings, labels: scene.labels_in_order() }
    }

    pub(super) fn seat(&self, lane: u32, seat: u32) -> String {
        let rank = self.world.schedule.lanes[lane as usize].seats[seat as usize].0;
        if rank == u32::MAX { "a switch that adds up".to_owned() } else { format!("rank {rank}") }
    }

    pub(super) fn transfer(&self, index: u32) -> String {
        let listed = &self.scene.listed[index as usize];
        format!("{} → {}", self.seat(listed.lane, listed.src), self.seat(listed.lane, listed.dst))
    }

    pub(super) fn name(&self, vertex: u32) -> String {
        match self.meanings[vertex as usize] {
            Meaning::Seat(lane, seat) => self.seat(lane, seat),
            Meaning::Listed(index) => self.transfer(index),
            Meaning::Resource(resource) => self.resource(resource),
            Meaning::Structure => self.below(vertex),
        }
    }

    /// A structure of all-to-all stages, by a rank that belongs to it.
    fn below(&self, vertex: u32) -> String {
        let mut at = vertex;
        for _ in 0..MOST_LEVELS {
            let mut parts = self.rounds.neighbours(at).filter(|&(label, end, _)| {
                end == 1 && self.labels[label as usize] == Label::PartOf
            });
            let Some((_, _, part)) = parts.next() else { break };
            if let Meaning::Seat(lane, seat) = self.meanings[part as usize] {
                return self.seat(lane, seat);
            }
            at = part;
        }
        "a pair of sites".to_owned()
    }

    pub(super) fn resource(&self, resource: u32) -> String {
        let fabric = self.world.fabric;
        match self.scene.resources.kind(resource) {
            Err(link) => fabric.link_name(link),
            Ok(trunk) => {
                let links = &self.scene.spread.trunks()[trunk].links;
                match links.len() {
                    1 => fabric.link_name(links[0]),
                    more => {
                        format!("{} with {} links beside it", fabric.link_name(links[0]), more - 1)
                    }
                }
            }
        }
    }

    /// A dead link out of the switch that a resource leaves, or into that which it enters.
    pub(super) fn dead_beside(&self, resource: u32) -> Option<String> {
        let fabric = self.world.fabric;
        let first = match self.scene.resources.kind(resource) {
            Err(link) => link,
            Ok(trunk) => self.scene.spread.trunks()[trunk].links[0],
        };
        let link = fabric.link(first);
        let mut links = (0..).map(LinkId).zip(fabric.links());
        let dead = links.find(|(_, other)| {
            let is_beside = other.src == link.src || other.dst == link.dst;
            is_beside && other.goodput == Bandwidth::default()
        });
        dead.map(|(link, _)| fabric.link_name(link))
    }
}
