//! What those who walk alone and cells that share ways tell each other.

use units::{Duration, Time};

use crate::plan::{AgentId, FlowId};
use crate::steps::alone::{OwnWay, Walk};
use crate::steps::stream::Stretch;
use crate::steps::waits::Wait;

/// So many stretches of a flow are many: memory must not grow with the length of a run.
const MOST_AHEAD: usize = 1_024;

impl<W: OwnWay> Walk<'_, W> {
    /// Whether many messages of a flow wait for their receiver.
    pub(super) fn is_full(&self, flow: FlowId) -> bool {
        self.delivered[flow.index()].stretches() >= MOST_AHEAD
    }

    /// Whether a message of a flow waits for its receiver.
    pub(super) fn is_known(&self, flow: FlowId) -> bool {
        !self.delivered[flow.index()].is_empty()
    }

    /// Who starts something by then may be far ahead of its receivers.
    pub(super) const fn wait_for(&mut self, floor: Time) {
        self.floor = floor;
    }

    /// When those would go on who are far ahead of their receivers.
    pub(super) fn held_back(&self) -> impl Iterator<Item = Time> {
        let held_back =
            |agent: &&AgentId| self.begun[agent.index()].is_none() && self.is_walking(**agent);
        self.order.iter().filter(held_back).map(|agent| self.agents[agent.index()].at)
    }

    /// An instant before which the agent starts no transfer that is not known yet, if nobody else starts
    /// any before what `from` says; [`Time::MAX`] when it has finished.
    pub(super) fn next_start(&self, agent: AgentId, from: &[Time]) -> Time {
        if !self.is_walking(agent) {
            return Time::MAX;
        }
        let state = &self.agents[agent.index()];
        let Some((_, drained)) = self.begun[agent.index()] else {
            return self.entry(agent, from);
        };
        let incoming = self.plan.incoming.of(agent, state.stage);
        let hears = |flow: FlowId| {
            let known = self.delivered[flow.index()].front().map(|stretch| stretch.first);
            known.unwrap_or_else(|| self.reach(flow, from))
        };
        self.plan.active(incoming, state.stage_step).map(hears).fold(drained, Time::max)
    }

    /// An instant before which the agent does not enter the step before it.
    fn entry(&self, agent: AgentId, from: &[Time]) -> Time {
        let state = &self.agents[agent.index()];
        let waits = if state.stage_step == 0 { self.waits.before(agent, state.stage) } else { &[] };
        waits.iter().map(|wait| self.end_of(wait, from)).fold(state.at, Time::max)
    }

    /// An instant before which a wait does not end, if nobody starts anything before what `from` says.
    ///
    /// Who walks alone takes as long for a step as it sends, at least. Where the one waited for is of a cell,
    /// it may end its stage at once.
    pub(super) fn end_of(&self, wait: &Wait, from: &[Time]) -> Time {
        let from = from[wait.on.index()];
        wait.since.unwrap_or_else(|| from.checked_add(self.least_left(wait)).unwrap_or(Time::MAX))
    }

    /// How long the one waited for takes at least for the steps that it has not begun.
    fn least_left(&self, wait: &Wait) -> Duration {
        let (on, stage) = (wait.on, wait.after);
        if !self.walks[on.index()] {
            return Duration::ZERO;
        }
        let state = &self.agents[on.index()];
        let steps = self.plan.program(on).stages[stage as usize].steps;
        let is_in_step = u64::from(self.begun[on.index()].is_some());
        let begun = if state.stage < stage { 0 } else { state.stage_step + is_in_step };
        let least = |flow: FlowId| {
            let it = &self.plan.flows[flow.index()];
            let steady = it.sizes.steady();
            let alike = steady.period == 1 && steady.until >= it.end && it.first <= begun;
            // Of steps that are not alike only the last one is looked at.
            let steps = if alike { steps - begun } else { 1.min(steps - begun) };
            self.way.draining(flow, it.bytes(it.end - 1)).checked_mul(steps).unwrap_or_default()
        };
        let sent = self.plan.active(self.plan.outgoing.of(on, stage), steps - 1);
        sent.map(least).max().unwrap_or_default()
    }

    /// No message of a flow that is not known yet is delivered before this.
    pub(super) fn reach(&self, flow: FlowId, from: &[Time]) -> Time {
        let src = self.plan.flows[flow.index()].src;
        from[src.index()].checked_add(self.way.latency(flow)).unwrap_or(Time::MAX)
    }

    /// Messages of a flow that an agent of a cell sends.
    pub(super) fn send(&mut self, flow: FlowId, messages: Stretch) {
        self.delivered[flow.index()].push(messages);
    }

    /// Takes out the first message of a flow if it is delivered before the horizon of a cell.
    pub(super) fn pop_before(&mut self, flow: FlowId, horizon: Time) -> Option<Time> {
        let stream = &mut self.delivered[flow.index()];
        stream.front().is_some_and(|next| next.first < horizon).then(|| stream.pop()).flatten()
    }

    fn is_walking(&self, agent: AgentId) -> bool {
        (self.agents[agent.index()].stage as usize) < self.plan.program(agent).stages.len()
    }
}
