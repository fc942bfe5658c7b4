//! A model is run to its end, as a whole or cell by cell; as a whole where something changes in time, or
//! what packets are lost is expected and not drawn.

use engine::{AgentId, Cells, Completion, Drive, Flow, Limits, Plan, Switch, Until};

use crate::grouped::{GroupedNetwork, Groups, OwnWays};
use crate::loss::{LossEnd, Lossy, LossyWay};
use crate::memo::{Solved, Way};
use crate::model::Model;
use crate::{Error, FluidNetwork, Locality, Options, World};

/// The share of the events of a plan after which a run that does not recur is divided into cells. A ring over
/// four pods that are alike takes an eighth to come back, since it reduces four pods long and gathers as
/// long; it is waited for.
const PATIENCE: u128 = 7;
/// No run waits longer for a recurrence than so many events, some tenths of a second.
const MOST_PATIENCE: u64 = 1_000_000;
/// A plan of fewer events for each agent than this is not divided: a sweep would do little at each
/// cell, and fetch its state from memory to do it.
const FEW_EVENTS_EACH: u128 = 1_000;
/// Cells with a neighbour for fewer agents than this wait for one of them at every turn; so a run that can
/// go from one drained transfer to the next joins such cells to larger ones.
const FEW_AGENTS_EACH: usize = 3;
/// The most agents that cells are joined for: some hundred kilobytes, which stay in the cache of a
/// processor.
const MOST_TOGETHER: usize = 256;
/// No fewer joined cells than that, so that each of some threads has several.
const LEAST_JOINED: usize = 16;
/// Large groups whose flows take place less often than that are not divided either: cells would copy all
/// flows to do little with each, and not from the cache.
const FEW_EVENTS_EACH_FLOW: u128 = 8;
/// Where one transfer in so many is of who walks alone, these do; else cells run apart, on several threads.
const MOSTLY_ALONE: u128 = 2;
/// Where agents wait for each other, who takes fewer steps than this walks with others: it would hardly sleep.
const MANY_STEPS: u64 = 16;
/// Walking through the steps of so few events takes about a second.
const FEW_EVENTS_IN_STEPS: u128 = 100_000_000;
/// So many agents that share nothing sleep most of their steps; a few that send to each other in a circle
/// would have to hear from themselves first.
const MANY_AGENTS_IN_STEPS: usize = 256;
/// About a second of events.
const LONG_WAIT: u64 = 10_000_000;

