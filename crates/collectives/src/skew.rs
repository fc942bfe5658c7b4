//! Uneven blocks: a buffer cut so that some destinations get more.

use std::ops::Range;

/// A million parts per million.
const WHOLE: u128 = 1_000_000;

/// A buffer cut among n seats with shares that rise in a straight line: (1 − x)/n of it for seat 0,
/// (1 + x)/n for the last seat, x being the imbalance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Skew {
    /// The bytes of the buffer.
    pub range: Range<u64>,
    /// How much more than the mean the last seat gets, in parts per million, at most a million.
    pub imbalance_ppm: u32,
}

impl Skew {
    /// The block of a seat.
    pub(crate) fn block(&self, seats: u32, seat: u32) -> Range<u64> {
        self.start(seats, seat)..self.start(seats, seat + 1)
    }

    /// Where the block of a seat starts: after ⌊S·W(j)/W(n)⌋ bytes, W(j) being the summed weights
    /// (n − 1)·10⁶ + x·(2i − (n − 1)) of the seats i before it, j(n − 1)·10⁶ − x·j(n − j).
    fn start(&self, seats: u32, seat: u32) -> u64 {
        let (n, j) = (u128::from(seats), u128::from(seat));
        let length = self.range.end - self.range.start;
        let whole = n * (n - 1) * WHOLE;
        let before = j * (n - 1) * WHOLE - u128::from(self.imbalance_ppm) * j * (n - j);
        // Less than 2⁴² pairs × 2²⁰: the remainder times the length stays within 128 bits.
        let start = u128::from(length) * before / whole;
        self.range.start + u64::try_from(start).expect("a block starts within the buffer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_rise_in_a_straight_line() {
        // 300 bytes among 3 at 20 %: 80, 100 and 120.
        let blocks = |imbalance_ppm| {
            let skew = Skew { range: 0..300, imbalance_ppm };
            (0..3).map(|seat| skew.block(3, seat)).collect::<Vec<_>>()
        };
        assert_eq!(blocks(200_000), [0..80, 80..180, 180..300]);
        assert_eq!(blocks(0), [0..100, 100..200, 200..300]);
        assert_eq!(blocks(1_000_000), [0..0, 0..100, 100..300]);
    }
}
