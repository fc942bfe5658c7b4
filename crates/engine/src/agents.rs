//! Where each agent stands.

use units::Time;

use crate::digest::Digest;
use crate::plan::{AgentId, Plan};
use crate::program::Program;

/// What an agent is doing in its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not yet in the step: waits for the start of its lane or for another lane.
    Waiting,
    /// In the step, computing or starting up.
    Delayed,
    /// Its transfers are under way.
    Busy,
    /// Everything is sent and received, the sum is being formed.
    Reducing,
    /// All steps are done.
    Finished,
}

/// What begins after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// The next step of the stage.
    Step,
    /// The next stage.
    Stage,
    /// The next round.
    Round,
    /// Nothing: all is done.
    End,
}

/// The state of one agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentState {
    /// Steps completed, through all stages of all rounds: the index of the current step.
    pub(crate) step: u64,
    /// The current round.
    pub(crate) round: u64,
    /// Whether the round may begin by the clock.
    pub(crate) is_open: bool,
    /// The current stage.
    pub(crate) stage: u32,
    /// The current step within the stage.
    pub(crate) stage_step: u64,
    /// What it is doing.
    pub(crate) phase: Phase,
    /// Transfers of this step not yet drained (sent) or delivered (received).
    pub(crate) outstanding: u32,
    /// Until when its sums take.
    pub(crate) reducing_until: Time,
    /// The steps of the stage in which the same flows take place, first and end.
    pub(crate) steady: (u64, u64),
}

impl AgentState {
    pub(crate) const fn new() -> Self {
        Self {
            step: 0,
            round: 0,
            is_open: false,
            stage: 0,
            stage_step: 0,
            phase: Phase::Waiting,
            outstanding: 0,
            reducing_until: Time::ZERO,
            steady: (0, 0),
        }
    }

    /// Moves on by a step and says what begins.
    pub(crate) fn advance(&mut self, program: &Program) -> Advance {
        self.step += 1;
        self.stage_step += 1;
        self.phase = Phase::Waiting;
        if self.stage_step < program.stages[self.stage as usize].steps {
            return Advance::Step;
        }
        (self.stage, self.stage_step) = (self.stage + 1, 0);
        if (self.stage as usize) < program.stages.len() {
            return Advance::Stage;
        }
        if self.round + 1 < program.rounds.count {
            (self.round, self.stage) = (self.round + 1, 0);
            return Advance::Round;
        }
        self.phase = Phase::Finished;
        Advance::End
    }

    /// Whether the step lies where every step of the stage is alike.
    pub(crate) const fn is_steady(&self) -> bool {
        !matches!(self.phase, Phase::Finished)
            && self.steady.0 <= self.stage_step
            && self.stage_step < self.steady.1
    }

    /// How many more steps it may take and still be in a like one.
    pub(crate) const fn steady_steps_left(&self) -> u64 {
        self.steady.1 - 1 - self.stage_step
    }

    /// Finds where the steps of the current stage are alike. A stage of one step never is.
    pub(crate) fn find_steady(&mut self, plan: &Plan, agent: AgentId) {
        let steps = plan.program(agent).stages[self.stage as usize].steps;
        self.steady = (0, if steps > 1 { steps } else { 0 });
        let flows = plan.outgoing.of(agent, self.stage).iter();
        for &flow in flows.chain(plan.incoming.of(agent, self.stage)) {
            let flow = &plan.flows[flow.index()];
            self.steady.0 = self.steady.0.max(flow.first);
            self.steady.1 = self.steady.1.min(flow.end).min(flow.sizes.steady().until);
        }
    }

    /// Adds the state to `digest`, its step counted from `base` where steps are alike.
    pub(crate) fn digest(&self, agent: AgentId, base: u64, now: Time, digest: &mut Digest) {
        let step =
            if self.is_steady() { self.step.wrapping_sub(base) << 1 | 1 } else { self.step << 1 };
        let reducing = self.reducing_until.as_picos().saturating_sub(now.as_picos());
        // Stages and messages are far fewer than 2²³ and 2³².
        let place = u64::from(self.stage) << 1 | u64::from(self.is_open);
        let phase = self.phase as u64 | u64::from(self.outstanding) << 8 | place << 40;
        digest.add(0x20 | u64::from(agent.0) << 8, [step, phase, reducing]);
    }
}
