//! Whole-state recurrence: when the state comes back, whole periods are skipped.
//!
//! Repeated steps become periodic. Each time a chosen agent enters a step, the whole state is
//! fingerprinted *relative to now*: steps are counted from a base of their component where all steps
//! are alike, instants from the clock. If a fingerprint returns, everything since then will happen
//! again, as long as every agent stays where its steps are alike and the network stays as it is; so n
//! periods are added to the clock and to the step counts, and the run goes on from there. The skipped
//! events are those that would have happened, bit for bit: the tests run everything with and without.

use std::collections::BTreeMap;

use collectives::Pace;
use units::{Duration, Time};

use crate::agents::{AgentState, Phase};
use crate::completion::{Counters, Error};
use crate::dependency::Dependency;
use crate::digest::Digest;
use crate::disjoint::DisjointSets;
use crate::drive::Drive;
use crate::network::Recurrent;
use crate::plan::{AgentId, FlowId, Plan};

/// Whether a reduction is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// It is used.
    #[default]
    On,
    /// It is not: the plain way.
    Off,
}

/// A stage shorter than this is not worth watching.
const WATCHED_STEPS: u64 = 8;
/// The most words that remembered samples may take, 64 MiB; beyond them nothing more is remembered.
const MOST_SAMPLE_WORDS: usize = 8 << 20;

/// The samples of a run so far.
#[derive(Clone, Debug)]
pub(crate) struct Recurrence {
    switch: Switch,
    /// Agents that exchange something, directly or not, share a component and a base.
    component: Vec<u32>,
    components: usize,
    /// How many events a fingerprint costs, roughly.
    state_size: u64,
    /// The agent whose steps are sampled.
    reference: Option<AgentId>,
    /// It has entered a step in this instant.
    due: bool,
    last_events: u64,
    /// The events before the last skip, or before the end of its stage once that is over.
    events_at_skip: u64,
    /// The round and stage of the reference in which periods were last skipped, until it leaves it.
    skipped_in: Option<(u64, u32)>,
    samples: BTreeMap<Digest, Sample>,
}

#[derive(Clone, Debug)]
struct Sample {
    at: Time,
    bases: Vec<u64>,
}

impl Recurrence {
    pub(crate) fn new(plan: &Plan, switch: Switch) -> Self {
        let (component, components) = match switch {
            Switch::On => components(plan),
            Switch::Off => (Vec::new(), 0),
        };
        let state_size = (plan.agents() + plan.flows.len()) as u64;
        Self {
            switch,
            component,
            components,
            state_size,
            reference: None,
            due: false,
            last_events: 0,
            events_at_skip: 0,
            skipped_in: None,
            samples: BTreeMap::new(),
        }
    }

    /// How many events a run has handled without a skip. What is left of a stage after one is less than a
    /// period, and the next stage has its own: so these are counted from its beginning.
    pub(crate) fn events_in_vain(&self, counters: &Counters) -> u64 {
        counters.events - self.events_at_skip
    }

    /// Hears that `agent` enters a step after so many `events`.
    pub(crate) fn on_enter(&mut self, agent: AgentId, state: &AgentState, events: u64) {
        if self.switch == Switch::Off {
            return;
        }
        let is_watched = state.steady.1 - state.steady.0.min(state.steady.1) >= WATCHED_STEPS;
        match self.reference {
            None if is_watched && state.is_steady() => {
                self.reference = Some(agent);
                self.due = true;
            }
            Some(reference) if reference == agent => {
                if self.skipped_in.is_some_and(|stage| stage != (state.round, state.stage)) {
                    (self.skipped_in, self.events_at_skip) = (None, events);
                }
                if state.is_steady() {
                    self.due = true;
                } else {
                    self.reference = None;
                    self.samples.clear();
                }
            }
            _ => {}
        }
    }

    fn base(&self, agents: &[AgentState]) -> Vec<u64> {
        let mut bases = vec![None; self.components];
        for (state, &component) in agents.iter().zip(&self.component) {
            if state.is_steady() {
                bases[component as usize].get_or_insert(state.step);
            }
        }
        bases.into_iter().map(Option::unwrap_or_default).collect()
    }
}

