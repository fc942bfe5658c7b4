//! Exact ratios such as an oversubscription of 19:16.

use crate::gcd_u64;

/// An exact ratio `over : under` in lowest terms, both sides positive.
///
/// As an oversubscription ratio it is downlink : uplink capacity; below 1:1 there is more uplink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    over: u64,
    under: u64,
}

impl Ratio {
    /// One to one.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// The ratio `over : under` in lowest terms, or `None` when a side is zero.
    pub const fn new(over: u64, under: u64) -> Option<Self> {
        if over == 0 || under == 0 {
            return None;
        }
        let common = gcd_u64(over, under);
        Some(Self { over: over / common, under: under / common })
    }

    /// The left side.
    pub const fn over(self) -> u64 {
        self.over
    }

    /// The right side.
    pub const fn under(self) -> u64 {
        self.under
    }

    /// The ratio as a number, for showing only.
    pub fn as_f64(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let left = u128::from(self.over) * u128::from(other.under);
        let right = u128::from(other.over) * u128::from(self.under);
        left.cmp(&right)
    }
}
