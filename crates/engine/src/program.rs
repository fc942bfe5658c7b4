//! What an agent walks through, and at what cost.

use collectives::Rounds;
use units::{Bytes, Duration, Ratio, Time};

use crate::Costs;
use crate::digest::Digest;

/// The stages that the agents of a lane walk through, in every round anew.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Program {
    /// No agent enters its first step before this instant.
    pub start: Time,
    /// How often the stages are walked through, and when each round may begin.
    pub rounds: Rounds,
    /// What steps, messages and sums cost.
    pub costs: Costs,
    /// By what all costs and computations are multiplied, each rounded up to 1 ps.
    pub slowness: Ratio,
    /// The stages of a round in order.
    pub stages: Vec<ProgramStage>,
}

/// A stage of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramStage {
    /// The number of its steps, at least 1.
    pub steps: u64,
    /// Computation at the beginning of each step.
    pub compute: Duration,
}

impl Program {
    /// The steps of one round.
    pub(crate) fn round_steps(&self) -> u64 {
        self.stages.iter().map(|stage| stage.steps).sum()
    }

    /// When round `round` may begin at the earliest; `None` beyond the range of time.
    pub(crate) fn opening(&self, round: u64) -> Option<Time> {
        self.start.checked_add(self.rounds.period.checked_mul(round)?)
    }

    /// The time to prepare `messages` messages one after the other; `None` if too long to tell.
    pub(crate) fn preparation(&self, messages: u64) -> Option<Duration> {
        self.costs.per_message.stretched(self.slowness)?.checked_mul(messages)
    }

    /// The time to add up `messages` messages of `bytes`, each rounded up to 1 ps; `None` if too
    /// long to tell.
    pub(crate) fn reduction(&self, bytes: Bytes, messages: u64) -> Option<Duration> {
        match self.costs.reduce {
            None => Some(Duration::ZERO),
            Some(rate) => rate.time_for(bytes)?.stretched(self.slowness)?.checked_mul(messages),
        }
    }

    /// Adds all that it is to `digest`.
    pub(crate) fn digest(&self, index: u64, digest: &mut Digest) {
        let Self { start, rounds, costs, slowness, stages } = self;
        digest.add(0x60, [index, start.as_picos(), rounds.count]);
        digest.add(0x6b, [index, rounds.period.as_picos(), slowness.over()]);
        let reduce = costs.reduce.map_or(0, units::Bandwidth::as_milli_bits_per_second);
        digest.add(0x6c, [index, slowness.under(), reduce]);
        digest.add(0x6d, [index, costs.per_step.as_picos(), costs.per_message.as_picos()]);
        for (stage, one) in stages.iter().enumerate() {
            let place = index << 32 | stage as u64;
            digest.add(0x61, [place, one.steps, one.compute.as_picos()]);
        }
    }
}
