//! An order in which messages flow.

use crate::plan::{AgentId, Plan};

impl Plan {
    /// All agents, each followed by one that it sends to where that one is not told yet.
    pub(crate) fn in_order_of_flows(&self) -> Vec<AgentId> {
        let mut next_of = vec![u32::MAX; self.agents()];
        for flow in self.flows.iter().rev().filter(|flow| flow.src != flow.dst) {
            next_of[flow.src.index()] = flow.dst.0;
        }
        let mut is_told = vec![false; self.agents()];
        let mut order = Vec::with_capacity(self.agents());
        for first in 0..self.agents() as u32 {
            let mut agent = first;
            while agent != u32::MAX && !is_told[agent as usize] {
                is_told[agent as usize] = true;
                order.push(AgentId(agent));
                agent = next_of[agent as usize];
            }
        }
        order
    }
}
