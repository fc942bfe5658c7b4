//! The run: a world becomes a model, the model runs, the outcome is told.

use std::sync::Arc;

use engine::{AgentId, Switch};
use units::Time;

use crate::bound::{Demand, bound};
use crate::course::Course;
use crate::explanation::{Apart, Explanation};
use crate::memo::{self, Solved};
use crate::model::Model;
use crate::outcome::{Counters, Outcome, Status};
use crate::solve::solve;
use crate::{Error, Options, World, bounded, ending, plain, symmetry};

/// Simulates `world` at flow level; of a world with too many hashed transfers to be simulated, tells
/// the bound ([`Status::Bounded`]).
///
/// The outcome but for its counters does not depend on `options`.
///
/// # Errors
/// What [`Error`] tells.
pub fn simulate(world: &World<'_>, options: &Options<'_>) -> Result<Outcome, Error> {
    if bounded::is_beyond(world) {
        return bounded::outcome(world, options);
    }
    let course = Course::new(world)?;
    let model = match options.symmetry {
        Switch::On => symmetry::model(world, &course, options)?,
        Switch::Off => plain::model(world, &course)?,
    };
    Ok(finish((world, &course), &model, options)?.0)
}

/// Simulates `world` like [`simulate`], and tells by which reductions, and what could not be merged.
///
/// # Errors
/// Those of [`simulate`].
pub fn explain(world: &World<'_>, options: &Options<'_>) -> Result<(Outcome, Explanation), Error> {
    if bounded::is_beyond(world) {
        let outcome = bounded::outcome(world, options)?;
        let explanation = Explanation::of_bounded(world, options, outcome.counters);
        return Ok((outcome, explanation));
    }
    let course = Course::new(world)?;
    let (model, apart) = match options.symmetry {
        Switch::On => symmetry::explained_model(world, &course)?,
        Switch::Off => (plain::model(world, &course)?, Apart::default()),
    };
    let (outcome, solved, is_reused) = finish((world, &course), &model, options)?;
    let counters = outcome.counters;
    let solved = (&*solved, is_reused);
    let explanation = Explanation::of(world, options, (&model, apart), solved, counters);
    Ok((outcome, explanation))
}

/// Runs a model and tells its outcome, how it was solved, and whether somebody else had.
fn finish(
    (world, course): (&World<'_>, &Course<'_>),
    model: &Model,
    options: &Options<'_>,
) -> Result<(Outcome, Arc<Solved>, bool), Error> {
    let (solved, is_reused) = run(world, model, options)?;
    let is_stuck = model.listeners > 0 && !solved.completion.standstill.is_empty();
    if options.symmetry == Switch::On && (is_stuck || !solved.stranded.is_empty()) {
        // Which ranks cannot be reached, and who waits for whom, is told rank by rank.
        let plain = plain::model(world, course)?;
        let (solved, is_reused) = run(world, &plain, options)?;
        return Ok((outcome(world, &plain, &solved)?, solved, is_reused));
    }
    Ok((outcome(world, model, &solved)?, solved, is_reused))
}

/// Runs a model, unless somebody has, which is told.
fn run(
    world: &World<'_>,
    model: &Model,
    options: &Options<'_>,
) -> Result<(Arc<Solved>, bool), Error> {
    tracing::debug!(
        agents = model.plan.agents(),
        flows = model.plan.flows().len(),
        transfers = %model.transfers,
        "model built"
    );
    let solve = || {
        let solved = solve(world, model, options);
        if solved.is_err() {
            options.watch.tell_progress(&model.plan, |flow| model.members(flow));
        }
        solved
    };
    match options.memo {
        Some(memo) => memo.solved(memo::problem(model), solve),
        None => Ok((Arc::new(solve()?), false)),
    }
}

fn outcome(world: &World<'_>, model: &Model, solved: &Solved) -> Result<Outcome, Error> {
    let Solved { completion, solves, losses, moved, .. } = solved;
    let lane = |agents: &Vec<AgentId>| {
        let finish = agents.iter().map(|agent| completion.finished[agent.index()]);
        finish.collect::<Option<Vec<Time>>>().map(|all| all.into_iter().max().unwrap_or_default())
    };
    let lanes: Vec<Option<Time>> = model.agent_of_seat.iter().map(lane).collect();
    let status = ending::status(world, model, solved);
    let last = match status {
        Status::Finished => completion.finished.iter().flatten().copied().max().unwrap_or_default(),
        _ => completion.ended,
    };
    let counters = Counters {
        events: completion.counters.events,
        agents: model.seated(),
        flows: model.plan.flows().len() as u64,
        transfers: model.transfers,
        solves: *solves,
        skipped_steps: completion.counters.skipped_steps,
    };
    let bound = bound(world.fabric, &Demand::of(model));
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
    let finished = model.lossy.as_ref().filter(|_| status == Status::Finished);
    let lost = finished.map(|lossy| lossy.total(&model.plan, losses)).transpose()?;
    Ok(Outcome {
        status,
        makespan: last.since(Time::ZERO),
        lanes,
        ranks: ranks(world, &model.agent_of_seat, &completion.finished),
        traffic: loads.traffic(world.fabric, &model.best, last),
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
            // Switches are nobody's rank.
            let Some(last) = ranks.get_mut(rank.0 as usize) else { continue };
            *last = last.zip(finished[agent.index()]).map(|(last, finish)| last.max(finish));
        }
    }
    ranks
}
