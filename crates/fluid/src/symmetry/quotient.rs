//! The smaller problem: one agent, flow and resource for each class.

use std::collections::BTreeMap;

use collectives::Transfer;
use engine::{AgentId, Dependency, Flow, PlanBuilder};
use topology::refinement::Classes;

use super::blocks::{Blocks, Outer};
use super::scene::Scene;
use super::stems::{Meeting, meeting, stem_of};
use crate::course::Course;
use crate::model::Model;
use crate::parts::cards_of;
use crate::paths::Share;
use crate::plain::program;
use crate::{Error, World};

/// No class of that kind.
const NONE: u32 = u32::MAX;

/// A class of flows while the quotient is made.
pub(super) struct FlowClass {
    pub(super) flow: Flow,
    /// The path of one member over the scene's resources, if it has one, for each set of routes.
    pub(super) paths: Vec<Option<Share>>,
    pub(super) members: u128,
}

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

pub(super) struct Quotient<'a, 's> {
    pub(super) world: &'a World<'a>,
    pub(super) scene: &'s Scene<'a>,
    pub(super) classes: &'s Classes,
    /// The agent of each class of seats, and how many seats it stands for.
    agent_of_class: Vec<u32>,
    pub(super) members: Vec<u128>,
    /// The lane and seat of the first member of each agent.
    first: Vec<(u32, u32)>,
    pub(super) flows: Vec<FlowClass>,
}

/// Makes the quotient of a scene.
pub(super) fn model<'a>(
    (world, course): (&'a World<'a>, &Course<'_>),
    scene: &Scene<'a>,
    classes: &Classes,
) -> Result<Model, Error> {
    let mut builder = PlanBuilder::default();
    let mut quotient = Quotient {
        world,
        scene,
        classes,
        agent_of_class: vec![NONE; classes.count],
        members: Vec::new(),
        first: Vec::new(),
        flows: Vec::new(),
    };
    let agent_of_seat = quotient.add_agents(&mut builder);
    quotient.add_dependencies(&mut builder);
    quotient.add_listed();
    for agent in 0..quotient.first.len() {
        quotient.add_blocks(agent)?;
    }
    quotient.finish(course, builder, agent_of_seat)
}

impl Quotient<'_, '_> {
    fn add_agents(&mut self, builder: &mut PlanBuilder) -> Vec<Vec<AgentId>> {
        let mut programs = BTreeMap::new();
        let mut agent_of_seat = Vec::new();
        for (index, lane) in self.world.schedule.lanes.iter().enumerate() {
            let mut agents = Vec::with_capacity(lane.seats.len());
            for (seat, &vertex) in self.scene.seats[index].iter().enumerate() {
                let class = self.classes.of[vertex as usize] as usize;
                if self.agent_of_class[class] == NONE {
                    let next = builder.agents() as u32;
                    let program = program(lane);
                    let program = *programs
                        .entry(program)
                        .or_insert_with_key(|program| builder.program(program.clone()));
                    let agent = builder.agent(program);
                    debug_assert_eq!(agent.0, next);
                    self.agent_of_class[class] = agent.0;
                    self.members.push(0);
                    self.first.push((index as u32, seat as u32));
                }
                let agent = self.agent_of_class[class];
                self.members[agent as usize] += 1;
                agents.push(AgentId(agent));
            }
            agent_of_seat.push(agents);
        }
        agent_of_seat
    }

    fn agent(&self, lane: usize, seat: u32) -> AgentId {
        let vertex = self.scene.seats[lane][seat as usize];
        AgentId(self.agent_of_class[self.classes.of[vertex as usize] as usize])
    }

    fn add_dependencies(&self, builder: &mut PlanBuilder) {
        let mut seating = self.scene.seating.clone();
        for (index, lane) in self.world.schedule.lanes.iter().enumerate() {
            for wait in &lane.waits {
                let agent = self.agent(index, wait.seat);
                if self.first[agent.index()] != (index as u32, wait.seat) {
                    continue;
                }
                let rank = lane.seats[wait.seat as usize];
                let seat = seating.seat(self.world.schedule, wait.lane, rank);
                builder.dependency(Dependency {
                    agent,
                    step: wait.step,
                    on: self.agent(wait.lane.0 as usize, seat),
                    completed: wait.completed,
                    pace: wait.pace,
                });
            }
        }
    }

    fn add_listed(&mut self) {
        let mut flow_of_class = vec![NONE; self.classes.count];
        for listed in &self.scene.listed {
            let class = self.classes.of[listed.vertex as usize] as usize;
            if flow_of_class[class] == NONE {
                flow_of_class[class] = self.flows.len() as u32;
                let lane = listed.lane as usize;
                let mut flow = listed.flow();
                flow.src = self.agent(lane, listed.src);
                flow.dst = self.agent(lane, listed.dst);
                let paths =
                    self.scene.paths.row(listed.row).map(Option::<&Share>::cloned).collect();
                self.flows.push(FlowClass { flow, paths, members: 0 });
            }
            self.flows[flow_of_class[class] as usize].members += 1;
        }
    }

    /// Adds what one agent sends in its all-to-all stages.
    fn add_blocks(&mut self, agent: usize) -> Result<(), Error> {
        let (lane_index, seat) = self.first[agent];
        let Some(blocks) = &self.scene.blocks[lane_index as usize] else { return Ok(()) };
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
                let flow = Flow {
                    src: AgentId(agent as u32),
                    dst: self.agent(lane_index as usize, target.seat),
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
                let spread = &self.scene.spread;
                let path = spread.path(pair.0, pair.1)?;
                let domain = spread.domain(pair.0, pair.1);
                let path = self.scene.resources.share(spread, &path, pair, domain);
                let members = self.members[agent] * target.count;
                self.flows.push(FlowClass { flow, paths: vec![Some(path)], members });
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
