//! The run: a world becomes a plan and a network, the plan runs, the outcome is told.

use std::sync::atomic::AtomicBool;

use collectives::Schedule;
use engine::{AgentId, Completion, Limits, Names, Plan, Switch, Watch};
use units::Time;

use crate::listing::Listing;
use crate::outcome::{Outcome, Status};
use crate::{Error, Order, PacketNetwork, World, ending};

/// A world made ready to run.
#[derive(Debug)]
pub struct Simulation<'w> {
    schedule: &'w Schedule,
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
    /// Lists the transfers of `world` and connects their cards; events are worked through in the order that fits it,
    /// on one thread.
    pub fn new(world: &World<'w>) -> Result<Self, Error> {
        Self::in_order(world, Order::fit(world, 1))
    }

    /// The same for a run whose events are worked through in a given order.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn in_order(world: &World<'w>, order: Order) -> Result<Self, Error> {
        let Listing { plan, calls, agent_of_seat } = Listing::new(world)?;
        let network = PacketNetwork::new(world, &calls, order)?;
        tracing::debug!(agents = plan.agents(), flows = plan.flows().len(), "network built");
        Ok(Self { schedule: world.schedule, plan, agent_of_seat, network })
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
        let completion = engine::run_straight(&self.plan, &mut self.network, limits);
        if completion.is_err() {
            watch.tell_progress(&self.plan, |_| 1);
        }
        let completion = completion?;
        Ok(self.outcome(&completion))
    }

    /// Looks at the queues during the run, at a bounded number of instants.
    pub fn watch(&mut self) {
        self.network.watch();
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
        let seated = (self.network.fabric(), self.schedule);
        let names = Names::new(seated, self.plan.agents(), &self.agent_of_seat);
        let (network, plan) = (&self.network, &self.plan);
        let status = match completion.standstill[..] {
            [] => Status::Finished,
            _ => ending::why(network, plan, &names),
        };
        let message = |flow| ending::tell_message(network, (plan, &names), flow);
        let last = completion.finished.iter().flatten().copied().max().unwrap_or_default();
        Outcome {
            status,
            waits: names.tell(plan, &completion.standstill, &message),
            makespan: last.since(Time::ZERO),
            lanes: self.agent_of_seat.iter().map(lane).collect(),
            ranks: self.ends_of_ranks(completion),
            ledger: self.network.ledger(),
            events: self.network.events(),
            hash: self.network.event_hash(),
        }
    }

    /// When each rank finished the last of its lanes.
    fn ends_of_ranks(&self, completion: &Completion) -> Vec<Option<Time>> {
        let mut ranks = vec![Some(Time::ZERO); self.schedule.ranks as usize];
        for (lane, agents) in self.schedule.lanes.iter().zip(&self.agent_of_seat) {
            for (rank, agent) in lane.seats.iter().zip(agents) {
                let last = &mut ranks[rank.0 as usize];
                let end = completion.finished[agent.index()];
                *last = last.zip(end).map(|(last, end)| last.max(end));
            }
        }
        ranks
    }
}
