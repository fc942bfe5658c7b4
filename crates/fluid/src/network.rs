//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use std::cmp::Reverse;
use std::hash::BuildHasherDefault;

use engine::{Digest, Error, FlowId, Network, News, Recurrent};
use priority_queue::PriorityQueue;
use rustc_hash::FxHasher;
use units::{Bytes, Time};

use crate::Medium;
use crate::allocation::Allocation;
use crate::arrivals::Arrivals;

/// The flow-level network.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    medium: &'m Medium,
    allocation: Allocation<'m>,
    /// Work left of each flow in milli-bit/s × ps, as of the instant beside it.
    left: Vec<(u128, Time)>,
    /// Transfers of nothing, which drain at once.
    empty: Vec<u32>,
    /// When each active flow drains at its present rate; keys change with the rates.
    ends: PriorityQueue<u32, Reverse<(Time, u32)>, BuildHasherDefault<FxHasher>>,
    arrivals: Arrivals,
    changed: Vec<(u32, u64)>,
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
            empty: Vec::new(),
            ends: PriorityQueue::with_default_hasher(),
            arrivals: Arrivals::default(),
            changed: Vec::new(),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.allocation.solves()
    }

    fn drained(&mut self, now: Time, flow: u32) -> Result<News, Error> {
        let latency = self.medium.latency(flow as usize);
        let at = now.checked_add(latency).ok_or(Error::TimeRange)?;
        self.arrivals.push(latency, at, flow);
        Ok(News::Drained(FlowId(flow)))
    }
}

impl Network for FluidNetwork<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), Error> {
        if bytes == Bytes::ZERO {
            self.empty.push(flow.0);
        } else {
            self.left[flow.index()] = (bytes.as_work(), now);
            self.allocation.insert(flow.index());
        }
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        let arrival = self.arrivals.next_time();
        let end = self.ends.peek().map(|(_, Reverse((at, _)))| *at);
        match (arrival, end) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        }
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        if let Some(flow) = self.empty.pop() {
            return self.drained(now, flow).map(Some);
        }
        if let Some(flow) = self.arrivals.pop_due(now) {
            return Ok(Some(News::Delivered(FlowId(flow))));
        }
        if let Some((&flow, &Reverse((at, _)))) = self.ends.peek()
            && at <= now
        {
            self.ends.pop();
            self.allocation.remove(flow as usize);
            return self.drained(now, flow).map(Some);
        }
        Ok(None)
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        let mut changed = std::mem::take(&mut self.changed);
        self.allocation.solve(&mut changed);
        debug_assert_eq!(self.allocation.certify(MOST_CERTIFIED), Ok(()), "rates are max-min fair");
        for (flow, rate_before) in changed.drain(..) {
            let (left, since) = &mut self.left[flow as usize];
            let drained = u128::from(rate_before) * u128::from(now.since(*since).as_picos());
            *left -= drained;
            *since = now;
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
}

impl Recurrent for FluidNetwork<'_> {
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
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
