//! Exact shares of a flow.

use units::gcd;

/// A share in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    pub(super) over: u128,
    pub(super) under: u128,
}

impl Fraction {
    pub(super) const ZERO: Self = Self { over: 0, under: 1 };
    pub(super) const ONE: Self = Self { over: 1, under: 1 };

    fn new(over: u128, under: u128) -> Self {
        let common = gcd(over, under);
        Self { over: over / common, under: under / common }
    }

    /// This share of `part` out of `whole`; `None` beyond 128 bits.
    pub(super) fn of(self, part: u128, whole: u128) -> Option<Self> {
        let part = Self::new(part, whole);
        let (left, right) = (gcd(self.over, part.under), gcd(part.over, self.under));
        Some(Self {
            over: (self.over / left).checked_mul(part.over / right)?,
            under: (self.under / right).checked_mul(part.under / left)?,
        })
    }

    /// The sum of two shares; `None` beyond 128 bits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let common = gcd(self.under, other.under);
        let left = self.over.checked_mul(other.under / common)?;
        let right = other.over.checked_mul(self.under / common)?;
        let under = (self.under / common).checked_mul(other.under)?;
        Some(Self::new(left.checked_add(right)?, under))
    }

    /// The least common multiple of the denominator and `multiple`.
    pub(super) fn common(self, multiple: u128) -> Option<u128> {
        (multiple / gcd(self.under, multiple)).checked_mul(self.under)
    }
}
