//! Few ways are shared: cells of those who share, among agents that walk alone.
//!
//! An agent that shares nothing walks through its steps without events, and sleeps where they are alike.
//! Agents that share ways form cells, whose events are handled up to a horizon. Both are taken in the order
//! of their flows, each as far as messages are known; and each leaves behind from when on it may send what
//! nobody knows of yet. The horizon of a cell is the least of these instants over all who send to it, each
//! with the latency of the way. They rise at every turn by the latencies of the ways between two cells,
//! so a cell never waits for good (Chandy and Misra, as in [`crate::cells`]). The cost of a run is that of
//! its cells, and of the waves that they send around.
//!
//! An agent may wait for another before it enters a stage, too. Where one of the two walks alone the wait
//! leads across, and is a message without latency; but who walks alone takes some time to send what it
//! must before others may go on, so a circle of cells always takes time.

use units::{Duration, Time};

use crate::cells::part::CellRun;
use crate::cells::{Cells, ELSEWHERE};
use crate::completion::{Completion, Error, Limits};
use crate::dependency::Dependency;
use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::alone::{OwnWay, Walk as Alone};
use crate::steps::entry::Outside;
use crate::steps::shared::{SharedWay, Walk as Shared};
use crate::steps::stream::Stretch;
use crate::steps::waits::{Wait, Waits};

/// No turn of a cell is longer, so that messages for others do not pile up.
const MOST_EVENTS: u64 = 1 << 16;

/// Runs an eager plan to its end: those in the last of the `cells` alone, whose flows have `own` ways to
/// themselves, the others cell by cell, each on its own of the `ways`, which are returned.
///
/// `None` if a wait that leads from cell to cell is not, once, for a stage to be ended before another is
/// entered; or if agents wait for each other in a circle.
///
/// # Panics
/// If the plan is not [eager](Plan::is_eager), or the cells are not one more than the ways.
pub fn run_mixed_steps<W: SharedWay + Send>(
    (plan, cells): (&Plan, &Cells),
    own: &impl OwnWay,
    ways: Vec<W>,
    limits: Limits<'_>,
) -> Result<Option<(Completion, Vec<W>)>, Error> {
    assert!(plan.is_eager(), "transfers wait for nobody");
    assert_eq!(ways.len() + 1, cells.len(), "every cell but the last has its way");
    let rest = cells.len() - 1;
    let walks = |agent| cells.cell_of(agent) == rest;
    let leads_across = |wait: &Dependency| walks(wait.agent) || !cells.are_together(wait);
    let Some(waits) = Waits::new(plan, &leads_across) else { return Ok(None) };
    let outside = outside(cells, &waits);
    let (mut runs, mut untold) = (Vec::new(), Vec::new());
    for ((plan, way), (outside, numbers)) in cells.plans().zip(ways).zip(outside) {
        let outside = (!waits.all().is_empty()).then_some(outside);
        runs.push(Shared::new(plan, way, outside)?);
        untold.push(numbers);
    }
    let mut mixed = Mixed {
        plan,
        cells,
        turns: turns(plan, cells),
        alone: Alone::new(plan, own, (limits.recurrence, &walks), waits),
        runs,
        untold,
        from: plan.agent_ids().map(|agent| plan.program(agent).start).collect(),
        letters: Vec::new(),
        told: 0,
    };
    match mixed.go_to_end(limits) {
        Ok(true) => Ok(Some(mixed.end())),
        Ok(false) => Ok(None),
        Err(error) => {
            limits.watch.tell_delivered(|| mixed.delivered());
            Err(error)
        }
    }
}

/// For each cell but the last what its agents wait for in others, and the numbers of these waits.
fn outside(cells: &Cells, waits: &Waits) -> Vec<(Outside, Vec<Untold>)> {
    let mut outside = vec![(Vec::new(), Vec::new()); cells.len() - 1];
    for (whole, wait) in waits.all().iter().enumerate() {
        let (cell, agent) = cells.place(wait.agent);
        if let Some((waits, untold)) = outside.get_mut(cell) {
            // They come in the order of their agents, here as in the whole.
            untold.push(Untold { whole, here: waits.len() });
            waits.push(Wait { agent, on: ELSEWHERE, ..*wait });
        }
    }
    let tell = |(waits, untold)| (Outside { waits: Waits::of(waits), ended: Vec::new() }, untold);
    outside.into_iter().map(tell).collect()
}

/// A wait of which its cell has not been told that it is over: its number in the whole and in the cell.
#[derive(Clone, Copy, Debug)]
struct Untold {
    whole: usize,
    here: usize,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Alone(AgentId),
    Cell(usize),
}

/// All agents in the order of their flows; a cell comes with each of its agents, but not twice in a row.
fn turns(plan: &Plan, cells: &Cells) -> Vec<Turn> {
    let turn = |agent| match cells.cell_of(agent) {
        cell if cell + 1 == cells.len() => Turn::Alone(agent),
        cell => Turn::Cell(cell),
    };
    let mut turns: Vec<Turn> = plan.in_order_of_flows().into_iter().map(turn).collect();
    turns.dedup();
    turns
}

struct Mixed<'a, O, W> {
    plan: &'a Plan,
    cells: &'a Cells,
    turns: Vec<Turn>,
    /// Those who are alone, and of all flows what has not been used yet, or not been told to a cell.
    alone: Alone<'a, O>,
    runs: Vec<Shared<'a, W>>,
    /// For each of them the waits of its agents for others that it has not been told to be over.
    untold: Vec<Vec<Untold>>,
    /// For each agent an instant before which no transfer of its starts that is not known yet.
    from: Vec<Time>,
    letters: Vec<(FlowId, Time)>,
    /// Of how many events who looks on has been told.
    told: u64,
}

