//! Where randomness comes from: one stream, cut by purpose and entity.

use rand::{Rng as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What random numbers are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Which cards ranks run on.
    Placement = 1,
    /// Which of several shortest paths a flow takes.
    Ecmp = 2,
    /// What happens to packets.
    Packets = 3,
    /// Which packets are lost.
    Loss = 6,
    /// How much later than others a rank starts.
    Lateness = 7,
}

/// The random numbers of a scenario.
///
/// A `ChaCha8` generator with the scenario's seed has 2⁶⁴ streams of 2⁶⁸ words: the purpose is the
/// stream, and each entity (a job, a link, a card) owns 2²⁶ words of it. So a draw depends only on
/// seed, purpose, entity and index, never on the order of calls or on what else is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    seed: u64,
}

/// Words of 32 bits that an entity owns.
const WORDS: u128 = 1 << 26;

impl Keys {
    /// The random numbers of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The generator of an entity for a purpose, at its start.
    pub fn generator(self, purpose: Purpose, entity: u64) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(purpose as u64);
        generator.set_word_pos(u128::from(entity % (1 << 42)) * WORDS);
        generator
    }

    /// The key of an entity for a purpose: its first 64 bits.
    pub fn key(self, purpose: Purpose, entity: u64) -> u64 {
        self.generator(purpose, entity).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_seed_purpose_and_entity_only() {
        let key = |seed, purpose, entity| Keys::new(seed).key(purpose, entity);
        let first = key(42, Purpose::Placement, 0);
        assert_eq!(first, key(42, Purpose::Placement, 0));
        assert_ne!(first, key(43, Purpose::Placement, 0));
        assert_ne!(first, key(42, Purpose::Ecmp, 0));
        assert_ne!(first, key(42, Purpose::Placement, 1));
    }

    #[test]
    fn entities_do_not_share_words() {
        // 2²⁶ words of 32 bits are 2²⁵ draws of 64 bits: more than the largest fabric has cards.
        let position = |entity| Keys::new(7).generator(Purpose::Ecmp, entity).get_word_pos();
        assert_eq!(position(4) - position(3), 1 << 26);
        const { assert!(1 << 25 > topology::MAX_CARDS) };
    }
}
