//! The graph whose equitable partition merges what behaves alike.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use collectives::{End, Lane, Payload, Schedule, Sizes, Transfer};
use engine::Program;
use rustc_hash::FxHashMap;
use topology::refinement::LabelledGraph;
use topology::{CardId, Domain, RouteError, Routing, Spread, TrunkTree};
use units::Duration;

use super::blocks::{Blocks, Outer};
use super::intern::{Colour, Interner, Label, NO_CHUNK};
use super::joined::Joined;
use super::listing::Listed;
use super::resources::Resources;
use super::routes::Paths;
use super::slack::{self, Unhindered};
use crate::course::Course;
use crate::explanation::Told;
use crate::loss::Hazard;
use crate::parts::Seating;
use crate::paths::Share;
use crate::{Error, World};

/// No vertex yet.
const NONE: u32 = u32::MAX;

/// The vertices of a world and what they stand for.
pub(super) struct Scene<'a> {
    pub(super) graph: LabelledGraph,
    pub(super) spread: Spread<'a>,
    /// The outer switches as a tree, if they are one.
    pub(super) tree: Option<TrunkTree>,
    pub(super) resources: Resources,
    /// The vertex of each seat, by lane and seat.
    pub(super) seats: Vec<Vec<u32>>,
    /// The vertex of each resource that something crosses.
    pub(super) resource_vertex: Vec<u32>,
    pub(super) listed: Vec<Listed>,
    pub(super) joined: Joined,
    /// The paths of listed transfers.
    pub(super) paths: Paths,
    /// The structure of the all-to-all stages of each lane that has some.
    pub(super) blocks: Vec<Option<Blocks>>,
    /// Resources that can never hold a flow back, which have no vertex.
    pub(super) left_out: BTreeMap<u32, Unhindered>,
    pub(super) seating: Seating,
    colours: Interner<Colour>,
    labels: Interner<Label>,
    /// Of a path on each set of routes.
    pub(super) hazards: Interner<Vec<Option<Rc<Hazard>>>>,
}

impl<'a> Scene<'a> {
    /// The scene of a world; `spread` is that of its fabric in all states of the course.
    pub(super) fn new(
        world: &World<'a>,
        course: &Course<'a>,
        spread: Spread<'a>,
    ) -> Result<Self, Error> {
        let resources = Resources::new(course, &spread);
        let tree = spread.tree().cloned();
        let mut scene = Self {
            graph: LabelledGraph::default(),
            resource_vertex: vec![NONE; resources.best.len()],
            spread,
            tree,
            resources,
            seats: Vec::new(),
            listed: Vec::new(),
            joined: Joined::default(),
            paths: Paths::new(world, course),
            blocks: Vec::new(),
            left_out: BTreeMap::new(),
            seating: Seating::new(world.schedule),
            colours: Interner::default(),
            labels: Interner::default(),
            hazards: Interner::default(),
        };
        for lane in &world.schedule.lanes {
            scene.seat(world, lane)?;
        }
        scene.wait(world.schedule);
        scene.list(world, course)?;
        for (index, lane) in world.schedule.lanes.iter().enumerate() {
            let blocks = scene.block(world, index, lane)?;
            scene.blocks.push(blocks);
        }
        if !course.is_rerouted() {
            let vertices = &scene.resource_vertex;
            let is_kept = |resource: u32| vertices[resource as usize] != NONE;
            let listed = (&scene.listed[..], &scene.paths);
            let joined = &scene.joined;
            scene.left_out = slack::find(world.fabric, &scene.resources, listed, joined, &is_kept);
        }
        scene.cross();
        scene.cross_accesses(End::Source);
        scene.cross_accesses(End::Destination);
        Ok(scene)
    }

    pub(super) fn vertex(&mut self, colour: Colour) -> u32 {
        let colour = self.colours.number(colour);
        self.graph.vertex(u64::from(colour))
    }

    pub(super) fn edge(&mut self, left: u32, right: u32, label: Label) {
        let label = self.label(label);
        self.graph.edge(left, right, label);
    }

    pub(super) fn label(&mut self, label: Label) -> u32 {
        self.labels.number(label)
    }

    /// All labels, by number.
    pub(super) fn labels_in_order(&self) -> Vec<Label> {
        self.labels.in_order()
    }

