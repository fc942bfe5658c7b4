//! A world made ready for the loop: a plan, the medium that its flows share, and the traffic.

use engine::{AgentId, Plan};
use units::Duration;

use crate::Medium;
use crate::explanation::Told;
use crate::loss::Lossy;
use crate::traffic::Loads;

/// A plan whose flows cross a medium.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// How its transfers were told to the merging.
    pub(crate) told: Told,
    /// Agents and flows.
    pub(crate) plan: Plan,
    /// What the flows cross, flow by flow.
    pub(crate) medium: Medium,
    /// Which flows lose packets, if any do.
    pub(crate) lossy: Option<Lossy>,
    /// The agent that stands for each seat of each lane, by lane and seat.
    pub(crate) agent_of_seat: Vec<Vec<AgentId>>,
    /// What the schedule puts on each link of the fabric over the first path of each transfer.
    pub(crate) loads: Loads,
    /// Which resource of the medium stands for each link where routes change; `None`: each for itself.
    pub(crate) class_of_link: Option<Vec<u32>>,
    /// The most that each link of the fabric ever carries, in milli-bit/s.
    pub(crate) best: Vec<u128>,
    /// The time of the longest chain of steps, at least.
    pub(crate) chain: Duration,
    /// How many transfers of a step each flow stands for; empty if one each.
    pub(crate) members: Vec<u128>,
    /// Agents that sit nowhere and listen to bundles.
    pub(crate) listeners: u64,
    /// Transfers that the schedule consists of.
    pub(crate) transfers: u128,
}

impl Model {
    /// Agents that sit somewhere: seats, or classes of them.
    pub(crate) fn seated(&self) -> u64 {
        self.plan.agents() as u64 - self.listeners
    }

    /// How many transfers of a step a flow stands for.
    pub(crate) fn members(&self, flow: usize) -> u128 {
        self.members.get(flow).copied().unwrap_or(1)
    }
}
