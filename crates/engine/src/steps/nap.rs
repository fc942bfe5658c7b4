//! How long an agent may sleep: local recurrence.
//!
//! What an agent does in a step follows from when it enters the step and when it receives, and moving all
//! of that by a span moves what it does by the same span. So let an agent that entered a step at e have
//! entered the next one at e + d, and let the steps to come be like that one: the same transfers of the
//! same sizes. If everything it receives comes d later as well, the next step lasts d again, and so on;
//! that holds for as many steps as what is known of its messages has the period d. What comes before it
//! could matter need not have that period: it only has to stay early.
//!
//! So the agent sleeps: its deliveries are told as one stretch, and it wakes at the first message that
//! deviates. Only the fronts of waves are awake. A ring with one slow place costs some steps for each
//! agent, where walking would take as many as the ring has agents; it is the recurrence of each agent,
//! where that of the whole state (`crate::recurrence`) would wait for all of them.

use units::{Duration, Time};

use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::stream::{Stream, Stretch};
use crate::steps::walker::Walker;

/// A step that an agent has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) agent: AgentId,
    /// Where the agent stood in it.
    pub(super) walker: Walker,
    /// When its transfers began.
    pub(super) begun: Time,
    /// When they had drained.
    pub(super) drained: Time,
}

/// A message that was received in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) flow: FlowId,
    /// When it was delivered, which may be before the step began.
    pub(super) at: Time,
    /// Whether adding it up takes time.
    pub(super) is_added: bool,
}

/// Where the steps of each agent's stage are alike.
#[derive(Clone, Debug)]
pub(super) struct Naps {
    /// The stage looked up last, its first step that is like those behind it, and the one after the last.
    alike: Vec<(u32, u64, u64)>,
}

/// No stage.
const NONE: u32 = u32::MAX;

impl Naps {
    pub(super) fn new(plan: &Plan) -> Self {
        Self { alike: vec![(NONE, 0, 0); plan.agents()] }
    }

    /// How many steps from `next` on will pass like `last`, the step before it.
    pub(super) fn alike(
        &mut self,
        plan: &Plan,
        last: &Step,
        next: &Walker,
        (heard, streams): (&[Heard], &[Stream]),
    ) -> u64 {
        let Step { agent, walker: Walker { stage, stage_step: step, .. }, .. } = *last;
        if next.stage_step != step + 1 {
            return 0;
        }
        let (first, end) = self.window(plan, agent, stage);
        if step < first || next.stage_step >= end {
            return 0;
        }
        let period = next.at.since(last.walker.at);
        let bounds = heard.iter().map(|one| {
            let floor = if one.is_added { last.begun } else { last.drained };
            streams[one.flow.index()]
                .front()
                .map_or(0, |to_come| lead(one.at, floor, period, to_come))
        });
        // The last step of a stage is left in a way of its own.
        let most = end.min(plan.program(agent).stages[stage as usize].steps - 1) - next.stage_step;
        bounds.fold(most, u64::min)
    }

    /// Between which steps of a stage the same transfers of the same sizes take place.
    fn window(&mut self, plan: &Plan, agent: AgentId, stage: u32) -> (u64, u64) {
        let known = &mut self.alike[agent.index()];
        if known.0 != stage {
            let flows = plan.outgoing.of(agent, stage).iter().chain(plan.incoming.of(agent, stage));
            let (mut first, mut end) = (0, plan.program(agent).stages[stage as usize].steps);
            for flow in flows.map(|flow| &plan.flows[flow.index()]) {
                let steady = flow.sizes.steady();
                let same_until = if steady.period == 1 { steady.until } else { 0 };
                first = first.max(flow.first);
                end = end.min(flow.end).min(same_until);
            }
            *known = (stage, first, end);
        }
        (known.1, known.2)
    }
}

/// For how many of the messages `to_come` a step changes nothing but its instant, if each step lasts
/// `period`; the message before them came `at`, and what comes at `floor` or before it never matters.
fn lead(at: Time, floor: Time, period: Duration, to_come: &Stretch) -> u64 {
    let Stretch { first, period: theirs, count } = *to_come;
    if at > floor {
        if first != at + period {
            return 0;
        }
        return if theirs == period { count } else { 1 };
    }
    let Some(room) = (floor + period).as_picos().checked_sub(first.as_picos()) else { return 0 };
    match theirs.as_picos().checked_sub(period.as_picos()) {
        None | Some(0) => count,
        Some(_) if count == 1 => 1,
        // Each comes later than the one before it by so much more than the steps do.
        Some(gap) => count.min(1 + room / gap),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(first: u64, period: u64, count: u64) -> Stretch {
        let (first, period) = (Time::from_picos(first), Duration::from_picos(period));
        Stretch { first, period, count }
    }

    fn led(at: u64, floor: u64, to_come: Stretch) -> u64 {
        let (at, floor) = (Time::from_picos(at), Time::from_picos(floor));
        lead(at, floor, Duration::from_picos(10), &to_come)
    }

    #[test]
    fn who_waits_for_its_messages_sleeps_while_they_keep_its_period() {
        assert_eq!(led(100, 90, stretch(110, 10, 7)), 7);
        // The distance behind a message that comes in time is another one.
        assert_eq!(led(100, 90, stretch(110, 11, 7)), 1);
        assert_eq!(led(100, 90, stretch(111, 10, 7)), 0);
    }

    #[test]
    fn who_need_not_wait_sleeps_until_it_would() {
        // Faster messages are ever earlier.
        assert_eq!(led(80, 90, stretch(85, 9, 7)), 7);
        assert_eq!(led(80, 90, stretch(100, 10, 7)), 7);
        // 85, 97, 109, 121, 133 … against 100, 110, 120, 130, 140 …: 15 ahead, 2 less each time, so that
        // the first eight are early and the ninth, 181 against 180, is not.
        assert_eq!(led(80, 90, stretch(85, 12, 20)), 8);
        assert_eq!(led(80, 90, stretch(101, 10, 7)), 0);
    }
}
