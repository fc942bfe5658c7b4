//! Blocks of an all-to-all that travel over other ranks.
//!
//! The buffers of all ranks are laid end to end, so that a block is a range of bytes wherever it is:
//! that of origin o for target t starts at o·S + ⌊St/p⌋.

use std::ops::Range;

use units::{Bytes, Split};

use crate::Transfer;

/// What a transfer carries of an all-to-all among p = `supernodes` × `cards` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relay {
    /// The buffer of one rank, S.
    pub size: u64,
    /// The number of supernodes; 1 where they do not matter.
    pub supernodes: u32,
    /// The cards of each.
    pub cards: u32,
    /// Where the blocks are on their way.
    pub route: Route,
}

/// The step of a relayed all-to-all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// Bruck: over `distance`, a power of two, all blocks whose way from origin to target has that bit.
    Hop {
        /// How many seats further.
        distance: u32,
    },
    /// Inside supernode number `supernode`: the blocks for all targets with the destination's index.
    Inside {
        /// The supernode.
        supernode: u32,
    },
    /// Between the cards of one index: the blocks of all cards of the source's supernode.
    Across {
        /// The index of the cards in their supernodes.
        index: u32,
    },
}

impl Relay {
    const fn ranks(&self) -> u32 {
        self.supernodes * self.cards
    }

    const fn split(&self) -> Split {
        Split { total: Bytes::new(self.size), parts: self.ranks() as u64 }
    }

    /// The blocks of a transfer as (origin, target).
    fn blocks(&self, transfer: Transfer) -> Vec<(u32, u32)> {
        let Transfer { src, dst, .. } = transfer;
        let ranks = self.ranks();
        match self.route {
            Route::Hop { distance } => (1..ranks)
                .filter(|way| way & distance != 0)
                .map(|way| {
                    let origin = (src + ranks - way % distance) % ranks;
                    (origin, (origin + way) % ranks)
                })
                .collect(),
            Route::Inside { supernode } => (0..self.supernodes)
                .map(|target| (supernode * self.cards + src, target * self.cards + dst))
                .collect(),
            Route::Across { index } => {
                let target = dst * self.cards + index;
                (0..self.cards).map(|origin| (src * self.cards + origin, target)).collect()
            }
        }
    }

    /// The bytes of a transfer in the buffers of all ranks.
    pub(crate) fn ranges(&self, transfer: Transfer) -> Vec<Range<u64>> {
        let split = self.split();
        let range = |(origin, target): (u32, u32)| {
            let buffer = u64::from(origin) * self.size;
            let target = u64::from(target);
            buffer + split.start(target)..buffer + split.start(target + 1)
        };
        self.blocks(transfer).into_iter().map(range).collect()
    }

    /// How many bytes a transfer carries.
    pub(crate) fn bytes(&self, transfer: Transfer) -> u64 {
        let split = self.split();
        let (ranks, src, dst) = (self.ranks(), transfer.src, transfer.dst);
        let chunk = |target: u32| split.chunk(u64::from(target)).as_u64();
        match self.route {
            Route::Hop { distance } => {
                // The ways with the bit of the distance, by what they are above it: q·d … q·d + d − 1
                // for odd q. All of one q have the same target.
                (1..ranks.div_ceil(distance))
                    .step_by(2)
                    .map(|above| {
                        let way = above * distance;
                        let blocks = distance.min(ranks - way);
                        u64::from(blocks) * chunk((src + way) % ranks)
                    })
                    .sum()
            }
            Route::Inside { .. } => {
                (0..self.supernodes).map(|target| chunk(target * self.cards + dst)).sum()
            }
            Route::Across { index } => u64::from(self.cards) * chunk(dst * self.cards + index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hop_carries_every_block_with_its_bit() {
        // Five seats: ways 2 and 3 have bit 2. Seat 0 has its own block for seat 2 and, since the
        // hop over 1 brought it, that of seat 4 for 4 + 3 = seat 2.
        let relay = Relay { size: 50, supernodes: 1, cards: 5, route: Route::Hop { distance: 2 } };
        let transfer = Transfer { src: 0, dst: 2, first: 0, end: 1 };
        assert_eq!(relay.blocks(transfer), [(0, 2), (4, 2)]);
        assert_eq!(relay.ranges(transfer), [20..30, 220..230]);
        assert_eq!(relay.bytes(transfer), 20);
    }

    #[test]
    fn bytes_are_those_of_the_ranges() {
        for size in [0, 1, 17, 100] {
            for route in [
                Route::Hop { distance: 1 },
                Route::Hop { distance: 4 },
                Route::Inside { supernode: 2 },
                Route::Across { index: 1 },
            ] {
                let relay = Relay { size, supernodes: 3, cards: 2, route };
                let transfer = Transfer { src: 0, dst: 1, first: 0, end: 1 };
                let ranges = relay.ranges(transfer);
                let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
                assert_eq!(relay.bytes(transfer), bytes, "{relay:?}");
            }
        }
    }
}
