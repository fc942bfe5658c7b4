//! What was made smaller of a run, by which reductions, and what could not be merged.

use engine::Switch;

use crate::memo::{Solved, Way};
use crate::model::Model;
use crate::{Counters, Options, World};

/// How a run came to its answer. Nothing of it changes a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Whether what behaves alike was merged.
    pub symmetry: Switch,
    /// Seats of all lanes: a rank has one in each lane that it takes part in.
    pub seats: u64,
    /// Flows: transfers between the same two seats that repeat from step to step.
    pub flows: u128,
    /// One-way links that carry something.
    pub links: u64,
    /// Resources of the network that was simulated: links, or classes of links and trunks.
    pub resources: u64,
    /// How transfers were told to the merging.
    pub told: Told,
    /// How the smaller problem was run.
    pub way: Way,
    /// Whether an earlier point came to the same problem, so that its answer was taken.
    pub is_reused: bool,
    /// What was told apart, and why.
    pub apart: Apart,
    /// The work of the run; of a reused answer, that of the run which found it.
    pub counters: Counters,
}

/// How the transfers of a world were told to the merging, and what was left out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Flows of the world.
    pub(crate) flows: u128,
    /// Transfers that are edges between their seats.
    pub joined: u64,
    /// Transfers that are vertices of their own.
    pub listed: u64,
    /// Lanes whose all-to-all stages are blocks between sites.
    pub blocks: u64,
    /// Of these, lanes whose sites are joined through the stems of a tree.
    pub stems: u64,
    /// Links and trunks that can never hold a flow back.
    pub left_out: u64,
    /// Flows of the world that are bundled: those of a seat to all others of its supernode are one.
    pub bundled: u128,
    /// Whether nothing was told to the merging, since hashed paths tell nearly all transfers apart.
    pub plain: bool,
}

/// Which groups of ranks behave alike, and why others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// What the groups are: "supernode", "leaf" or "rank"; "link" where hashed paths tell nearly all
    /// transfers apart.
    pub group: &'static str,
    /// How many groups there are, each lane counted.
    pub groups: u64,
    /// How many behave like the first of the most frequent kind, rank by rank.
    pub alike: u64,
    /// Why the others do not, the most frequent reason first.
    pub reasons: Vec<Reason>,
}

/// Why some groups are not like the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How many groups it is told of.
    pub groups: u64,
    /// The reason, by an example.
    pub why: String,
}

impl Explanation {
    /// That of a world whose transfers were counted and not simulated.
    pub(crate) fn of_bounded(world: &World<'_>, options: &Options<'_>, counters: Counters) -> Self {
        let seats = world.schedule.lanes.iter().map(|lane| lane.seats.len() as u64).sum();
        Self {
            symmetry: options.symmetry,
            seats,
            flows: 0,
            links: world.fabric.links().len() as u64,
            resources: 0,
            told: Told::default(),
            way: Way::Counted,
            is_reused: false,
            apart: Apart::default(),
            counters,
        }
    }

    pub(crate) fn of(
        world: &World<'_>,
        options: &Options<'_>,
        (model, apart): (&Model, Apart),
        (solved, is_reused): (&Solved, bool),
        counters: Counters,
    ) -> Self {
        let seats = world.schedule.lanes.iter().map(|lane| lane.seats.len() as u64).sum();
        let links = model.loads.on_link.iter().filter(|&&load| load > 0).count() as u64;
        let resources = match options.symmetry {
            Switch::On if !model.told.plain => model.medium.capacities().len() as u64,
            _ => links,
        };
        let (told, way) = (model.told, solved.way);
        let (symmetry, flows) = (options.symmetry, told.flows);
        Self { symmetry, seats, flows, links, resources, told, way, is_reused, apart, counters }
    }
}
