//! How ranks behave in time: who starts late, who is slow, and what steps cost them.

use collectives::{Lane, RankId};
use rustc_hash::FxHashMap;
use units::{Duration, Ratio};

use crate::Costs;
use crate::completion::Error;
use crate::program::{Program, ProgramStage};

/// How a rank behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conduct {
    /// How much later than its lanes it starts, in every round.
    pub late: Duration,
    /// By what its costs and computations are multiplied, at least 1:1. What its links carry is a
    /// matter of the fabric.
    pub slowness: Ratio,
    /// Start-up and reduction costs of a rank that is not slow.
    pub costs: Costs,
}

impl Conduct {
    /// On time and not slow.
    pub const fn plain(costs: Costs) -> Self {
        Self { late: Duration::ZERO, slowness: Ratio::ONE, costs }
    }

    /// The program of a rank that behaves so in a lane.
    pub fn program(&self, lane: &Lane) -> Result<Program, Error> {
        let Self { late, slowness, costs } = *self;
        let start = lane.start.checked_add(late).ok_or(Error::TimeRange)?;
        let stages = lane.stages.iter();
        let stages =
            stages.map(|stage| ProgramStage { steps: stage.steps, compute: stage.compute });
        Ok(Program { start, rounds: lane.rounds, costs, slowness, stages: stages.collect() })
    }
}

/// The conduct of all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conducts {
    /// The different ones.
    kinds: Vec<Conduct>,
    /// Which of them each rank has; empty when all have the first.
    of_rank: Vec<u32>,
}

/// The kind of the switches that add up, which no rank has.
const SWITCHES: u32 = u32::MAX;

/// Switches are on time, and what they do costs them nothing.
const OF_SWITCHES: Conduct =
    Conduct::plain(Costs { per_step: Duration::ZERO, per_message: Duration::ZERO, reduce: None });

impl Conducts {
    /// All ranks are on time, not slow, and have the same costs.
    pub fn alike(costs: Costs) -> Self {
        Self { kinds: vec![Conduct::plain(costs)], of_rank: Vec::new() }
    }

    /// The conduct of each rank in turn.
    ///
    /// # Panics
    /// If a rank is faster than 1:1: no bound would hold.
    pub fn new(ranks: &[Conduct]) -> Self {
        let mut kinds = Vec::new();
        let mut known = FxHashMap::default();
        let of_rank = ranks.iter().map(|conduct| {
            assert!(conduct.slowness >= Ratio::ONE, "a rank is as fast as others or slower");
            *known.entry(*conduct).or_insert_with(|| {
                kinds.push(*conduct);
                kinds.len() as u32 - 1
            })
        });
        let of_rank: Vec<u32> = of_rank.collect();
        if kinds.len() == 1 {
            return Self { kinds, of_rank: Vec::new() };
        }
        Self { kinds, of_rank }
    }

    /// Which kind a rank is of.
    pub fn kind(&self, rank: RankId) -> u32 {
        if rank.switches().is_some() {
            return SWITCHES;
        }
        self.of_rank.get(rank.0 as usize).copied().unwrap_or(0)
    }

    /// The conduct of a rank, or of switches that add up.
    ///
    /// # Panics
    /// If there are conducts of several kinds, but not one of this rank.
    pub fn of(&self, rank: RankId) -> &Conduct {
        if rank.switches().is_some() {
            return &OF_SWITCHES;
        }
        let kind = if self.of_rank.is_empty() { 0 } else { self.of_rank[rank.0 as usize] };
        &self.kinds[kind as usize]
    }

    /// Whether messages cost some rank time.
    pub fn some_message_costs(&self) -> bool {
        self.kinds.iter().any(|conduct| conduct.costs.per_message > Duration::ZERO)
    }
}
