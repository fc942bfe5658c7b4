//! The run: every agent walks through its steps while the network moves the bytes.

use std::hint::black_box;

use units::{Bytes, Duration, Time};

use crate::agents::{Advance, AgentState, Phase};
use crate::completion::{Counters, Error, Limits};
use crate::dependency::Dependency;
use crate::flow::Flow;
use crate::network::{Network, News};
use crate::plan::{AgentId, FlowId, Plan};
use crate::recurrence::Recurrence;
use crate::timers::{Timer, Timers};
use collectives::{Action, Start};

/// How many events pass between two looks at the stop flag.
pub(crate) const STOP_INTERVAL: u64 = 1024;

/// How many events pass between two looks at those that follow.
const LOOK_AHEAD: u64 = 64;

/// A run: where every agent stands, and the network that moves the bytes.
#[derive(Debug)]
pub struct Drive<'a, N> {
    pub(crate) plan: &'a Plan,
    pub(crate) network: N,
    pub(crate) limits: Limits<'a>,
    pub(crate) now: Time,
    pub(crate) agents: Vec<AgentState>,
    /// Deliveries of each flow so far; they come in the order of its steps.
    pub(crate) delivered: Vec<u64>,
    pub(crate) timers: Timers,
    pub(crate) ready: Vec<AgentId>,
    pub(crate) finished: Vec<Option<Time>>,
    pub(crate) counters: Counters,
    pub(crate) recurrence: Recurrence,
}

impl<'a, N: Network> Drive<'a, N> {
    /// A run of `plan` on `network`, on which nothing moves yet.
    pub fn new(plan: &'a Plan, network: N, limits: Limits<'a>) -> Self {
        let mut drive = Self {
            plan,
            network,
            limits,
            now: Time::ZERO,
            agents: vec![AgentState::new(); plan.agents()],
            delivered: vec![0; plan.flows.len()],
            timers: Timers::default(),
            ready: Vec::new(),
            finished: vec![None; plan.agents()],
            counters: Counters::default(),
            recurrence: Recurrence::new(plan, limits.recurrence),
        };
        drive.enter_all();
        drive
    }

