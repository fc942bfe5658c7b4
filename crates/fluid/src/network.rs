//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use engine::{Digest, Error, FlowId, Network, News, Recurrent};
use units::{Bytes, Time};

use crate::Medium;
use crate::arrivals::Arrivals;
use crate::draining::Draining;
use crate::loss::{LossEnd, LossState, Lossy};

/// The flow-level network.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    medium: &'m Medium,
    draining: Draining<'m>,
    /// Transfers of nothing, which drain at once.
    empty: Vec<u32>,
    arrivals: Arrivals,
    losses: Option<LossState<'m>>,
}

impl<'m> FluidNetwork<'m> {
    /// A network over `medium` on which nothing moves yet.
    pub fn new(medium: &'m Medium) -> Self {
        Self::with_losses(medium, None)
    }

    /// The same whose flows lose packets.
    pub(crate) fn with_losses(medium: &'m Medium, lossy: Option<&'m Lossy>) -> Self {
        Self {
            medium,
            draining: Draining::new(medium),
            empty: Vec::new(),
            arrivals: Arrivals::default(),
            losses: lossy.map(|lossy| LossState::new(lossy, medium.flows())),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.draining.solves()
    }

    /// What was lost until now.
    pub(crate) fn into_losses(self) -> LossEnd {
        self.losses.map(LossState::into_end).unwrap_or_default()
    }

    /// The last byte has left; whether the transfer still waits for something.
    fn is_held(&mut self, now: Time, flow: u32) -> Result<bool, Error> {
        self.losses.as_mut().map_or(Ok(false), |losses| losses.holds(now, flow))
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
        let sent = match &mut self.losses {
            Some(losses) => losses.start(now, flow.0, bytes)?,
            None => Some(bytes),
        };
        // What its sender gives up never drains.
        let Some(bytes) = sent else { return Ok(()) };
        if bytes == Bytes::ZERO {
            self.empty.push(flow.0);
        } else {
            self.draining.start(now, flow.0, bytes);
        }
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        let held = self.losses.as_ref().and_then(LossState::next_time);
        [self.arrivals.next_time(), self.draining.next_time(), held].into_iter().flatten().min()
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        while let Some(flow) = self.empty.pop() {
            if !self.is_held(now, flow)? {
                return self.drained(now, flow).map(Some);
            }
        }
        if let Some(flow) = self.losses.as_mut().and_then(|losses| losses.pop_due(now)) {
            return self.drained(now, flow).map(Some);
        }
        if let Some(flow) = self.arrivals.pop_due(now) {
            return Ok(Some(News::Delivered(FlowId(flow))));
        }
        while let Some(flow) = self.draining.pop_due(now) {
            if !self.is_held(now, flow)? {
                return self.drained(now, flow).map(Some);
            }
        }
        Ok(None)
    }

    fn settle(&mut self, now: Time) -> Result<(), Error> {
        self.draining.settle(now)
    }
}

impl Recurrent for FluidNetwork<'_> {
    fn digest(&self, now: Time, digest: &mut Digest) {
        self.draining.digest(now, &|flow| flow, digest);
        if let Some(losses) = &self.losses {
            self.draining.for_each_active(&mut |flow| {
                digest.add(0x45, [u64::from(flow), losses.delay(flow).as_picos(), 0]);
            });
            losses.digest(now, digest);
        }
        for (at, flow) in self.arrivals.iter() {
            digest.add(0x41, [u64::from(flow), at.since(now).as_picos(), 0]);
        }
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        self.draining.shift(by)?;
        if let Some(losses) = &mut self.losses {
            losses.shift(by)?;
        }
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
