//! Who waits for whom when nothing moves any more.

use crate::completion::{Completion, Standstill};
use crate::dependency::Dependency;
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::AgentId;

/// How many waiting agents a standstill names.
pub(crate) const NAMED_WAITS: usize = 8;

impl<N: Network> Drive<'_, N> {
    /// How the run stands: at its end, who finished when, and who waits for whom; and the network.
    pub fn into_completion(self) -> (Completion, N) {
        let unfinished = (0..self.plan.agents() as u32)
            .map(AgentId)
            .filter(|agent| self.finished[agent.index()].is_none());
        let standstill = unfinished.map(|agent| self.standstill(agent)).take(NAMED_WAITS).collect();
        let Self { finished, now: ended, counters, network, .. } = self;
        (Completion { finished, ended, standstill, counters }, network)
    }

    /// What an unfinished agent waits for.
    pub(crate) fn standstill(&self, agent: AgentId) -> Standstill {
        let state = &self.agents[agent.index()];
        if let Some(Dependency { on, .. }) = self.blocker(agent) {
            return Standstill::Behind { agent, step: state.step, on };
        }
        let missing = self.plan.incoming.of(agent, state.stage).iter().find(|flow_id| {
            let flow = &self.plan.flows[flow_id.index()];
            flow.is_active(state.stage_step)
                && self.delivered[flow_id.index()]
                    <= flow.transfers_before(state.round, state.stage_step)
        });
        match missing {
            Some(&flow) => Standstill::Receiving { agent, step: state.step, flow },
            None => Standstill::Sending { agent, step: state.step },
        }
    }
}
