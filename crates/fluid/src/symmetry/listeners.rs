//! Bundles in the smaller problem: who listens to them, and who waits for whom.
//!
//! A seat is done with a step of all pairs when all that it sends has drained and all that the *others*
//! send has arrived. So a bundle leads from its seat to a *listener* of its own, an agent on no seat; the
//! seat itself is through the step when the bundle has drained, and pauses then, in a step of no length
//! that is put after each step of all pairs, until the listeners of all others are through. To wait for
//! all but one takes two waits a seat: with the classes of a lane in order, a listener for each but the
//! last ones is through when those of all classes up to it are, one when those of all classes from it on
//! are. So n seats take 3·n agents and 6·n waits, where each pair would be a flow.

use std::ops::Range;

use collectives::{Lane, Pace, Transfer};
use engine::{AgentId, Costs, Dependency, PlanBuilder, Program, ProgramStage};
use topology::{Domain, Fabric, Node};
use units::{Duration, Ratio, Time};

use super::quotient::{FlowClass, Quotient};
use super::scene::chunk_of;
use crate::Error;
use crate::parts::cards_of;
use crate::paths::{Share, link_of};
use crate::traffic::{Loads, terms_of};

/// A pause after a step of all pairs.
const PAUSE: ProgramStage = ProgramStage { steps: 1, compute: Duration::ZERO };

/// The program of a lane with a pause after each step of all pairs.
pub(super) fn with_pauses(program: &Program, lane: &Lane) -> Program {
    let stages = program.stages.iter().zip(&lane.stages).flat_map(|(&own, stage)| {
        let pause = stage.pattern.is_all_pairs().then_some(PAUSE);
        [Some(own), pause].into_iter().flatten()
    });
    Program { stages: stages.collect(), ..program.clone() }
}

/// Where step number `step` of a lane is once there are pauses; of so many steps completed, how many are
/// with the pauses after them.
fn with_pauses_before(lane: &Lane, step: u64) -> u64 {
    let mut end = 0;
    let is_paused = |stage: &&collectives::Stage| {
        end += stage.steps;
        stage.pattern.is_all_pairs() && end <= step
    };
    step + lane.stages.iter().filter(is_paused).count() as u64
}

/// The ports by which a path within a supernode leaves its card.
pub(super) fn leaving(fabric: &Fabric, path: &Share) -> Share {
    // Where there are bundles a path crosses ports alone, which are links.
    let is_card = |node| matches!(fabric.node(node), Node::Card { .. });
    let leaves = |&(link, _): &(u32, u64)| is_card(fabric.link(link_of(link)).src);
    Share { crossings: path.crossings.iter().copied().filter(leaves).collect(), ..path.clone() }
}

/// The classes of seats of a lane that is bundled.
struct Crowd {
    lane: usize,
    /// Their agents, of which there are several.
    agents: Range<u32>,
    /// How many seats each has.
    seats: Vec<u64>,
}

/// Who listens to a crowd.
struct Listeners {
    /// To the bundle of each class.
    each: Vec<AgentId>,
    /// To those of the classes up to one, for all but the last.
    upto: Vec<AgentId>,
    /// To those of the classes after one, for all but the last.
    after: Vec<AgentId>,
}

impl Listeners {
    /// Who listens to so many classes, in agents that `listen` makes; to a single one nobody else does.
    fn new(classes: usize, mut listen: impl FnMut() -> AgentId) -> Self {
        let each: Vec<AgentId> = (0..classes).map(|_| listen()).collect();
        let mut others = |alone: usize| {
            let others = 0..classes - 1;
            others.map(|place| if place == alone { None } else { Some(listen()) }).collect()
        };
        let (upto, after): (Vec<Option<AgentId>>, Vec<Option<AgentId>>) =
            (others(0), others(classes - 2));
        let upto = upto.into_iter().map(|it| it.unwrap_or(each[0])).collect();
        let after = after.into_iter().map(|it| it.unwrap_or(each[classes - 1])).collect();
        Self { each, upto, after }
    }

    /// Whom each of those who listen to several waits for.
    fn waits(&self) -> impl Iterator<Item = (AgentId, [AgentId; 2])> + '_ {
        let upto = (1..self.upto.len())
            .map(|place| (self.upto[place], [self.upto[place - 1], self.each[place]]));
        let after = (0..self.after.len() - 1)
            .map(|place| (self.after[place], [self.after[place + 1], self.each[place + 1]]));
        upto.chain(after)
    }

    /// Who together listen to all but the class at a place.
    fn but(&self, place: usize) -> impl Iterator<Item = AgentId> {
        let before = place.checked_sub(1).map(|before| self.upto[before]);
        [before, self.after.get(place).copied()].into_iter().flatten()
    }

    /// Who together listen to all.
    fn all(&self) -> impl Iterator<Item = AgentId> {
        [self.upto.last(), self.each.last()].into_iter().flatten().copied()
    }
}

impl Quotient<'_, '_> {
    /// The lane of the first seat that an agent stands for.
    fn lane_of(&self, agent: AgentId) -> (u32, &Lane) {
        let (lane, _) = self.first[agent.index()];
        (lane, &self.world.schedule.lanes[lane as usize])
    }

    /// Whether an agent sends bundles in its all-to-all stages.
    pub(super) fn is_bundled(&self, agent: AgentId) -> bool {
        self.bundles.contain(self.first[agent.index()].0)
    }

    /// The number that a step of its lane has at an agent.
    pub(super) fn step_at(&self, agent: AgentId, step: u64) -> u64 {
        let (index, lane) = self.lane_of(agent);
        if self.bundles.contain(index) { with_pauses_before(lane, step) } else { step }
    }

