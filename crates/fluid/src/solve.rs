//! A model is run to its end, as a whole or cell by cell.

use engine::{Cells, Costs, Drive, Limits, Plan, Switch, Until};

use crate::grouped::{GroupedNetwork, Groups};
use crate::memo::Solved;
use crate::model::Model;
use crate::{Error, FluidNetwork, Locality, Options};

/// The share of the events of a plan after which a run that does not recur is divided into cells.
const PATIENCE: u128 = 8;
/// A plan of fewer events for each agent than this is not divided: a sweep would do little at each
/// cell, and fetch its state from memory to do it.
const FEW_EVENTS_EACH: u128 = 1_000;

/// Runs `model` to its end.
pub(crate) fn solve(model: &Model, costs: Costs, options: &Options<'_>) -> Result<Solved, Error> {
    let Model { plan, medium, .. } = model;
    let Options { stop, recurrence, threads, .. } = *options;
    let limits = Limits { stop, recurrence, threads };
    let patience = match options.locality {
        Locality::Off => {
            let mut network = FluidNetwork::new(medium);
            let completion = engine::run(plan, costs, &mut network, limits)?;
            return Ok(Solved { completion, solves: network.solves() });
        }
        Locality::DivideAfter(events) => events,
        Locality::On => patience(plan, options.recurrence),
    };
    let groups = Groups::new(medium);
    let mut drive = Drive::new(plan, costs, GroupedNetwork::new(&groups), limits);
    if !drive.advance(Until::Events(patience))? {
        let cells = Cells::new(plan, &|flow| groups.latency(flow), groups.together());
        tracing::debug!(cells = cells.len(), "divided");
        if cells.len() > 1 {
            let (completion, networks) =
                drive.finish_by_cells(&cells, limits, |network| network.divide(&cells))?;
            let solves = networks.iter().map(GroupedNetwork::solves).sum();
            return Ok(Solved { completion, solves });
        }
        drive.advance(Until::End)?;
    }
    let (completion, network) = drive.into_completion();
    Ok(Solved { completion, solves: network.solves() })
}

/// How many events a run takes as a whole before it is divided.
fn patience(plan: &Plan, recurrence: Switch) -> u64 {
    let transfers = plan.flows().iter().map(|flow| u128::from(flow.end - flow.first));
    let events = 2 * transfers.sum::<u128>();
    if events < FEW_EVENTS_EACH * plan.agents() as u128 {
        return u64::MAX;
    }
    match recurrence {
        Switch::On => u64::try_from(events / PATIENCE).unwrap_or(u64::MAX),
        Switch::Off => 0,
    }
}
