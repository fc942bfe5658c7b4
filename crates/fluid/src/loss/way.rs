//! Drawn losses in runs that need to know only when transfers have drained.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use engine::{Error, FlowId, SharedWay};
use units::{Bytes, Duration, Time};

use super::state::LossEnd;
use super::toll::Verdict;
use super::{Lossy, Tally};

/// A way whose flows lose packets: what is sent again is added to the work of a transfer, and what is
/// waited for lies between its last byte and its end.
#[derive(Clone, Debug)]
pub(crate) struct LossyWay<'m, W> {
    way: W,
    lossy: &'m Lossy,
    flows: Vec<LossyFlow>,
    /// Transfers whose last byte has left and that still wait.
    waiting: BinaryHeap<Reverse<(Time, FlowId)>>,
    tally: Tally,
    gave_up: bool,
}

/// A flow that such a way starts.
#[derive(Clone, Copy, Debug)]
struct LossyFlow {
    /// Its index in the whole plan.
    whole: u32,
    /// How many transfers it has started.
    starts: u64,
    /// From the last byte to the end of the transfer under way.
    delay: Duration,
}

impl<'m, W> LossyWay<'m, W> {
    /// A way on which nothing moves yet, and what the flows that it starts are called in the whole plan.
    pub(crate) fn new(way: W, lossy: &'m Lossy, names: &[FlowId]) -> Self {
        let flow = |name: &FlowId| LossyFlow { whole: name.0, starts: 0, delay: Duration::ZERO };
        Self {
            way,
            lossy,
            flows: names.iter().map(flow).collect(),
            waiting: BinaryHeap::new(),
            tally: Tally::default(),
            gave_up: false,
        }
    }

    /// Whether a sender gave a transfer up, which then never ends.
    pub(crate) const fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Adds what was lost to `end`; the way that is left.
    pub(crate) fn into_way(self, end: &mut LossEnd) -> W {
        end.tally.merge(&self.tally);
        for flow in &self.flows {
            end.starts[flow.whole as usize] = flow.starts;
        }
        self.way
    }
}

impl<W: SharedWay> SharedWay for LossyWay<'_, W> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        let LossyFlow { whole, starts, .. } = self.flows[flow.index()];
        let index = whole as usize;
        let (hazard, key) = (self.lossy.hazard(index, 0), self.lossy.key(index, starts, 0));
        let epoch = self.lossy.losses.epoch(now);
        let Verdict::Arrives(toll) = self.lossy.verdict(hazard, epoch, (key, bytes))? else {
            self.gave_up = true;
            return Ok(());
        };
        self.flows[flow.index()] = LossyFlow { whole, starts: starts + 1, delay: toll.delay };
        self.tally.add(&toll, self.lossy.members(index));
        let sent = bytes.as_u64().checked_add(toll.extra.as_u64()).ok_or(Error::TimeRange)?;
        self.way.start(now, flow, Bytes::new(sent))
    }

    fn next_time(&self) -> Time {
        let waiting = self.waiting.peek().map_or(Time::MAX, |&Reverse((at, _))| at);
        self.way.next_time().min(waiting)
    }

    fn pop_drained(&mut self, now: Time) -> Result<Option<FlowId>, Error> {
        while let Some(flow) = self.way.pop_drained(now)? {
            let delay = self.flows[flow.index()].delay;
            if delay == Duration::ZERO {
                return Ok(Some(flow));
            }
            self.waiting.push(Reverse((now.checked_add(delay).ok_or(Error::TimeRange)?, flow)));
        }
        match self.waiting.peek() {
            Some(&Reverse((at, flow))) if at <= now => {
                self.waiting.pop();
                Ok(Some(flow))
            }
            _ => Ok(None),
        }
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        self.way.settle(now)
    }

    fn latency(&self, flow: FlowId) -> Duration {
        self.way.latency(flow)
    }

    fn look_through(&self) {
        for flow in &self.flows {
            black_box(flow.whole);
        }
        self.way.look_through();
    }
}
