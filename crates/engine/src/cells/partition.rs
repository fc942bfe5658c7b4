//! Which agents form a cell, and the part of the plan that each cell walks through.

use units::Duration;

use crate::dependency::Dependency;
use crate::disjoint::DisjointSets;
use crate::flow::Flow;
use crate::plan::{AgentId, FlowId, Plan, StageIndex, stages_of};
use collectives::Start;

/// The cells of a plan.
#[derive(Clone, Debug)]
pub struct Cells {
    pub(super) parts: Vec<Cell>,
    /// The cell of each agent, and its index there.
    pub(super) agent_place: Vec<(u32, u32)>,
    /// The cell of each flow's sender, and the flow's index there.
    pub(super) flow_place: Vec<(u32, u32)>,
}

/// A part of a plan.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its agents, the flows that they send, then those that come from other cells.
    pub(super) plan: Plan,
    /// Its agents in the whole plan.
    pub(super) agents: Vec<AgentId>,
    /// Its flows in the whole plan.
    pub(super) flows: Vec<FlowId>,
    /// How many of its flows its own agents send.
    pub(super) own: usize,
    /// Cells that send to it, with the least latency of what they send.
    pub(super) inputs: Vec<(u32, Duration)>,
    /// Where each of its own flows is delivered, if not here: the cell and the flow's index there.
    pub(super) destinations: Vec<Option<(u32, FlowId)>>,
}

impl Cells {
    /// The cells of `plan`, where `latency` tells how long after it drained a flow is delivered and
    /// `together` holds sets of flows that share something.
    ///
    /// `together` has one entry for each flow and is consumed.
    pub fn new(plan: &Plan, latency: &dyn Fn(FlowId) -> Duration, together: DisjointSets) -> Self {
        let cell_of = cells_of_agents(plan, latency, together, &|_| true);
        let mut cells = Self::agents(plan, &cell_of);
        cells.file_flows(plan, latency);
        cells
    }

    /// The cells of `plan`, where those of one agent that `is_alone` are one, the last; `None` if there are
    /// none of that kind, or one that `is_alone` has to be with others and anybody waits for anybody.
    ///
    /// Waits of such agents, and for them, lead from cell to cell. `together` is as in [`new`](Self::new).
    pub fn with_rest(
        plan: &Plan,
        latency: &dyn Fn(FlowId) -> Duration,
        together: DisjointSets,
        is_alone: &dyn Fn(AgentId) -> bool,
    ) -> Option<Self> {
        let joins = |wait: &Dependency| !is_alone(wait.agent) && !is_alone(wait.on);
        let mut cell_of = cells_of_agents(plan, latency, together, &joins);
        let count = cell_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members = vec![0_u32; count];
        for &cell in &cell_of {
            members[cell as usize] += 1;
        }
        let mut is_rest = vec![false; count];
        let may_join = plan.waits_for_nobody();
        for (agent, &cell) in (0..).map(AgentId).zip(&cell_of) {
            is_rest[cell as usize] = members[cell as usize] == 1 && is_alone(agent);
            if is_alone(agent) && !is_rest[cell as usize] && !may_join {
                return None;
            }
        }
        // Cells keep their order.
        let mut shared = 0;
        let number = is_rest.iter().map(|is_rest| {
            let number = if *is_rest { u32::MAX } else { shared };
            shared += u32::from(!is_rest);
            number
        });
        let number: Vec<u32> = number.collect();
        if shared as usize == count {
            return None;
        }
        for cell in &mut cell_of {
            *cell = number[*cell as usize].min(shared);
        }
        let mut cells = Self::agents(plan, &cell_of);
        cells.file_flows(plan, latency);
        Some(cells)
    }

    /// The cells of `plan` joined to larger ones of some `agents` agents each, which are swept in fewer
    /// turns that do more each. Neighbours are spread: the threads of a sweep, each of which takes a run of
    /// cells, have as much to do if it is more at one end than at the other.
    #[must_use]
    pub fn joined(&self, plan: &Plan, latency: &dyn Fn(FlowId) -> Duration, agents: usize) -> Self {
        let mut block_of = Vec::with_capacity(self.parts.len());
        let (mut block, mut members) = (0, 0);
        for cell in &self.parts {
            if members >= agents {
                (block, members) = (block + 1, 0);
            }
            members += cell.agents.len();
            block_of.push(block);
        }
        let mut spread: Vec<u32> = (0..=block).collect();
        spread.sort_by_key(|block| block.reverse_bits());
        let mut number = vec![0; spread.len()];
        (0..).zip(spread).for_each(|(index, block)| number[block as usize] = index);
        let of = |&(cell, _): &(u32, u32)| number[block_of[cell as usize] as usize];
        let cell_of: Vec<u32> = self.agent_place.iter().map(of).collect();
        let mut cells = Self::agents(plan, &cell_of);
        cells.file_flows(plan, latency);
        cells
    }

