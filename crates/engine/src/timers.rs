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
    /// The agent's round may begin: an instant that stands, whatever happens before it.
    Open(AgentId),
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
    /// Those that follow from what happens, which a state that recurs moves along.
    heap: BinaryHeap<Reverse<(Time, Timer)>>,
    /// Openings, whose instants stand.
    openings: BinaryHeap<Reverse<(Time, Timer)>>,
}

impl Timers {
    pub(crate) fn push(&mut self, at: Time, timer: Timer) {
        let heap = match timer {
            Timer::Open(_) => &mut self.openings,
            _ => &mut self.heap,
        };
        heap.push(Reverse((at, timer)));
    }

    pub(crate) fn next_time(&self) -> Option<Time> {
        let other = self.heap.peek().map(|Reverse((at, _))| *at);
        match (self.next_opening(), other) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        }
    }

    /// When the next round opens.
    pub(crate) fn next_opening(&self) -> Option<Time> {
        self.openings.peek().map(|Reverse((at, _))| *at)
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Time, Timer)> {
        self.heap.iter().chain(&self.openings).map(|&Reverse(pending)| pending)
    }

    pub(crate) fn pop_due(&mut self, now: Time) -> Option<Timer> {
        let is_due = |heap: &BinaryHeap<Reverse<(Time, Timer)>>| {
            heap.peek().is_some_and(|Reverse((at, _))| *at <= now)
        };
        let heap = if is_due(&self.openings) { &mut self.openings } else { &mut self.heap };
        if !is_due(heap) {
            return None;
        }
        heap.pop().map(|Reverse((_, timer))| timer)
    }

    /// Adds what is pending to `digest`, relative to now; whether a round is still to open is part of
    /// its agent's state, and when it opens bounds how far a recurring state is followed.
    pub(crate) fn digest(&self, now: Time, digest: &mut Digest) {
        for Reverse((at, timer)) in &self.heap {
            let (kind, id) = match *timer {
                Timer::Open(_) => unreachable!("openings are kept apart"),
                Timer::Begin(agent) => (1, agent.0),
                Timer::Send(flow) => (2, flow.0),
                Timer::Reduced(agent) => (3, agent.0),
            };
            digest.add(0x10, [kind, u64::from(id), at.since(now).as_picos()]);
        }
    }

    /// Moves what follows from a recurring state; openings stay.
    pub(crate) fn shift(&mut self, by: Duration) {
        let moved = self.heap.drain().map(|Reverse((at, timer))| Reverse((at + by, timer)));
        self.heap = moved.collect::<Vec<_>>().into();
    }
}
