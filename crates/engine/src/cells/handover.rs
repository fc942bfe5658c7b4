//! From a run of the whole to one run for each cell.

use crate::cells::Cells;
use crate::completion::Limits;
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::{AgentId, FlowId};
use crate::recurrence::{Recurrence, Switch};
use crate::timers::{Timer, Timers};

impl<N: Network> Drive<'_, N> {
    /// Hands the run over to its `cells`, whose networks `divide` makes of the one of the whole.
    ///
    /// # Panics
    /// If `divide` makes another number of networks than there are cells.
    pub(super) fn divide<'b, M: Network>(
        self,
        cells: &'b Cells,
        limits: Limits<'b>,
        divide: impl FnOnce(N) -> Vec<M>,
    ) -> Vec<Drive<'b, M>> {
        assert!(self.ready.is_empty(), "a run is handed over between two instants");
        let limits = Limits { recurrence: Switch::Off, ..limits };
        let networks = divide(self.network);
        assert_eq!(networks.len(), cells.len(), "every cell has its network");
        let mut timers = vec![Timers::default(); cells.len()];
        for (at, timer) in self.timers.iter() {
            let agent = |AgentId(agent)| cells.agent_place[agent as usize];
            let (cell, timer) = match timer {
                Timer::Open(one) => (agent(one).0, Timer::Open(AgentId(agent(one).1))),
                Timer::Begin(one) => (agent(one).0, Timer::Begin(AgentId(agent(one).1))),
                Timer::Reduced(one) => (agent(one).0, Timer::Reduced(AgentId(agent(one).1))),
                Timer::Send(flow) => {
                    let (cell, index) = cells.flow_place[flow.index()];
                    (cell, Timer::Send(FlowId(index)))
                }
            };
            timers[cell as usize].push(at, timer);
        }
        let mut counters = Some(self.counters);
        let parts = cells.parts.iter().zip(networks).zip(timers);
        let drive = |((cell, network), timers): ((&'b super::partition::Cell, M), Timers)| {
            let of_agents = cell.agents.iter().map(|agent| agent.index());
            Drive {
                plan: &cell.plan,
                network,
                limits,
                now: self.now,
                agents: of_agents.clone().map(|agent| self.agents[agent]).collect(),
                delivered: cell.flows.iter().map(|flow| self.delivered[flow.index()]).collect(),
                timers,
                ready: Vec::new(),
                finished: of_agents.map(|agent| self.finished[agent]).collect(),
                counters: counters.take().unwrap_or_default(),
                recurrence: Recurrence::new(&cell.plan, Switch::Off),
            }
        };
        parts.map(drive).collect()
    }
}
