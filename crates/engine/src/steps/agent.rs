//! An agent between the instants at which its transfers have drained.

use std::slice;

use units::Time;

use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::walker::Walker;

/// An agent, in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Agent {
    pub(super) state: Walker,
    pub(super) sending: Sending,
    /// The flow that it sends in its stage if that is just one, else [`NOT_ONE`].
    outgoing: FlowId,
    /// The same of what it receives.
    incoming: FlowId,
}

/// None or several flows.
const NOT_ONE: FlowId = FlowId(u32::MAX);

impl Agent {
    /// An agent that has finished, or not begun.
    pub(super) fn new(plan: &Plan, agent: AgentId, state: Walker) -> Self {
        let mut one = Self { state, sending: Sending::Ended, outgoing: NOT_ONE, incoming: NOT_ONE };
        if !plan.program(agent).stages.is_empty() {
            one.look_up(plan, agent);
        }
        one
    }

    /// Looks up the flows of its stage.
    pub(super) fn look_up(&mut self, plan: &Plan, agent: AgentId) {
        let only = |flows: &[FlowId]| if let [only] = flows { *only } else { NOT_ONE };
        self.outgoing = only(plan.outgoing.of(agent, self.state.stage));
        self.incoming = only(plan.incoming.of(agent, self.state.stage));
    }

    /// The flows that it sends in its stage.
    pub(super) fn outgoing<'a>(&'a self, plan: &'a Plan, agent: AgentId) -> &'a [FlowId] {
        if self.outgoing == NOT_ONE {
            plan.outgoing.of(agent, self.state.stage)
        } else {
            slice::from_ref(&self.outgoing)
        }
    }

    /// The flows that it receives in its stage.
    pub(super) fn incoming<'a>(&'a self, plan: &'a Plan, agent: AgentId) -> &'a [FlowId] {
        if self.incoming == NOT_ONE {
            plan.incoming.of(agent, self.state.stage)
        } else {
            slice::from_ref(&self.incoming)
        }
    }
}

/// What an agent is sending in its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sending {
    /// Nothing, since it waits for others before it enters the step.
    Held,
    /// Nothing yet: its transfers start later.
    Later,
    /// So many transfers since an instant, at least one.
    Since(Time, u32),
    /// Transfers that began at the first instant had drained at the second.
    Done(Time, Time),
    /// Nothing any more: it has finished.
    Ended,
}
