//! Probabilities as whole parts of 10¹².

/// A probability in parts per 10¹²: 0 … 1, exact for percentages with ten decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability(u64);

impl Probability {
    /// Never.
    pub const ZERO: Self = Self(0);
    /// Always.
    pub const ONE: Self = Self(1_000_000_000_000);

    /// So many parts per 10¹²; `None` above 1.
    pub const fn from_parts(parts: u64) -> Option<Self> {
        if parts > Self::ONE.0 { None } else { Some(Self(parts)) }
    }

    /// So many parts per million; `None` above 1.
    pub const fn from_ppm(ppm: u32) -> Option<Self> {
        Self::from_parts(ppm as u64 * 1_000_000)
    }

    /// The parts per 10¹².
    pub const fn parts(self) -> u64 {
        self.0
    }

    /// As an exact number of per cent, without the sign: "0.001".
    pub fn percent(self) -> String {
        let (whole, part) = (self.0 / 10_000_000_000, self.0 % 10_000_000_000);
        let text = format!("{whole}.{part:010}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// That it does not happen.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(Self::ONE.0 - self.0)
    }

    /// That both of two independent things happen, rounded down to a part of 10¹².
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self((self.0 as u128 * other.0 as u128 / Self::ONE.0 as u128) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_is_exact_and_the_rest_rounds_down() {
        let half = Probability::from_ppm(500_000).expect("at most 1");
        assert_eq!(Probability::ONE.and(Probability::ONE), Probability::ONE);
        assert_eq!(half.and(Probability::ONE), half);
        assert_eq!(half.and(half).parts(), 250_000_000_000);
        // 0.999999 × 10⁻¹² is less than one part.
        let least = Probability::from_parts(1).expect("at most 1");
        assert_eq!(least.and(least.complement()), Probability::ZERO);
        assert_eq!(half.complement(), half);
        assert_eq!(Probability::from_parts(1_000_000_000_001), None);
        let percents = [0, 1, 10_000_000, 1_000_000_000_000]
            .map(|parts| Probability::from_parts(parts).expect("at most 1").percent());
        assert_eq!(percents, ["0", "0.0000000001", "0.001", "100"]);
    }
}
