//! What agents wait for in others before they enter a step, and when that has come about.

use units::Time;

use crate::plan::{AgentId, Plan};

/// How many steps each agent has ended, through all rounds, and when it ended the last of them.
///
/// An agent that has ended more steps than another waits for has begun a step since then, at an instant that
/// is past; and who enters a step does so now or later. So only the last end matters.
#[derive(Clone, Debug, Default)]
pub(super) struct Gates {
    /// Empty where nobody waits for anybody.
    ended: Vec<(u64, Time)>,
}

impl Gates {
    /// No agent has ended a step.
    pub(super) fn new(plan: &Plan) -> Self {
        let is_open = plan.waits_for_nobody();
        Self { ended: vec![(0, Time::ZERO); if is_open { 0 } else { plan.agents() }] }
    }

    /// Whether nobody waits for anybody.
    pub(super) const fn are_open(&self) -> bool {
        self.ended.is_empty()
    }

    /// An agent has ended a step.
    pub(super) fn end_step(&mut self, agent: AgentId, at: Time) {
        if let Some((steps, last)) = self.ended.get_mut(agent.index()) {
            (*steps, *last) = (*steps + 1, at);
        }
    }

    /// Since when nothing keeps an agent out of its next step, of round `round`, as far as it matters now;
    /// `None` if that is still to come.
    pub(super) fn open(&self, plan: &Plan, agent: AgentId, round: u64) -> Option<Time> {
        let Some(&(step, _)) = self.ended.get(agent.index()) else { return Some(Time::ZERO) };
        let step = step - round * plan.round_steps(agent);
        let mut open = Time::ZERO;
        for dependency in &plan.dependencies[agent.index()] {
            let Some(needed) = plan.needed(dependency, round, step) else { continue };
            let theirs = plan.program(dependency.on).rounds.count * plan.round_steps(dependency.on);
            let needed = needed.min(theirs);
            let (steps, at) = self.ended[dependency.on.index()];
            if steps < needed {
                return None;
            }
            if steps == needed {
                open = open.max(at);
            }
        }
        Some(open)
    }
}
