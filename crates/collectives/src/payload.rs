//! What a transfer carries: which bytes of the vector, step by step.

use std::ops::Range;
use std::sync::Arc;

use units::{Bytes, Split};

use crate::folding::Halving;
use crate::relay::Relay;
use crate::skew::Skew;
use crate::{Sizes, Transfer};

/// The bytes of a stage's transfers, as ranges of the group's vector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload {
    /// Nothing but the message.
    Empty,
    /// The whole range.
    Whole(Range<u64>),
    /// Chunk (source − step) mod n of the range cut in n: chunks that travel round a ring, each from
    /// the seat of its number.
    Rotating(Range<u64>),
    /// Chunk (source − 1 − step) mod n of the range cut in n: chunks that travel round a ring, each to
    /// the seat of its number, which receives it in step n − 2.
    RotatingHome(Range<u64>),
    /// The destination's chunk of the range cut in n.
    OfDestination(Range<u64>),
    /// The source's chunk of the range cut in n.
    OfSource(Range<u64>),
    /// What the destination is responsible for after the halvings.
    HalvedOfDestination(Halving),
    /// What the source is responsible for after the halvings.
    HalvedOfSource(Halving),
    /// The chunks of a branch of a binomial tree: of the end that is farther from the root (the higher
    /// seat), from its own on, as many as the mask has seats.
    Branch {
        /// The bytes of the vector.
        range: Range<u64>,
        /// How many seats the branch has at most.
        mask: u32,
    },
    /// The destination's block of a buffer cut in uneven blocks.
    Skewed(Skew),
    /// The destination's block of the source's buffer, by a table: block (source, destination) ends at
    /// entry source · n + destination.
    Listed(Arc<[u64]>),
    /// Blocks of an all-to-all that travel over other seats.
    Relayed(Relay),
    /// Several chunks of the range cut in n, from that of one end on in equal strides.
    Strided(Strides),
    /// The pieces of the range cut in so many, one a step of the stage, backwards.
    Backwards {
        /// The bytes of the vector.
        range: Range<u64>,
        /// Into how many pieces it is cut, at least 1.
        pieces: u64,
        /// The piece of the first step, below `pieces` and not below the steps less one.
        last: u64,
    },
    /// The chunks of the range one after the other, one a step from the first step of the transfer.
    Pipelined {
        /// The bytes of the vector.
        range: Range<u64>,
        /// The length of a chunk, at least 1; the last one may be shorter. An empty range is one
        /// empty chunk.
        chunk: Bytes,
    },
}

/// Some chunks of a range cut in n: a first one, then each `backwards` seats before the last (mod n).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strides {
    /// The bytes of the vector.
    pub range: Range<u64>,
    /// Whose chunk is the first.
    pub first: End,
    /// From chunk to chunk, against the numbers of the seats, 1 … n.
    pub backwards: u32,
    /// How many chunks, each once.
    pub count: u32,
}

/// An end of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The seat that sends.
    Source,
    /// The seat that receives.
    Destination,
}

impl End {
    /// The seat at this end.
    pub(crate) const fn of(self, transfer: Transfer) -> u32 {
        match self {
            Self::Source => transfer.src,
            Self::Destination => transfer.dst,
        }
    }
}

impl Strides {
    /// The chunks of a transfer.
    fn chunks(&self, seats: u32, transfer: Transfer) -> impl Iterator<Item = Range<u64>> {
        let n = u64::from(seats);
        let first = u64::from(self.first.of(transfer));
        let backwards = u64::from(self.backwards);
        (0..u64::from(self.count)).map(move |chunk| {
            let index = (first + n - chunk * backwards % n) % n;
            chunk_of(&self.range, n, index)
        })
    }

    /// The bytes of a transfer.
    fn bytes(&self, seats: u32, transfer: Transfer) -> u64 {
        let split = cut(&self.range, u64::from(seats));
        if split.period() == 1 {
            return u64::from(self.count) * split.chunk(0).as_u64();
        }
        self.chunks(seats, transfer).map(|range| range.end - range.start).sum()
    }
}

impl Payload {
    /// The bytes of the vector that `transfer` carries in step `step`, among `seats` seats, as ranges
    /// that do not overlap.
    pub fn ranges(&self, seats: u32, transfer: Transfer, step: u64) -> Vec<Range<u64>> {
        match self {
            Self::Strided(strides) => strides.chunks(seats, transfer).collect(),
            Self::Relayed(relay) => relay.ranges(transfer),
            _ => vec![self.range(seats, transfer, step)],
        }
    }

    /// Which end of a transfer decides how much it carries when every seat sends to every other.
    pub const fn decided_by(&self) -> End {
        match self {
            Self::OfDestination(_) | Self::Skewed(_) | Self::Relayed(_) => End::Destination,
            _ => End::Source,
        }
    }

    /// How many bytes `transfer` carries in step `step`, among `seats` seats.
    fn bytes(&self, seats: u32, transfer: Transfer, step: u64) -> Bytes {
        Bytes::new(match self {
            Self::Strided(strides) => strides.bytes(seats, transfer),
            Self::Relayed(relay) => relay.bytes(transfer),
            _ => {
                let range = self.range(seats, transfer, step);
                range.end - range.start
            }
        })
    }