/// Runs `model` to its end.
pub(crate) fn solve(
    world: &World<'_>,
    model: &Model,
    options: &Options<'_>,
) -> Result<Solved, Error> {
    let Model { plan, medium, .. } = model;
    let Options { watch, threads, .. } = *options;
    // Where each transfer draws losses of its own no state recurs.
    let recurrence = if world.draws_losses() { Switch::Off } else { options.recurrence };
    let limits = Limits { watch, recurrence, threads };
    if !medium.turns().is_empty() || options.locality == Locality::Off {
        // What turns, turns for all flows at once.
        return solve_whole(model, limits);
    }
    if let Some(lossy) = &model.lossy {
        return match solve_drawn(model, lossy, limits)? {
            Some(solved) => Ok(solved),
            None => solve_whole(model, limits),
        };
    }
    let groups = Groups::new(plan, medium);
    let is_brief = events(plan) < FEW_EVENTS_EACH_FLOW * plan.flows().len() as u128;
    let patience = match options.locality {
        Locality::DivideAfter(events) => events,
        _ if is_brief && groups.are_large() => u64::MAX,
        _ => patience(model, recurrence),
    };
    let own = OwnWays::new(&groups);
    let walkers = walkers(plan, own.senders(plan));
    let shares_nothing = plan.is_stepwise() && walkers.iter().all(|walks| *walks);
    let patience = if shares_nothing { patience_with_steps(plan, recurrence) } else { patience };
    let mut drive = Drive::new(plan, GroupedNetwork::new(&groups), limits);
    if !drive.advance(Until::Unskipped(patience))? {
        if shares_nothing {
            let completion = engine::run_steps(plan, &own, limits)?;
            return Ok(Solved::unchanging(completion, 0, Way::Steps));
        }
        if plan.is_eager()
            && groups.always_move()
            && are_mostly_alone(plan, &walkers)
            && let Some(solved) = solve_mixed(model, (&groups, &own), &walkers, limits)?
        {
            return Ok(solved);
        }
        let cells = Cells::new(plan, &|flow| groups.latency(flow), groups.together());
        tracing::debug!(cells = cells.len(), "divided");
        if plan.is_stepwise() && groups.always_move() {
            let cells = unwoven(plan, &groups, cells);
            let networks = GroupedNetwork::new(&groups).divide(&cells);
            let (completion, networks) =
                engine::run_shared_steps((plan, &cells), networks, limits)?;
            assert!(are_finished(&completion), "everything moves until it has drained");
            let solves = networks.iter().map(GroupedNetwork::solves).sum();
            let way = Way::SharedSteps(cells.len() as u64);
            return Ok(Solved::unchanging(completion, solves, way));
        }
        if cells.len() > 1 {
            let (completion, networks) =
                drive.finish_by_cells(&cells, limits, |network| network.divide(&cells))?;
            let solves = networks.iter().map(GroupedNetwork::solves).sum();
            return Ok(Solved::unchanging(completion, solves, Way::Cells(cells.len() as u64)));
        }
        drive.advance(Until::End)?;
    }
    let (completion, network) = drive.into_completion();
    Ok(Solved::unchanging(completion, network.solves(), Way::Groups))
}

/// Who walks alone, of those who share nothing.
fn walkers(plan: &Plan, senders: Vec<bool>) -> Vec<bool> {
    if plan.waits_for_nobody() {
        return senders;
    }
    let takes_many = |agent: AgentId| {
        plan.program(agent).stages.iter().map(|stage| stage.steps).sum::<u64>() >= MANY_STEPS
    };
    let agents = (0..).map(AgentId).zip(senders);
    agents.map(|(agent, shares_nothing)| shares_nothing && takes_many(agent)).collect()
}

/// Whether most transfers are of agents that walk alone.
fn are_mostly_alone(plan: &Plan, walkers: &[bool]) -> bool {
    let (mut alone, mut all) = (0, 0);
    for flow in plan.flows() {
        let transfers = transfers(plan, flow);
        all += transfers;
        alone += if walkers[flow.src.index()] { transfers } else { 0 };
    }
    MOSTLY_ALONE * alone >= all
}

/// Runs a model in which few share anything: step by step, with events for these alone; not if those who
/// share nothing all wait for each other without latency, or in another way than between stages.
fn solve_mixed(
    model: &Model,
    (groups, own): (&Groups<'_>, &OwnWays<'_>),
    walkers: &[bool],
    limits: Limits<'_>,
) -> Result<Option<Solved>, Error> {
    let plan = &model.plan;
    let latency = |flow| groups.latency(flow);
    let is_alone = |agent: AgentId| walkers[agent.index()];
    if !plan.may_walk_alone(&is_alone) {
        return Ok(None);
    }
    let cells = Cells::with_rest(plan, &latency, groups.together(), &is_alone);
    let Some(cells) = cells else { return Ok(None) };
    let shared = cells.len() - 1;
    tracing::debug!(shared, alone = cells.members(shared).len(), "divided");
    let mut networks = GroupedNetwork::new(groups).divide(&cells);
    networks.truncate(shared);
    let run = engine::run_mixed_steps((plan, &cells), own, networks, limits)?;
    let Some((completion, networks)) = run else { return Ok(None) };
    assert!(are_finished(&completion), "everything moves until it has drained");
    let solves = networks.iter().map(GroupedNetwork::solves).sum();
    Ok(Some(Solved::unchanging(completion, solves, Way::MixedSteps(shared as u64))))
}