    /// The number that a stage of its lane has at an agent.
    pub(super) fn stage_at(&self, agent: AgentId, stage: u32) -> u32 {
        let (index, lane) = self.lane_of(agent);
        let before = lane.stages[..stage as usize].iter();
        let pauses = before.filter(|stage| stage.pattern.is_all_pairs()).count() as u32;
        if self.bundles.contain(index) { stage + pauses } else { stage }
    }

    /// Adds the bundles and their listeners.
    pub(super) fn add_bundles(&mut self, builder: &mut PlanBuilder) -> Result<(), Error> {
        let mut next = 0;
        while next < self.first.len() as u32 {
            let (lane, _) = self.first[next as usize];
            // Agents come by the lane of their first seat.
            let same = self.first[next as usize..].iter().take_while(|first| first.0 == lane);
            let agents = next..next + same.count() as u32;
            next = agents.end;
            if self.bundles.contain(lane) {
                let mut seats = vec![0; agents.len()];
                for &vertex in &self.scene.seats[lane as usize] {
                    seats[(self.agent_at(vertex).0 - agents.start) as usize] += 1;
                }
                self.add_crowd(&Crowd { lane: lane as usize, agents, seats }, builder)?;
            }
        }
        Ok(())
    }

    fn add_crowd(&mut self, crowd: &Crowd, builder: &mut PlanBuilder) -> Result<(), Error> {
        let lane = &self.world.schedule.lanes[crowd.lane];
        let stages = lane.stages.iter();
        let stages = stages.map(|stage| ProgramStage { steps: stage.steps, ..PAUSE }).collect();
        let program = Program {
            start: Time::ZERO,
            rounds: collectives::Rounds { count: lane.rounds.count, period: Duration::ZERO },
            costs: Costs::default(),
            slowness: Ratio::ONE,
            stages,
        };
        let program = builder.program(with_pauses(&program, lane));
        let first = builder.agents();
        let listeners = Listeners::new(crowd.agents.len(), || builder.agent(program));
        let mut end = 0;
        for (index, stage) in lane.stages.iter().enumerate() {
            end += stage.steps;
            if stage.pattern.is_all_pairs() {
                let step = with_pauses_before(lane, end - 1);
                add_waits(crowd, &listeners, step, builder);
                for (agent, &listener) in crowd.agents.clone().zip(&listeners.each) {
                    self.add_bundle(AgentId(agent), listener, index)?;
                }
            }
        }
        // Nothing is sent to those who listen to several.
        let range = crowd.agents.start as usize..crowd.agents.end as usize;
        self.members.extend_from_within(range);
        self.members.resize(builder.agents(), 0);
        self.listeners += (builder.agents() - first) as u64;
        Ok(())
    }

    /// Adds what an agent sends in a stage of all pairs to who listens to it.
    fn add_bundle(&mut self, src: AgentId, dst: AgentId, stage: usize) -> Result<(), Error> {
        let (index, seat) = self.first[src.index()];
        let lane = &self.world.schedule.lanes[index as usize];
        let seats = lane.seats.len() as u32;
        let transfer = Transfer { src: seat, dst: (seat + 1) % seats, first: 0, end: 1 };
        let path = self.scene.share(self.world, cards_of(self.world.cards, lane, transfer))?;
        let members = self.members[src.index()] * u128::from(seats - 1);
        self.flows.push(FlowClass {
            src,
            dst,
            terms: terms_of(lane, stage, transfer),
            paths: vec![Some(path)],
            members,
            draw: 0,
            is_bundle: true,
        });
        Ok(())
    }

    /// Adds what bundles put on the ports that receive them, which have no part in the smaller problem.
    pub(super) fn add_arrivals(&self, loads: &mut Loads) -> Result<(), Error> {
        for (index, lane) in self.world.schedule.lanes.iter().enumerate() {
            if !self.is_bundled(self.agent(index, 0)) {
                continue;
            }
            let seats = lane.seats.len() as u32;
            let card = |seat: u32| self.world.cards[lane.seats[seat as usize].0 as usize];
            let path = self.scene.spread.path(card(0), card(1))?;
            let factor = loads.widen(path.denominator);
            for stage in lane.stages.iter().filter(|stage| stage.pattern.is_all_pairs()) {
                // What comes from a seat, or of each of its like, in all rounds.
                let chunk = |seat| {
                    let bytes = chunk_of(&stage.payload, seats, seat).at(0).as_u64();
                    u128::from(bytes) * u128::from(lane.rounds.count)
                };
                let all: u128 = (0..seats).map(chunk).sum();
                for seat in 0..seats {
                    let ports = self.scene.spread.ports_in(card(seat), Domain::Inside);
                    for &(port, weight) in &path.down {
                        let weight = u128::from(weight) * factor;
                        loads.add(ports[port as usize], all - chunk(seat), weight, path.latency);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Adds who waits for whom around a step of all pairs.
fn add_waits(crowd: &Crowd, listeners: &Listeners, step: u64, builder: &mut PlanBuilder) {
    let mut wait = |agent, before, on| {
        let (completed, pace) = (step + 1, Pace::Once);
        builder.dependency(Dependency { agent, step: before, on, completed, pace });
    };
    for (agent, both) in listeners.waits() {
        for on in both {
            wait(agent, step, on);
        }
    }
    for (place, agent) in crowd.agents.clone().map(AgentId).enumerate() {
        match crowd.seats[place] {
            1 => listeners.but(place).for_each(|on| wait(agent, step + 1, on)),
            // The others of its class are through when it is.
            _ => listeners.all().for_each(|on| wait(agent, step + 1, on)),
        }
    }
}
