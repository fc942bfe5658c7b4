//! What is to be simulated: agents, their programs, and the flows between them.
//!
//! An *agent* is a seat of a lane, a class of seats that behave alike, or one that sits nowhere and only
//! listens to others; a *flow* is a transfer
//! that an agent repeats in every step of a window, or a class of such transfers. The engine does
//! not know which: it is the same problem, smaller.

use std::sync::Arc;

use collectives::Pace;
use rustc_hash::FxHashSet;

use crate::dependency::{Dependency, Threshold};
use crate::digest::Digest;
use crate::flow::{Flow, Terms};
use crate::program::Program;

/// An agent, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

/// A flow, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId(pub u32);

impl AgentId {
    /// The index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl FlowId {
    /// The index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The whole plan, indexed by agent and stage.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) programs: Arc<[Program]>,
    /// The steps of a round of each program.
    pub(crate) round_steps: Arc<[u64]>,
    pub(crate) program_of: Vec<u32>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) outgoing: StageIndex,
    pub(crate) incoming: StageIndex,
    pub(crate) dependencies: Vec<Vec<Dependency>>,
    pub(crate) dependants: Vec<Vec<AgentId>>,
}

/// Lists of flows by agent and stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct StageIndex {
    first_slot: Vec<u32>,
    slot_start: Vec<u32>,
    flows: Vec<FlowId>,
}

impl StageIndex {
    /// The flows of `agent` in `stage`, in order of id.
    pub(crate) fn of(&self, agent: AgentId, stage: u32) -> &[FlowId] {
        let slot = (self.first_slot[agent.index()] + stage) as usize;
        &self.flows[self.slot_start[slot] as usize..self.slot_start[slot + 1] as usize]
    }

    /// Files each flow under its agent and stage, if it has one here.
    pub(crate) fn new(
        stages_of: &[u32],
        keys: impl Iterator<Item = Option<(AgentId, u32)>> + Clone,
    ) -> Self {
        let mut first_slot = Vec::with_capacity(stages_of.len());
        let mut slots = 0_u32;
        for &stages in stages_of {
            first_slot.push(slots);
            slots += stages;
        }
        let slot = |(agent, stage): (AgentId, u32)| (first_slot[agent.index()] + stage) as usize;
        let mut slot_start = vec![0_u32; slots as usize + 1];
        for key in keys.clone().flatten() {
            slot_start[slot(key) + 1] += 1;
        }
        for index in 0..slots as usize {
            slot_start[index + 1] += slot_start[index];
        }
        let mut next = slot_start.clone();
        let mut flows = vec![FlowId(0); slot_start[slots as usize] as usize];
        for (index, key) in keys.enumerate() {
            let Some(key) = key else { continue };
            let place = &mut next[slot(key)];
            flows[*place as usize] = FlowId(index as u32);
            *place += 1;
        }
        Self { first_slot, slot_start, flows }
    }
}

/// Collects the parts of a [`Plan`].
#[derive(Clone, Debug, Default)]
pub struct PlanBuilder {
    programs: Vec<Program>,
    program_of: Vec<u32>,
    flows: Vec<Flow>,
    terms: FxHashSet<Arc<Terms>>,
    dependencies: Vec<Dependency>,
}

impl PlanBuilder {
    /// Adds a program and returns its index.
    pub fn program(&mut self, program: Program) -> u32 {
        self.programs.push(program);
        self.programs.len() as u32 - 1
    }

    /// Adds an agent that walks through `program`.
    pub fn agent(&mut self, program: u32) -> AgentId {
        assert!((program as usize) < self.programs.len(), "an agent names a program of the plan");
        self.program_of.push(program);
        AgentId(self.program_of.len() as u32 - 1)
    }

    /// Adds a flow between agents of the plan.
    pub fn flow(&mut self, src: AgentId, dst: AgentId, terms: Terms) -> FlowId {
        let terms = self.shared(terms);
        self.flows.push(Flow { src, dst, terms });
        FlowId(self.flows.len() as u32 - 1)
    }

    /// The terms, once for all flows that have them; the flow before often does.
    fn shared(&mut self, terms: Terms) -> Arc<Terms> {
        if let Some(last) = self.flows.last()
            && *last.terms == terms
        {
            return Arc::clone(&last.terms);
        }
        if let Some(known) = self.terms.get(&terms) {
            return Arc::clone(known);
        }
        let fresh = Arc::new(terms);
        self.terms.insert(Arc::clone(&fresh));
        fresh
    }

    /// Adds a dependency between agents of the plan.
    pub fn dependency(&mut self, dependency: Dependency) {
        self.dependencies.push(dependency);
    }

    /// The number of agents so far.
    pub fn agents(&self) -> usize {
        self.program_of.len()
    }