    /// How its transfers are told, all but their number.
    pub(super) fn told(&self) -> Told {
        let blocks = self.blocks.iter().flatten();
        let is_tree = |blocks: &&Blocks| matches!(blocks.outer, Outer::Stems { .. });
        Told {
            flows: 0,
            bundled: 0,
            joined: self.joined.transfers.len() as u64,
            listed: self.listed.len() as u64,
            blocks: blocks.clone().count() as u64,
            stems: blocks.filter(is_tree).count() as u64,
            left_out: self.left_out.len() as u64,
            plain: false,
        }
    }

    /// The vertex of a resource, made at its first use.
    pub(super) fn resource(&mut self, resource: u32) -> u32 {
        if self.resource_vertex[resource as usize] == NONE {
            let colour = self.resources.colour(resource);
            self.resource_vertex[resource as usize] = self.vertex(colour);
        }
        self.resource_vertex[resource as usize]
    }

    fn seat(&mut self, world: &World<'_>, lane: &Lane) -> Result<(), Error> {
        let mut programs: FxHashMap<u32, Program> = FxHashMap::default();
        for &rank in lane.seats.iter() {
            let kind = world.conducts.kind(rank);
            if let Entry::Vacant(unknown) = programs.entry(kind) {
                unknown.insert(world.conducts.of(rank).program(lane)?);
            }
        }
        let count = lane.seats.len() as u32;
        let is_blocked = uses_blocks(world, &self.spread, lane, self.paths.by_links);
        let vertices = (0..count)
            .map(|seat| {
                let stages = lane.stages.iter().filter(|stage| stage.pattern.is_all_pairs());
                let chunks = stages.map(|stage| chunk_of(&stage.payload, count, seat));
                let chunks = if is_blocked { chunks.collect() } else { Vec::new() };
                let kind = world.conducts.kind(lane.seats[seat as usize]);
                self.vertex(Colour::Seat(programs[&kind].clone(), chunks))
            })
            .collect();
        self.seats.push(vertices);
        Ok(())
    }

    fn wait(&mut self, schedule: &Schedule) {
        for (index, lane) in schedule.lanes.iter().enumerate() {
            for wait in &lane.waits {
                let rank = lane.seats[wait.seat as usize];
                let other = self.seating.seat(schedule, wait.lane, rank);
                let waiting = self.seats[index][wait.seat as usize];
                let on = self.seats[wait.lane.0 as usize][other as usize];
                self.edge(waiting, on, Label::Wait(wait.step, wait.completed, wait.pace));
            }
        }
    }

    /// The path of a pair of cards that is sprayed.
    pub(super) fn share(
        &self,
        world: &World<'_>,
        pair: (CardId, CardId),
    ) -> Result<Share, RouteError> {
        let domain = self.spread.domain(pair.0, pair.1);
        let path = self.spread.path(pair.0, pair.1)?;
        let loss = self.spread.path_loss(pair.0, pair.1, &path);
        let share = self.resources.share(&self.spread, &path, pair, domain);
        Ok(share.losing(loss, &world.recovery, &self.resources.by_state[0]))
    }
}

/// The size of a seat's chunk in an all-to-all stage.
pub(super) fn chunk_of(payload: &Payload, seats: u32, seat: u32) -> Sizes {
    if seats < 2 {
        return NO_CHUNK;
    }
    let other = (seat + 1) % seats;
    let (src, dst) = match payload.decided_by() {
        End::Destination => (other, seat),
        End::Source => (seat, other),
    };
    payload.sizes(seats, Transfer { src, dst, first: 0, end: 1 })
}

/// Whether the all-to-all stages of a lane are treated as blocks: not if messages go out one after
/// the other, nor if outer pairs are hashed one by one, nor if each draws losses of its own, nor where
/// paths are lists of links.
pub(super) fn uses_blocks(
    world: &World<'_>,
    spread: &Spread<'_>,
    lane: &Lane,
    by_links: bool,
) -> bool {
    let messages_cost = |rank| world.conducts.of(rank).costs.per_message > Duration::ZERO;
    if !lane.stages.iter().any(|stage| stage.pattern.is_all_pairs())
        || by_links
        || lane.seats.iter().any(|&rank| messages_cost(rank))
        || world.draws_losses()
    {
        return false;
    }
    let card = |rank: collectives::RankId| world.cards[rank.0 as usize];
    let first = card(lane.seats[0]);
    let stays_inside =
        lane.seats[1..].iter().all(|&rank| spread.domain(first, card(rank)) == Domain::Inside);
    world.routing == Routing::Spray || stays_inside
}
