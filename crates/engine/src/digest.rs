//! A fingerprint of a state that does not depend on the order in which its parts are told.

/// The sum of 128-bit hashes of a state's parts.
///
/// Parts may come in any order. Two different states collide with probability 2⁻¹²⁸ a pair, which
/// for the 10⁶ samples of a long run is below 10⁻²⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u128);

impl Digest {
    /// Adds a part, told by its kind and three numbers.
    pub fn add(&mut self, kind: u64, part: [u64; 3]) {
        let mut low = mix(kind.wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut high = mix(kind ^ 0xc2b2_ae3d_27d4_eb4f);
        for word in part {
            low = mix(low ^ word);
            high = mix(high.wrapping_add(word).rotate_left(29));
        }
        self.0 = self.0.wrapping_add((u128::from(high) << 64) | u128::from(low));
    }
}

/// A bijective mixer of 64 bits.
///
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014,
/// figure 16 (the finaliser of `SplitMix64`, variant 13).
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_matter_but_every_word_does() {
        let mut left = Digest::default();
        left.add(1, [2, 3, 4]);
        left.add(5, [6, 7, 8]);
        let mut right = Digest::default();
        right.add(5, [6, 7, 8]);
        right.add(1, [2, 3, 4]);
        assert_eq!(left, right);
        for (kind, part) in [(0, [2, 3, 4]), (1, [0, 3, 4]), (1, [2, 0, 4]), (1, [2, 3, 0])] {
            let mut other = Digest::default();
            other.add(kind, part);
            other.add(5, [6, 7, 8]);
            assert_ne!(left, other);
        }
    }
}