    /// The plan.
    ///
    /// # Panics
    /// If a flow names a stage or a step that its agents do not have, or agents that depend on each
    /// other have not as many rounds.
    pub fn build(self) -> Plan {
        let stages_of = stages_of(&self.programs, &self.program_of);
        for flow in &self.flows {
            let stage = |agent: AgentId| {
                let program = &self.programs[self.program_of[agent.index()] as usize];
                program.stages[flow.stage as usize]
            };
            assert!(flow.first < flow.end, "a flow takes place in some step");
            assert!(flow.end <= stage(flow.src).steps, "a flow ends with its sender's stage");
            assert!(flow.end <= stage(flow.dst).steps, "a flow ends with its receiver's stage");
            assert!(flow.part < flow.parts, "a flow is one of the parts");
        }
        let rounds =
            |agent: AgentId| self.programs[self.program_of[agent.index()] as usize].rounds.count;
        let flows = self.flows.iter();
        let meetings = flows.clone().map(|flow| (flow.src, flow.dst));
        let waits = self.dependencies.iter().map(|wait| (wait.agent, wait.on));
        for (left, right) in meetings.chain(waits) {
            assert_eq!(rounds(left), rounds(right), "who meets has as many rounds");
        }
        let outgoing = StageIndex::new(&stages_of, flows.clone().map(|f| Some((f.src, f.stage))));
        let incoming = StageIndex::new(&stages_of, flows.map(|f| Some((f.dst, f.stage))));
        let mut dependencies = vec![Vec::new(); self.program_of.len()];
        let mut dependants = vec![Vec::new(); self.program_of.len()];
        for dependency in self.dependencies {
            dependants[dependency.on.index()].push(dependency.agent);
            dependencies[dependency.agent.index()].push(dependency);
        }
        Plan {
            round_steps: self.programs.iter().map(Program::round_steps).collect(),
            programs: self.programs.into(),
            program_of: self.program_of,
            flows: self.flows,
            outgoing,
            incoming,
            dependencies,
            dependants,
        }
    }
}

/// The number of stages of each agent.
pub(crate) fn stages_of(programs: &[Program], program_of: &[u32]) -> Vec<u32> {
    let stages = |&program: &u32| programs[program as usize].stages.len() as u32;
    program_of.iter().map(stages).collect()
}

impl Plan {
    /// The number of agents.
    pub fn agents(&self) -> usize {
        self.program_of.len()
    }

    /// All flows, by id.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// Adds everything that a run depends on to `digest`.
    pub fn digest(&self, digest: &mut Digest) {
        for (index, program) in self.programs.iter().enumerate() {
            program.digest(index as u64, digest);
        }
        for (agent, &program) in self.program_of.iter().enumerate() {
            digest.add(0x62, [agent as u64, u64::from(program), 0]);
        }
        // Most flows have their terms in common with the one before.
        let mut last: Option<(&Arc<Terms>, [u64; 2])> = None;
        for (index, Flow { src, dst, terms }) in self.flows.iter().enumerate() {
            let [high, low] = match last {
                Some((before, words)) if Arc::ptr_eq(before, terms) => words,
                _ => terms.digest().words(),
            };
            last = Some((terms, [high, low]));
            let ends = u64::from(src.0) << 32 | u64::from(dst.0);
            digest.add(0x63, [index as u64, ends, high, low]);
        }
        for wait in self.dependencies.iter().flatten() {
            let agents = u64::from(wait.agent.0) << 32 | u64::from(wait.on.0);
            let kind = if wait.pace == Pace::Once { 0x67 } else { 0x68 };
            digest.add(kind, [agents, wait.step, wait.completed]);
        }
    }

    /// How many steps, counted through all rounds, the other must have completed before an agent enters step
    /// `step` of round `round`; `None` if that step does not wait.
    pub(crate) fn needed(&self, dependency: &Dependency, round: u64, step: u64) -> Option<u64> {
        let later = step.checked_sub(dependency.step)?;
        match dependency.pace {
            Pace::Once if later > 0 => None,
            _ => {
                let threshold = self.threshold(dependency, round);
                Some(threshold.at(threshold.step + later))
            }
        }
    }

    /// What a dependency asks for in a round.
    pub(crate) fn threshold(&self, dependency: &Dependency, round: u64) -> Threshold {
        let theirs = self.round_steps(dependency.on);
        Threshold {
            step: round * self.round_steps(dependency.agent) + dependency.step,
            completed: round * theirs + dependency.completed,
            most: (round + 1) * theirs,
        }
    }

    /// The steps of a round of an agent.
    pub(crate) fn round_steps(&self, agent: AgentId) -> u64 {
        self.round_steps[self.program_of[agent.index()] as usize]
    }

    /// The program of an agent.
    pub fn program(&self, agent: AgentId) -> &Program {
        &self.programs[self.program_of[agent.index()] as usize]
    }
}
