//! Exact fractions as decimal text, rounded half up.

use units::gcd;

/// An exact non-negative fraction, for showing.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    over: u128,
    under: u128,
}

impl Fraction {
    /// `over / under` in lowest terms, or `None` when `under` is 0.
    pub const fn new(over: u128, under: u128) -> Option<Self> {
        if under == 0 {
            return None;
        }
        let divisor = gcd(over, under);
        Some(Self { over: over / divisor, under: under / divisor })
    }

    /// The product with `other`, or `None` beyond the range of 128 bits.
    pub fn times(self, other: Self) -> Option<Self> {
        let (left, right) = (gcd(self.over, other.under), gcd(other.over, self.under));
        let over = (self.over / left).checked_mul(other.over / right)?;
        let under = (self.under / right).checked_mul(other.under / left)?;
        Self::new(over, under)
    }

    /// The upper side, in lowest terms.
    pub const fn over(self) -> u128 {
        self.over
    }

    /// The lower side, in lowest terms.
    pub const fn under(self) -> u128 {
        self.under
    }

    /// The fraction rounded down.
    pub const fn floor(self) -> u128 {
        self.over / self.under
    }

    /// Decimal text with `digits` significant digits (at least 1), rounded half up; digits before
    /// the point are never dropped, and no more than 12 follow it.
    pub fn significant(self, digits: u32) -> String {
        let mut whole = self.floor();
        let mut decimals = digits;
        while whole > 0 && decimals > 0 {
            (whole, decimals) = (whole / 10, decimals - 1);
        }
        if self.floor() == 0 && self.over > 0 {
            let mut left = self.over;
            while left.saturating_mul(10) < self.under && decimals < 12 {
                (left, decimals) = (left.saturating_mul(10), decimals + 1);
            }
        }
        let text = self.fixed(decimals);
        let carried = text.bytes().filter(u8::is_ascii_digit).count() as u32 > digits
            && !text.starts_with('0');
        if carried && decimals > 0 { self.fixed(decimals - 1) } else { text }
    }

    /// Decimal text with `decimals` digits after the point, rounded half up.
    pub fn fixed(self, decimals: u32) -> String {
        let (mut whole, rest) = (self.over / self.under, self.over % self.under);
        let mut tail = Vec::new();
        let mut left = rest;
        for _ in 0..decimals {
            let (digit, next) = times_ten(left, self.under);
            tail.push(digit);
            left = next;
        }
        if left >= self.under - left {
            let mut carry = true;
            for digit in tail.iter_mut().rev() {
                *digit = if carry { (*digit + 1) % 10 } else { *digit };
                carry = carry && *digit == 0;
            }
            whole += u128::from(carry);
        }
        let tail: String = tail.iter().map(|&digit| char::from(b'0' + digit)).collect();
        if decimals == 0 { whole.to_string() } else { format!("{whole}.{tail}") }
    }
}

/// ⌊10 × left / under⌋, one digit, and what remains, for left < under, without overflow.
fn times_ten(left: u128, under: u128) -> (u8, u128) {
    let (mut digit, mut rest) = (0, 0_u128);
    for _ in 0..10 {
        // Both are below `under`, so the sum is reduced before it can overflow.
        if rest >= under - left {
            (digit, rest) = (digit + 1, rest - (under - left));
        } else {
            rest += left;
        }
    }
    (digit, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(over: u128, under: u128) -> Fraction {
        Fraction::new(over, under).expect("not over zero")
    }

    #[test]
    fn fractions_round_half_up() {
        assert_eq!(fraction(1, 3).significant(4), "0.3333");
        assert_eq!(fraction(2, 3).significant(4), "0.6667");
        assert_eq!(fraction(1, 2).fixed(0), "1");
        // 0.0625 exactly: three digits would be 0.0625, two are 0.063 (half up).
        assert_eq!(fraction(1, 16).significant(2), "0.063");
        assert_eq!(fraction(99_996, 10_000).significant(4), "10.00");
        assert_eq!(fraction(123_456, 1).significant(4), "123456");
        assert_eq!(fraction(0, 7).significant(4), "0.0000");
        // Next to the end of the range: (2¹²⁸ − 1) / (2¹²⁸ − 2) is 1 to any shown precision.
        assert_eq!(fraction(u128::MAX, u128::MAX - 1).fixed(3), "1.000");
    }
}
