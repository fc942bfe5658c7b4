//! How a run ends, and what bounds it from outside.

use thiserror::Error;
use units::Time;

use crate::plan::{AgentId, FlowId};
use crate::recurrence::Switch;
use crate::watch::Watch;

/// Why a run ended without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// An instant lies beyond the range of time.
    #[error("time range exceeded: the run lasts longer than 2^64 ps (213 days)")]
    TimeRange,
    /// The run was asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What bounds a run from outside, and which reductions it uses.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Who looks on.
    pub watch: Watch<'a>,
    /// Whether whole periods of a recurring state are skipped.
    pub recurrence: Switch,
    /// How many threads a run that is divided into cells may use; 0 counts as 1.
    pub threads: usize,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// News from the network and timers of the engine.
    pub events: u64,
    /// Steps of single agents that recurrence made unnecessary.
    pub skipped_steps: u64,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// When each agent finished its last step; `None` if it never did.
    pub finished: Vec<Option<Time>>,
    /// When the last event happened.
    pub ended: Time,
    /// What unfinished agents wait for, in their order; empty when all finished.
    pub standstill: Vec<Standstill>,
    /// What the run did.
    pub counters: Counters,
}

/// An unfinished agent and what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standstill {
    /// It waits for another agent's progress.
    Behind {
        /// The waiting agent.
        agent: AgentId,
        /// The step it wants to enter.
        step: u64,
        /// The agent waited for.
        on: AgentId,
    },
    /// It waits to receive.
    Receiving {
        /// The waiting agent.
        agent: AgentId,
        /// Its step.
        step: u64,
        /// The flow that has not delivered.
        flow: FlowId,
    },
    /// It waits for its own transfer to drain.
    Sending {
        /// The waiting agent.
        agent: AgentId,
        /// Its step.
        step: u64,
        /// A flow of it that has not delivered.
        flow: FlowId,
    },
}

impl Standstill {
    /// The waiting agent.
    pub const fn agent(self) -> AgentId {
        match self {
            Self::Behind { agent, .. }
            | Self::Receiving { agent, .. }
            | Self::Sending { agent, .. } => agent,
        }
    }

    /// The step that it wants to enter, or is in.
    pub const fn step(self) -> u64 {
        match self {
            Self::Behind { step, .. }
            | Self::Receiving { step, .. }
            | Self::Sending { step, .. } => step,
        }
    }
}
