//! Agents by the names that users know: ranks and what their lanes do.

use collectives::{LaneName, RankId, Schedule};
use topology::Fabric;

use crate::completion::Standstill;
use crate::plan::{AgentId, Plan};
use crate::waits::{Chain, Root};

/// How many waits of a chain are told before those in the middle are counted.
const TOLD_FIRST: usize = 3;

/// What the agents of a plan are called.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    /// Knows what switches are called.
    fabric: &'a Fabric,
    /// The first seat that each agent stands for.
    first: Vec<Option<(LaneName, RankId)>>,
    /// How many seats it stands for.
    seats: Vec<u64>,
    /// Whether there is one job, which need not be named.
    is_one_job: bool,
}

impl<'a> Names<'a> {
    /// The names of the agents of a plan of so many agents that sit on the seats of a schedule, lane by lane,
    /// on a fabric.
    pub fn new(
        (fabric, schedule): (&'a Fabric, &Schedule),
        agents: usize,
        agent_of_seat: &[Vec<AgentId>],
    ) -> Self {
        let mut first = vec![None; agents];
        let mut seats = vec![0; agents];
        for (lane, agents) in schedule.lanes.iter().zip(agent_of_seat) {
            for (&agent, &rank) in agents.iter().zip(lane.seats.iter()) {
                first[agent.index()].get_or_insert((lane.name, rank));
                seats[agent.index()] += 1;
            }
        }
        let is_one_job = schedule.lanes.iter().all(|lane| lane.name.job == 0);
        Self { fabric, first, seats, is_one_job }
    }

    /// The first rank that an agent stands for.
    pub fn rank(&self, agent: AgentId) -> RankId {
        self.seat(agent).1
    }

    fn seat(&self, agent: AgentId) -> (LaneName, RankId) {
        self.first[agent.index()].expect("every agent stands for a seat")
    }

    /// "rank 3", or which switches: "leaf 0", "plane switch 0 and 3 more".
    pub fn who(&self, agent: AgentId) -> String {
        name_of(self.rank(agent), self.fabric)
    }

    /// The rank and lane of an agent, and how many others it stands for: "rank 3 (ring, group 0, channel 1)".
    pub fn of(&self, agent: AgentId) -> String {
        let (LaneName { job, part, group, channel }, rank) = self.seat(agent);
        let job = if self.is_one_job { String::new() } else { format!("job {job}, ") };
        let who = name_of(rank, self.fabric);
        let alike = match self.seats[agent.index()] - 1 {
            0 => String::new(),
            alike => format!(", and {alike} alike"),
        };
        format!("{who} ({job}{part}, group {group}, channel {channel}{alike})")
    }

    /// Says in words who waits for whom: from the first who waits to what nobody will undo, and how many more
    /// there are. `message` says what holds a message that was sent.
    pub fn tell(
        &self,
        plan: &Plan,
        standstill: &[Standstill],
        message: &dyn Fn(crate::FlowId) -> String,
    ) -> Vec<String> {
        let Some(Chain { waits, root }) = Chain::new(plan, standstill) else { return Vec::new() };
        let mut told: Vec<String> =
            waits.iter().take(TOLD_FIRST).map(|&wait| self.wait(plan, wait)).collect();
        if let Some(between) = waits.len().checked_sub(TOLD_FIRST + 1) {
            match between {
                0 => {}
                1 => told.push("1 more waits in between".to_owned()),
                between => told.push(format!("{between} more wait in between")),
            }
            told.push(self.wait(plan, waits[waits.len() - 1]));
        }
        told.push(match root {
            Root::Circle { from: 0 } => "so they wait for each other in a circle".to_owned(),
            Root::Circle { from } => {
                format!(
                    "so the last {} of them wait for each other in a circle",
                    waits.len() - from
                )
            }
            Root::Message(flow) => message(flow),
        });
        let seats = |waits: &[Standstill]| -> u64 {
            waits.iter().map(|wait| self.seats[wait.agent().index()]).sum()
        };
        match seats(standstill) - seats(&waits) {
            0 => {}
            1 => told.push("1 more waits".to_owned()),
            more => told.push(format!("{more} more wait")),
        }
        told
    }

    /// Says in words what one agent waits for.
    fn wait(&self, plan: &Plan, wait: Standstill) -> String {
        match wait {
            Standstill::Behind { agent, step, on } => {
                format!("{} waits before step {step} for {}", self.of(agent), self.of(on))
            }
            Standstill::Receiving { agent, step, flow } => {
                let src = plan.flows()[flow.index()].src;
                let (agent, src) = (self.of(agent), self.of(src));
                format!("{agent} waits in step {step} for a message from {src}")
            }
            Standstill::Sending { agent, step, flow } => {
                let dst = plan.flows()[flow.index()].dst;
                let (agent, dst) = (self.of(agent), self.of(dst));
                format!("{agent} waits in step {step} for its message to {dst} to leave")
            }
        }
    }
}

/// What the holder of a seat is called: "rank 3", or which switches of a fabric add up there: "leaf 0",
/// "plane switch 0 and 3 more".
pub fn name_of(rank: RankId, fabric: &Fabric) -> String {
    match rank.switches() {
        Some(set) => fabric.aggregator_name(set),
        None => format!("rank {}", rank.0),
    }
}
