//! Nothing is shared: steps are walked through without events.
//!
//! A ring in which nothing is shared is the max-plus recursion
//! xᵢ(k+1) = max(xᵢ(k) + sᵢ, xᵢ₋₁(k) + sᵢ₋₁ + lᵢ₋₁).
//!
//! Agents are taken in the order of their flows; each goes as far as the messages that are known let it,
//! and some thousand stretches of messages ahead of its receivers. In a ring one round takes every agent
//! forward by as many steps as the ring has agents. An agent whose steps have become alike sleeps while
//! they stay so ([`sleep`](super::sleep)).

use units::{Bytes, Duration, Time};

use crate::completion::{Completion, Counters, Error, Limits};
use crate::flow::Flow;
use crate::plan::{AgentId, FlowId, Plan};
use crate::recurrence::Switch;
use crate::steps::nap::Pace;
use crate::steps::stream::{Stream, Stretch};
use crate::steps::waits::Waits;
use crate::steps::walker::{Next, Walker, added_up};

/// No agent is in this stage.
const NO_STAGE: u32 = u32::MAX;

/// How long transfers take that have their way to themselves.
pub trait OwnWay {
    /// From start to drained.
    fn draining(&self, flow: FlowId, bytes: Bytes) -> Duration;

    /// From drained to delivered.
    fn latency(&self, flow: FlowId) -> Duration;
}

/// Runs a stepwise plan to its end.
///
/// # Panics
/// If the plan is not [stepwise](Plan::is_stepwise).
pub fn run_steps(plan: &Plan, way: &impl OwnWay, limits: Limits<'_>) -> Result<Completion, Error> {
    assert!(plan.is_stepwise(), "agents wait for messages only");
    let mut walk = Walk::new(plan, way, (limits.recurrence, &|_| true), Waits::default());
    if let Err(error) = walk.go_to_end(limits) {
        limits.watch.tell_delivered(|| walk.delivered());
        return Err(error);
    }
    Ok(walk.completion())
}

/// Agents that share nothing, and the messages of all.
pub(super) struct Walk<'a, W> {
    pub(super) plan: &'a Plan,
    pub(super) way: &'a W,
    /// Who walks here, in the order of flows.
    pub(super) order: Vec<AgentId>,
    /// For each agent whether it does.
    pub(super) walks: Vec<bool>,
    pub(super) agents: Vec<Walker>,
    /// When each agent's transfers of its step have started and drained, if they have.
    pub(super) begun: Vec<Option<(Time, Time)>>,
    /// Deliveries of each flow that its receiver has not used yet.
    pub(super) delivered: Vec<Stream>,
    /// What those who walk here wait for in others, and others in them.
    pub(super) waits: Waits,
    /// The bytes of each flow's last transfer and how long it drained.
    last: Vec<(Bytes, Duration)>,
    arrivals: Vec<(Time, Duration)>,
    /// The stage for which it was looked up last, and the pace of each agent; none where nobody sleeps.
    pub(super) paces: Vec<(u32, Pace)>,
    unfinished: usize,
    /// Who acts by then may be far ahead of its receivers.
    pub(super) floor: Time,
    /// Steps that agents have left awake, or all at once.
    pub(super) steps: u64,
    /// Transfers that have drained, and that are delivered; of those in sleep the first of each nap.
    pub(super) events: u64,
    /// Steps that agents have slept through.
    pub(super) slept: u64,
}

impl<'a, W: OwnWay> Walk<'a, W> {
    /// The agents of a plan that share nothing, before their first steps.
    pub(super) fn new(
        plan: &'a Plan,
        way: &'a W,
        (recurrence, walks): (Switch, &dyn Fn(AgentId) -> bool),
        waits: Waits,
    ) -> Self {
        let mut order = plan.in_order_of_flows();
        order.retain(|&agent| walks(agent));
        let has_steps = |agent: &&AgentId| !plan.program(**agent).stages.is_empty();
        Self {
            plan,
            way,
            unfinished: order.iter().filter(has_steps).count(),
            order,
            walks: plan.agent_ids().map(walks).collect(),
            agents: plan.agent_ids().map(|agent| Walker::new(plan, agent)).collect(),
            begun: vec![None; plan.agents()],
            delivered: vec![Stream::default(); plan.flows.len()],
            waits,
            last: vec![(Bytes::ZERO, Duration::ZERO); plan.flows.len()],
            arrivals: Vec::new(),
            paces: match recurrence {
                Switch::On => vec![(NO_STAGE, Pace::default()); plan.agents()],
                Switch::Off => Vec::new(),
            },
            floor: Time::ZERO,
            steps: 0,
            events: 0,
            slept: 0,
        }
    }

    /// Takes all agents to their ends.
    fn go_to_end(&mut self, limits: Limits<'_>) -> Result<(), Error> {
        let mut told = 0;
        while self.unfinished > 0 {
            let at = self.order.first().map_or(Time::ZERO, |agent| self.agents[agent.index()].at);
            limits.watch.tell(at, self.events - told)?;
            told = self.events;
            let before = self.steps;
            for index in 0..self.order.len() {
                self.go_on(self.order[index])?;
            }
            assert!(
                self.steps > before || self.unfinished == 0,
                "the agent furthest behind can go on"
            );
        }
        Ok(())
    }

