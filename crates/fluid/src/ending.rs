//! How a run ended, in ranks and words.

use collectives::{LaneName, RankId};
use engine::{AgentId, FlowId, Standstill};

use crate::memo::Solved;
use crate::model::Model;
use crate::outcome::{Status, Unreachable};
use crate::turning::Stranded;
use crate::{World, loss};

/// How the run of a model ended.
pub(crate) fn status(world: &World<'_>, model: &Model, solved: &Solved) -> Status {
    let Solved { completion, losses, stranded, .. } = solved;
    if let Some(lossy) = model.lossy.as_ref().filter(|_| !losses.failures.is_empty()) {
        return Status::RetryLimit(loss::tell_failure(world, model, lossy, &losses.failures));
    }
    if completion.standstill.is_empty() {
        return Status::Finished;
    }
    let seats = Seats::new(world, model);
    let waits = completion.standstill.iter().map(|&wait| seats.tell(wait)).collect();
    if stranded.is_empty() {
        return Status::Stalled(waits);
    }
    let mut transfers: Vec<Unreachable> =
        stranded.iter().map(|transfer| seats.unreachable(transfer)).collect();
    transfers.sort_unstable();
    Status::Unreachable { transfers, waits }
}

/// The first seat that each agent stands for.
struct Seats<'a> {
    model: &'a Model,
    of_agent: Vec<Option<(LaneName, RankId)>>,
    /// Whether there is one job, which need not be named.
    is_one_job: bool,
}

impl<'a> Seats<'a> {
    fn new(world: &World<'_>, model: &'a Model) -> Self {
        let mut of_agent = vec![None; model.plan.agents()];
        for (lane, agents) in world.schedule.lanes.iter().zip(&model.agent_of_seat) {
            for (&agent, &rank) in agents.iter().zip(lane.seats.iter()) {
                of_agent[agent.index()].get_or_insert((lane.name, rank));
            }
        }
        let is_one_job = world.schedule.lanes.iter().all(|lane| lane.name.job == 0);
        Self { model, of_agent, is_one_job }
    }

    fn of(&self, agent: AgentId) -> (LaneName, RankId) {
        self.of_agent[agent.index()].expect("every agent stands for a seat")
    }

    fn unreachable(&self, transfer: &Stranded) -> Unreachable {
        let flow = &self.model.plan.flows()[transfer.flow.index()];
        let (src, dst) = (self.of(flow.src).1, self.of(flow.dst).1);
        let Stranded { at, asked, delivered, .. } = *transfer;
        Unreachable { src, dst, at, asked, delivered }
    }

    /// Says in words who waits for whom.
    fn tell(&self, wait: Standstill) -> String {
        let name = |agent: AgentId| self.name(agent);
        match wait {
            Standstill::Behind { agent, step, on } => {
                format!("{} waits before step {step} for {}", name(agent), name(on))
            }
            Standstill::Receiving { agent, step, flow: FlowId(flow) } => {
                let src = self.model.plan.flows()[flow as usize].src;
                format!("{} waits in step {step} for a message from {}", name(agent), name(src))
            }
            Standstill::Sending { agent, step } => {
                format!("{} waits in step {step} for its own message to leave", name(agent))
            }
        }
    }

    /// The rank and lane of an agent.
    fn name(&self, agent: AgentId) -> String {
        let (LaneName { job, part, group, channel }, rank) = self.of(agent);
        let job = if self.is_one_job { String::new() } else { format!("job {job}, ") };
        let who = match rank {
            rank if rank.switches().is_some() => "the switches".to_owned(),
            RankId(rank) => format!("rank {rank}"),
        };
        format!("{who} ({job}{part}, group {group}, channel {channel})")
    }
}
