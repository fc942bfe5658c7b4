//! Amounts of data in bytes, and how a vector is cut into chunks.

use std::ops::{Add, Sub};

use crate::gcd_u64;

/// An amount of data in bytes (0 … 2⁶⁴−1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

/// Milli-bit/s × ps in one byte: 8 bit × 1,000 × 10¹².
const WORK_PER_BYTE: u128 = 8_000_000_000_000_000;

impl Bytes {
    /// No data.
    pub const ZERO: Self = Self(0);

    /// `bytes` bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The number of bytes.
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The work of moving them, in milli-bit/s × ps: divided by a rate it gives picoseconds.
    pub const fn as_work(self) -> u128 {
        self.0 as u128 * WORK_PER_BYTE
    }
}

impl Add for Bytes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Bytes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// A vector of `total` bytes cut into `parts` chunks: chunk r is ⌊S(r+1)/p⌋ − ⌊Sr/p⌋ bytes long.
///
/// The chunks add up to the total, differ by at most one byte, and repeat with
/// [`period`](Self::period).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Split {
    /// The length of the vector.
    pub total: Bytes,
    /// The number of chunks, at least 1.
    pub parts: u64,
}

impl Split {
    /// The first byte of chunk `index` (`index` 0 … `parts`, the last being the total).
    pub const fn start(self, index: u64) -> u64 {
        (self.total.0 as u128 * index as u128 / self.parts as u128) as u64
    }

    /// The length of chunk `index` (0 … `parts` − 1).
    pub const fn chunk(self, index: u64) -> Bytes {
        Bytes(self.start(index + 1) - self.start(index))
    }

    /// After how many chunks the lengths repeat: p / gcd(S, p); 1 when all are equal.
    pub const fn period(self) -> u64 {
        self.parts / gcd_u64(self.total.0 % self.parts, self.parts)
    }
}
