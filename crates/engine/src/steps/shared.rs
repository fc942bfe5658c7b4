//! Ways are shared: a network tells when transfers have drained, everything else follows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use units::{Bytes, Duration, Time};

use crate::cells::part::CellRun;
use crate::cells::sweep::sweep;
use crate::cells::{Cells, ELSEWHERE};
use crate::completion::{Completion, Counters, Error, Limits};
use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::agent::{Agent, Sending};
use crate::steps::entry::Outside;
use crate::steps::gates::Gates;
use crate::steps::mailbox::Mailbox;
use crate::steps::walker::{Next, Walker, added_up};
use crate::tournament::Tournament;

/// A network that tells when transfers have drained.
pub trait SharedWay {
    /// A transfer starts. One that never drains leaves its agent unfinished.
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error>;

    /// When the first transfer will have drained; [`Time::MAX`] if none moves.
    fn next_time(&self) -> Time;

    /// Takes out a transfer that has drained.
    fn pop_drained(&mut self, now: Time) -> Result<Option<FlowId>, Error>;

    /// The instant is closed: rates are brought up to date.
    fn settle(&mut self, now: Time) -> Result<(), Error>;

    /// From drained to delivered.
    fn latency(&self, flow: FlowId) -> Duration;

    /// Reads through its state in order, before a turn that goes here and there in it; changes nothing.
    fn look_through(&self);
}

/// Runs an eager plan to its end cell by cell, each on its own of the `ways`, which are returned.
///
/// Where a transfer never drains, or agents wait for each other in a circle, these and those behind them do
/// not finish; who waits for whom then is not told.
///
/// # Panics
/// If the plan is not [eager](Plan::is_eager), or there are more or fewer ways than cells.
pub fn run_shared_steps<W: SharedWay + Send>(
    (plan, cells): (&Plan, &Cells),
    ways: Vec<W>,
    limits: Limits<'_>,
) -> Result<(Completion, Vec<W>), Error> {
    assert!(plan.is_eager(), "transfers wait for nobody");
    assert_eq!(ways.len(), cells.len(), "every cell has its way");
    let walks = cells.plans().zip(ways).map(|(plan, way)| Walk::new(plan, way, None));
    sweep(cells, walks.collect::<Result<_, _>>()?, (Time::ZERO, limits))
}

/// The agents of a cell.
pub(super) struct Walk<'a, W> {
    pub(super) plan: &'a Plan,
    pub(super) way: W,
    pub(super) now: Time,
    pub(super) agents: Vec<Agent>,
    mailboxes: Vec<Mailbox>,
    /// What its agents wait for in each other.
    pub(super) gates: Gates,
    /// What they wait for in others, and others in them, if that is told.
    pub(super) outside: Option<Outside>,
    /// When the transfers of each agent start, if they are to start.
    pub(super) begins: Tournament,
    /// Messages that are being prepared.
    pub(super) prepared: BinaryHeap<Reverse<(Time, FlowId)>>,
    arrivals: Vec<(Time, Duration)>,
    /// What has drained and is for agents of other cells.
    sent: Vec<(FlowId, Time)>,
    /// Transfers that have drained, and agents and messages that had to wait for their instant.
    events: u64,
    /// Of how many of them who looks on has been told.
    told: u64,
    unfinished: usize,
}

impl<W: SharedWay + Send> CellRun for Walk<'_, W> {
    type Rest = W;

    fn next_time(&self) -> Time {
        let prepared = self.prepared.peek().map_or(Time::MAX, |&Reverse((at, _))| at);
        self.begins.earliest().min(self.way.next_time()).min(prepared)
    }

    fn go_on(
        &mut self,
        letters: &mut Vec<(FlowId, Time)>,
        horizon: Time,
        most: u64,
    ) -> Result<(), Error> {
        let most = self.events + most;
        self.look_through(letters);
        for (flow, at) in letters.drain(..) {
            self.mailboxes[flow.index()].push(self.now, at);
            self.end_step(self.plan.flows[flow.index()].dst)?;
        }
        loop {
            let now = self.next_time();
            if now >= horizon || self.events >= most {
                return Ok(());
            }
            self.close_instant(now)?;
        }
    }

    fn sent(&mut self) -> &mut Vec<(FlowId, Time)> {
        &mut self.sent
    }

    fn tell_events(&mut self) -> u64 {
        self.events - std::mem::replace(&mut self.told, self.events)
    }

    fn delivered(&self, flow: FlowId) -> u64 {
        let flow = &self.plan.flows[flow.index()];
        self.agents[flow.dst.index()].state.received(flow)
    }

    fn end(self) -> (Completion, W) {
        let ended = self.agents.iter().map(|one| one.state.at).max().unwrap_or_default();
        let finished = |one: &Agent| (one.sending == Sending::Ended).then_some(one.state.at);
        let finished = self.agents.iter().map(finished).collect();
        let counters = Counters { events: self.events, ..Counters::default() };
        (Completion { finished, ended, standstill: Vec::new(), counters }, self.way)
    }
}

