//! What agents wait for in other agents.

use collectives::Pace;

use crate::plan::AgentId;

/// What an agent waits for before it enters a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The waiting agent.
    pub agent: AgentId,
    /// Its first waiting step of each round, counted through all stages.
    pub step: u64,
    /// The agent waited for, which has as many rounds.
    pub on: AgentId,
    /// How many steps of the same round that one must have completed.
    pub completed: u64,
    /// Whether later steps wait too.
    pub pace: Pace,
}

/// A dependency in one round, in steps counted through all rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    /// The first waiting step.
    pub(crate) step: u64,
    /// How many steps the other must have completed for it.
    pub(crate) completed: u64,
    /// The most that any step of the round waits for: the end of the other's round.
    pub(crate) most: u64,
}

impl Threshold {
    /// How many steps the other must have completed before `step`, from the first waiting one on, if
    /// each step waits.
    pub(crate) fn at(&self, step: u64) -> u64 {
        self.most.min(self.completed + (step - self.step))
    }
}