impl<O: OwnWay, W: SharedWay + Send> Mixed<'_, O, W> {
    /// Takes all agents to their ends; not if they wait for each other in a circle.
    fn go_to_end(&mut self, limits: Limits<'_>) -> Result<bool, Error> {
        while self.alone.is_under_way() || self.runs.iter().any(Shared::is_under_way) {
            let (events, steps) = (self.events(), self.alone.steps);
            let fresh = events - std::mem::replace(&mut self.told, events);
            let reached = self.from.iter().copied().min().unwrap_or(Time::ZERO);
            limits.watch.tell(reached, fresh)?;
            let floor = self.floor();
            self.alone.wait_for(floor);
            for turn in 0..self.turns.len() {
                match self.turns[turn] {
                    Turn::Alone(agent) => {
                        self.alone.go_on(agent)?;
                        self.from[agent.index()] = self.alone.next_start(agent, &self.from);
                    }
                    Turn::Cell(cell) => self.go_on(cell, floor)?,
                }
            }
            if (self.events(), self.alone.steps) == (events, steps) && !self.is_anything_to_come() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a cell has an event before it, or will hear of something.
    fn is_anything_to_come(&self) -> bool {
        (self.runs.iter().enumerate()).any(|(cell, run)| {
            let (names, own) = self.cells.flows(cell);
            let is_over = |one: &Untold| self.alone.waits.all()[one.whole].since.is_some();
            run.next_time() < Time::MAX
                || names[own..].iter().any(|&flow| self.alone.is_known(flow))
                || self.untold[cell].iter().any(is_over)
        })
    }

    /// When the first of those acts who wait for no message. It may act, however far ahead of its
    /// receivers it is.
    fn floor(&self) -> Time {
        let cells = self.runs.iter().map(CellRun::next_time);
        cells.chain(self.alone.held_back()).min().unwrap_or(Time::MAX)
    }

    fn events(&self) -> u64 {
        self.alone.events() + self.runs.iter().map(Shared::events).sum::<u64>()
    }

    /// Takes a cell to its horizon.
    fn go_on(&mut self, cell: usize, floor: Time) -> Result<(), Error> {
        let (names, own) = self.cells.flows(cell);
        let (sent, received) = names.split_at(own);
        let has_heard = self.tell_waits(cell)?;
        let reaches = received.iter().map(|&flow| self.alone.reach(flow, &self.from));
        let waits = self.untold[cell].iter().map(|one| &self.alone.waits.all()[one.whole]);
        let ends = waits.map(|wait| self.alone.end_of(wait, &self.from));
        let mut horizon = reaches.chain(ends).min().unwrap_or(Time::MAX);
        if sent.iter().any(|&flow| self.alone.is_full(flow)) {
            let next = floor.checked_add(Duration::from_picos(1));
            horizon = horizon.min(next.unwrap_or(Time::MAX));
        }
        for (index, &flow) in (own as u32..).zip(received) {
            while let Some(at) = self.alone.pop_before(flow, horizon) {
                self.letters.push((FlowId(index), at));
            }
        }
        let run = &mut self.runs[cell];
        if run.next_time() < horizon || !self.letters.is_empty() || has_heard {
            run.go_on(&mut self.letters, horizon, MOST_EVENTS)?;
            for (agent, stage, at) in run.outside.iter_mut().flat_map(|it| it.ended.drain(..)) {
                let agent = self.cells.members(cell)[agent.index()];
                self.alone.waits.end_stage(agent, stage, at);
            }
            for (flow, at) in run.sent().drain(..) {
                self.alone.send(names[flow.index()], Stretch::one(at));
            }
        }
        let from = if run.is_under_way() { run.next_time().min(horizon) } else { Time::MAX };
        for &agent in self.cells.members(cell) {
            self.from[agent.index()] = from;
        }
        Ok(())
    }

    /// Tells a cell which waits of its agents are over, if any is that was not.
    fn tell_waits(&mut self, cell: usize) -> Result<bool, Error> {
        let (waits, run) = (&self.alone.waits, &mut self.runs[cell]);
        let before = self.untold[cell].len();
        let mut failure = None;
        self.untold[cell].retain(|one| match waits.all()[one.whole].since {
            Some(since) => {
                failure = failure.or(run.hear(one.here, since).err());
                false
            }
            None => true,
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(self.untold[cell].len() < before),
        }
    }

    /// How many transfers of each flow were of steps that their receivers have ended.
    fn delivered(&self) -> Vec<u64> {
        let mut delivered = self.alone.delivered();
        for flow in (0..self.plan.flows.len() as u32).map(FlowId) {
            let (cell, index) = self.cells.receiver(flow);
            if let Some(run) = self.runs.get(cell) {
                delivered[flow.index()] = run.delivered(index);
            }
        }
        delivered
    }

    /// The completion of the whole, and what the ways have become.
    fn end(self) -> (Completion, Vec<W>) {
        let mut completion = self.alone.completion();
        let mut ways = Vec::with_capacity(self.runs.len());
        for (cell, run) in self.runs.into_iter().enumerate() {
            let (part, way) = run.end();
            for (&agent, at) in self.cells.members(cell).iter().zip(part.finished) {
                completion.finished[agent.index()] = at;
            }
            completion.ended = completion.ended.max(part.ended);
            completion.counters.events += part.counters.events;
            ways.push(way);
        }
        (completion, ways)
    }
}
