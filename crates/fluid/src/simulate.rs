//! The run: a world becomes a model, the model runs, the outcome is told.

use std::sync::Arc;

use collectives::RankId;
use engine::{AgentId, FlowId, Limits, Standstill, Switch};
use units::Time;

use crate::bound::bound;
use crate::course::Course;
use crate::memo::{self, Solved};
use crate::model::Model;
use crate::outcome::{Counters, Outcome, Status, Unreachable};
use crate::turning::Lost;
use crate::{Error, FluidNetwork, Options, World, plain, symmetry};

/// Simulates `world` at flow level.
///
/// The outcome but for its counters does not depend on `options`.
pub fn simulate(world: &World<'_>, options: &Options<'_>) -> Result<Outcome, Error> {
    let course = Course::new(world)?;
    let model = match options.symmetry {
        Switch::On => symmetry::model(world, &course)?,
        Switch::Off => plain::model(world, &course)?,
    };
    let solved = solve(world, &model, options)?;
    if options.symmetry == Switch::On && !solved.lost.is_empty() {
        // Which ranks cannot be reached, and who waits for whom, is told rank by rank.
        let plain = plain::model(world, &course)?;
        let solved = solve(world, &plain, options)?;
        return Ok(outcome(world, &plain, &solved));
    }
    Ok(outcome(world, &model, &solved))
}

/// Runs a model, unless somebody has.
fn solve(world: &World<'_>, model: &Model, options: &Options<'_>) -> Result<Arc<Solved>, Error> {
    tracing::debug!(
        agents = model.plan.agents(),
        flows = model.plan.flows().len(),
        transfers = %model.transfers,
        "model built"
    );
    let limits = Limits { stop: options.stop, recurrence: options.recurrence };
    let solve = || {
        let mut network = FluidNetwork::new(&model.medium);
        let completion = engine::run(&model.plan, world.costs, &mut network, limits)?;
        let solves = network.solves();
        let (lost, moved) = network.finish();
        Ok(Solved { completion, solves, lost, moved })
    };
    match options.memo {
        Some(memo) => memo.solved(memo::problem(model, world.costs), solve),
        None => Ok(Arc::new(solve()?)),
    }
}

fn outcome(world: &World<'_>, model: &Model, solved: &Solved) -> Outcome {
    let Solved { completion, solves, moved, .. } = solved;
    let lane = |agents: &Vec<AgentId>| {
        let finish = agents.iter().map(|agent| completion.finished[agent.index()]);
        finish.collect::<Option<Vec<Time>>>().map(|all| all.into_iter().max().unwrap_or_default())
    };
    let lanes: Vec<Option<Time>> = model.agent_of_seat.iter().map(lane).collect();
    let status = status(world, model, solved);
    let last = match status {
        Status::Finished => completion.finished.iter().flatten().copied().max().unwrap_or_default(),
        _ => completion.ended,
    };
    let counters = Counters {
        events: completion.counters.events,
        agents: model.plan.agents() as u64,
        flows: model.plan.flows().len() as u64,
        transfers: model.transfers,
        solves: *solves,
        skipped_steps: completion.counters.skipped_steps,
    };
    let bound = bound(world.fabric, model);
    let loads = match &moved[..] {
        [] => model.loads.clone(),
        moved => model.loads.moved(&model.medium, model.class_of_link.as_deref(), moved),
    };
    if status == Status::Finished {
        assert!(
            bound.time <= last.since(Time::ZERO),
            "a completion time of {last:?} below the bound {bound:?} cannot be"
        );
    }
    Outcome {
        status,
        makespan: last.since(Time::ZERO),
        lanes,
        traffic: loads.traffic(world.fabric, &model.best, last),
        bound,
        counters,
    }
}

/// How the run ended.
fn status(world: &World<'_>, model: &Model, solved: &Solved) -> Status {
    let Solved { completion, lost, .. } = solved;
    if completion.standstill.is_empty() {
        return Status::Finished;
    }
    let waits = completion.standstill.iter().map(|&wait| tell(world, model, wait)).collect();
    if lost.is_empty() {
        return Status::Stalled(waits);
    }
    let rank = |agent| seat_of(world, model, agent).1;
    let unreachable = |lost: &Lost| {
        let flow = &model.plan.flows()[lost.flow.index()];
        let Lost { at, asked, delivered, .. } = *lost;
        Unreachable { src: rank(flow.src), dst: rank(flow.dst), at, asked, delivered }
    };
    let mut transfers: Vec<Unreachable> = lost.iter().map(unreachable).collect();
    transfers.sort_unstable();
    Status::Unreachable { transfers, waits }
}

/// Says in words who waits for whom.
fn tell(world: &World<'_>, model: &Model, wait: Standstill) -> String {
    let name = |agent: AgentId| seat_name(world, model, agent);
    match wait {
        Standstill::Behind { agent, step, on } => {
            format!("{} waits before step {step} for {}", name(agent), name(on))
        }
        Standstill::Receiving { agent, step, flow: FlowId(flow) } => {
            let src = model.plan.flows()[flow as usize].src;
            format!("{} waits in step {step} for a message from {}", name(agent), name(src))
        }
        Standstill::Sending { agent, step } => {
            format!("{} waits in step {step} for its own message to leave", name(agent))
        }
    }
}

/// The name of the first seat that an agent stands for.
fn seat_name(world: &World<'_>, model: &Model, agent: AgentId) -> String {
    let (lane, rank) = seat_of(world, model, agent);
    let name = world.schedule.lanes[lane].name;
    format!("rank {} ({}, group {}, channel {})", rank.0, name.part, name.group, name.channel)
}

/// The lane and rank of the first seat that an agent stands for.
fn seat_of(world: &World<'_>, model: &Model, agent: AgentId) -> (usize, RankId) {
    let lanes = world.schedule.lanes.iter().zip(&model.agent_of_seat).enumerate();
    for (index, (lane, agents)) in lanes {
        if let Some(seat) = agents.iter().position(|&other| other == agent) {
            return (index, lane.seats[seat]);
        }
    }
    unreachable!("every agent stands for a seat")
}
