//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use std::cmp::Reverse;
use std::hash::BuildHasherDefault;

use engine::{Digest, Error, FlowId, Network, News};
use priority_queue::PriorityQueue;
use rustc_hash::FxHasher;
use units::{Bytes, Duration, Time};

use crate::Medium;
use crate::allocation::Allocation;
use crate::arrivals::Arrivals;
use crate::moves::Moves;
use crate::turning::{Lost, Turning};

/// The flow-level network.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    pub(crate) medium: &'m Medium,
    pub(crate) allocation: Allocation<'m>,
    /// Work left of each flow in milli-bit/s × ps, as of the instant beside it.
    pub(crate) left: Vec<(u128, Time)>,
    /// Transfers whose last byte has left, each with the latency of the path that it took.
    gone: Vec<(u32, Duration)>,
    /// When each active flow drains at its present rate; keys change with the rates.
    pub(crate) ends: PriorityQueue<u32, Reverse<(Time, u32)>, BuildHasherDefault<FxHasher>>,
    arrivals: Arrivals,
    changed: Vec<(u32, u64)>,
    pub(crate) moves: Moves,
    pub(crate) turning: Turning,
}

/// Builds with debug assertions prove the rates after every solution of up to so many flows.
const MOST_CERTIFIED: usize = 128;

impl<'m> FluidNetwork<'m> {
    /// A network over `medium` on which nothing moves yet.
    pub fn new(medium: &'m Medium) -> Self {
        Self {
            medium,
            allocation: Allocation::new(medium),
            left: vec![(0, Time::ZERO); medium.flows()],
            gone: Vec::new(),
            ends: PriorityQueue::with_default_hasher(),
            arrivals: Arrivals::default(),
            changed: Vec::new(),
            moves: Moves::new(medium.flows(), medium.routes()),
            turning: Turning::new(medium),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.allocation.solves()
    }

    /// The transfers that ended because no way was left, in the order of their ends; and the bytes that
    /// each flow has carried on each set of routes, if there are several.
    pub(crate) fn finish(self) -> (Vec<Lost>, Vec<Vec<u128>>) {
        (self.turning.lost, self.moves.finish())
    }

    /// The last byte of a transfer leaves over `path`.
    pub(crate) fn drain(&mut self, flow: u32, path: u32) {
        self.moves.add(flow, self.left[flow as usize].0);
        self.gone.push((flow, self.medium.latency(path)));
    }

    /// All transfers that end by now have drained.
    pub(crate) fn drain_due(&mut self, now: Time) {
        while let Some((&flow, &Reverse((at, _)))) = self.ends.peek()
            && at <= now
        {
            self.ends.pop();
            self.allocation.remove(flow as usize);
            self.drain(flow, self.allocation.path(flow));
        }
    }

    fn on_gone(&mut self, now: Time, flow: u32, latency: Duration) -> Result<News, Error> {
        let at = now.checked_add(latency).ok_or(Error::TimeRange)?;
        let at = self.turning.in_order(flow, at);
        self.arrivals.push(at.since(now), at, flow);
        Ok(News::Drained(FlowId(flow)))
    }
}

impl Network for FluidNetwork<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        self.catch_up(now);
        self.left[flow.index()] = (bytes.as_work(), now);
        self.turning.on_start(flow.0, bytes);
        self.admit(now, flow.0);
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        let end = self.ends.peek().map(|(_, Reverse((at, _)))| *at);
        let turn = if self.is_busy() { self.next_turn() } else { None };
        [self.arrivals.next_time(), end, turn].into_iter().flatten().min()
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        self.catch_up(now);
        if let Some((flow, latency)) = self.gone.pop() {
            return self.on_gone(now, flow, latency).map(Some);
        }
        if let Some(flow) = self.arrivals.pop_due(now) {
            return Ok(Some(News::Delivered(FlowId(flow))));
        }
        self.drain_due(now);
        match self.gone.pop() {
            Some((flow, latency)) => self.on_gone(now, flow, latency).map(Some),
            None => Ok(None),
        }
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        let mut changed = std::mem::take(&mut self.changed);
        self.allocation.solve(&mut changed);
        debug_assert_eq!(self.allocation.certify(MOST_CERTIFIED), Ok(()), "rates are max-min fair");
        for (flow, rate_before) in changed.drain(..) {
            self.progress(now, flow, rate_before);
            let left = self.left[flow as usize].0;
            let rate = u128::from(self.allocation.rate(flow as usize));
            if rate == 0 {
                self.ends.remove(&flow);
                continue;
            }
            let picos = u64::try_from(left.div_ceil(rate)).map_err(|_| Error::TimeRange)?;
            let end = now.as_picos().checked_add(picos).ok_or(Error::TimeRange)?;
            self.ends.push(flow, Reverse((Time::from_picos(end), flow)));
        }
        self.changed = changed;
        Ok(())
    }

    fn digest(&self, now: Time, digest: &mut Digest) {
        for (&flow, _) in &self.ends {
            let (left, since) = self.left[flow as usize];
            let rate = self.allocation.rate(flow as usize);
            let drained = u128::from(rate) * u128::from(now.since(since).as_picos());
            let left = left - drained;
            let words = [left as u64, (left >> 64) as u64, rate];
            digest.add(0x40 | u64::from(flow) << 8, words);
        }
        for (at, flow) in self.arrivals.iter() {
            digest.add(0x41, [u64::from(flow), at.since(now).as_picos(), 0]);
        }
        self.digest_turning(digest);
    }

    fn next_change(&self, _now: Time) -> Option<Time> {
        self.next_turn()
    }

    fn skip(&mut self, flow: FlowId, bytes: u128) {
        self.moves.add_bytes(flow.0, bytes);
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        let later = |at: Time| at.checked_add(by).ok_or(Error::TimeRange);
        let mut ends = PriorityQueue::with_default_hasher();
        for (flow, Reverse((at, _))) in
            std::mem::replace(&mut self.ends, PriorityQueue::with_default_hasher())
        {
            ends.push(flow, Reverse((later(at)?, flow)));
            self.left[flow as usize].1 = later(self.left[flow as usize].1)?;
        }
        self.ends = ends;
        self.turning.shift(now, by).ok_or(Error::TimeRange)?;
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
