//! Rates in integer milli-bit per second, per direction.

use crate::{Bytes, Duration};

/// A rate in milli-bit per second and per direction (up to 1.8 × 10¹⁶ bit/s for one link).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bandwidth(u64);

impl Bandwidth {
    /// A rate of `rate` milli-bit per second.
    pub const fn from_milli_bits_per_second(rate: u64) -> Self {
        Self(rate)
    }

    /// A rate of `rate` Gb/s (10⁹ bit per second).
    pub const fn from_gigabits_per_second(rate: u64) -> Self {
        Self(rate * 1_000_000_000_000)
    }

    /// A rate of `rate` GB/s (10⁹ byte per second).
    pub const fn from_gigabytes_per_second(rate: u64) -> Self {
        Self(rate * 8_000_000_000_000)
    }

    /// Milli-bits per second.
    pub const fn as_milli_bits_per_second(self) -> u64 {
        self.0
    }

    /// Bytes per second, for showing only.
    pub fn as_bytes_per_second_f64(self) -> f64 {
        self.0 as f64 / 8_000.0
    }

    /// The time to move `bytes` at this rate, rounded up to 1 ps; `None` at rate 0 or beyond the
    /// range of time.
    pub fn time_for(self, bytes: Bytes) -> Option<Duration> {
        let rate = u128::from(self.0);
        if rate == 0 {
            return (bytes == Bytes::ZERO).then_some(Duration::ZERO);
        }
        let picos = bytes.as_work().div_ceil(rate);
        u64::try_from(picos).ok().map(Duration::from_picos)
    }
}
