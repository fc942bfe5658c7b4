//! Transfers that drain at their max-min rates.

use std::hint::black_box;

use engine::{Digest, Error, Tournament};
use units::{Bytes, Duration, Time};

use crate::Medium;
use crate::allocation::Allocation;
use crate::allocation::certificate::Violation;
use crate::division::quotient;
use crate::moves::Moves;

/// Builds with debug assertions prove the rates after every solution of up to so many flows; of k times
/// as many after every k-th one, so that the proofs cost no more than for these.
const ALWAYS_CERTIFIED: usize = 128;

/// So many flows of an instant are fetched from memory at once.
const LOOK_AHEAD: usize = 64;

/// What is left of a transfer, and as of when; in 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// The work in milli-bit/s × ps, its upper and lower half.
    work: [u64; 2],
    pub(crate) since: Time,
}

impl Left {
    const fn new(work: u128, since: Time) -> Self {
        Self { work: [(work >> 64) as u64, work as u64], since }
    }

    /// The work in milli-bit/s × ps.
    pub(crate) const fn work(self) -> u128 {
        (self.work[0] as u128) << 64 | self.work[1] as u128
    }
}

/// The transfers under way over a medium, and when each will have drained.
#[derive(Clone, Debug)]
pub(crate) struct Draining<'m> {
    pub(crate) allocation: Allocation<'m>,
    pub(crate) left: Vec<Left>,
    /// When each active flow drains at its present rate, if it has one above nothing.
    ends: Tournament,
    /// Flows that have drained at this instant, in reverse order.
    due: Vec<u32>,
    /// The flows whose rates the last solution has changed, each with its rate before.
    pub(crate) changed: Vec<(u32, u64)>,
    pub(crate) moves: Moves,
}

impl<'m> Draining<'m> {
    /// Nothing moves yet.
    pub(crate) fn new(medium: &'m Medium) -> Self {
        Self {
            allocation: Allocation::new(medium),
            left: vec![Left::new(0, Time::ZERO); medium.flows()],
            ends: Tournament::new(medium.flows()),
            due: Vec::new(),
            changed: Vec::new(),
            moves: Moves::new(medium.flows(), medium.routes()),
        }
    }

    /// How many flows the medium has.
    pub(crate) fn flows(&self) -> usize {
        self.left.len()
    }

    /// The work left of a flow as of the last time that its rate changed, in milli-bit/s × ps.
    pub(crate) fn left(&self, flow: u32) -> u128 {
        self.left[flow as usize].work()
    }

    /// Sets what is left of a flow now.
    pub(crate) fn set_left(&mut self, now: Time, flow: u32, work: u128) {
        self.left[flow as usize] = Left::new(work, now);
    }

    /// How many times rates were solved.
    pub(crate) const fn solves(&self) -> u64 {
        self.allocation.solves()
    }

    /// Proves the rates, if it is the turn of this solution.
    fn certify(&self) -> Result<(), Violation> {
        let every = self.allocation.active_flows().div_ceil(ALWAYS_CERTIFIED).max(1) as u64;
        let solves = self.solves();
        if solves == 1 || solves.is_multiple_of(every) { self.allocation.certify() } else { Ok(()) }
    }

    /// Takes a transfer of some bytes.
    pub(crate) fn start(&mut self, now: Time, flow: u32, bytes: Bytes) {
        self.set_left(now, flow, bytes.as_work());
        self.allocation.insert(flow as usize);
    }

    /// When the next transfer will have drained.
    pub(crate) fn next_time(&self) -> Option<Time> {
        let at = self.ends.earliest();
        (at < Time::MAX).then_some(at)
    }

