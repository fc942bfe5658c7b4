//! A documented mixer of 64-bit words, the source of every keyed choice.

/// An odd constant, 2⁶⁴ divided by the golden ratio.
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes `value` into `key`: every bit of both moves about half of the bits of the result.
///
/// The finaliser of splitmix64 (variant 13 of Stafford) applied to key ⊕ value × odd + odd. For a
/// fixed key it is one to one in the value, and the other way round.
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014,
/// section 3; constants by D. Stafford, Better Bit Mixing, 2011.
pub const fn mix(key: u64, value: u64) -> u64 {
    let mut word = (key ^ value.wrapping_mul(GOLDEN)).wrapping_add(GOLDEN);
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// A choice among `count` (at least 1) from a mixed word: ⌊word × count / 2⁶⁴⌋.
pub(super) const fn choose(word: u64, count: usize) -> usize {
    ((word as u128 * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_of_splitmix64_come_out() {
        // With key 0 and value n the word is the n-th output of splitmix64 seeded with 0, counted
        // from 0: the published first outputs are e220a8397b1dcdaf, 6e789e6aa1b965f4.
        assert_eq!(mix(0, 0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0, 1), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn a_choice_stays_in_range() {
        assert_eq!(choose(0, 3), 0);
        assert_eq!(choose(u64::MAX, 3), 2);
        assert_eq!(choose(u64::MAX, 1), 0);
    }
}
