//! Who waits for whom when nothing moves any more.

use crate::completion::Standstill;
use crate::dependency::Dependency;
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::AgentId;

impl<N: Network> Drive<'_, N> {
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
