//! A 128-bit fingerprint of anything that can be hashed.

use std::hash::Hasher;

use engine::mix;

/// Words in order, each mixed into two states; two different sequences collide with probability 2⁻¹²⁸.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint {
    low: u64,
    high: u64,
}

impl Fingerprint {
    /// Of nothing.
    pub(crate) const fn new() -> Self {
        Self { low: 0x9e37_79b9_7f4a_7c15, high: 0xc2b2_ae3d_27d4_eb4f }
    }

    /// Both states.
    pub(crate) fn value(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.low = mix(self.low ^ word);
        self.high = mix(self.high.wrapping_add(word).rotate_left(29));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.low
    }
}
