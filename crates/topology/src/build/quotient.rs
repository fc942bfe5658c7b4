//! Exact fractions of products: is a number of ports whole, and what ratio is it?

use units::{Ratio, gcd, gcd_u64};

/// A fraction in lowest terms; `None` in the numerator means beyond 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    /// The numerator.
    pub(super) over: Option<u128>,
    /// The denominator, positive.
    pub(super) under: u128,
}

/// The product of `over` divided by the product of `under`, all positive.
pub(super) fn quotient(mut over: [u64; 3], mut under: [u64; 2]) -> Fraction {
    for left in &mut over {
        for right in &mut under {
            let common = gcd_u64(*left, *right);
            *left /= common;
            *right /= common;
        }
    }
    let product = u128::from(over[0]) * u128::from(over[1]);
    Fraction {
        over: product.checked_mul(u128::from(over[2])),
        under: u128::from(under[0]) * u128::from(under[1]),
    }
}

/// The ratio `over : under`, or `None` when a side is zero or beyond 64 bits in lowest terms.
pub(crate) fn ratio_of(over: u128, under: u128) -> Option<Ratio> {
    let common = gcd(over, under).max(1);
    let side = |value: u128| u64::try_from(value / common).ok();
    Ratio::new(side(over)?, side(under)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_reduced_before_they_are_multiplied() {
        // 64 × 400 × 1 / (4 × 400) = 16; 24 × 400 × 5 / (7 × 800) = 60/7.
        let whole = quotient([64, 400, 1], [4, 400]);
        assert_eq!(whole, Fraction { over: Some(16), under: 1 });
        let ragged = quotient([24, 400, 5], [7, 800]);
        assert_eq!(ragged, Fraction { over: Some(60), under: 7 });
        // 2⁶³ × 2⁶³ × 2⁶³ / 1 needs 190 bits; divided by 2⁶³ twice it is 2⁶³.
        let big = 1 << 63;
        assert_eq!(quotient([big; 3], [1, 1]).over, None);
        assert_eq!(quotient([big; 3], [big; 2]), Fraction { over: Some(1 << 63), under: 1 });
    }

    #[test]
    fn a_ratio_is_in_lowest_terms() {
        assert_eq!(ratio_of(190, 160), Ratio::new(19, 16));
        assert_eq!(ratio_of(0, 4), None);
        assert_eq!(ratio_of(1 << 100, 1 << 98), Ratio::new(4, 1));
        assert_eq!(ratio_of(1 << 100, 3), None);
    }
}
