//! Waits that lead from one cell to another, or to or from those who walk alone: told across, once each.
//!
//! Who waits here does so once, before it enters a stage, and for another to end a stage. So when that came
//! about is a single instant, however far ahead of the one who waits the other is.

use collectives::Pace;
use units::Time;

use crate::dependency::Dependency;
use crate::plan::{AgentId, Plan};
use crate::program::Program;

/// An agent does not enter a stage before another has ended one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) agent: AgentId,
    pub(super) stage: u32,
    pub(super) on: AgentId,
    /// The stage that the other is to end.
    pub(super) after: u32,
    /// When it did, if that is known.
    pub(super) since: Option<Time>,
}

/// Some waits of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    /// In the order of those who wait.
    waits: Vec<Wait>,
    /// Their numbers in the order of those who are waited for.
    by_on: Vec<u32>,
}

impl Waits {
    /// The waits of a plan that lead `across`; `None` if one of them is not between two stages, or there
    /// are several rounds.
    pub(super) fn new(plan: &Plan, across: &dyn Fn(&Dependency) -> bool) -> Option<Self> {
        let waits = plan.dependencies.iter().flatten().filter(|wait| across(wait));
        Some(Self::of(waits.map(|wait| between_stages(plan, wait)).collect::<Option<_>>()?))
    }

    /// These waits.
    pub(super) fn of(mut waits: Vec<Wait>) -> Self {
        waits.sort_by_key(|wait| (wait.agent, wait.stage));
        let mut by_on: Vec<u32> = (0..waits.len() as u32).collect();
        by_on.sort_by_key(|&wait| waits[wait as usize].on);
        Self { waits, by_on }
    }

    /// All of them, in the order of those who wait.
    pub(super) fn all(&self) -> &[Wait] {
        &self.waits
    }

    /// What an agent waits for before it enters a stage.
    pub(super) fn before(&self, agent: AgentId, stage: u32) -> &[Wait] {
        let place = (agent, stage);
        let first = self.waits.partition_point(|wait| (wait.agent, wait.stage) < place);
        let same = self.waits[first..].iter().take_while(|wait| (wait.agent, wait.stage) == place);
        &self.waits[first..first + same.count()]
    }

    /// Since when nothing here keeps an agent out of a stage; `None` if that is not known yet.
    pub(super) fn open(&self, agent: AgentId, stage: u32) -> Option<Time> {
        let mut since = self.before(agent, stage).iter().map(|wait| wait.since);
        since.try_fold(Time::ZERO, |open, since| Some(open.max(since?)))
    }

    /// An agent has ended a stage.
    pub(super) fn end_stage(&mut self, on: AgentId, stage: u32, at: Time) {
        let waits = &mut self.waits;
        let first = self.by_on.partition_point(|&wait| waits[wait as usize].on < on);
        for &wait in &self.by_on[first..] {
            let wait = &mut waits[wait as usize];
            if wait.on != on {
                break;
            }
            if wait.after == stage {
                wait.since = Some(at);
            }
        }
    }

    /// The wait number `index`, of [`all`](Self::all), has come to its end.
    pub(super) fn end(&mut self, index: usize, since: Time) {
        self.waits[index].since = Some(since);
    }
}

/// A dependency as a wait between stages, if it is one.
fn between_stages(plan: &Plan, wait: &Dependency) -> Option<Wait> {
    let &Dependency { agent, step, on, completed, pace } = wait;
    let (program, theirs) = (plan.program(agent), plan.program(on));
    if pace != Pace::Once || program.rounds.count > 1 {
        return None;
    }
    let stage = stages_before(program, step)?;
    let ended = stages_before(theirs, completed)?;
    let (after, since) = match ended.checked_sub(1) {
        Some(after) => (after, None),
        None => (0, Some(Time::ZERO)),
    };
    Some(Wait { agent, stage, on, after, since })
}

/// How many stages of a program take so many steps; `None` if no number of them does.
fn stages_before(program: &Program, steps: u64) -> Option<u32> {
    let mut left = steps;
    for (stage, one) in (0..).zip(&program.stages) {
        if left == 0 {
            return Some(stage);
        }
        left = left.checked_sub(one.steps)?;
    }
    (left == 0).then_some(program.stages.len() as u32)
}

#[cfg(test)]
mod tests {
    use collectives::Rounds;
    use units::{Duration, Ratio};

    use super::*;
    use crate::plan::PlanBuilder;
    use crate::{Costs, ProgramStage};

    /// Two agents with stages of 3, 1 and 5 steps, of which the first waits for the second.
    fn waits(step: u64, completed: u64, pace: Pace) -> Option<Waits> {
        let stage = |steps| ProgramStage { steps, compute: Duration::ZERO };
        let mut builder = PlanBuilder::default();
        let program = builder.program(Program {
            start: Time::ZERO,
            rounds: Rounds::ONCE,
            costs: Costs::default(),
            slowness: Ratio::ONE,
            stages: [3, 1, 5].map(stage).to_vec(),
        });
        let (agent, on) = (builder.agent(program), builder.agent(program));
        builder.dependency(Dependency { agent, step, on, completed, pace });
        Waits::new(&builder.build(), &|_| true)
    }

    #[test]
    fn a_wait_leads_from_the_end_of_a_stage_to_the_beginning_of_one() {
        // Before step 3, the first of the second stage, for 9 steps, the end of the third stage.
        let mut waits = waits(3, 9, Pace::Once).expect("between stages");
        let (agent, on) = (AgentId(0), AgentId(1));
        assert_eq!(waits.open(agent, 0), Some(Time::ZERO));
        assert_eq!(waits.open(agent, 1), None);
        for (stage, at) in [(0, 10), (1, 20)] {
            waits.end_stage(on, stage, Time::from_picos(at));
            assert_eq!(waits.open(agent, 1), None);
        }
        waits.end_stage(on, 2, Time::from_picos(30));
        assert_eq!(waits.open(agent, 1), Some(Time::from_picos(30)));
    }

    #[test]
    fn who_has_nothing_to_end_is_not_waited_for() {
        let waits = waits(0, 0, Pace::Once).expect("between stages");
        assert_eq!(waits.open(AgentId(0), 0), Some(Time::ZERO));
    }

    #[test]
    fn waits_amid_a_stage_or_at_each_step_do_not_lead_across() {
        assert!(waits(2, 9, Pace::Once).is_none());
        assert!(waits(3, 8, Pace::Once).is_none());
        assert!(waits(3, 10, Pace::Once).is_none());
        assert!(waits(3, 9, Pace::EachStep).is_none());
    }
}