impl<N: Recurrent> Drive<'_, N> {
    /// At the end of an instant: remembers the state, or finds that it is known and skips.
    pub(crate) fn skip_periods(&mut self) -> Result<(), Error> {
        if !self.recurrence.due {
            return Ok(());
        }
        self.recurrence.due = false;
        let passed = self.counters.events - self.recurrence.last_events;
        if passed * 4 < self.recurrence.state_size {
            return Ok(());
        }
        self.recurrence.last_events = self.counters.events;
        let bases = self.recurrence.base(&self.agents);
        let digest = self.digest(&bases);
        if let Some(sample) = self.recurrence.samples.get(&digest) {
            let period = self.now.since(sample.at);
            let advances: Vec<u64> =
                bases.iter().zip(&sample.bases).map(|(now, then)| now - then).collect();
            let count = self.periods(period, &advances);
            if count > 0 {
                self.skip(count, period, &advances)?;
                self.recurrence.samples.clear();
                self.recurrence.events_at_skip = self.counters.events;
                let reference = self.recurrence.reference.map(|agent| self.agents[agent.index()]);
                self.recurrence.skipped_in = reference.map(|state| (state.round, state.stage));
                return Ok(());
            }
            // Known from an earlier round, from which no whole period leads on.
            self.recurrence.samples.remove(&digest);
        }
        let words = (self.recurrence.samples.len() + 1) * (self.recurrence.components + 8);
        if words < MOST_SAMPLE_WORDS {
            self.recurrence.samples.insert(digest, Sample { at: self.now, bases });
        }
        Ok(())
    }

    /// The whole state relative to now and to `bases`.
    fn digest(&self, bases: &[u64]) -> Digest {
        let mut digest = Digest::default();
        for (index, state) in self.agents.iter().enumerate() {
            let agent = AgentId(index as u32);
            let base = bases[self.recurrence.component[index] as usize];
            state.digest(agent, base, self.now, &mut digest);
        }
        for (index, flow) in self.plan.flows.iter().enumerate() {
            let dst = &self.agents[flow.dst.index()];
            // Counted from the beginning of the receiver's round.
            let delivered = self.delivered[index].wrapping_sub(dst.round * flow.steps());
            let period = flow.sizes.steady().period;
            let is_over = flow.stage < dst.stage;
            let expected = if is_over { flow.steps() } else { 0 };
            if dst.phase != Phase::Finished && flow.stage == dst.stage {
                let lead = flow.first.wrapping_add(delivered).wrapping_sub(dst.stage_step);
                digest.add(0x30 | (index as u64) << 8, [lead, dst.stage_step % period, 0]);
            } else if dst.phase != Phase::Finished && delivered != expected {
                digest.add(0x31 | (index as u64) << 8, [delivered, 0, 0]);
            }
            let src = &self.agents[flow.src.index()];
            if period > 1 && src.stage == flow.stage {
                digest.add(0x32 | (index as u64) << 8, [src.stage_step % period, 0, 0]);
            }
        }
        self.timers.digest(self.now, &mut digest);
        self.network.digest(self.now, &mut digest);
        digest
    }

    /// How many whole periods every agent can take and stay where its steps are alike.
    fn periods(&self, period: Duration, advances: &[u64]) -> u64 {
        let advance = |agent: AgentId| {
            let moves = self.agents[agent.index()].is_steady();
            if moves { advances[self.recurrence.component[agent.index()] as usize] } else { 0 }
        };
        // Neither the instant at which a round opens nor that of a change of the network is reached:
        // what is due then is not what has been due before.
        let ends = [self.timers.next_opening(), self.network.next_change(self.now)];
        let room = ends.into_iter().flatten().map(|at| at.since(self.now).as_picos()).min();
        let room = room.map_or(u64::MAX - self.now.as_picos(), |span| span.saturating_sub(1));
        let mut count = if period == Duration::ZERO { 0 } else { room / period.as_picos() };
        for (index, state) in self.agents.iter().enumerate() {
            let agent = AgentId(index as u32);
            if advance(agent) > 0 {
                // A period in which a round began, perhaps after a wait, does not come again.
                let done = state.step - state.round * self.plan.round_steps(agent);
                if advance(agent) > done {
                    return 0;
                }
                count = count.min(state.steady_steps_left() / advance(agent));
            }
            for dependency in &self.plan.dependencies[index] {
                count = count.min(self.dependency_bound(dependency, &advance));
            }
        }
        count
    }

    /// How many periods leave it as it is whether `dependency` holds its agent up.
    fn dependency_bound(&self, dependency: &Dependency, advance: &dyn Fn(AgentId) -> u64) -> u64 {
        let agent = &self.agents[dependency.agent.index()];
        let on = &self.agents[dependency.on.index()];
        let (agent_moves, on_moves) = (advance(dependency.agent), advance(dependency.on));
        if on.phase == Phase::Finished {
            return u64::MAX;
        }
        // A counter that moves must not pass a threshold that stands still.
        let until = |step: u64, moves: u64, threshold: u64| match moves {
            0 => u64::MAX,
            _ if step >= threshold => u64::MAX,
            _ => (threshold - 1 - step) / moves,
        };
        let threshold = self.plan.threshold(dependency, agent.round);
        if dependency.pace == Pace::Once || agent.step < threshold.step {
            let here = until(agent.step, agent_moves, threshold.step);
            return here.min(until(on.step, on_moves, threshold.completed));
        }
        let needed = threshold.at(agent.step);
        if needed == threshold.most {
            return until(on.step, on_moves, needed);
        }
        // What is needed grows with the steps, until it is all of the round.
        let grows = until(needed, agent_moves, threshold.most);
        grows.min(if agent_moves > on_moves {
            on.step.checked_sub(needed).map_or(0, |slack| slack / (agent_moves - on_moves))
        } else {
            until(on.step, on_moves - agent_moves, needed)
        })
    }

    fn skip(&mut self, count: u64, period: Duration, advances: &[u64]) -> Result<(), Error> {
        let by = period.checked_mul(count).ok_or(Error::TimeRange)?;
        let then = self.now.checked_add(by).ok_or(Error::TimeRange)?;
        for (index, flow) in self.plan.flows.iter().enumerate() {
            let dst = &self.agents[flow.dst.index()];
            if dst.is_steady() && flow.stage == dst.stage {
                let component = self.recurrence.component[flow.dst.index()];
                self.delivered[index] += count * advances[component as usize];
            }
            let src = &self.agents[flow.src.index()];
            if src.is_steady() && flow.stage == src.stage {
                // What is under way is the same as before, so as much has been carried as was started.
                let component = self.recurrence.component[flow.src.index()];
                let first = src.stage_step;
                let steps = count * advances[component as usize];
                self.network.skip(FlowId(index as u32), flow.total(first..first + steps));
            }
        }
        for (state, &component) in self.agents.iter_mut().zip(&self.recurrence.component) {
            let advance = count * advances[component as usize];
            if state.is_steady() && advance > 0 {
                state.step += advance;
                state.stage_step += advance;
                self.counters.skipped_steps += advance;
            }
            if state.reducing_until > self.now {
                state.reducing_until = state.reducing_until + by;
            }
        }
        self.timers.shift(by);
        self.network.shift(self.now, then)?;
        self.now = then;
        Ok(())
    }
}

/// The component of every agent, numbered by first appearance, and their number.
fn components(plan: &Plan) -> (Vec<u32>, usize) {
    let mut sets = DisjointSets::new(plan.agents());
    let flows = plan.flows.iter().map(|flow| (flow.src, flow.dst));
    let waits = plan.dependencies.iter().flatten().map(|wait| (wait.agent, wait.on));
    for (left, right) in flows.chain(waits) {
        sets.join(left.0, right.0);
    }
    sets.numbered()
}