impl<'a, W: SharedWay> Walk<'a, W> {
    /// The agents of a cell before their first steps, the delays of these begun.
    pub(super) fn new(plan: &'a Plan, way: W, outside: Option<Outside>) -> Result<Self, Error> {
        let agents = plan.agent_ids().map(|agent| (agent, Walker::new(plan, agent)));
        let mut walk = Self {
            plan,
            way,
            now: Time::ZERO,
            agents: agents.map(|(agent, state)| Agent::new(plan, agent, state)).collect(),
            mailboxes: vec![Mailbox::default(); plan.flows.len()],
            gates: Gates::new(plan),
            outside,
            begins: Tournament::new(plan.agents()),
            prepared: BinaryHeap::new(),
            arrivals: Vec::new(),
            sent: Vec::new(),
            events: 0,
            told: 0,
            unfinished: 0,
        };
        for agent in plan.agent_ids() {
            if !plan.program(agent).stages.is_empty() {
                walk.unfinished += 1;
                walk.enter(agent)?;
            }
        }
        Ok(walk)
    }

    /// Whether some agent has not come to its end.
    pub(super) const fn is_under_way(&self) -> bool {
        self.unfinished > 0
    }

    /// How many events it has handled.
    pub(super) const fn events(&self) -> u64 {
        self.events
    }

    /// Reads through the state in order, which the processor fetches in advance; the steps that follow go
    /// here and there in it.
    fn look_through(&self, letters: &[(FlowId, Time)]) {
        for one in &self.agents {
            black_box(one.state.stage);
        }
        for (flow, _) in letters {
            black_box(self.mailboxes[flow.index()].is_empty());
            black_box(self.plan.flows[flow.index()].dst);
        }
        self.begins.look_through();
        self.way.look_through();
    }

    /// Handles everything due at `now`, what it causes at the same instant included, and lets the
    /// network solve its rates once.
    fn close_instant(&mut self, now: Time) -> Result<(), Error> {
        self.now = now;
        loop {
            let before = self.events;
            while let Some(flow) = self.way.pop_drained(now)? {
                self.events += 1;
                self.drained(flow)?;
            }
            while self.begins.earliest() <= now {
                self.events += 1;
                let agent = self.begins.pop();
                self.begin(AgentId(agent as u32))?;
            }
            while let Some(&Reverse((at, flow))) = self.prepared.peek()
                && at <= now
            {
                self.events += 1;
                self.prepared.pop();
                self.send(flow)?;
            }
            if self.events == before {
                break;
            }
        }
        self.way.settle(now)
    }

    fn drained(&mut self, flow: FlowId) -> Result<(), Error> {
        let (now, one) = (self.now, &self.plan.flows[flow.index()]);
        let delivered = now.checked_add(self.way.latency(flow)).ok_or(Error::TimeRange)?;
        let is_for_others = one.dst == ELSEWHERE;
        if is_for_others {
            self.sent.push((flow, delivered));
        } else {
            self.mailboxes[flow.index()].push(now, delivered);
        }
        let sending = &mut self.agents[one.src.index()].sending;
        let Sending::Since(begun, count) = *sending else {
            unreachable!("what drains is being sent")
        };
        *sending =
            if count == 1 { Sending::Done(begun, now) } else { Sending::Since(begun, count - 1) };
        if count == 1 {
            self.end_step(one.src)?;
        }
        if is_for_others { Ok(()) } else { self.end_step(one.dst) }
    }

    /// Lets an agent whose transfers have drained end its step, if it knows of all that it receives.
    pub(super) fn end_step(&mut self, agent: AgentId) -> Result<(), Error> {
        let one = self.agents[agent.index()];
        let Sending::Done(begun, drained) = one.sending else { return Ok(()) };
        let plan = self.plan;
        let mut state = one.state;
        let incoming = one.incoming(plan, agent).iter();
        let incoming = incoming.filter(|flow| plan.flows[flow.index()].is_active(state.stage_step));
        if incoming.clone().any(|flow| self.mailboxes[flow.index()].is_empty()) {
            return Ok(());
        }
        let mut ends = drained;
        for &flow in incoming {
            let at = self.mailboxes[flow.index()].pop().expect("all are known").max(begun);
            ends = ends.max(at);
            let took = state.adding(plan, agent, flow)?;
            if took > Duration::ZERO {
                self.arrivals.push((at, took));
            }
        }
        if !self.arrivals.is_empty() {
            ends = ends.max(added_up(begun, &mut self.arrivals)?);
        }
        let next = state.leave(plan, agent, ends)?;
        self.gates.end_step(agent, ends);
        if let Some(outside) = &mut self.outside
            && one.state.stage != state.stage
        {
            outside.ended.push((agent, one.state.stage, ends));
        }
        let one = &mut self.agents[agent.index()];
        let stage = std::mem::replace(&mut one.state, state).stage;
        match next {
            Next::Step => {
                if stage != state.stage {
                    one.look_up(plan, agent);
                }
                self.enter(agent)?;
            }
            Next::End => {
                one.sending = Sending::Ended;
                self.unfinished -= 1;
            }
        }
        if self.gates.are_open() { Ok(()) } else { self.let_in(agent) }
    }
}
