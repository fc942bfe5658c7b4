//! The losses of a run under way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use engine::{Digest, Error};
use units::{Bytes, Duration, Time};

use super::toll::Verdict;
use super::{Lossy, Tally};

/// A transfer that its sender gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// When it started.
    pub(crate) at: Time,
    /// The flow.
    pub(crate) flow: u32,
    /// What it should have carried.
    pub(crate) bytes: Bytes,
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

/// Losses, flow by flow.
///
/// What is drawn is counted as it happens. What is expected is counted until the last epoch begins:
/// after that whole periods may be skipped, and all that is left is known from the plan.
#[derive(Clone, Debug)]
pub(crate) struct LossState<'m> {
    lossy: &'m Lossy,
    /// From the last byte to the end of each flow's transfer.
    delays: Vec<Duration>,
    /// Transfers whose last byte has left and that still wait.
    waiting: BinaryHeap<Reverse<(Time, u32)>>,
    end: LossEnd,
}

impl<'m> LossState<'m> {
    pub(crate) fn new(lossy: &'m Lossy, flows: usize) -> Self {
        let end = LossEnd { starts: vec![0; flows], ..LossEnd::default() };
        let (delays, waiting) = (vec![Duration::ZERO; flows], BinaryHeap::new());
        Self { lossy, delays, waiting, end }
    }

    /// A transfer starts: what is sent in all; `None` if it will never arrive.
    pub(crate) fn start(
        &mut self,
        now: Time,
        flow: u32,
        bytes: Bytes,
    ) -> Result<Option<Bytes>, Error> {
        let index = flow as usize;
        let epoch = self.lossy.losses.epoch(now);
        let starts = self.end.starts[index];
        match self.lossy.verdict(index, epoch, (starts, bytes))? {
            Verdict::GivesUp => {
                self.end.failures.push(Failure { at: now, flow, bytes });
                Ok(None)
            }
            Verdict::Arrives(toll) => {
                if self.lossy.is_sampled() || epoch < self.lossy.losses.changes().len() {
                    self.end.starts[index] += 1;
                    self.end.tally.add(&toll, self.lossy.members(index));
                }
                self.delays[index] = toll.delay;
                let sent = bytes.as_u64().checked_add(toll.extra.as_u64());
                sent.map(|sent| Some(Bytes::new(sent))).ok_or(Error::TimeRange)
            }
        }
    }

    /// The last byte of a flow has left: whether the transfer still waits for something.
    pub(crate) fn holds(&mut self, now: Time, flow: u32) -> Result<bool, Error> {
        let delay = self.delays[flow as usize];
        if delay == Duration::ZERO {
            return Ok(false);
        }
        let at = now.checked_add(delay).ok_or(Error::TimeRange)?;
        self.waiting.push(Reverse((at, flow)));
        Ok(true)
    }

    pub(crate) fn next_time(&self) -> Option<Time> {
        self.waiting.peek().map(|Reverse((at, _))| *at)
    }

    /// A transfer that has waited long enough.
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<u32> {
        if self.next_time()? > now {
            return None;
        }
        self.waiting.pop().map(|Reverse((_, flow))| flow)
    }

    /// Adds the state to `digest`; before a change to come no two states are alike.
    pub(crate) fn digest(&self, now: Time, digest: &mut Digest) {
        let losses = &self.lossy.losses;
        let epoch = losses.epoch(now);
        if let Some(change) = losses.changes().get(epoch) {
            digest.add(0x42, [epoch as u64, change.since(now).as_picos(), 0]);
        }
        for Reverse((at, flow)) in &self.waiting {
            digest.add(0x43, [u64::from(*flow), at.since(now).as_picos(), 0]);
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
        let later = |Reverse((at, flow)): Reverse<(Time, u32)>| {
            at.checked_add(by).map(|at| Reverse((at, flow))).ok_or(Error::TimeRange)
        };
        self.waiting = self.waiting.drain().map(later).collect::<Result<Vec<_>, _>>()?.into();
        Ok(())
    }

    /// What is left at the end of the run.
    pub(crate) fn into_end(self) -> LossEnd {
        self.end
    }
}
