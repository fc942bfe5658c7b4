//! The engine's own pending instants: starts of lanes, steps and messages, ends of reductions.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use units::{Duration, Time};

use crate::digest::Digest;
use crate::plan::{AgentId, FlowId};

/// What falls due. The order among equal instants is that of the variants, then of the ids; it is
/// fixed, though no result depends on it, since an instant is closed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Timer {
    /// The agent may try to enter its step.
    Enter(AgentId),
    /// The agent's delay is over: its transfers start.
    Begin(AgentId),
    /// The sender has prepared the message.
    Send(FlowId),
    /// The agent has added up what it received.
    Reduced(AgentId),
}

/// Pending timers by instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers {
    heap: BinaryHeap<Reverse<(Time, Timer)>>,
}

impl Timers {
    pub(crate) fn push(&mut self, at: Time, timer: Timer) {
        self.heap.push(Reverse((at, timer)));
    }

    pub(crate) fn next_time(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((at, _))| *at)
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, Timer)> {
        self.heap.iter().map(|&Reverse(pending)| pending)
    }

    pub(crate) fn pop_due(&mut self, now: Time) -> Option<Timer> {
        if self.next_time()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, timer))| timer)
    }

    pub(crate) fn digest(&self, now: Time, digest: &mut Digest) {
        for Reverse((at, timer)) in &self.heap {
            let (kind, id) = match *timer {
                Timer::Enter(agent) => (0, agent.0),
                Timer::Begin(agent) => (1, agent.0),
                Timer::Send(flow) => (2, flow.0),
                Timer::Reduced(agent) => (3, agent.0),
            };
            digest.add(0x10, [kind, u64::from(id), at.since(now).as_picos()]);
        }
    }

    pub(crate) fn shift(&mut self, by: Duration) {
        let moved = self.heap.drain().map(|Reverse((at, timer))| Reverse((at + by, timer)));
        self.heap = moved.collect::<Vec<_>>().into();
    }
}
