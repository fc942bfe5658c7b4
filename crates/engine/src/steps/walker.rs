//! Where an agent of a stepwise plan stands.

use std::cmp::Ordering;

use collectives::Action;
use units::{Duration, Time};

use crate::completion::Error;
use crate::flow::Flow;
use crate::plan::{AgentId, FlowId, Plan};

/// The step of an agent, and when it has entered it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) round: u64,
    pub(super) stage: u32,
    pub(super) stage_step: u64,
    /// When it has entered its step, or finished.
    pub(super) at: Time,
}

/// What lies before an agent that has ended a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Step,
    /// Nothing: all is done.
    End,
}

impl Walker {
    /// An agent before its first step.
    pub(super) fn new(plan: &Plan, agent: AgentId) -> Self {
        Self { round: 0, stage: 0, stage_step: 0, at: plan.program(agent).start }
    }

    /// How many transfers of a flow to the agent were of steps that it has ended.
    pub(super) fn received(&self, flow: &Flow) -> u64 {
        let in_round = match self.stage.cmp(&flow.stage) {
            Ordering::Less => 0,
            Ordering::Equal => self.stage_step.clamp(flow.first, flow.end) - flow.first,
            Ordering::Greater => flow.steps(),
        };
        self.round * flow.steps() + in_round
    }

    /// From entering the step to the start of its transfers, messages not counted.
    pub(super) fn delay(&self, plan: &Plan, agent: AgentId) -> Result<Duration, Error> {
        let program = plan.program(agent);
        let compute = program.stages[self.stage as usize].compute;
        let per_step = program.costs.per_step;
        if compute == Duration::ZERO && per_step == Duration::ZERO {
            return Ok(Duration::ZERO);
        }
        let mut delay = Some(compute);
        if per_step > Duration::ZERO {
            let incoming = plan.incoming.of(agent, self.stage);
            let mut flows = plan.outgoing.of(agent, self.stage).iter().chain(incoming);
            if flows.any(|flow| plan.flows[flow.index()].is_active(self.stage_step)) {
                delay = compute.checked_add(per_step);
            }
        }
        delay.and_then(|delay| delay.stretched(program.slowness)).ok_or(Error::TimeRange)
    }

    /// How long the agent adds up what a message of `flow` in its step brings.
    pub(super) fn adding(
        &self,
        plan: &Plan,
        agent: AgentId,
        flow: FlowId,
    ) -> Result<Duration, Error> {
        let program = plan.program(agent);
        let flow = &plan.flows[flow.index()];
        if flow.action != Action::Reduce || program.costs.reduce.is_none() {
            return Ok(Duration::ZERO);
        }
        let took = program.reduction(flow.bytes(self.stage_step), flow.fan_in);
        took.ok_or(Error::TimeRange)
    }

    /// The step has ended at `at`: the next one begins, of the next stage or round perhaps.
    pub(super) fn leave(&mut self, plan: &Plan, agent: AgentId, at: Time) -> Result<Next, Error> {
        let program = plan.program(agent);
        self.at = at;
        self.stage_step += 1;
        if self.stage_step < program.stages[self.stage as usize].steps {
            return Ok(Next::Step);
        }
        (self.stage, self.stage_step) = (self.stage + 1, 0);
        if (self.stage as usize) < program.stages.len() {
            return Ok(Next::Step);
        }
        if self.round + 1 == program.rounds.count {
            return Ok(Next::End);
        }
        (self.round, self.stage) = (self.round + 1, 0);
        let opening = program.opening(self.round).ok_or(Error::TimeRange)?;
        self.at = self.at.max(opening);
        Ok(Next::Step)
    }
}

/// When sums are formed of what arrives at these instants and takes so long, one after the other in
/// the order of arrival, from `begun` on. The list is emptied.
pub(super) fn added_up(begun: Time, arrivals: &mut Vec<(Time, Duration)>) -> Result<Time, Error> {
    arrivals.sort_unstable();
    let mut done = begun;
    for (at, took) in arrivals.drain(..) {
        done = done.max(at).checked_add(took).ok_or(Error::TimeRange)?;
    }
    Ok(done)
}
