//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use engine::{Digest, Error, FlowId, Network, News};
use units::{Bytes, Duration, Time};

use crate::Medium;
use crate::arrivals::Arrivals;
use crate::draining::Draining;
use crate::turning::{Lost, Turning};

/// The flow-level network, over a medium that may change in time.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    pub(crate) medium: &'m Medium,
    pub(crate) draining: Draining<'m>,
    /// Transfers whose last byte has left, each with the latency of the path that it took.
    pub(crate) gone: Vec<(u32, Duration)>,
    arrivals: Arrivals,
    pub(crate) turning: Turning,
}

impl<'m> FluidNetwork<'m> {
    /// A network over `medium` on which nothing moves yet.
    pub fn new(medium: &'m Medium) -> Self {
        Self {
            medium,
            draining: Draining::new(medium),
            gone: Vec::new(),
            arrivals: Arrivals::default(),
            turning: Turning::new(medium),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.draining.solves()
    }

    /// The transfers that ended because no way was left, in the order of their ends; and the bytes that
    /// each flow has carried on each set of routes, if there are several.
    pub(crate) fn finish(self) -> (Vec<Lost>, Vec<Vec<u128>>) {
        (self.turning.lost, self.draining.moves.finish())
    }

    /// All transfers that end by now have drained.
    pub(crate) fn drain_due(&mut self, now: Time) {
        while let Some(flow) = self.draining.pop_due(now) {
            let path = self.draining.allocation.path(flow);
            self.gone.push((flow, self.medium.latency(path)));
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
        self.draining.left[flow.index()] = (bytes.as_work(), now);
        self.turning.on_start(flow.0, bytes);
        self.admit(now, flow.0);
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        let turn = if self.is_busy() { self.next_turn() } else { None };
        [self.arrivals.next_time(), self.draining.next_time(), turn].into_iter().flatten().min()
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
        self.draining.settle(now)
    }

    fn digest(&self, now: Time, digest: &mut Digest) {
        self.draining.digest(now, &|flow| flow, digest);
        for (at, flow) in self.arrivals.iter() {
            digest.add(0x41, [u64::from(flow), at.since(now).as_picos(), 0]);
        }
        self.digest_turning(digest);
    }

    fn next_change(&self, _now: Time) -> Option<Time> {
        self.next_turn()
    }

    fn skip(&mut self, flow: FlowId, bytes: u128) {
        self.draining.moves.add_bytes(flow.0, bytes);
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        self.draining.shift(by)?;
        self.turning.shift(now, by).ok_or(Error::TimeRange)?;
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