    /// Whether somebody has not come to its end.
    pub(super) const fn is_under_way(&self) -> bool {
        self.unfinished > 0
    }

    /// What it has come to; others than those who walk here have finished at once.
    pub(super) fn completion(&self) -> Completion {
        let finished = self.agents.iter().map(|state| Some(state.at)).collect();
        let ended = self.order.iter().map(|agent| self.agents[agent.index()].at).max();
        let counters = Counters { events: self.events, skipped_steps: self.slept };
        let ended = ended.unwrap_or_default();
        Completion { finished, ended, standstill: Vec::new(), counters }
    }

    /// Transfers that have drained, and that are delivered.
    pub(super) const fn events(&self) -> u64 {
        self.events
    }

    /// How many transfers of each flow were of steps that their receivers have ended.
    pub(super) fn delivered(&self) -> Vec<u64> {
        let received = |flow: &Flow| self.agents[flow.dst.index()].received(flow);
        self.plan.flows.iter().map(received).collect()
    }

    /// Takes `agent` through its steps as far as messages are known.
    pub(super) fn go_on(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        let mut state = self.agents[agent.index()];
        let mut pending = self.begun[agent.index()];
        while (state.stage as usize) < plan.program(agent).stages.len() {
            if pending.is_none() {
                if state.stage_step == 0 {
                    let Some(open) = self.waits.open(agent, state.stage) else { break };
                    state.at = state.at.max(open);
                }
                self.sleep(agent, &mut state)?;
            }
            let (begun, drained) = match pending {
                Some(begun) => begun,
                None if state.at > self.floor && self.is_far_ahead(agent, &state) => break,
                None => self.begin(agent, &state)?,
            };
            pending = Some((begun, drained));
            let Some(received) = self.receive(agent, &state, begun)? else { break };
            self.steps += 1;
            pending = None;
            let (stage, end) = (state.stage, drained.max(received));
            if state.leave(plan, agent, end)? == Next::End {
                self.unfinished -= 1;
            }
            if state.stage != stage {
                self.waits.end_stage(agent, stage, end);
            }
        }
        self.agents[agent.index()] = state;
        self.begun[agent.index()] = pending;
        Ok(())
    }

    /// Whether a receiver has many messages of the agent before it that it has not used.
    ///
    /// Of all agents that are not done the one in the earliest step never is, and what it waits for has
    /// been sent; so somebody can always go on.
    fn is_far_ahead(&self, agent: AgentId, state: &Walker) -> bool {
        self.plan.outgoing.of(agent, state.stage).iter().any(|&flow| self.is_full(flow))
    }

    /// When a transfer of a step that begins at `begun` has drained and is delivered.
    pub(super) fn course(
        &self,
        agent: AgentId,
        flow: FlowId,
        (begun, draining): (Time, Duration),
    ) -> Result<(Time, Time), Error> {
        let later = |at: Time, by: Duration| at.checked_add(by).ok_or(Error::TimeRange);
        let messages = u64::from(self.plan.flows[flow.index()].ordinal) + 1;
        let prepared = self.plan.program(agent).preparation(messages).ok_or(Error::TimeRange)?;
        let drained = later(later(begun, prepared)?, draining)?;
        Ok((drained, later(drained, self.way.latency(flow))?))
    }

    /// Starts the transfers of the step; when that was, and when the last one has drained.
    fn begin(&mut self, agent: AgentId, state: &Walker) -> Result<(Time, Time), Error> {
        let plan = self.plan;
        let delay = state.delay(plan, agent)?;
        let begun = state.at.checked_add(delay).ok_or(Error::TimeRange)?;
        let mut drained = begun;
        for flow in plan.active(plan.outgoing.of(agent, state.stage), state.stage_step) {
            let bytes = plan.flows[flow.index()].bytes(state.stage_step);
            let last = &mut self.last[flow.index()];
            if last.0 != bytes {
                *last = (bytes, self.way.draining(flow, bytes));
            }
            let draining = last.1;
            let (end, delivered) = self.course(agent, flow, (begun, draining))?;
            drained = drained.max(end);
            self.delivered[flow.index()].push(Stretch::one(delivered));
            self.events += 2;
        }
        Ok((begun, drained))
    }

    /// When everything of the step is received and added up, once all of it is known.
    fn receive(
        &mut self,
        agent: AgentId,
        state: &Walker,
        begun: Time,
    ) -> Result<Option<Time>, Error> {
        let plan = self.plan;
        let incoming = plan.active(plan.incoming.of(agent, state.stage), state.stage_step);
        if incoming.clone().any(|flow| self.delivered[flow.index()].is_empty()) {
            return Ok(None);
        }
        let mut received = begun;
        for flow in incoming {
            let at = self.delivered[flow.index()].pop().expect("all are known");
            let took = state.adding(plan, agent, flow)?;
            received = received.max(at);
            if took > Duration::ZERO {
                self.arrivals.push((at.max(begun), took));
            }
        }
        Ok(Some(received.max(added_up(begun, &mut self.arrivals)?)))
    }
}
