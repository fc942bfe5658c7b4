//! Ways are shared: a network tells when transfers have drained, everything else follows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use units::{Bytes, Duration, Time};

use crate::cells::part::CellRun;
use crate::cells::sweep::sweep;
use crate::cells::{Cells, ELSEWHERE};
use crate::completion::{Completion, Counters, Error, Limits};
use crate::plan::{AgentId, FlowId, Plan};
use crate::steps::mailbox::Mailbox;
use crate::steps::walker::{Next, Walker, added_up};
use crate::tournament::Tournament;

/// A network that tells when transfers have drained.
pub trait SharedWay {
    /// A transfer starts.
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes);

    /// When the first transfer will have drained; [`Time::MAX`] if none moves.
    fn next_time(&self) -> Time;

    /// Takes out a transfer that has drained.
    fn pop_drained(&mut self, now: Time) -> Option<FlowId>;

    /// The instant is closed: rates are brought up to date.
    fn settle(&mut self, now: Time) -> Result<(), Error>;

    /// From drained to delivered.
    fn latency(&self, flow: FlowId) -> Duration;
}

/// Runs a stepwise plan to its end cell by cell, each on its own of the `ways`, which are returned.
///
/// # Panics
/// If the plan is not [stepwise](Plan::is_stepwise), there are more or fewer ways than cells, or a transfer
/// never drains.
pub fn run_shared_steps<W: SharedWay + Send>(
    (plan, cells): (&Plan, &Cells),
    ways: Vec<W>,
    limits: Limits<'_>,
) -> Result<(Completion, Vec<W>), Error> {
    assert!(plan.is_stepwise(), "agents wait for messages only");
    assert_eq!(ways.len(), cells.len(), "every cell has its way");
    let walks = cells.plans().zip(ways).map(|(plan, way)| Walk::new(plan, way));
    sweep(cells, walks.collect::<Result<_, _>>()?, (Time::ZERO, limits))
}

struct Walk<'a, W> {
    plan: &'a Plan,
    way: W,
    now: Time,
    agents: Vec<Walker>,
    sending: Vec<Sending>,
    mailboxes: Vec<Mailbox>,
    /// When the transfers of each agent start, if they are to start.
    begins: Tournament,
    /// Messages that are being prepared.
    prepared: BinaryHeap<Reverse<(Time, FlowId)>>,
    arrivals: Vec<(Time, Duration)>,
    /// What has drained and is for agents of other cells.
    sent: Vec<(FlowId, Time)>,
    unfinished: usize,
    /// Transfers that have drained, and agents and messages that had to wait for their instant.
    events: u64,
}

/// What an agent is sending in its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sending {
    /// Nothing yet: its transfers start later.
    Later,
    /// So many transfers since an instant, at least one.
    Since(Time, u32),
    /// Transfers that began at the first instant had drained at the second.
    Done(Time, Time),
}

impl<W: SharedWay + Send> CellRun for Walk<'_, W> {
    type Rest = W;

    fn next_time(&self) -> Time {
        let prepared = self.prepared.peek().map_or(Time::MAX, |&Reverse((at, _))| at);
        self.begins.earliest().min(self.way.next_time()).min(prepared)
    }

    fn go_on(&mut self, horizon: Time, most: u64) -> Result<(), Error> {
        let most = self.events + most;
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

    fn receive(&mut self, flow: FlowId, at: Time) -> Result<(), Error> {
        self.mailboxes[flow.index()].push(self.now, at);
        self.end_step(self.plan.flows[flow.index()].dst)
    }

    fn end(self) -> (Completion, W) {
        assert_eq!(self.unfinished, 0, "everything moves until it has drained");
        let ended = self.agents.iter().map(|state| state.at).max().unwrap_or_default();
        let finished = self.agents.iter().map(|state| Some(state.at)).collect();
        let counters = Counters { events: self.events, ..Counters::default() };
        (Completion { finished, ended, standstill: Vec::new(), counters }, self.way)
    }
}

