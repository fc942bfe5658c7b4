//! Who waits for whom when nothing moves any more.

use crate::completion::{Completion, Standstill};
use crate::dependency::Dependency;
use crate::drive::Drive;
use crate::network::Network;
use crate::plan::{AgentId, FlowId};

impl<N: Network> Drive<'_, N> {
    /// How the run stands: at its end, who finished when, and who waits for whom; and the network.
    pub fn into_completion(self) -> (Completion, N) {
        let unfinished = (0..self.plan.agents() as u32)
            .map(AgentId)
            .filter(|agent| self.finished[agent.index()].is_none());
        let standstill = unfinished.map(|agent| self.standstill(agent)).collect();
        let Self { finished, now: ended, counters, network, .. } = self;
        (Completion { finished, ended, standstill, counters }, network)
    }

    /// What an unfinished agent waits for.
    pub(crate) fn standstill(&self, agent: AgentId) -> Standstill {
        let state = &self.agents[agent.index()];
        if let Some(Dependency { on, .. }) = self.blocker(agent) {
            return Standstill::Behind { agent, step: state.step, on };
        }
        let is_active = |flow: &FlowId| self.plan.flows[flow.index()].is_active(state.stage_step);
        let before = |flow: &FlowId| {
            self.plan.flows[flow.index()].transfers_before(state.round, state.stage_step)
        };
        let is_missing =
            |flow: &FlowId| is_active(flow) && self.delivered[flow.index()] <= before(flow);
        let incoming = self.plan.incoming.of(agent, state.stage);
        if let Some(flow) = incoming.iter().copied().find(is_missing) {
            return Standstill::Receiving { agent, step: state.step, flow };
        }
        // What has not left has not come either; what leaves a cell is not counted where it comes from.
        let outgoing = self.plan.outgoing.of(agent, state.stage);
        let missing = outgoing.iter().copied().find(is_missing);
        let flow = missing.or_else(|| outgoing.iter().copied().find(is_active));
        let flow = flow.expect("who waits in a step receives or sends");
        Standstill::Sending { agent, step: state.step, flow }
    }
}
