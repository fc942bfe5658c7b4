//! The run: a world becomes a plan and a network, the plan runs, the outcome is told.

use std::sync::atomic::AtomicBool;

use engine::{AgentId, Completion, Limits, Plan, Switch, Watch};
use units::Time;

use crate::listing::Listing;
use crate::outcome::{Outcome, Status};
use crate::{Error, PacketNetwork, World};

/// A world made ready to run.
#[derive(Debug)]
pub struct Simulation<'w> {
    plan: Plan,
    agent_of_seat: Vec<Vec<AgentId>>,
    network: PacketNetwork<'w>,
}

/// Simulates `world` packet by packet.
pub fn simulate(world: &World<'_>, stop: Option<&AtomicBool>) -> Result<Outcome, Error> {
    let mut simulation = Simulation::new(world)?;
    simulation.run(stop)
}

impl<'w> Simulation<'w> {
    /// Lists the transfers of `world` and connects their cards.
    pub fn new(world: &World<'w>) -> Result<Self, Error> {
        let Listing { plan, calls, agent_of_seat } = Listing::new(world)?;
        let network = PacketNetwork::new(world.fabric, world.settings, &calls)?;
        tracing::debug!(agents = plan.agents(), flows = plan.flows().len(), "network built");
        Ok(Self { plan, agent_of_seat, network })
    }

    /// Runs to the end.
    pub fn run(&mut self, stop: Option<&AtomicBool>) -> Result<Outcome, Error> {
        self.run_under(Watch { stop, gauge: None })
    }

    /// Runs to the end, looked on at by `watch`.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn run_under(&mut self, watch: Watch<'_>) -> Result<Outcome, Error> {
        let limits = Limits { watch, recurrence: Switch::Off, threads: 1 };
        let completion = engine::run_straight(&self.plan, &mut self.network, limits)?;
        Ok(self.outcome(&completion))
    }

    /// The network, to look on.
    pub const fn network_mut(&mut self) -> &mut PacketNetwork<'w> {
        &mut self.network
    }

    /// The network, to look at.
    pub const fn network(&self) -> &PacketNetwork<'w> {
        &self.network
    }

    fn outcome(&self, completion: &Completion) -> Outcome {
        let lane = |agents: &Vec<AgentId>| {
            let finish = agents.iter().map(|agent| completion.finished[agent.index()]);
            let finish = finish.collect::<Option<Vec<Time>>>();
            finish.map(|all| all.into_iter().max().unwrap_or_default())
        };
        let given_up = self.network.given_up();
        let status = if completion.standstill.is_empty() {
            Status::Finished
        } else if given_up.is_empty() {
            let cycle = self.network.blocked_cycle();
            if cycle.is_empty() { Status::Stalled } else { Status::Deadlock(cycle) }
        } else {
            Status::GaveUp(given_up.to_vec())
        };
        let last = completion.finished.iter().flatten().copied().max().unwrap_or_default();
        Outcome {
            status,
            makespan: last.since(Time::ZERO),
            lanes: self.agent_of_seat.iter().map(lane).collect(),
            ledger: self.network.ledger(),
            events: self.network.events(),
            hash: self.network.event_hash(),
        }
    }
}
