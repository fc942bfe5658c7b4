//! Nothing is shared: steps are walked through without events.
//!
//! A ring in which nothing is shared is the max-plus recursion
//! xᵢ(k+1) = max(xᵢ(k) + sᵢ, xᵢ₋₁(k) + sᵢ₋₁ + lᵢ₋₁).
//!
//! Agents are taken in the order of their flows; each goes as far as the messages that are known let it,
//! and some thousand messages ahead of its receivers. In a ring one round takes every agent forward by as
//! many steps as the ring has agents.

use std::collections::VecDeque;

use units::{Bytes, Duration, Time};

use crate::completion::{Completion, Counters, Error, Limits};
use crate::flow::Flow;
use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::walker::{Next, Walker, added_up};

/// How many messages of a flow may wait for their receiver: memory must not grow with the length of a run.
const MOST_AHEAD: usize = 4_096;

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
    let mut walk = Walk::new(plan, way);
    if let Err(error) = walk.go_to_end(limits) {
        limits.watch.tell_delivered(|| walk.delivered());
        return Err(error);
    }
    let finished = walk.agents.iter().map(|state| Some(state.at)).collect();
    let ended = walk.agents.iter().map(|state| state.at).max().unwrap_or_default();
    let counters = Counters { events: walk.events, ..Counters::default() };
    Ok(Completion { finished, ended, standstill: Vec::new(), counters })
}

struct Walk<'a, W> {
    plan: &'a Plan,
    way: &'a W,
    agents: Vec<Walker>,
    /// When each agent's transfers of its step have started and drained, if they have.
    begun: Vec<Option<(Time, Time)>>,
    /// Deliveries of each flow that its receiver has not used yet.
    delivered: Vec<VecDeque<Time>>,
    /// The bytes of each flow's last transfer and how long it drained.
    last: Vec<(Bytes, Duration)>,
    arrivals: Vec<(Time, Duration)>,
    unfinished: usize,
    /// Steps entered and transfers ended.
    events: u64,
}

impl<'a, W: OwnWay> Walk<'a, W> {
    fn new(plan: &'a Plan, way: &'a W) -> Self {
        let (agents, unfinished) = Walker::all(plan);
        Self {
            plan,
            way,
            unfinished,
            begun: vec![None; agents.len()],
            agents,
            delivered: vec![VecDeque::new(); plan.flows.len()],
            last: vec![(Bytes::ZERO, Duration::ZERO); plan.flows.len()],
            arrivals: Vec::new(),
            events: 0,
        }
    }

    /// Takes all agents to their ends.
    fn go_to_end(&mut self, limits: Limits<'_>) -> Result<(), Error> {
        let order = self.plan.in_order_of_flows();
        let mut told = 0;
        while self.unfinished > 0 {
            let at = order.first().map_or(Time::ZERO, |agent| self.agents[agent.index()].at);
            limits.watch.tell(at, self.events - told)?;
            told = self.events;
            let before = self.events;
            for &agent in &order {
                self.go_on(agent)?;
            }
            assert!(
                self.events > before || self.unfinished == 0,
                "the agent furthest behind can go on"
            );
        }
        Ok(())
    }

    /// How many transfers of each flow were of steps that their receivers have ended.
    fn delivered(&self) -> Vec<u64> {
        let received = |flow: &Flow| self.agents[flow.dst.index()].received(flow);
        self.plan.flows.iter().map(received).collect()
    }

    /// Takes `agent` through its steps as far as messages are known.
    fn go_on(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        let mut state = self.agents[agent.index()];
        let mut pending = self.begun[agent.index()];
        while (state.stage as usize) < plan.program(agent).stages.len() {
            let (begun, drained) = match pending {
                Some(begun) => begun,
                None if self.is_far_ahead(agent, &state) => break,
                None => self.begin(agent, &state)?,
            };
            pending = Some((begun, drained));
            let Some(received) = self.receive(agent, &state, begun)? else { break };
            self.events += 1;
            pending = None;
            if state.leave(plan, agent, drained.max(received))? == Next::End {
                self.unfinished -= 1;
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
        let mut outgoing = self.plan.outgoing.of(agent, state.stage).iter();
        outgoing.any(|flow| self.delivered[flow.index()].len() >= MOST_AHEAD)
    }

    /// Starts the transfers of the step; when that was, and when the last one has drained.
    fn begin(&mut self, agent: AgentId, state: &Walker) -> Result<(Time, Time), Error> {
        let plan = self.plan;
        let is_active = |flow: &&FlowId| plan.flows[flow.index()].is_active(state.stage_step);
        let outgoing = plan.outgoing.of(agent, state.stage);
        let program = plan.program(agent);
        let delay = state.delay(plan, agent)?;
        let later = |at: Time, by: Duration| at.checked_add(by).ok_or(Error::TimeRange);
        let begun = later(state.at, delay)?;
        let mut drained = begun;
        for &flow_id in outgoing.iter().filter(is_active) {
            let flow = &plan.flows[flow_id.index()];
            let messages = u64::from(flow.ordinal) + 1;
            let prepared = program.preparation(messages).ok_or(Error::TimeRange)?;
            let bytes = flow.bytes(state.stage_step);
            let last = &mut self.last[flow_id.index()];
            if last.0 != bytes {
                *last = (bytes, self.way.draining(flow_id, bytes));
            }
            let end = later(later(begun, prepared)?, last.1)?;
            drained = drained.max(end);
            let delivered = later(end, self.way.latency(flow_id))?;
            self.delivered[flow_id.index()].push_back(delivered);
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
        let is_active = |flow: &&FlowId| plan.flows[flow.index()].is_active(state.stage_step);
        let incoming = plan.incoming.of(agent, state.stage).iter().filter(is_active);
        if incoming.clone().any(|flow| self.delivered[flow.index()].is_empty()) {
            return Ok(None);
        }
        let mut received = begun;
        for &flow_id in incoming {
            let at = self.delivered[flow_id.index()].pop_front();
            let at = at.expect("all are known").max(begun);
            received = received.max(at);
            let took = state.adding(plan, agent, flow_id)?;
            if took > Duration::ZERO {
                self.arrivals.push((at, took));
            }
        }
        Ok(Some(received.max(added_up(begun, &mut self.arrivals)?)))
    }
}