    /// The same as one range, for what is one.
    fn range(&self, seats: u32, transfer: Transfer, step: u64) -> Range<u64> {
        let n = u64::from(seats);
        let src = u64::from(transfer.src);
        match self {
            Self::Empty => 0..0,
            Self::Whole(range) => range.clone(),
            Self::Rotating(range) => chunk_of(range, n, (src + n - step % n) % n),
            Self::RotatingHome(range) => chunk_of(range, n, (src + 2 * n - 1 - step % n) % n),
            Self::OfDestination(range) => chunk_of(range, n, u64::from(transfer.dst)),
            Self::OfSource(range) => chunk_of(range, n, src),
            Self::HalvedOfDestination(halving) => halving.share(transfer.dst, seats),
            Self::HalvedOfSource(halving) => halving.share(transfer.src, seats),
            Self::Backwards { range, pieces, last } => chunk_of(range, *pieces, last - step),
            Self::Pipelined { range, chunk } => {
                let offset = (step - transfer.first) * chunk.as_u64();
                let length = range.end - range.start;
                let end = offset.saturating_add(chunk.as_u64()).min(length);
                range.start + offset..range.start + end
            }
            Self::Branch { range, mask } => {
                let child = u64::from(transfer.src.max(transfer.dst));
                let end = n.min(child + u64::from(*mask));
                chunk_of(range, n, child).start..chunk_of(range, n, end - 1).end
            }
            Self::Skewed(skew) => skew.block(seats, transfer.dst),
            Self::Listed(ends) => {
                let block = transfer.src as usize * seats as usize + transfer.dst as usize;
                let start = if transfer.dst == 0 { 0 } else { ends[block - 1] };
                start..ends[block]
            }
            Self::Strided(_) | Self::Relayed(_) => unreachable!("these are several ranges"),
        }
    }

    /// The sizes of `transfer` over its steps, among `seats` seats.
    pub fn sizes(&self, seats: u32, transfer: Transfer) -> Sizes {
        let at = |step| self.bytes(seats, transfer, step);
        let backwards = |range: &Range<u64>, first: u64| {
            let split = cut(range, u64::from(seats));
            let period = split.period();
            (period > 1).then_some(Sizes::Backwards { split, first: first % period })
        };
        let src = u64::from(transfer.src);
        let varying = match self {
            Self::Rotating(range) => backwards(range, src),
            Self::RotatingHome(range) => backwards(range, src + u64::from(seats) - 1),
            Self::Backwards { range, pieces, last } => {
                let split = cut(range, *pieces);
                let period = split.period();
                let first = last % period;
                (period > 1).then_some(Sizes::Backwards { split, first })
            }
            Self::Pipelined { chunk, .. } => {
                let last = at(transfer.end - 1);
                let alone = transfer.end - transfer.first == 1;
                (last != *chunk && !alone).then_some(Sizes::LastSmaller {
                    chunk: *chunk,
                    last,
                    end: transfer.end,
                })
            }
            _ => None,
        };
        varying.unwrap_or_else(|| Sizes::Constant(at(transfer.first)))
    }
}

/// `range` cut in `parts`.
const fn cut(range: &Range<u64>, parts: u64) -> Split {
    Split { total: Bytes::new(range.end - range.start), parts }
}

/// Chunk `index` of `range` cut in `parts`.
pub(crate) const fn chunk_of(range: &Range<u64>, parts: u64, index: u64) -> Range<u64> {
    let split = cut(range, parts);
    range.start + split.start(index)..range.start + split.start(index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Cut, HalvingOrder};
    use crate::{Pattern, TreeShape};

    /// Sizes and ranges tell the same lengths in every step.
    fn agree(pattern: &Pattern, payload: &Payload, seats: u32, steps: u64) {
        pattern.for_each(seats, steps, &mut |transfer| {
            let sizes = payload.sizes(seats, transfer);
            for step in transfer.first..transfer.end {
                let ranges = payload.ranges(seats, transfer, step);
                let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
                assert_eq!(sizes.at(step).as_u64(), bytes, "{payload:?}");
            }
        });
    }

    #[test]
    fn sizes_are_the_lengths_of_the_ranges() {
        for length in [0, 1, 6, 7, 8, 13, 22] {
            let range = 5..5 + length;
            let ring = Pattern::Shift { distance: 1 };
            agree(&ring, &Payload::Rotating(range.clone()), 7, 12);
            agree(&ring, &Payload::RotatingHome(range.clone()), 7, 12);
            agree(&Pattern::AllPairs, &Payload::OfDestination(range.clone()), 7, 1);
            for chunk in 1..9 {
                let chunks = u64::max(1, length.div_ceil(chunk));
                let payload = Payload::Pipelined { range: range.clone(), chunk: Bytes::new(chunk) };
                agree(&Pattern::TreeUp(TreeShape::Plain), &payload, 7, chunks + 2);
            }
            let pieces = Payload::Backwards { range: range.clone(), pieces: 12, last: 11 };
            agree(&Pattern::ToLast, &pieces, 7, 12);
            let window = |dst, first, end| Transfer { src: 6, dst, first, end };
            let windows = [window(0, 3, 5), window(1, 0, 3), window(1, 5, 6)];
            let pieces = Payload::Backwards { range: range.clone(), pieces: 12, last: 7 };
            agree(&Pattern::InWindows(windows.into()), &pieces, 7, 6);
            let strides =
                Strides { range: range.clone(), first: End::Source, backwards: 4, count: 2 };
            agree(&Pattern::Shift { distance: 2 }, &Payload::Strided(strides), 7, 1);
            let order = HalvingOrder::DistanceDoubling;
            let halving = Halving { range, order, cut: Cut::Core, halvings: 1 };
            agree(&Pattern::Exchange { mask: 1 }, &Payload::HalvedOfSource(halving), 7, 1);
        }
    }

    #[test]
    fn a_chunk_that_travels_home_arrives_there() {
        // Five seats, step n − 2 = 3: seat i sends chunk i − 1 − 3 = i + 1 (mod 5) to seat i + 1.
        let payload = Payload::RotatingHome(0..50);
        let transfer = Transfer { src: 4, dst: 0, first: 0, end: 4 };
        assert_eq!(payload.ranges(5, transfer, 3), std::slice::from_ref(&(0..10)));
    }
}