/// Runs a model that draws the losses of each transfer step by step, if no transfer waits for its receiver;
/// not if a sender gives up or agents wait in a circle, of which the run of the whole tells more.
fn solve_drawn(model: &Model, lossy: &Lossy, limits: Limits<'_>) -> Result<Option<Solved>, Error> {
    let Model { plan, medium, .. } = model;
    if !lossy.is_sampled() || !plan.is_eager() {
        return Ok(None);
    }
    let groups = Groups::new(plan, medium);
    if !groups.always_move() {
        return Ok(None);
    }
    let cells = Cells::new(plan, &|flow| groups.latency(flow), groups.together());
    let cells = unwoven(plan, &groups, cells);
    let networks = GroupedNetwork::new(&groups).divide(&cells);
    let ways = networks.into_iter().enumerate().map(|(cell, network)| {
        let (names, own) = cells.flows(cell);
        LossyWay::new(network, lossy, &names[..own])
    });
    let (completion, ways) = engine::run_shared_steps((plan, &cells), ways.collect(), limits)?;
    if ways.iter().any(LossyWay::gave_up) || !are_finished(&completion) {
        return Ok(None);
    }
    let mut losses = LossEnd::new(plan.flows().len());
    let solves = ways.into_iter().map(|way| way.into_way(&mut losses).solves()).sum();
    let way = Way::SharedSteps(cells.len() as u64);
    Ok(Some(Solved { losses, ..Solved::unchanging(completion, solves, way) }))
}

/// The same cells, or larger ones where many wait for each other at every turn.
fn unwoven(plan: &Plan, groups: &Groups<'_>, cells: Cells) -> Cells {
    if FEW_AGENTS_EACH * cells.neighbours() > plan.agents() {
        let agents = (plan.agents() / LEAST_JOINED).clamp(1, MOST_TOGETHER);
        cells.joined(plan, &|flow| groups.latency(flow), agents)
    } else {
        cells
    }
}

/// Whether every agent has come to its end.
fn are_finished(completion: &Completion) -> bool {
    completion.finished.iter().all(Option::is_some)
}

/// Runs `model` to its end on a network that handles all flows together: the medium may change, or
/// packets be lost.
fn solve_whole(model: &Model, limits: Limits<'_>) -> Result<Solved, Error> {
    let mut network = FluidNetwork::with_losses(&model.medium, model.lossy.as_ref());
    let completion = engine::run(&model.plan, &mut network, limits)?;
    Ok(network.into_solved(completion))
}

/// How many events a run takes as a whole before it is divided.
fn patience(model: &Model, recurrence: Switch) -> u64 {
    let events = events(&model.plan);
    if events < FEW_EVENTS_EACH * u128::from(model.seated()) {
        return u64::MAX;
    }
    match recurrence {
        Switch::On => u64::try_from(events / PATIENCE).unwrap_or(u64::MAX).min(MOST_PATIENCE),
        Switch::Off => 0,
    }
}

/// How many events a run waits for its whole state to recur where it could walk through its steps instead,
/// which is several times faster than handling events, and in which agents sleep.
fn patience_with_steps(plan: &Plan, recurrence: Switch) -> u64 {
    let is_quick = events(plan) < FEW_EVENTS_IN_STEPS || plan.agents() >= MANY_AGENTS_IN_STEPS;
    if recurrence == Switch::Off || is_quick { 0 } else { LONG_WAIT }
}

/// The transfers of a plan, twice: each drains and is delivered.
fn events(plan: &Plan) -> u128 {
    2 * plan.flows().iter().map(|flow| transfers(plan, flow)).sum::<u128>()
}

/// How often a flow takes place.
fn transfers(plan: &Plan, flow: &Flow) -> u128 {
    u128::from(flow.steps()) * u128::from(plan.program(flow.src).rounds.count)
}
