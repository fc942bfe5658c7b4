//! The losses of a run under way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use engine::{Digest, Error};
use units::{Bytes, Duration, Time};

use super::legs::{Leg, Onward};
use super::toll::{Toll, Verdict};
use super::{Lossy, Tally};
use crate::Medium;

/// A transfer that its sender gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// When it started, or its path moved.
    pub(crate) at: Time,
    /// The flow.
    pub(crate) flow: u32,
    /// The set of routes that held.
    pub(crate) routes: u32,
    /// What it should have carried.
    pub(crate) bytes: Bytes,
    /// What of that was left.
    pub(crate) left: Bytes,
}

/// What is left of a run's losses at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct LossEnd {
    /// What was counted as it happened.
    pub(crate) tally: Tally,
    /// How many transfers of each flow that was counted for.
    pub(crate) starts: Vec<u64>,
    /// What was given up.
    pub(crate) failures: Vec<Failure>,
}

impl LossEnd {
    /// Of a run of so many flows that has lost nothing yet.
    pub(crate) fn new(flows: usize) -> Self {
        Self { starts: vec![0; flows], ..Self::default() }
    }
}

/// Losses, flow by flow.
///
/// What is drawn is counted as it happens. What is expected is counted until the last epoch begins
/// and the routes change last: after that whole periods may be skipped, and all that is left is known from the plan.
#[derive(Clone, Debug)]
pub(crate) struct LossState<'m> {
    lossy: &'m Lossy,
    /// From the last byte to the end of each flow's transfer.
    delays: Vec<Duration>,
    /// Transfers whose last byte has left and that still wait, with the latency of their path.
    waiting: BinaryHeap<Reverse<(Time, u32, Duration)>>,
    /// The leg of each flow's transfer; empty where routes do not change.
    legs: Vec<Leg>,
    /// What the transfers of each flow send again, to the last byte of the one under way; likewise.
    repeats: Vec<u128>,
    end: LossEnd,
}

impl<'m> LossState<'m> {
    pub(crate) fn new(lossy: &'m Lossy, medium: &Medium) -> Self {
        let flows = medium.flows();
        let rerouted = if medium.routes() > 1 { flows } else { 0 };
        Self {
            lossy,
            delays: vec![Duration::ZERO; flows],
            waiting: BinaryHeap::new(),
            legs: vec![Leg::default(); rerouted],
            repeats: vec![0; rerouted],
            end: LossEnd::new(flows),
        }
    }

    /// A transfer starts on a set of routes: what is sent in all; `None` if it will never arrive.
    pub(crate) fn start(
        &mut self,
        now: Time,
        (flow, routes): (u32, u32),
        bytes: Bytes,
    ) -> Result<Option<Bytes>, Error> {
        let index = flow as usize;
        let start = self.end.starts[index];
        let hazard = self.lossy.hazard(index, routes);
        let leg = Leg { start, asked: bytes, hazard, payload: bytes, ..Leg::default() };
        let Some(leg) = self.begin(now, (flow, routes), leg)? else { return Ok(None) };
        if self.is_counted(now, routes) {
            self.end.starts[index] += 1;
            self.end.tally.add(&leg.toll, self.lossy.members(index));
        }
        leg.sends().map(Some).ok_or(Error::TimeRange)
    }

    /// The routes hold that a transfer goes on with, `left` bytes of which are still to be sent.
    pub(crate) fn reroute(
        &mut self,
        now: Time,
        (flow, routes): (u32, u32),
        left: Bytes,
    ) -> Result<Onward, Error> {
        let index = flow as usize;
        let Some(&old) = self.legs.get(index) else { return Ok(Onward::AsBefore) };
        let hazard = self.lossy.hazard(index, routes);
        if hazard == old.hazard {
            return Ok(Onward::AsBefore);
        }
        let paid = old.paid(left);
        self.repeats[index] -= u128::from((old.toll.extra - paid.extra).as_u64());
        let (number, payload) = (old.number + 1, self.payload_left(flow, left));
        let leg = Leg {
            number,
            hazard,
            payload,
            before: old.before.and(&paid),
            toll: Toll::default(),
            ..old
        };
        let Some(leg) = self.begin(now, (flow, routes), leg)? else { return Ok(Onward::GivesUp) };
        // It has started before the last routes, so it was counted.
        let members = self.lossy.members(index);
        self.end.tally.remove(&old.cost(), members);
        self.end.tally.add(&leg.cost(), members);
        leg.sends().map(Onward::Sends).ok_or(Error::TimeRange)
    }

