//! Folding any number of seats to a power of two, and the blocks of halving–doubling.

use std::ops::Range;

use units::{Bytes, Split};

/// In which order halving–doubling meets its partners.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum HalvingOrder {
    /// Distances 1, 2, 4, …: most data at distance 1. The usual choice.
    DistanceDoubling,
    /// Distances n/2, n/4, …, 1: most data over the longest distance.
    DistanceHalving,
}

/// A seat number between 0 and n − 1 folded to a core of a power of two.
///
/// With r = n − 2^⌊log₂ n⌋ folded pairs, seat 2i hands over to seat 2i + 1 for i < r; the core
/// consists of these odd seats and of all seats from 2r on.
///
/// Source: Rabenseifner, Träff, *More efficient reduction algorithms for non-power-of-two number of
/// processors in message-passing parallel systems*, EuroPVM/MPI 2004, section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    seats: u32,
    folded: u32,
}

impl Fold {
    /// The fold of `seats` seats (at least 1).
    pub(crate) const fn new(seats: u32) -> Self {
        Self { seats, folded: seats - (1 << seats.ilog2()) }
    }

    /// The number of pairs that fold.
    pub(crate) const fn folded(self) -> u32 {
        self.folded
    }

    /// The number of seats of the core, a power of two.
    pub(crate) const fn core(self) -> u32 {
        self.seats - self.folded
    }

    /// The number of exchanges: log₂ of the core.
    pub(crate) const fn exchanges(self) -> u32 {
        self.core().ilog2()
    }

    /// The seat of core index `index`.
    pub(crate) const fn seat(self, index: u32) -> u32 {
        if index < self.folded { 2 * index + 1 } else { index + self.folded }
    }

    /// The number of seats whose place is taken by a core index below `index`: itself, and what has
    /// handed over to it.
    pub(crate) const fn seats_before(self, index: u32) -> u32 {
        index + if index < self.folded { index } else { self.folded }
    }

    /// The core index of `seat`, or `None` when it has handed over.
    pub(crate) const fn index(self, seat: u32) -> Option<u32> {
        if seat >= 2 * self.folded {
            Some(seat - self.folded)
        } else if seat % 2 == 1 {
            Some(seat / 2)
        } else {
            None
        }
    }
}

/// Into what blocks a vector is cut that is halved step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// One for each seat of the core.
    Core,
    /// One for each seat; a seat of the core is responsible for that of the seat that handed over to
    /// it, too. Only for [`HalvingOrder::DistanceHalving`], which keeps the blocks in the order of
    /// the seats.
    Seats,
}

/// The blocks of a vector cut among the core of a fold, halved step by step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Halving {
    /// The vector.
    pub range: Range<u64>,
    /// The order of the exchanges, which decides which halves meet.
    pub order: HalvingOrder,
    /// Into what blocks the vector is cut.
    pub cut: Cut,
    /// How often the vector has been halved, 0 … log₂ of the core.
    pub halvings: u32,
}

impl Halving {
    /// The distance of exchange number `exchange` (from 0) as a mask of core indexes.
    pub(crate) const fn mask(order: HalvingOrder, exchange: u32, exchanges: u32) -> u32 {
        match order {
            HalvingOrder::DistanceDoubling => 1 << exchange,
            HalvingOrder::DistanceHalving => 1 << (exchanges - 1 - exchange),
        }
    }

    /// What `seat` (of the core, among `seats`) is responsible for after the halvings.
    ///
    /// Each exchange decides by the bit of its mask which half stays, so the bits of the core index
    /// in the order of the masks are the bits of the block from the highest down.
    pub(crate) fn share(&self, seat: u32, seats: u32) -> Range<u64> {
        let fold = Fold::new(seats);
        let index = fold.index(seat).expect("only seats of the core exchange");
        let exchanges = fold.exchanges();
        let natural = match self.order {
            HalvingOrder::DistanceHalving => index,
            // With no exchange there is one block, and a shift by all bits would not be defined.
            HalvingOrder::DistanceDoubling if exchanges == 0 => 0,
            HalvingOrder::DistanceDoubling => index.reverse_bits() >> (u32::BITS - exchanges),
        };
        let left = exchanges - self.halvings;
        let first = u64::from(natural >> left) << left;
        let total = Bytes::new(self.range.end - self.range.start);
        let start = |block: u64| match self.cut {
            Cut::Core => Split { total, parts: u64::from(fold.core()) }.start(block),
            Cut::Seats => {
                let before = u64::from(fold.seats_before(block as u32));
                Split { total, parts: u64::from(seats) }.start(before)
            }
        };
        self.range.start + start(first)..self.range.start + start(first + (1 << left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_indexes_and_seats_are_inverse() {
        for seats in 1..=100 {
            let fold = Fold::new(seats);
            assert!(fold.core().is_power_of_two());
            let indexes: Vec<u32> = (0..seats).filter_map(|seat| fold.index(seat)).collect();
            assert_eq!(indexes, (0..fold.core()).collect::<Vec<_>>());
            for index in indexes {
                assert_eq!(fold.index(fold.seat(index)), Some(index));
            }
        }
    }

    #[test]
    fn six_seats_fold_two_pairs() {
        // 6 = 4 + 2: seats 0 → 1 and 2 → 3 fold, the core is 1, 3, 4, 5.
        let fold = Fold::new(6);
        assert_eq!(fold.folded(), 2);
        assert_eq!((0..4).map(|index| fold.seat(index)).collect::<Vec<_>>(), [1, 3, 4, 5]);
    }

    #[test]
    fn shares_halve_in_the_order_of_the_masks() {
        // 8 bytes among 4 seats, distance doubling: seat 1 keeps the upper half after mask 1,
        // then the lower half of it (bit 1 is clear): bytes 4 … 6.
        let order = HalvingOrder::DistanceDoubling;
        let halved = |halvings| Halving { range: 0..8, order, cut: Cut::Core, halvings };
        assert_eq!(halved(0).share(1, 4), 0..8);
        assert_eq!(halved(1).share(1, 4), 4..8);
        assert_eq!(halved(2).share(1, 4), 4..6);
    }

    #[test]
    fn a_seat_of_the_core_is_responsible_for_what_handed_over_to_it() {
        // 12 bytes among 6 seats, 2 each; the core is 1, 3, 4, 5 with blocks 0–1, 2–3, 4 and 5.
        let order = HalvingOrder::DistanceHalving;
        let halved = |halvings| Halving { range: 0..12, order, cut: Cut::Seats, halvings };
        assert_eq!(halved(1).share(1, 6), 0..8);
        assert_eq!(halved(1).share(4, 6), 8..12);
        let last: Vec<_> = [1, 3, 4, 5].map(|seat| halved(2).share(seat, 6)).to_vec();
        assert_eq!(last, [0..4, 4..8, 8..10, 10..12]);
    }
}