    /// The number of cells.
    pub const fn len(&self) -> usize {
        self.parts.len()
    }

    /// The plan of each cell.
    pub(crate) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.parts.iter().map(|cell| &cell.plan)
    }

    /// The agents of a cell, in the whole plan.
    pub fn members(&self, cell: usize) -> &[AgentId] {
        &self.parts[cell].agents
    }

    /// The cell of an agent.
    pub(crate) fn cell_of(&self, agent: AgentId) -> usize {
        self.agent_place[agent.index()].0 as usize
    }

    /// The cell of an agent, and its number there.
    pub(crate) fn place(&self, agent: AgentId) -> (usize, AgentId) {
        let (cell, index) = self.agent_place[agent.index()];
        (cell as usize, AgentId(index))
    }

    /// Whether a wait is between agents of one cell.
    pub(crate) fn are_together(&self, wait: &Dependency) -> bool {
        self.cell_of(wait.agent) == self.cell_of(wait.on)
    }

    /// How many pairs of cells there are of which one sends to the other.
    pub fn neighbours(&self) -> usize {
        self.parts.iter().map(|cell| cell.inputs.len()).sum()
    }

    /// Whether there is no cell at all.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The flows of the whole plan in a cell: first those that its agents send, so many, then those
    /// that come from other cells.
    pub fn flows(&self, cell: usize) -> (&[FlowId], usize) {
        (&self.parts[cell].flows, self.parts[cell].own)
    }

    /// Whether a flow, by its index in the cell that sends it, is delivered in that same cell.
    pub fn stays(&self, cell: usize, flow: usize) -> bool {
        self.parts[cell].destinations[flow].is_none()
    }

    /// The cell that sends a flow, and the flow's index there.
    pub fn sender(&self, flow: FlowId) -> (usize, FlowId) {
        let (cell, index) = self.flow_place[flow.index()];
        (cell as usize, FlowId(index))
    }

    /// The cell that receives a flow, and the flow's index there.
    pub fn receiver(&self, flow: FlowId) -> (usize, FlowId) {
        let (cell, index) = self.flow_place[flow.index()];
        let elsewhere = self.parts[cell as usize].destinations[index as usize];
        elsewhere.map_or((cell as usize, FlowId(index)), |(to, there)| (to as usize, there))
    }

    /// Every cell with its agents, and without flows yet.
    fn agents(plan: &Plan, cell_of: &[u32]) -> Self {
        let count = cell_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut agents = vec![Vec::new(); count];
        let mut agent_place = Vec::with_capacity(cell_of.len());
        for (agent, &cell) in cell_of.iter().enumerate() {
            let members: &mut Vec<AgentId> = &mut agents[cell as usize];
            agent_place.push((cell, members.len() as u32));
            members.push(AgentId(agent as u32));
        }
        let cell = |agents: Vec<AgentId>| {
            let program = |agent: &AgentId| plan.program_of[agent.index()];
            let program_of: Vec<u32> = agents.iter().map(program).collect();
            let here = |one: &AgentId, other: AgentId| {
                let (cell, index) = agent_place[other.index()];
                (cell == agent_place[one.index()].0).then_some(AgentId(index))
            };
            let dependencies = agents.iter().map(|agent| {
                let waits = plan.dependencies[agent.index()].iter();
                let local = |wait: &Dependency| {
                    let on = here(agent, wait.on)?;
                    Some(Dependency { agent: here(agent, wait.agent)?, on, ..*wait })
                };
                waits.filter_map(local).collect()
            });
            let dependants = agents.iter().map(|agent| {
                let waiting = plan.dependants[agent.index()].iter();
                waiting.filter_map(|&waiting| here(agent, waiting)).collect()
            });
            let plan = Plan {
                programs: plan.programs.clone(),
                round_steps: plan.round_steps.clone(),
                dependencies: dependencies.collect(),
                dependants: dependants.collect(),
                program_of,
                flows: Vec::new(),
                outgoing: StageIndex::default(),
                incoming: StageIndex::default(),
            };
            Cell {
                plan,
                agents,
                flows: Vec::new(),
                own: 0,
                inputs: Vec::new(),
                destinations: Vec::new(),
            }
        };
        let parts = agents.into_iter().map(cell).collect();
        Self { parts, agent_place, flow_place: Vec::new() }
    }

    /// Gives every flow to the cell of its sender, and to that of its receiver if that is another.
    fn file_flows(&mut self, plan: &Plan, latency: &dyn Fn(FlowId) -> Duration) {
        for (index, flow) in plan.flows.iter().enumerate() {
            let (cell, src) = self.agent_place[flow.src.index()];
            let (to, dst) = self.agent_place[flow.dst.index()];
            let cell_index = cell;
            let cell = &mut self.parts[cell as usize];
            self.flow_place.push((cell_index, cell.flows.len() as u32));
            cell.flows.push(FlowId(index as u32));
            let dst = if to == cell_index { AgentId(dst) } else { ELSEWHERE };
            cell.plan.flows.push(Flow { src: AgentId(src), dst, ..flow.clone() });
            cell.destinations.push(None);
            cell.own += 1;
        }
        for (index, flow) in plan.flows.iter().enumerate() {
            let (from, here) = self.flow_place[index];
            let (to, dst) = self.agent_place[flow.dst.index()];
            if from == to {
                continue;
            }
            let cell = &mut self.parts[to as usize];
            let there = FlowId(cell.flows.len() as u32);
            cell.flows.push(FlowId(index as u32));
            cell.plan.flows.push(Flow { src: ELSEWHERE, dst: AgentId(dst), ..flow.clone() });
            let latency = latency(FlowId(index as u32));
            cell.inputs.push((from, latency));
            self.parts[from as usize].destinations[here as usize] = Some((to, there));
        }
        for cell in &mut self.parts {
            cell.inputs.sort_unstable();
            cell.inputs.dedup_by_key(|&mut (from, _)| from);
            let stages_of = stages_of(&cell.plan.programs, &cell.plan.program_of);
            let here = |agent: AgentId| (agent != ELSEWHERE).then_some(agent);
            let flows = cell.plan.flows.iter();
            let outgoing = flows.clone().map(|flow| here(flow.src).map(|src| (src, flow.stage)));
            let incoming = flows.map(|flow| here(flow.dst).map(|dst| (dst, flow.stage)));
            cell.plan.outgoing = StageIndex::new(&stages_of, outgoing);
            cell.plan.incoming = StageIndex::new(&stages_of, incoming);
        }
    }
}

