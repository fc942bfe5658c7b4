//! How agents of a cell enter their steps, and begin them.

use std::cmp::Reverse;

use units::{Duration, Time};

use crate::completion::Error;
use crate::plan::{AgentId, FlowId};
use crate::steps::agent::Sending;
use crate::steps::shared::{SharedWay, Walk};
use crate::steps::waits::Waits;

/// What agents of a cell wait for in others, and what others wait for in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    pub(super) waits: Waits,
    /// Stages that agents have ended, and when, of which nobody has been told yet.
    pub(super) ended: Vec<(AgentId, u32, Time)>,
}

impl<W: SharedWay> Walk<'_, W> {
    /// A wait of an agent, by its number, has come to its end.
    pub(super) fn hear(&mut self, wait: usize, since: Time) -> Result<(), Error> {
        let Some(outside) = &mut self.outside else { return Ok(()) };
        let agent = outside.waits.all()[wait].agent;
        outside.waits.end(wait, since);
        if self.agents[agent.index()].sending == Sending::Held { self.enter(agent) } else { Ok(()) }
    }

    /// Lets those enter their steps who waited for nobody but an agent that has ended one.
    pub(super) fn let_in(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        for &waiting in &plan.dependants[agent.index()] {
            if self.agents[waiting.index()].sending == Sending::Held {
                self.enter(waiting)?;
            }
        }
        Ok(())
    }

    /// The agent enters a step, perhaps at an instant to come, and its transfers start in due time; not
    /// while it waits for others.
    pub(super) fn enter(&mut self, agent: AgentId) -> Result<(), Error> {
        let one = &mut self.agents[agent.index()];
        let inside = self.gates.open(self.plan, agent, one.state.round);
        let outside = match &self.outside {
            Some(outside) if one.state.stage_step == 0 => {
                outside.waits.open(agent, one.state.stage)
            }
            _ => Some(Time::ZERO),
        };
        let (Some(inside), Some(outside)) = (inside, outside) else {
            one.sending = Sending::Held;
            return Ok(());
        };
        one.state.at = one.state.at.max(inside).max(outside);
        let delay = one.state.delay(self.plan, agent)?;
        let begins = one.state.at.checked_add(delay).ok_or(Error::TimeRange)?;
        one.sending = Sending::Later;
        self.begins.set(agent.index(), begins);
        Ok(())
    }

    /// The transfers of the agent's step start.
    pub(super) fn begin(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        let one = self.agents[agent.index()];
        let step = one.state.stage_step;
        let program = plan.program(agent);
        let mut count = 0;
        for &flow_id in one.outgoing(plan, agent) {
            let flow = &plan.flows[flow_id.index()];
            if !flow.is_active(step) {
                continue;
            }
            count += 1;
            if program.costs.per_message == Duration::ZERO {
                self.way.start(self.now, flow_id, flow.bytes(step))?;
            } else {
                let prepared = program.preparation(u64::from(flow.ordinal) + 1);
                let at = prepared.and_then(|prepared| self.now.checked_add(prepared));
                self.prepared.push(Reverse((at.ok_or(Error::TimeRange)?, flow_id)));
            }
        }
        if count == 0 {
            self.agents[agent.index()].sending = Sending::Done(self.now, self.now);
            return self.end_step(agent);
        }
        self.agents[agent.index()].sending = Sending::Since(self.now, count);
        Ok(())
    }

    /// A message has been prepared.
    pub(super) fn send(&mut self, flow: FlowId) -> Result<(), Error> {
        let one = &self.plan.flows[flow.index()];
        let step = self.agents[one.src.index()].state.stage_step;
        self.way.start(self.now, flow, one.bytes(step))
    }
}
