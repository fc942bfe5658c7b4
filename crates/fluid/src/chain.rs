//! The time that a lane's chain of steps takes at least.
//!
//! Where every seat receives in every step, a step cannot be done before a message has come, so a
//! stage takes at least its steps × the least time of any of its messages alone on the fabric.

use collectives::{Lane, Pattern, Stage};
use units::Duration;

/// The least time of a message of each stage of a lane.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    least: Vec<Duration>,
}

impl Chain {
    pub(crate) fn new(lane: &Lane) -> Self {
        Self { least: vec![Duration::MAX; lane.stages.len()] }
    }

    /// Hears of a message of a stage that takes at least `time`.
    pub(crate) fn message(&mut self, stage: usize, time: Duration) {
        self.least[stage] = self.least[stage].min(time);
    }

    /// The least time of the lane, from the start of the run.
    pub(crate) fn time(&self, lane: &Lane) -> Duration {
        let mut round = 0_u64;
        for (stage, &least) in lane.stages.iter().zip(&self.least) {
            let message = if receives_everywhere(stage, lane.seats.len()) && least < Duration::MAX {
                least.as_picos()
            } else {
                0
            };
            let step = message.saturating_add(stage.compute.as_picos());
            round = round.saturating_add(step.saturating_mul(stage.steps));
        }
        // The last round begins when its time has come, and when the others are done.
        let others = lane.rounds.count - 1;
        let by_clock = lane.rounds.period.as_picos().saturating_mul(others);
        let before = by_clock.max(round.saturating_mul(others));
        let start = lane.start.as_picos();
        Duration::from_picos(start.saturating_add(before).saturating_add(round))
    }
}

/// Whether every seat receives in every step of the stage.
fn receives_everywhere(stage: &Stage, seats: usize) -> bool {
    match stage.pattern {
        Pattern::Shift { .. } | Pattern::AllPairs => true,
        Pattern::Exchange { .. } => seats.is_power_of_two(),
        _ => false,
    }
}