    /// The instant of the next event, if anything is to come.
    pub(crate) fn next_time(&self) -> Option<Time> {
        match (self.timers.next_time(), self.network.next_time()) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        }
    }

    fn enter_all(&mut self) {
        for index in 0..self.plan.agents() as u32 {
            let agent = AgentId(index);
            let program = self.plan.program(agent);
            if program.stages.is_empty() {
                self.agents[agent.index()].phase = Phase::Finished;
                self.finished[agent.index()] = Some(program.start);
            } else {
                self.agents[agent.index()].find_steady(self.plan, agent);
                self.timers.push(program.start, Timer::Open(agent));
            }
        }
    }

    /// Handles everything due at `now`, what it causes at the same instant included, and lets the
    /// network solve its rates once.
    pub(crate) fn close_instant(&mut self, now: Time) -> Result<(), Error> {
        assert!(now >= self.now, "the clock never goes back");
        self.now = now;
        loop {
            let before = self.counters.events;
            while let Some(news) = self.network.poll(now)? {
                self.count_event()?;
                match news {
                    News::Drained(flow) => self.on_part_done(self.plan.flows[flow.index()].src)?,
                    News::Delivered(flow) => self.on_delivered(flow)?,
                }
                self.enter_ready()?;
            }
            while let Some(timer) = self.timers.pop_due(now) {
                self.count_event()?;
                self.on_timer(timer)?;
                self.enter_ready()?;
            }
            if self.counters.events == before {
                break;
            }
        }
        self.network.settle(now)
    }

    fn count_event(&mut self) -> Result<(), Error> {
        self.counters.events += 1;
        if self.counters.events.is_multiple_of(LOOK_AHEAD) {
            self.look_ahead();
        }
        if self.counters.events.is_multiple_of(STOP_INTERVAL) {
            self.limits.watch.tell(self.now, STOP_INTERVAL)?;
        }
        Ok(())
    }

    /// Reads what the next events will need all at once, where each would fetch it from memory by itself.
    fn look_ahead(&self) {
        self.network.look_ahead(LOOK_AHEAD as usize, &mut |flow| {
            let Flow { src, dst, .. } = &self.plan.flows[flow.index()];
            black_box(self.delivered[flow.index()]);
            // The other end may be in another cell.
            let phase = |agent: &AgentId| self.agents.get(agent.index()).map(|state| state.phase);
            black_box((phase(src), phase(dst)));
        });
    }

    fn on_timer(&mut self, timer: Timer) -> Result<(), Error> {
        match timer {
            Timer::Open(agent) => {
                self.agents[agent.index()].is_open = true;
                self.enter(agent)
            }
            Timer::Begin(agent) => self.begin(agent),
            Timer::Send(flow) => self.send(flow),
            Timer::Reduced(agent) => self.leave(agent),
        }
    }

    fn enter_ready(&mut self) -> Result<(), Error> {
        while let Some(agent) = self.ready.pop() {
            self.enter(agent)?;
        }
        Ok(())
    }

    /// Lets `agent` into its step if it waits for nobody.
    fn enter(&mut self, agent: AgentId) -> Result<(), Error> {
        let state = self.agents[agent.index()];
        if state.phase != Phase::Waiting || !state.is_open || self.blocker(agent).is_some() {
            return Ok(());
        }
        self.recurrence.on_enter(agent, &state, self.counters.events);
        let program = self.plan.program(agent);
        let stage = program.stages[state.stage as usize];
        let start_up = if program.costs.per_step > Duration::ZERO && self.takes_part(agent) {
            program.costs.per_step
        } else {
            Duration::ZERO
        };
        let delay = stage.compute.checked_add(start_up);
        let delay = delay.and_then(|delay| delay.stretched(program.slowness));
        let delay = delay.ok_or(Error::TimeRange)?;
        self.agents[agent.index()].phase = Phase::Delayed;
        if delay == Duration::ZERO {
            return self.begin(agent);
        }
        let at = self.now.checked_add(delay).ok_or(Error::TimeRange)?;
        self.timers.push(at, Timer::Begin(agent));
        Ok(())
    }

    /// Whether `agent` sends or receives in its step.
    fn takes_part(&self, agent: AgentId) -> bool {
        let AgentState { stage, stage_step, .. } = self.agents[agent.index()];
        let outgoing = self.plan.outgoing.of(agent, stage).iter();
        let mut flows = outgoing.chain(self.plan.incoming.of(agent, stage));
        flows.any(|flow| self.plan.flows[flow.index()].is_active(stage_step))
    }

    /// The dependency that keeps `agent` out of its step, if any.
    pub(crate) fn blocker(&self, agent: AgentId) -> Option<Dependency> {
        let AgentState { step, round, .. } = self.agents[agent.index()];
        let dependencies = &self.plan.dependencies[agent.index()];
        if dependencies.is_empty() {
            return None;
        }
        let step = step - round * self.plan.round_steps(agent);
        dependencies.iter().copied().find(|dependency| {
            // Most steps wait for nobody, and look at nobody else.
            self.plan.needed(dependency, round, step).is_some_and(|needed| {
                let on = &self.agents[dependency.on.index()];
                on.phase != Phase::Finished && on.step < needed
            })
        })
    }

    /// Starts the transfers of the step and counts what is still to come.
    fn begin(&mut self, agent: AgentId) -> Result<(), Error> {
        let plan = self.plan;
        let AgentState { round, stage, stage_step, .. } = self.agents[agent.index()];
        self.agents[agent.index()].phase = Phase::Busy;
        let mut outstanding = 0;
        for &flow_id in plan.outgoing.of(agent, stage) {
            let flow = &plan.flows[flow_id.index()];
            if !flow.is_active(stage_step) {
                continue;
            }
            outstanding += 1;
            if flow.start == Start::Eager || self.is_busy_in(flow.dst, round, (stage, stage_step)) {
                self.prepare(flow_id, stage_step)?;
            }
        }
        for &flow_id in plan.incoming.of(agent, stage) {
            let flow = &plan.flows[flow_id.index()];
            if !flow.is_active(stage_step) {
                continue;
            }
            if self.delivered[flow_id.index()] <= flow.transfers_before(round, stage_step) {
                outstanding += 1;
                let is_met = flow.start == Start::Rendezvous
                    && flow.src != agent
                    && self.is_busy_in(flow.src, round, (stage, stage_step));
                if is_met {
                    self.prepare(flow_id, stage_step)?;
                }
            } else {
                self.add_reduction(agent, flow_id, stage_step)?;
            }
        }
        self.agents[agent.index()].outstanding = outstanding;
        if outstanding == 0 { self.finish_transfers(agent) } else { Ok(()) }
    }

    /// Whether the transfers of an agent are under way in that stage and step of a round.
    fn is_busy_in(&self, agent: AgentId, round: u64, step: (u32, u64)) -> bool {
        let state = &self.agents[agent.index()];
        state.phase == Phase::Busy
            && state.round == round
            && (state.stage, state.stage_step) == step
    }

    /// Starts a transfer of the step, after its messages have been prepared one after the other.
    fn prepare(&mut self, flow_id: FlowId, stage_step: u64) -> Result<(), Error> {
        let flow = &self.plan.flows[flow_id.index()];
        let program = self.plan.program(flow.src);
        if program.costs.per_message == Duration::ZERO {
            return self.send_in_step(flow_id, stage_step);
        }
        let messages = u64::from(flow.ordinal) + 1;
        let delay = program.preparation(messages).ok_or(Error::TimeRange)?;
        let at = self.now.checked_add(delay).ok_or(Error::TimeRange)?;
        self.timers.push(at, Timer::Send(flow_id));
        Ok(())
    }

    fn send(&mut self, flow: FlowId) -> Result<(), Error> {
        let src = self.plan.flows[flow.index()].src;
        self.send_in_step(flow, self.agents[src.index()].stage_step)
    }

    fn send_in_step(&mut self, flow: FlowId, stage_step: u64) -> Result<(), Error> {
        let bytes: Bytes = self.plan.flows[flow.index()].bytes(stage_step);
        self.network.start(self.now, flow, bytes)
    }

    fn on_delivered(&mut self, flow_id: FlowId) -> Result<(), Error> {
        let flow = &self.plan.flows[flow_id.index()];
        let before = self.delivered[flow_id.index()];
        let (round, step) = (before / flow.steps(), flow.first + before % flow.steps());
        let rounds = self.plan.program(flow.dst).rounds.count;
        assert!(round < rounds, "a flow delivers once a step");
        self.delivered[flow_id.index()] += 1;
        if self.is_busy_in(flow.dst, round, (flow.stage, step)) {
            self.add_reduction(flow.dst, flow_id, step)?;
            self.on_part_done(flow.dst)?;
        }
        Ok(())
    }

    fn add_reduction(&mut self, agent: AgentId, flow: FlowId, step: u64) -> Result<(), Error> {
        let flow = &self.plan.flows[flow.index()];
        if flow.action == Action::Reduce {
            let took = self.plan.program(agent).reduction(flow.bytes(step), flow.fan_in);
            let took = took.ok_or(Error::TimeRange)?;
            let state = &mut self.agents[agent.index()];
            let from = state.reducing_until.max(self.now);
            state.reducing_until = from.checked_add(took).ok_or(Error::TimeRange)?;
        }
        Ok(())
    }

    /// One transfer of the agent's step has drained or arrived.
    fn on_part_done(&mut self, agent: AgentId) -> Result<(), Error> {
        let state = &mut self.agents[agent.index()];
        state.outstanding -= 1;
        if state.outstanding == 0 { self.finish_transfers(agent) } else { Ok(()) }
    }

    fn finish_transfers(&mut self, agent: AgentId) -> Result<(), Error> {
        let state = &mut self.agents[agent.index()];
        if state.reducing_until > self.now {
            state.phase = Phase::Reducing;
            self.timers.push(state.reducing_until, Timer::Reduced(agent));
            return Ok(());
        }
        self.leave(agent)
    }

    /// The step is done: on to the next one, and whoever waited for it may look again.
    fn leave(&mut self, agent: AgentId) -> Result<(), Error> {
        let state = &mut self.agents[agent.index()];
        match state.advance(self.plan.program(agent)) {
            Advance::Step => {}
            Advance::Stage => state.find_steady(self.plan, agent),
            Advance::Round => {
                state.find_steady(self.plan, agent);
                let opening = self.plan.program(agent).opening(state.round);
                let opening = opening.ok_or(Error::TimeRange)?;
                if opening > self.now {
                    state.is_open = false;
                    self.timers.push(opening, Timer::Open(agent));
                }
            }
            Advance::End => self.finished[agent.index()] = Some(self.now),
        }
        if state.phase == Phase::Waiting {
            self.ready.push(agent);
        }
        for &waiting in &self.plan.dependants[agent.index()] {
            if self.agents[waiting.index()].phase == Phase::Waiting {
                self.ready.push(waiting);
            }
        }
        Ok(())
    }
}