impl<'a, W: SharedWay> Walk<'a, W> {
    fn new(plan: &'a Plan, way: W) -> Result<Self, Error> {
        let (agents, unfinished) = Walker::all(plan);
        let mut walk = Self {
            plan,
            way,
            now: Time::ZERO,
            sending: vec![Sending::Later; agents.len()],
            agents,
            mailboxes: vec![Mailbox::default(); plan.flows.len()],
            begins: Tournament::new(plan.agents()),
            prepared: BinaryHeap::new(),
            arrivals: Vec::new(),
            sent: Vec::new(),
            unfinished,
            events: 0,
        };
        for agent in (0..plan.agents() as u32).map(AgentId) {
            if !plan.program(agent).stages.is_empty() {
                walk.enter(agent)?;
            }
        }
        Ok(walk)
    }

    /// Handles everything due at `now`, what it causes at the same instant included, and lets the
    /// network solve its rates once.
    fn close_instant(&mut self, now: Time) -> Result<(), Error> {
        self.now = now;
        loop {
            let before = self.events;
            while let Some(flow) = self.way.pop_drained(now) {
                self.events += 1;
                self.drained(flow)?;
            }
            while self.begins.earliest() <= now {
                self.events += 1;
                let agent = self.begins.winner();
                self.begins.set(agent, Time::MAX);
                self.begin(AgentId(agent as u32))?;
            }
            while let Some(&Reverse((at, flow))) = self.prepared.peek()
                && at <= now
            {
                self.events += 1;
                self.prepared.pop();
                self.send(flow);
            }
            if self.events == before {
                break;
            }
        }
        self.way.settle(now)
    }

    /// The agent has entered a step, perhaps at an instant to come: its transfers start in due time.
    fn enter(&mut self, agent: AgentId) -> Result<(), Error> {
        let state = self.agents[agent.index()];
        let delay = state.delay(self.plan, agent)?;
        let begins = state.at.checked_add(delay).ok_or(Error::TimeRange)?;
        self.sending[agent.index()] = Sending::Later;
        self.begins.set(agent.index(), begins);
        Ok(())
    }

    /// The transfers of the agent's step start.
    fn begin(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        let state = self.agents[agent.index()];
        let program = plan.program(agent);
        let mut count = 0;
        for &flow_id in plan.outgoing.of(agent, state.stage) {
            let flow = &plan.flows[flow_id.index()];
            if !flow.is_active(state.stage_step) {
                continue;
            }
            count += 1;
            if program.costs.per_message == Duration::ZERO {
                self.way.start(self.now, flow_id, flow.bytes(state.stage_step));
            } else {
                let prepared = program.preparation(u64::from(flow.ordinal) + 1);
                let at = prepared.and_then(|prepared| self.now.checked_add(prepared));
                self.prepared.push(Reverse((at.ok_or(Error::TimeRange)?, flow_id)));
            }
        }
        if count == 0 {
            self.sending[agent.index()] = Sending::Done(self.now, self.now);
            return self.end_step(agent);
        }
        self.sending[agent.index()] = Sending::Since(self.now, count);
        Ok(())
    }

    /// A message has been prepared.
    fn send(&mut self, flow: FlowId) {
        let one = &self.plan.flows[flow.index()];
        let step = self.agents[one.src.index()].stage_step;
        self.way.start(self.now, flow, one.bytes(step));
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
        let sending = &mut self.sending[one.src.index()];
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
    fn end_step(&mut self, agent: AgentId) -> Result<(), Error> {
        let Sending::Done(begun, drained) = self.sending[agent.index()] else { return Ok(()) };
        let plan = self.plan;
        let mut state = self.agents[agent.index()];
        let incoming = plan.incoming.of(agent, state.stage).iter();
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
        self.agents[agent.index()] = state;
        match next {
            Next::Step => self.enter(agent),
            Next::End => {
                self.sending[agent.index()] = Sending::Later;
                self.unfinished -= 1;
                Ok(())
            }
        }
    }
}
