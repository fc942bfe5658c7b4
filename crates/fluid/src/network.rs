//! Transfers as fluids: they drain at their max-min rate and arrive one path latency later.

use engine::{Completion, Digest, Error, FlowId, Network, News, Recurrent};
use units::{Bytes, Duration, Time};

use crate::Medium;
use crate::arrivals::Arrivals;
use crate::draining::Draining;
use crate::loss::{LossState, Lossy};
use crate::memo::{Solved, Way};
use crate::turning::Turning;

/// The flow-level network, over a medium that may change in time.
#[derive(Debug)]
pub struct FluidNetwork<'m> {
    pub(crate) medium: &'m Medium,
    pub(crate) draining: Draining<'m>,
    /// Transfers whose last byte has left, each with the latency of the path that it took.
    pub(crate) gone: Vec<(u32, Duration)>,
    arrivals: Arrivals,
    pub(crate) losses: Option<LossState<'m>>,
    pub(crate) turning: Turning,
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
            gone: Vec::new(),
            arrivals: Arrivals::default(),
            losses: lossy.map(|lossy| LossState::new(lossy, medium)),
            turning: Turning::new(medium),
        }
    }

    /// How many times rates were solved.
    pub const fn solves(&self) -> u64 {
        self.draining.solves()
    }

    /// What a run over this network came to.
    pub(crate) fn into_solved(mut self, completion: Completion) -> Solved {
        let solves = self.solves();
        self.count_moves();
        let losses = self.losses.map(LossState::into_end).unwrap_or_default();
        let (stranded, moved) = (self.turning.ended, self.draining.moves.finish());
        Solved { way: Way::Whole, completion, solves, losses, stranded, moved }
    }

    /// All transfers that end by now have drained.
    pub(crate) fn drain_due(&mut self, now: Time) {
        while let Some(flow) = self.draining.pop_due(now) {
            let path = self.draining.allocation.path(flow);
            self.gone.push((flow, self.medium.latency(path)));
        }
    }

    /// The next transfer whose last byte has left and that waits for nothing more.
    fn pop_gone(&mut self, now: Time) -> Result<Option<(u32, Duration)>, Error> {
        while let Some((flow, latency)) = self.gone.pop() {
            let is_held = match &mut self.losses {
                Some(losses) => losses.holds(now, (flow, latency))?,
                None => false,
            };
            if !is_held {
                return Ok(Some((flow, latency)));
            }
        }
        Ok(self.losses.as_mut().and_then(|losses| losses.pop_due(now)))
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
        self.catch_up(now)?;
        let sent = match &mut self.losses {
            Some(losses) => losses.start(now, (flow.0, self.turning.routes()), bytes)?,
            None => Some(bytes),
        };
        // What its sender gives up never drains.
        let Some(sent) = sent else { return Ok(()) };
        self.draining.set_left(now, flow.0, sent.as_work());
        self.turning.on_start(flow.0, bytes);
        self.admit(now, flow.0)
    }

    fn next_time(&self) -> Option<Time> {
        let turn = if self.is_busy() { self.next_turn() } else { None };
        let held = self.losses.as_ref().and_then(LossState::next_time);
        let ends = [self.arrivals.next_time(), self.draining.next_time(), turn, held];
        ends.into_iter().flatten().min()
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, Error> {
        self.catch_up(now)?;
        if let Some((flow, latency)) = self.pop_gone(now)? {
            return self.on_gone(now, flow, latency).map(Some);
        }
        if let Some(flow) = self.arrivals.pop_due(now) {
            return Ok(Some(News::Delivered(FlowId(flow))));
        }
        self.drain_due(now);
        match self.pop_gone(now)? {
            Some((flow, latency)) => self.on_gone(now, flow, latency).map(Some),
            None => Ok(None),
        }
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
            losses.digest(now, (self.turning.routes(), self.next_turn()), digest);
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
        self.draining.moves.add_bytes(flow.0, bytes);
    }

    fn shift(&mut self, now: Time, then: Time) -> Result<(), Error> {
        let by = then.since(now);
        self.draining.shift(by)?;
        if let Some(losses) = &mut self.losses {
            losses.shift(by)?;
        }
        self.turning.shift(now, by).ok_or(Error::TimeRange)?;
        self.arrivals.shift(by).ok_or(Error::TimeRange)
    }
}
