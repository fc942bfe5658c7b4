//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use engine::{Digest, Error, FlowId, Network, News};
use units::{Bytes, Time};

use crate::Medium;
use crate::arrivals::Arrivals;
use crate::draining::Draining;

/// The flow-level network.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    medium: &'m Medium,
    draining: Draining<'m>,
    /// Transfers of nothing, which drain at once.
    empty: Vec<u32>,
    arrivals: Arrivals,
}

impl<'m> FluidNetwork<'m> {
    /// A network over `medium` on which nothing moves yet.
    pub fn new(medium: &'m Medium) -> Self {
        Self {
            medium,
            draining: Draining::new(medium),
            empty: Vec::new(),
            arrivals: Arrivals::default(),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.draining.solves()
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
            self.draining.start(now, flow.0, bytes);
        }
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        match (self.arrivals.next_time(), self.draining.next_time()) {
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
        match self.draining.pop_due(now) {
            Some(flow) => self.drained(now, flow).map(Some),
            None => Ok(None),
        }
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        self.draining.settle(now)
    }

    fn digest(&self, now: Time, digest: &mut Digest) {
        self.draining.digest(now, &|flow| flow, digest);
        for (at, flow) in self.arrivals.iter() {
            digest.add(0x41, [u64::from(flow), at.since(now).as_picos(), 0]);
        }
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        self.draining.shift(by)?;
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
