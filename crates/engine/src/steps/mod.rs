//! Plans in which agents wait for each other through messages only: their steps follow from a recursion.
//!
//! With e the instant at which an agent enters a step and d its delay (computing, start-up), its transfers
//! start at b = e + d, and it enters the next step at the latest of the instants at which they have
//! drained and of
//!
//! > the instants at which what it receives is delivered, not before b,
//!
//! and after its sums are formed, one after the other in the order of arrival. Where nothing is shared
//! how long a transfer drains is known when it starts, and a run needs no events ([`run_steps`]); else a
//! network tells when it has drained ([`run_shared_steps`]), and that is the only event: when it will be
//! delivered is known from then on, a path latency ahead.

mod agent;
mod alone;
mod entry;
mod gates;
mod mailbox;
mod messages;
mod mixed;
mod nap;
mod shared;
mod sleep;
mod stream;
mod waits;
mod walker;

pub use alone::{OwnWay, run_steps};
pub use mixed::run_mixed_steps;
pub use shared::{SharedWay, run_shared_steps};

use collectives::Start;

use crate::dependency::Dependency;
use crate::plan::{AgentId, FlowId, Plan};
use waits::Waits;

impl Plan {
    /// Whether agents wait for each other through messages only.
    pub fn is_stepwise(&self) -> bool {
        self.waits_for_nobody() && self.is_eager()
    }

    /// Whether no agent waits for another before it enters a step.
    pub fn waits_for_nobody(&self) -> bool {
        self.dependencies.iter().all(Vec::is_empty)
    }

    /// Whether every transfer starts when its sender has entered the step, wherever its receiver is.
    pub fn is_eager(&self) -> bool {
        self.flows.iter().all(|flow| flow.start == Start::Eager)
    }

    /// Whether every wait of an agent that `is_alone`, and every wait for one, is, once, for a stage to be
    /// ended before another is entered: then [`run_mixed_steps`] may run it.
    pub fn may_walk_alone(&self, is_alone: &dyn Fn(AgentId) -> bool) -> bool {
        let leads_across = |wait: &Dependency| is_alone(wait.agent) || is_alone(wait.on);
        Waits::new(self, &leads_across).is_some()
    }

    /// All agents.
    pub(crate) fn agent_ids(&self) -> impl Iterator<Item = AgentId> + use<> {
        (0..self.agents() as u32).map(AgentId)
    }

    /// Those of some flows that take place in a step of their stage.
    pub(crate) fn active(
        &self,
        flows: &[FlowId],
        step: u64,
    ) -> impl Iterator<Item = FlowId> + Clone {
        flows.iter().copied().filter(move |flow| self.flows[flow.index()].is_active(step))
    }
}
