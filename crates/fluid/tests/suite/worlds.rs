//! Random small worlds, drawn whole.

use collectives::Schedule;
use engine::Costs;
use fluid::{Conducts, Outcome, Recovery, World};
use topology::{CardId, Fabric, Routing, Timeline};
use units::{Bandwidth, Duration};

use crate::choices::Choices;
use crate::troubles::conducts;

/// A random world and what it is made of.
#[derive(Debug)]
pub(crate) struct RandomWorld {
    pub(crate) fabric: Fabric,
    cards: Vec<CardId>,
    schedule: Schedule,
    routing: Routing,
    conducts: Conducts,
    recovery: Recovery,
}

impl RandomWorld {
    /// The world of these numbers on a fabric drawn from them, which `change` may break, its jobs and
    /// ranks having these habits; `None` if they do not fit together.
    pub(crate) fn new(
        choices: &Choices,
        (routing, costs, habits): (u32, u32, u64),
        change: impl FnOnce(Fabric) -> Fabric,
    ) -> Option<Self> {
        let numbers = choices.0;
        let fabric = change(choices.fabric()?);
        let cards = choices.cards(&fabric);
        let schedule = choices.jobs(&fabric, &cards, habits).ok()?;
        let routing = match routing {
            0 => Routing::Ecmp { flows: 1 + (numbers[5] % 2) as u32, key: numbers[6] },
            _ => Routing::Spray,
        };
        let reduce = Some(Bandwidth::from_gigabytes_per_second(100));
        let costs = match costs {
            0 => Costs { per_step: Duration::from_nanos(100), ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(70), ..Costs::default() },
            2 => Costs { reduce, ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = conducts(schedule.ranks, costs, habits);
        let recovery = Recovery::default();
        Some(Self { fabric, cards, schedule, routing, conducts, recovery })
    }

    /// The same whose senders recover lost packets like this.
    pub(crate) fn recovering(self, recovery: Recovery) -> Self {
        Self { recovery, ..self }
    }

    /// The world on its fabric, or on one that changes.
    pub(crate) fn world<'a>(&'a self, changing: Option<&'a (Fabric, Timeline)>) -> World<'a> {
        World {
            fabric: changing.map_or(&self.fabric, |(start, _)| start),
            timeline: changing.map(|(_, timeline)| timeline),
            cards: &self.cards,
            schedule: &self.schedule,
            routing: self.routing,
            conducts: &self.conducts,
            recovery: self.recovery,
        }
    }
}

/// What must not depend on the reductions: everything but the counters.
pub(crate) fn told(outcome: Outcome) -> impl PartialEq + std::fmt::Debug {
    let Outcome { status, makespan, lanes, ranks, traffic, lost, bound, counters } = outcome;
    (status, makespan, lanes, ranks, (traffic, lost), bound, counters.transfers)
}