    /// Takes out a transfer that has drained.
    pub(crate) fn pop_due(&mut self, now: Time) -> Option<u32> {
        if self.due.is_empty() {
            self.ends.take_until(now, &mut self.due);
            self.due.reverse();
        }
        if self.due.len() >= LOOK_AHEAD && self.due.len().is_multiple_of(LOOK_AHEAD) {
            for &flow in self.due.iter().rev().take(LOOK_AHEAD) {
                black_box(self.left[flow as usize].since);
            }
        }
        let flow = self.due.pop()?;
        self.allocation.remove(flow as usize);
        let Left { since, .. } = self.left[flow as usize];
        self.moves.add(flow, self.left(flow));
        self.set_left(since, flow, 0);
        Some(flow)
    }

    /// Takes out a transfer that is under way, with what is left of it.
    pub(crate) fn stop(&mut self, now: Time, flow: u32) {
        debug_assert!(self.due.is_empty(), "what has drained has been taken out");
        self.progress(now, flow, self.allocation.rate(flow as usize));
        self.allocation.remove(flow as usize);
        self.ends.set(flow as usize, Time::MAX);
    }

    /// A flow has moved at `rate` until now.
    fn progress(&mut self, now: Time, flow: u32, rate: u64) {
        let left = self.left[flow as usize];
        let drained = u128::from(rate) * u128::from(now.since(left.since).as_picos());
        self.set_left(now, flow, left.work() - drained);
        self.moves.add(flow, drained);
    }

    /// The instant is closed: rates are brought up to date.
    pub(crate) fn settle(&mut self, now: Time) -> Result<(), Error> {
        debug_assert!(self.due.is_empty(), "what has drained has been taken out");
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        self.allocation.solve(&mut changed);
        debug_assert_eq!(self.certify(), Ok(()), "rates are max-min fair");
        for (place, &(flow, rate_before)) in changed.iter().enumerate() {
            if changed.len() >= LOOK_AHEAD && place.is_multiple_of(LOOK_AHEAD) {
                for &(flow, _) in changed[place..].iter().take(LOOK_AHEAD) {
                    black_box((self.left[flow as usize].since, self.ends.get(flow as usize)));
                }
            }
            self.progress(now, flow, rate_before);
            let left = self.left(flow);
            let rate = u128::from(self.allocation.rate(flow as usize));
            if rate == 0 {
                self.ends.set(flow as usize, Time::MAX);
                continue;
            }
            let picos = quotient(left + rate - 1, rate);
            let picos = u64::try_from(picos).map_err(|_| Error::TimeRange)?;
            let end = now.checked_add(Duration::from_picos(picos)).ok_or(Error::TimeRange)?;
            self.ends.set(flow as usize, end);
        }
        self.changed = changed;
        Ok(())
    }

    /// Tells every flow that is under way at a rate.
    pub(crate) fn for_each_active(&self, tell: &mut dyn FnMut(u32)) {
        for flow in 0..self.left.len() {
            if self.ends.get(flow) < Time::MAX {
                tell(flow as u32);
            }
        }
    }

    /// Adds the state relative to `now`, its flows named by `name`.
    pub(crate) fn digest(&self, now: Time, name: &dyn Fn(u32) -> u32, digest: &mut Digest) {
        self.for_each_active(&mut |flow| {
            let (left, since) = (self.left(flow), self.left[flow as usize].since);
            let rate = self.allocation.rate(flow as usize);
            let drained = u128::from(rate) * u128::from(now.since(since).as_picos());
            let left = left - drained;
            let words = [left as u64, (left >> 64) as u64, rate];
            digest.add(0x40 | u64::from(name(flow)) << 8, words);
        });
    }

    /// Moves every instant later.
    pub(crate) fn shift(&mut self, by: Duration) -> Result<(), Error> {
        let later = |at: Time| at.checked_add(by).ok_or(Error::TimeRange);
        for flow in 0..self.left.len() {
            let end = self.ends.get(flow);
            if end < Time::MAX {
                self.ends.set(flow, later(end)?);
                self.left[flow].since = later(self.left[flow].since)?;
            }
        }
        Ok(())
    }
}
