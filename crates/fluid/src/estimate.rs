//! What a run will take, told before it from counts.
//!
//! First from what the schedule and the fabric count: seats, transfers to be told to the merging, links.
//! If that fits, classes are found (which takes the time and memory of the merging, not of the run) and
//! the events of the smaller problem are counted: each transfer of a class drains and is delivered in
//! each step, and each step may take a timer. Recurrence can only make less of it, by how much is not
//! known before; so events are told as a range.
//!
//! The bytes were chosen by peaks of single points that were measured; `docs/performance.md` tells how far
//! they are off.

use engine::{Plan, Switch};

use crate::course::Course;
use crate::model::Model;
use crate::parts::listed_transfers;
use crate::{Error, Options, World, bounded, plain, symmetry};

/// What a program takes that does nothing.
const BASE_BYTES: u128 = 6 << 20;
/// A link: the fabric, its trunks and what is put on it.
const LINK_BYTES: u128 = 280;
/// A seat: its vertex and agent.
const SEAT_BYTES: u128 = 200;
/// A transfer that is an edge.
const JOINED_BYTES: u128 = 100;
/// A transfer with its path: a vertex, its edges, its colour.
const LISTED_BYTES: u128 = 600;
/// A class of flows in the run.
const CLASS_BYTES: u128 = 600;
/// An agent that listens to bundles.
const LISTENER_BYTES: u128 = 250;
/// A transfer whose hashed path is like no other, in the run; it is not told to the merging.
const HASHED_BYTES: u128 = 260;

/// The steps that a recurring state takes at least to be noticed.
const FEW_STEPS: u64 = 3;

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Transfers that the schedule consists of, over all steps and rounds; 0 while classes are unknown.
    pub transfers: u128,
    /// Transfers of one step of each stage, told one by one to the merging unless in blocks; at most.
    pub listed: u128,
    /// Peak memory in bytes, the fabric included.
    pub memory: u128,
    /// Whether there are too many transfers to simulate, so that they are counted for the bound alone.
    pub is_bounded: bool,
    /// What is known once classes are; `None` where finding them would take too much memory, and where
    /// none are sought because only the bound will be told.
    pub classes: Option<Classes>,
}

/// The smaller problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Classes of seats.
    pub agents: u64,
    /// Classes of flows.
    pub flows: u64,
    /// Classes of links and trunks.
    pub resources: u64,
    /// Events, if a state recurs as soon as one can.
    pub least_events: u128,
    /// Events, if no state recurs.
    pub most_events: u128,
    /// The payload bytes on all links together, each link counted: what packets are made of.
    pub link_bytes: u128,
}

/// Estimates the run of `world`; classes are not sought where that alone would take more than
/// `most_memory` bytes.
///
/// # Errors
/// Those of [`simulate`](crate::simulate()) that are found before a run.
pub fn estimate(
    world: &World<'_>,
    options: &Options<'_>,
    most_memory: Option<u128>,
) -> Result<Estimate, Error> {
    let counted = counted(world, options);
    if counted.is_bounded || most_memory.is_some_and(|most| counted.memory > most) {
        return Ok(counted);
    }
    let course = Course::new(world)?;
    let model = match options.symmetry {
        Switch::On => symmetry::model(world, &course, &Options { memo: None, ..*options })?,
        Switch::Off => plain::model(world, &course)?,
    };
    let plan = &model.plan;
    let most_events = events(plan, u64::MAX);
    let least_events = match options.recurrence {
        Switch::On if !world.draws_losses() => events(plan, FEW_STEPS),
        _ => most_events,
    };
    let classes = Classes {
        agents: model.seated(),
        flows: plan.flows().len() as u64,
        resources: model.medium.capacities().len() as u64,
        least_events,
        most_events,
        link_bytes: link_bytes(&model),
    };
    Ok(Estimate {
        transfers: model.transfers,
        memory: memory(world, options, &model),
        classes: Some(classes),
        ..counted
    })
}

/// What is known from the schedule and the fabric alone: no transfer is looked at.
fn counted(world: &World<'_>, options: &Options<'_>) -> Estimate {
    let listed = match options.symmetry {
        Switch::On => symmetry::listed_transfers(world),
        Switch::Off => world.schedule.lanes.iter().map(listed_transfers).sum(),
    };
    let is_bounded = bounded::is_beyond(world);
    let each = match (options.symmetry, world.routing) {
        // What is counted is not kept.
        _ if is_bounded => 0,
        (Switch::On, topology::Routing::Spray) => JOINED_BYTES,
        (Switch::On, _) if !symmetry::is_mostly_hashed(world) => LISTED_BYTES,
        _ => HASHED_BYTES,
    };
    let memory = fixed(world) + listed * each;
    Estimate { transfers: 0, listed, memory, is_bounded, classes: None }
}

/// Seats and links.
fn fixed(world: &World<'_>) -> u128 {
    let seats: u128 = world.schedule.lanes.iter().map(|lane| lane.seats.len() as u128).sum();
    let links = world.fabric.links().len() as u128;
    BASE_BYTES + seats * SEAT_BYTES + links * LINK_BYTES
}

/// The memory of the merging and of the run.
fn memory(world: &World<'_>, options: &Options<'_>, model: &Model) -> u128 {
    let flows = model.plan.flows().len() as u128;
    if options.symmetry == Switch::Off || model.told.plain {
        return fixed(world) + flows * HASHED_BYTES;
    }
    let (joined, listed) = (u128::from(model.told.joined), u128::from(model.told.listed));
    let listeners = u128::from(model.listeners);
    let merging = joined * JOINED_BYTES + listed * LISTED_BYTES;
    fixed(world) + merging + flows * CLASS_BYTES + listeners * LISTENER_BYTES
}

/// The events of a plan whose flows take at most so many steps.
fn events(plan: &Plan, steps: u64) -> u128 {
    let flows = plan.flows().iter().map(|flow| {
        let program = plan.program(flow.src);
        let all = u128::from(flow.steps()) * u128::from(program.rounds.count);
        let messages = all.min(u128::from(steps));
        // It drains and is delivered; where they cost, it is prepared and added up.
        let timers = u128::from(program.costs.per_message > units::Duration::ZERO)
            + u128::from(program.costs.reduce.is_some());
        messages * (2 + timers)
    });
    let agents = (0..plan.agents() as u32).map(|agent| {
        let program = plan.program(engine::AgentId(agent));
        let opens = u128::from(program.rounds.count);
        let waits = program.costs.per_step > units::Duration::ZERO;
        let stages = program.stages.iter();
        let slow = stages.filter(|stage| waits || stage.compute > units::Duration::ZERO);
        let begun: u128 = slow.map(|stage| u128::from(stage.steps)).sum::<u128>() * opens;
        opens + begun.min(u128::from(steps))
    });
    flows.sum::<u128>() + agents.sum::<u128>()
}

fn link_bytes(model: &Model) -> u128 {
    let loads = &model.loads;
    loads.on_link.iter().map(|load| load / loads.denominator).sum()
}
