//! Instants and spans of simulated time in integer picoseconds.

use std::ops::{Add, Sub};

use crate::Ratio;

/// An instant: picoseconds since the start of the run (0 … 2⁶⁴−1 ps, about 213 days).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A span of time in picoseconds (0 … 2⁶⁴−1 ps, about 213 days).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// The last instant that can be told.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `picos` picoseconds after the start.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// Picoseconds since the start.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// The instant `span` later, or `None` past the last one that can be told.
    pub const fn checked_add(self, span: Duration) -> Option<Self> {
        match self.0.checked_add(span.0) {
            Some(picos) => Some(Self(picos)),
            None => None,
        }
    }

    /// The span since `earlier`.
    ///
    /// # Panics
    /// If `earlier` is later: the clock never goes back.
    pub const fn since(self, earlier: Self) -> Duration {
        assert!(earlier.0 <= self.0, "the clock never goes back");
        Duration(self.0 - earlier.0)
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span that can be told.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of `picos` picoseconds.
    pub const fn from_picos(picos: u64) -> Self {
        Self(picos)
    }

    /// A span of `nanos` nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos * 1_000)
    }

    /// A span of `micros` microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros * 1_000_000)
    }

    /// Picoseconds of the span.
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// Seconds of the span, for showing only.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 * 1e-12
    }

    /// The span and `other` one after the other, or `None` if too long to tell.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(picos) => Some(Self(picos)),
            None => None,
        }
    }

    /// `count` such spans one after the other, or `None` if too long to tell.
    pub const fn checked_mul(self, count: u64) -> Option<Self> {
        match self.0.checked_mul(count) {
            Some(picos) => Some(Self(picos)),
            None => None,
        }
    }
}

impl Duration {
    /// The span times `ratio`, rounded up to 1 ps, or `None` if too long to tell.
    pub fn stretched(self, ratio: Ratio) -> Option<Self> {
        let over = u128::from(self.0) * u128::from(ratio.over());
        u64::try_from(over.div_ceil(u128::from(ratio.under()))).ok().map(Self)
    }
}

impl Add for Duration {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Duration {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0 + span.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretching_rounds_up_and_knows_its_range() {
        // 10 ps · 7/3 = 23.3 ps.
        let ratio = |over, under| Ratio::new(over, under).expect("positive");
        let ten = Duration::from_picos(10);
        assert_eq!(ten.stretched(ratio(7, 3)), Some(Duration::from_picos(24)));
        assert_eq!(ten.stretched(Ratio::ONE), Some(ten));
        assert_eq!(Duration::MAX.stretched(ratio(1, 2)), Some(Duration::from_picos(1 << 63)));
        assert_eq!(Duration::MAX.stretched(ratio(3, 2)), None);
    }
}
