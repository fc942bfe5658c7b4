//! The smaller problem: one agent, flow and resource for each class.

use std::collections::BTreeMap;

use engine::{AgentId, Dependency, PlanBuilder, Terms};
use topology::refinement::Classes;

use super::bundles::Bundles;
use super::listeners::with_pauses;
use super::scene::Scene;
use super::sketch::FlowOf;
use crate::course::Course;
use crate::model::Model;
use crate::paths::Share;
use crate::{Error, World};

/// No class of that kind.
const NONE: u32 = u32::MAX;

/// A class of flows while the quotient is made.
pub(super) struct FlowClass {
    pub(super) src: AgentId,
    pub(super) dst: AgentId,
    pub(super) terms: Terms,
    /// The path of one member over the scene's resources, if it has one, for each set of routes.
    pub(super) paths: Vec<Option<Share>>,
    pub(super) members: u128,
    /// What its losses are drawn by, if they are.
    pub(super) draw: u64,
    /// Whether a flow stands for all that its sender sends in the step: nothing but the ports by which it
    /// leaves holds it back.
    pub(super) is_bundle: bool,
}

pub(super) struct Quotient<'a, 's> {
    pub(super) world: &'a World<'a>,
    pub(super) scene: &'s Scene<'a>,
    pub(super) classes: &'s Classes,
    /// The agent of each class of seats, and how many seats it stands for.
    agent_of_class: Vec<u32>,
    pub(super) members: Vec<u128>,
    /// The lane and seat of the first member of each agent.
    pub(super) first: Vec<(u32, u32)>,
    pub(super) flows: Vec<FlowClass>,
    pub(super) bundles: Bundles,
    /// Agents on no seat, who listen to bundles.
    pub(super) listeners: u64,
    flow_of: FlowOf,
}

/// Makes the quotient of a scene; tells also which flow joined transfers have become.
pub(super) fn model<'a>(
    (world, course): (&'a World<'a>, &Course<'_>),
    scene: &Scene<'a>,
    classes: &Classes,
) -> Result<(Model, FlowOf), Error> {
    let mut builder = PlanBuilder::default();
    let mut quotient = Quotient {
        world,
        scene,
        classes,
        agent_of_class: vec![NONE; classes.count],
        members: Vec::new(),
        first: Vec::new(),
        flows: Vec::new(),
        bundles: Bundles::find(world, scene, classes),
        listeners: 0,
        flow_of: FlowOf::default(),
    };
    let agent_of_seat = quotient.add_agents(&mut builder)?;
    quotient.add_dependencies(&mut builder);
    quotient.add_listed();
    quotient.add_joined();
    for agent in 0..quotient.first.len() {
        quotient.add_blocks(agent)?;
    }
    quotient.add_bundles(&mut builder)?;
    let flow_of = std::mem::take(&mut quotient.flow_of);
    Ok((quotient.finish(course, builder, agent_of_seat)?, flow_of))
}

impl Quotient<'_, '_> {
    fn add_agents(&mut self, builder: &mut PlanBuilder) -> Result<Vec<Vec<AgentId>>, Error> {
        let mut programs = BTreeMap::new();
        let mut agent_of_seat = Vec::new();
        for (index, lane) in self.world.schedule.lanes.iter().enumerate() {
            let mut agents = Vec::with_capacity(lane.seats.len());
            for (seat, &vertex) in self.scene.seats[index].iter().enumerate() {
                let class = self.classes.of[vertex as usize] as usize;
                if self.agent_of_class[class] == NONE {
                    let next = builder.agents() as u32;
                    let rank = lane.seats[seat];
                    let mut program = self.world.conducts.of(rank).program(lane)?;
                    if self.bundles.contain(index as u32) {
                        program = with_pauses(&program, lane);
                    }
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
        Ok(agent_of_seat)
    }

    pub(super) fn agent(&self, lane: usize, seat: u32) -> AgentId {
        self.agent_at(self.scene.seats[lane][seat as usize])
    }

    /// The agent of the seat with that vertex.
    pub(super) fn agent_at(&self, vertex: u32) -> AgentId {
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
                let on = self.agent(wait.lane.0 as usize, seat);
                builder.dependency(Dependency {
                    agent,
                    step: self.step_at(agent, wait.step),
                    on,
                    completed: self.step_at(on, wait.completed),
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
                let (src, dst) = (self.agent(lane, listed.src), self.agent(lane, listed.dst));
                let terms = listed.colour.terms();
                let paths =
                    self.scene.paths.row(listed.row).map(Option::<&Share>::cloned).collect();
                let draw = listed.colour.draw;
                let is_bundle = false;
                self.flows.push(FlowClass { src, dst, terms, paths, members: 0, draw, is_bundle });
            }
            self.flows[flow_of_class[class] as usize].members += 1;
        }
    }

    /// Adds what the first seat of each agent sends as edges; its other seats send the like.
    fn add_joined(&mut self) {
        let joined = &self.scene.joined;
        let mut is_first = vec![false; self.classes.of.len()];
        for &(lane, seat) in &self.first {
            is_first[self.scene.seats[lane as usize][seat as usize] as usize] = true;
        }
        for &join in &joined.transfers {
            let (src, dst) = joined.seats(join);
            if !is_first[src as usize] {
                continue;
            }
            let (src, dst) = (self.agent_at(src), self.agent_at(dst));
            let index = *self.flow_of.entry((src, dst, join.kind)).or_insert_with(|| {
                let first = self.flows.len();
                let paths = vec![Some(joined.path(join))];
                self.flows.extend(joined.flows(join).map(|terms| {
                    let paths = paths.clone();
                    let (members, draw, is_bundle) = (0, 0, false);
                    FlowClass { src, dst, terms, paths, members, draw, is_bundle }
                }));
                first
            });
            for class in &mut self.flows[index..index + joined.flows(join).count()] {
                class.members += self.members[src.index()];
            }
        }
    }
}
