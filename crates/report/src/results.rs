//! The results of a scenario: its points, and where they come from.

use serde::{Deserialize, Serialize};

use crate::Record;

/// The version of the results file that this crate writes and reads.
pub const SCHEMA: u32 = 1;

/// The outcome of a scenario, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// The version of this form: [`SCHEMA`].
    pub schema: u32,
    /// The program and its version, e.g. "superclos 0.1.0".
    pub tool: String,
    /// A hash of the resolved scenario.
    pub scenario_hash: String,
    /// The seed of the scenario.
    pub seed: u64,
    /// The scenario's title.
    pub title: String,
    /// The question that the scenario answers.
    pub question: String,
    /// The resolved scenario as text.
    pub scenario: String,
    /// Whether every point that was asked for is among the records.
    pub complete: bool,
    /// How many points were asked for.
    pub points: u64,
    /// The points in the order of the sweep.
    pub records: Vec<Record>,
    /// The expectations of the scenario that were not met.
    pub missed: Vec<Missed>,
}

/// An expectation that was not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The point or points it is about.
    pub point: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

/// How many points ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Points whose transfers all arrived.
    pub complete: u64,
    /// Points of which only the lower bound was found.
    pub bounded: u64,
    /// Points that stalled, whether senders gave up, transfers had no way left, or neither.
    pub stalled: u64,
    /// Points that failed.
    pub failed: u64,
    /// Points asked for that were not run to an end.
    pub absent: u64,
}

impl Results {
    /// How many points ended in which way.
    pub fn tally(&self) -> Tally {
        let count = |word| self.records.iter().filter(|it| it.status.word() == word).count() as u64;
        let stalled = count("stalled") + count("retry limit") + count("unreachable");
        let (complete, failed) = (count("complete"), count("failed"));
        let bounded = count("bound only");
        let absent = self.points.saturating_sub(complete + bounded + stalled + failed);
        Tally { complete, bounded, stalled, failed, absent }
    }
}

#[cfg(test)]
mod tests {
    use crate::Status;
    use crate::example::{record, results};

    #[test]
    fn every_point_ended_in_one_way() {
        let why = String::new;
        let endings = [
            Status::Complete,
            Status::Bounded { why: why() },
            Status::Stalled { why: why() },
            Status::RetryLimit { why: why() },
            Status::Unreachable { why: why() },
            Status::Failed { why: why() },
        ];
        let ended = |status| crate::Record { status, ..record("a", "1:1", 5) };
        let tally = results(endings.map(ended).to_vec()).tally();
        assert_eq!((tally.complete, tally.bounded, tally.absent), (1, 1, 0));
        assert_eq!((tally.stalled, tally.failed), (3, 1));
    }
}
