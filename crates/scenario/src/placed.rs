//! Workloads on fabrics: who sits where and does what.

use collectives::{Choice, Schedule};
use fluid::{Conducts, Recovery, World};
use topology::{CardId, Routing};
use units::Bytes;

use crate::faults::BuiltFabric;

/// A workload on a fabric.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The jobs, each as it is alone.
    pub(crate) jobs: Vec<PlacedJob>,
    /// All of them at once, where a workload consists of jobs.
    pub(crate) together: Option<Run>,
}

/// A job on its cards.
#[derive(Clone, Debug)]
pub(crate) struct PlacedJob {
    pub(crate) run: Run,
    /// The size used: that asked for, or less when aligned.
    pub(crate) size: Bytes,
    pub(crate) channels: u32,
    pub(crate) choice: Option<Choice>,
    /// How many ranks each group has.
    pub(crate) group_ranks: u32,
}

/// What is simulated on a fabric.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The card of each rank.
    pub(crate) cards: Vec<CardId>,
    pub(crate) schedule: Schedule,
    pub(crate) conducts: Conducts,
}

impl Placed {
    /// What is simulated.
    pub(crate) fn run(&self) -> &Run {
        self.together.as_ref().unwrap_or(&self.jobs[0].run)
    }
}

impl Run {
    /// The same on a fabric.
    pub(crate) fn world<'a>(
        &'a self,
        built: &'a BuiltFabric,
        routing: Routing,
        recovery: Recovery,
    ) -> World<'a> {
        let Self { cards, schedule, conducts } = self;
        let (fabric, timeline) = (&built.start, built.timeline.as_ref());
        World { fabric, timeline, cards, schedule, routing, conducts, recovery }
    }

    /// The number of ranks.
    pub(crate) const fn ranks(&self) -> u32 {
        self.schedule.ranks
    }

    /// All at once, the ranks of the first one first.
    pub(crate) fn together(runs: &[&Self]) -> Self {
        let schedules: Vec<Schedule> = runs.iter().map(|run| run.schedule.clone()).collect();
        let conducts = runs.iter().flat_map(|run| {
            (0..run.ranks()).map(|rank| *run.conducts.of(collectives::RankId(rank)))
        });
        Self {
            cards: runs.iter().flat_map(|run| run.cards.iter().copied()).collect(),
            conducts: Conducts::new(&conducts.collect::<Vec<_>>()),
            schedule: collectives::together(&schedules),
        }
    }
}
