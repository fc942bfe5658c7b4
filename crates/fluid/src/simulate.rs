//! The run: a world becomes a model, the model runs, the outcome is told.

use std::sync::Arc;

use engine::{AgentId, FlowId, Standstill, Switch};
use units::Time;

use crate::bound::bound;
use crate::memo::{self, Solved};
use crate::model::Model;
use crate::outcome::{Counters, Outcome, Status};
use crate::solve::solve;
use crate::{Error, Options, World, loss, plain, symmetry};

/// Simulates `world` at flow level.
///
/// The outcome but for its counters does not depend on `options`.
pub fn simulate(world: &World<'_>, options: &Options<'_>) -> Result<Outcome, Error> {
    let model = match options.symmetry {
        Switch::On => symmetry::model(world)?,
        Switch::Off => plain::model(world)?,
    };
    tracing::debug!(
        agents = model.plan.agents(),
        flows = model.plan.flows().len(),
        transfers = %model.transfers,
        "model built"
    );
    let solve = || solve(world, &model, options);
    let solved = match options.memo {
        Some(memo) => memo.solved(memo::problem(&model), solve)?,
        None => Arc::new(solve()?),
    };
    outcome(world, &model, &solved)
}

fn outcome(world: &World<'_>, model: &Model, solved: &Solved) -> Result<Outcome, Error> {
    let Solved { completion, solves, losses } = solved;
    let lane = |agents: &Vec<AgentId>| {
        let finish = agents.iter().map(|agent| completion.finished[agent.index()]);
        finish.collect::<Option<Vec<Time>>>().map(|all| all.into_iter().max().unwrap_or_default())
    };
    let lanes: Vec<Option<Time>> = model.agent_of_seat.iter().map(lane).collect();
    let given_up = model.lossy.as_ref().filter(|_| !losses.failures.is_empty());
    let status = if let Some(lossy) = given_up {
        Status::RetryLimit(loss::tell_failure(world, model, lossy, &losses.failures))
    } else if completion.standstill.is_empty() {
        Status::Finished
    } else {
        let told = completion.standstill.iter().map(|&wait| tell(world, model, wait)).collect();
        Status::Stalled(told)
    };
    let last = completion.finished.iter().flatten().copied().max().unwrap_or_default();
    let counters = Counters {
        events: completion.counters.events,
        agents: model.plan.agents() as u64,
        flows: model.plan.flows().len() as u64,
        transfers: model.transfers,
        solves: *solves,
        skipped_steps: completion.counters.skipped_steps,
    };
    let bound = bound(world.fabric, &model.loads, model.chain);
    if status == Status::Finished {
        assert!(
            bound.time <= last.since(Time::ZERO),
            "a completion time of {last:?} below the bound {bound:?} cannot be"
        );
    }
    let finished = model.lossy.as_ref().filter(|_| status == Status::Finished);
    let lost = finished.map(|lossy| lossy.total(&model.plan, losses)).transpose()?;
    Ok(Outcome {
        status,
        makespan: last.since(Time::ZERO),
        lanes,
        ranks: ranks(world, &model.agent_of_seat, &completion.finished),
        traffic: model.loads.traffic(world.fabric, last),
        lost,
        bound,
        counters,
    })
}

/// When each rank finished in the last of its lanes.
fn ranks(
    world: &World<'_>,
    agent_of_seat: &[Vec<AgentId>],
    finished: &[Option<Time>],
) -> Vec<Option<Time>> {
    let mut ranks = vec![Some(Time::ZERO); world.schedule.ranks as usize];
    for (lane, agents) in world.schedule.lanes.iter().zip(agent_of_seat) {
        for (rank, agent) in lane.seats.iter().zip(agents) {
            let last = &mut ranks[rank.0 as usize];
            *last = last.zip(finished[agent.index()]).map(|(last, finish)| last.max(finish));
        }
    }
    ranks
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

/// The rank and lane of the first seat that an agent stands for.
fn seat_name(world: &World<'_>, model: &Model, agent: AgentId) -> String {
    for (lane, agents) in world.schedule.lanes.iter().zip(&model.agent_of_seat) {
        if let Some(seat) = agents.iter().position(|&other| other == agent) {
            let rank = lane.seats[seat].0;
            let name = lane.name;
            let is_one = world.schedule.lanes.iter().all(|lane| lane.name.job == 0);
            let job = if is_one { String::new() } else { format!("job {}, ", name.job) };
            return format!(
                "rank {rank} ({job}{}, group {}, channel {})",
                name.part, name.group, name.channel
            );
        }
    }
    unreachable!("every agent stands for a seat")
}