/// The other end of a flow between cells.
pub(crate) const ELSEWHERE: AgentId = AgentId(u32::MAX);

/// The cell of each agent, numbered so that a cell comes after one that sends to it where possible; a wait
/// that `joins` keeps both of its agents in one.
fn cells_of_agents(
    plan: &Plan,
    latency: &dyn Fn(FlowId) -> Duration,
    mut together: DisjointSets,
    joins: &dyn Fn(&Dependency) -> bool,
) -> Vec<u32> {
    let mut sets = DisjointSets::new(plan.agents());
    for (index, flow) in plan.flows.iter().enumerate() {
        let meets = flow.start == Start::Rendezvous;
        if meets || latency(FlowId(index as u32)) == Duration::ZERO {
            sets.join(flow.src.0, flow.dst.0);
        }
        let first = together.root(index as u32) as usize;
        sets.join(flow.src.0, plan.flows[first].src.0);
    }
    for wait in plan.dependencies.iter().flatten().filter(|wait| joins(wait)) {
        sets.join(wait.agent.0, wait.on.0);
    }
    let (set_of, count) = sets.numbered();
    let mut number = vec![u32::MAX; count];
    let mut cells = 0;
    for agent in plan.in_order_of_flows() {
        let number = &mut number[set_of[agent.index()] as usize];
        if *number == u32::MAX {
            *number = cells;
            cells += 1;
        }
    }
    set_of.into_iter().map(|set| number[set as usize]).collect()
}