    /// A leg begins: the same with its costs, or `None` if the sender gives up.
    fn begin(
        &mut self,
        now: Time,
        (flow, routes): (u32, u32),
        mut leg: Leg,
    ) -> Result<Option<Leg>, Error> {
        let index = flow as usize;
        let key = self.lossy.key(index, leg.start, leg.number);
        let epoch = self.lossy.losses.epoch(now);
        let verdict = self.lossy.verdict(leg.hazard, epoch, (key, leg.payload))?;
        if let Verdict::Arrives(toll) = verdict {
            leg.toll = toll;
            self.delays[index] = leg.cost().delay;
        }
        if let Some(place) = self.legs.get_mut(index) {
            *place = leg;
            self.repeats[index] += u128::from(leg.toll.extra.as_u64());
        }
        if verdict == Verdict::GivesUp {
            let Leg { asked: bytes, payload: left, .. } = leg;
            self.end.failures.push(Failure { at: now, flow, routes, bytes, left });
            return Ok(None);
        }
        Ok(Some(leg))
    }

    /// Whether what starts now is counted as it happens.
    fn is_counted(&self, now: Time, routes: u32) -> bool {
        let Lossy { losses, .. } = self.lossy;
        let is_last = losses.epoch(now) == losses.changes().len() && self.lossy.is_last(routes);
        self.lossy.is_sampled() || !is_last
    }

    /// The payload among the last `left` bytes of a flow's transfer.
    pub(crate) fn payload_left(&self, flow: u32, left: Bytes) -> Bytes {
        self.legs.get(flow as usize).map_or(left, |leg| leg.payload_left(left))
    }

    /// What a flow has sent again when `left` bytes of its transfer are still to be sent; routes change.
    pub(crate) fn repeated(&self, flow: usize, left: Bytes) -> u128 {
        let leg = &self.legs[flow];
        let unpaid = leg.toll.extra - leg.paid(left).extra;
        self.repeats[flow] - u128::from(unpaid.as_u64())
    }

    /// The last byte of a flow has left over a path of some latency: whether the transfer still waits.
    pub(crate) fn holds(
        &mut self,
        now: Time,
        (flow, latency): (u32, Duration),
    ) -> Result<bool, Error> {
        let delay = self.delays[flow as usize];
        if delay == Duration::ZERO {
            return Ok(false);
        }
        let at = now.checked_add(delay).ok_or(Error::TimeRange)?;
        self.waiting.push(Reverse((at, flow, latency)));
        Ok(true)
    }

    pub(crate) fn next_time(&self) -> Option<Time> {
        self.waiting.peek().map(|Reverse((at, ..))| *at)
    }

    /// A transfer that has waited long enough, and the latency of its path.
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<(u32, Duration)> {
        if self.next_time()? > now {
            return None;
        }
        self.waiting.pop().map(|Reverse((_, flow, latency))| (flow, latency))
    }

    /// Adds the state to `digest`; before a change to come no two states are alike, nor, where losses are
    /// counted until routes change last, before the next turn of the medium.
    pub(crate) fn digest(
        &self,
        now: Time,
        (routes, turn): (u32, Option<Time>),
        digest: &mut Digest,
    ) {
        let losses = &self.lossy.losses;
        let epoch = losses.epoch(now);
        if let Some(change) = losses.changes().get(epoch) {
            digest.add(0x42, [epoch as u64, change.since(now).as_picos(), 0]);
        }
        if let Some(turn) = turn.filter(|_| !self.lossy.is_last(routes)) {
            digest.add(0x48, [u64::from(routes), turn.since(now).as_picos(), 0]);
        }
        for Reverse((at, flow, latency)) in &self.waiting {
            let words = [u64::from(*flow), at.since(now).as_picos(), latency.as_picos()];
            digest.add(0x43, words);
        }
        for failure in &self.end.failures {
            digest.add(0x44, [u64::from(failure.flow), 0, 0]);
        }
    }

    /// The wait that follows the last byte of a flow that is under way.
    pub(crate) fn delay(&self, flow: u32) -> Duration {
        self.delays[flow as usize]
    }

    pub(crate) fn shift(&mut self, by: Duration) -> Result<(), Error> {
        let later = |Reverse((at, flow, latency))| {
            let at: Option<Time> = Time::checked_add(at, by);
            at.map(|at| Reverse((at, flow, latency))).ok_or(Error::TimeRange)
        };
        self.waiting = self.waiting.drain().map(later).collect::<Result<Vec<_>, _>>()?.into();
        Ok(())
    }

    /// What is left at the end of the run.
    pub(crate) fn into_end(self) -> LossEnd {
        self.end
    }
}
