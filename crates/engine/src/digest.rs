//! A fingerprint of a state that does not depend on the order in which its parts are told.

/// The sum of 128-bit hashes of a state's parts.
///
/// Parts may come in any order. Two different states collide with probability 2⁻¹²⁸ a pair, which
/// for the 10⁶ samples of a long run is below 10⁻²⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u128);

impl Digest {
    /// Adds a part, told by its kind and some numbers, of which a kind always has equally many.
    pub fn add<const N: usize>(&mut self, kind: u64, part: [u64; N]) {
        let mut whole = DigestPart::new(kind);
        for word in part {
            whole.push(word);
        }
        self.add_part(whole);
    }

    /// Adds a part.
    pub fn add_part(&mut self, DigestPart { low, high }: DigestPart) {
        self.0 = self.0.wrapping_add((u128::from(high) << 64) | u128::from(low));
    }

    /// Both halves of the sum.
    pub const fn words(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }
}

/// A part of a state, told word by word: from the words so far it must follow how many there are.
#[derive(Clone, Copy, Debug)]
pub struct DigestPart {
    low: u64,
    high: u64,
}

impl DigestPart {
    /// A part of some kind, without words yet.
    pub const fn new(kind: u64) -> Self {
        Self {
            low: mix(kind.wrapping_add(0x9e37_79b9_7f4a_7c15)),
            high: mix(kind ^ 0xc2b2_ae3d_27d4_eb4f),
        }
    }

    /// Tells its next word.
    pub const fn push(&mut self, word: u64) {
        self.low = mix(self.low ^ word);
        self.high = mix(self.high.wrapping_add(word).rotate_left(29));
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
