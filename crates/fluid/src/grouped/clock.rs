//! Flows over one resource: one rate, one clock.
//!
//! All flows under way over one resource have the same rate at every moment. Let V = ∫ rate · dt: a
//! flow that starts when the clock shows V₀ has drained when it shows V₀ + its work. A change of rate
//! touches the clock and no flow, and flows drain in the order of these readings.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use engine::{Digest, Error};
use units::{Bytes, Duration, Time};

use crate::division::quotient;

/// The flows under way over one resource.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    capacity: u128,
    /// Σ weight of the flows under way.
    weight: u128,
    /// The reading at `since`, in milli-bit/s × ps.
    reading: u128,
    since: Time,
    /// The rate of every flow, as of the last settlement, in milli-bit/s.
    rate: u64,
    /// The reading at which each flow has drained.
    ends: BinaryHeap<Reverse<(u128, u32)>>,
}

impl Clock {
    pub(super) fn new(capacity: u128) -> Self {
        Self {
            capacity,
            weight: 0,
            reading: 0,
            since: Time::ZERO,
            rate: 0,
            ends: BinaryHeap::new(),
        }
    }

    fn advance(&mut self, now: Time) {
        let passed = now.since(self.since);
        if passed > Duration::ZERO {
            self.reading += u128::from(self.rate) * u128::from(passed.as_picos());
            self.since = now;
        }
    }

    pub(super) fn start(&mut self, now: Time, flow: u32, weight: u64, bytes: Bytes) {
        self.advance(now);
        self.weight += u128::from(weight);
        self.ends.push(Reverse((self.reading + bytes.as_work(), flow)));
    }

    /// Takes out a flow that has drained; its weight is that of [`Clock::start`].
    pub(super) fn pop_due(&mut self, now: Time, weight: impl Fn(u32) -> u64) -> Option<u32> {
        self.advance(now);
        let &Reverse((end, flow)) = self.ends.peek()?;
        if end > self.reading {
            return None;
        }
        self.ends.pop();
        self.weight -= u128::from(weight(flow));
        Some(flow)
    }

    /// The instant is closed: the rate is brought up to date. Returns when the next flow will have
    /// drained.
    pub(super) fn settle(&mut self, now: Time) -> Result<Time, Error> {
        self.advance(now);
        let Some(&Reverse((end, _))) = self.ends.peek() else {
            (self.reading, self.rate) = (0, 0);
            return Ok(Time::MAX);
        };
        let rate = quotient(self.capacity, self.weight);
        self.rate = u64::try_from(rate).expect("a flow crosses a link, whose rate fits");
        if self.rate == 0 {
            return Ok(Time::MAX);
        }
        let picos = quotient(end - self.reading + rate - 1, rate);
        let picos = u64::try_from(picos).map_err(|_| Error::TimeRange)?;
        now.checked_add(Duration::from_picos(picos)).ok_or(Error::TimeRange)
    }

    /// Calls the flows by other names.
    pub(super) fn rename(&mut self, name: impl Fn(u32) -> u32) {
        let ends = self.ends.drain().map(|Reverse((end, flow))| Reverse((end, name(flow))));
        self.ends = ends.collect::<Vec<_>>().into();
    }

    /// Adds the state relative to `now`.
    pub(super) fn digest(&self, now: Time, digest: &mut Digest) {
        let passed = u128::from(self.rate) * u128::from(now.since(self.since).as_picos());
        for &Reverse((end, flow)) in &self.ends {
            let left = end - self.reading - passed;
            let words = [left as u64, (left >> 64) as u64, self.rate];
            digest.add(0x40 | u64::from(flow) << 8, words);
        }
    }

    /// Moves every instant later.
    pub(super) fn shift(&mut self, by: Duration) -> Result<(), Error> {
        self.since = self.since.checked_add(by).ok_or(Error::TimeRange)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 Gb/s is 10¹² milli-bit/s; a byte is 8 × 10¹⁵ milli-bit/s × ps and takes 8,000 ps.
    #[test]
    fn two_flows_share_and_the_second_goes_on_alone() {
        let mut clock = Clock::new(1_000_000_000_000);
        clock.start(Time::ZERO, 7, 1, Bytes::new(100));
        // Alone: 100 × 8,000 ps.
        assert_eq!(clock.settle(Time::ZERO), Ok(Time::from_picos(800_000)));
        let half = Time::from_picos(400_000);
        clock.start(half, 8, 1, Bytes::new(100));
        // 50 bytes left at half the rate: 800,000 ps more.
        assert_eq!(clock.settle(half), Ok(Time::from_picos(1_200_000)));
        let then = Time::from_picos(1_200_000);
        assert_eq!(clock.pop_due(then, |_| 1), Some(7));
        assert_eq!(clock.pop_due(then, |_| 1), None);
        // The other has 50 bytes left, alone again.
        assert_eq!(clock.settle(then), Ok(Time::from_picos(1_600_000)));
    }

    #[test]
    fn a_rate_of_nothing_never_drains() {
        let mut clock = Clock::new(3);
        clock.start(Time::ZERO, 0, 4, Bytes::new(1));
        assert_eq!(clock.settle(Time::ZERO), Ok(Time::MAX));
    }
}
