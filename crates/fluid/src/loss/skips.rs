//! How many packets arrive before the next is lost: geometric numbers without a logarithm.
//!
//! With s the chance of one packet, the powers s, s², s⁴, … are kept in parts of 2⁶⁴. For a uniform u
//! the number of packets that arrive is the largest g with u < sᵍ, found bit by bit from above: so
//! P(number ≥ g) = sᵍ. Each power is rounded down, and an error doubles with each squaring: sᵍ is low
//! by less than 2g / 2⁶⁴, which for the 2³² packets of 16 TiB is below 10⁻⁹. The cost is one product
//! a bit, whatever the number of packets that arrive.

use units::Probability;

/// Powers of the chance that a packet arrives.
#[derive(Clone, Debug)]
pub(crate) struct Skips {
    survival: Probability,
    /// s^(2^k) in parts of 2⁶⁴, as long as it is above 0; none if s is 1.
    powers: Vec<u64>,
}

impl Skips {
    /// For packets that arrive with this probability.
    pub(crate) fn new(survival: Probability) -> Self {
        let mut powers = Vec::new();
        if survival < Probability::ONE {
            let parts = (u128::from(survival.parts()) << 64) / u128::from(Probability::ONE.parts());
            let mut power = u64::try_from(parts).expect("less than 1");
            while power > 0 && powers.len() < 64 {
                powers.push(power);
                power = product(power, power);
            }
        }
        Self { survival, powers }
    }

    /// That a packet arrives.
    pub(crate) const fn survival(&self) -> Probability {
        self.survival
    }

    /// Of `packets`, how many arrive before the first is lost, for a uniform word; all if none is.
    pub(crate) fn arrive(&self, packets: u64, word: u64) -> u64 {
        if self.survival == Probability::ONE {
            return packets;
        }
        let bits = (u64::BITS - packets.leading_zeros()) as usize;
        let (mut chance, mut count) = (None, 0);
        for (bit, &power) in self.powers.iter().enumerate().take(bits).rev() {
            let next = chance.map_or(power, |chance| product(chance, power));
            if word < next {
                (chance, count) = (Some(next), count | 1 << bit);
            }
        }
        count.min(packets)
    }

    /// Whether a packet is lost, for a uniform word.
    pub(crate) fn is_lost(&self, word: u64) -> bool {
        self.arrive(1, word) == 0
    }

    /// That all of `packets` arrive.
    pub(crate) fn all_arrive(&self, packets: u64) -> Probability {
        if self.survival == Probability::ONE {
            return Probability::ONE;
        }
        let mut chance = u64::MAX;
        for bit in 0..64 {
            if packets >> bit & 1 == 1 {
                chance = product(chance, self.powers.get(bit).copied().unwrap_or(0));
            }
        }
        let parts = product(chance, Probability::ONE.parts());
        Probability::from_parts(parts).expect("a share of 1")
    }
}

/// a · b in parts of 2⁶⁴, rounded down.
fn product(left: u64, right: u64) -> u64 {
    ((u128::from(left) * u128::from(right)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survival(ppm: u32) -> Probability {
        Probability::from_ppm(ppm).expect("at most 1")
    }

    #[test]
    fn the_count_is_the_largest_power_above_the_word() {
        // s = 1/2: u below 2⁻ᵍ and not below 2⁻⁽ᵍ⁺¹⁾ gives g.
        let skips = Skips::new(survival(500_000));
        assert_eq!(skips.arrive(100, 1 << 63), 0);
        assert_eq!(skips.arrive(100, (1 << 63) - 1), 1);
        assert_eq!(skips.arrive(100, 1 << 62), 1);
        assert_eq!(skips.arrive(100, (1 << 50) - 1), 14);
        assert_eq!(skips.arrive(100, 0), 64, "2⁻⁶⁴ is the smallest part");
        assert_eq!(skips.arrive(10, 0), 10);
        assert_eq!(skips.all_arrive(3).parts(), 124_999_999_999, "1/8, rounded down");
    }

    #[test]
    fn nothing_and_everything_are_exact() {
        for word in [0, 1, u64::MAX] {
            assert_eq!(Skips::new(Probability::ONE).arrive(7, word), 7);
            assert_eq!(Skips::new(Probability::ZERO).arrive(7, word), 0);
            assert!(Skips::new(Probability::ZERO).is_lost(word));
            assert!(!Skips::new(Probability::ONE).is_lost(word));
        }
        assert_eq!(Skips::new(Probability::ONE).all_arrive(1 << 40), Probability::ONE);
    }

    #[test]
    fn more_loss_never_lets_more_arrive() {
        let (rare, often) = (Skips::new(survival(999_999)), Skips::new(survival(999_000)));
        for number in 0..1_000 {
            let word = topology::mix(7, number);
            assert!(often.arrive(1 << 40, word) <= rare.arrive(1 << 40, word));
        }
    }

    #[test]
    fn the_mean_is_that_of_the_geometric_law() {
        // s = 0.999: mean s/(1 − s) = 999, deviation √s/(1 − s) ≈ 999.5; of 100,000 draws ± 3.2 each.
        let skips = Skips::new(survival(999_000));
        let sum: u64 = (0..100_000).map(|it| skips.arrive(1 << 40, topology::mix(1, it))).sum();
        assert!((99_900_000 - 950_000..99_900_000 + 950_000).contains(&sum), "{sum}");
    }
}
