//! The shape of a double binary tree: parents, children and depths by formula.
//!
//! Positions 0 … n − 1 form one binary tree: position 0 is the root, its only child is the highest
//! power of two below n, and a position with lowest set bit b hangs below the position with that bit
//! cleared and the next one set, or only cleared where that would be n or beyond. Every odd position
//! is a leaf. The second tree is the same one over other positions, so that a rank is (nearly) never
//! inside both trees: mirrored for even n, shifted by one for odd n.
//!
//! Source: Sanders, Speck, Träff, *Two-tree algorithms for full bandwidth broadcast, reduction and
//! scan*, Parallel Computing 35 (2009), sections 2 and 3; the same shape as NCCL since 2.4.

/// One of the two trees over the seats of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TreeShape {
    /// The first tree: seat i stands on position i.
    Plain,
    /// The second tree of an even number of seats: seat i stands on position n − 1 − i.
    Mirrored,
    /// The second tree of an odd number of seats: seat i stands on position i − 1 (mod n).
    Shifted,
}

impl TreeShape {
    /// The second tree of a pair among `seats` seats.
    pub const fn second(seats: u32) -> Self {
        if seats.is_multiple_of(2) { Self::Mirrored } else { Self::Shifted }
    }

    /// The deepest depth among `seats` seats (at least 1 seat); the root has depth 0.
    ///
    /// The left subtree below the highest power of two 2^m < n is complete: its leaves have depth
    /// m + 1 = ⌊log₂(n − 1)⌋ + 1, and no position lies deeper.
    pub const fn height(seats: u32) -> u32 {
        u32::BITS - (seats - 1).leading_zeros()
    }

    /// The seat of the root.
    pub const fn root(self, seats: u32) -> u32 {
        self.seat(0, seats)
    }

    /// The seat above `seat`, or `None` at the root.
    pub fn parent(self, seat: u32, seats: u32) -> Option<u32> {
        let above = parent_position(self.position(seat, seats), seats)?;
        Some(self.seat(above, seats))
    }

    /// The depth of `seat`, 0 at the root; O(log n).
    pub fn depth(self, seat: u32, seats: u32) -> u32 {
        let mut position = self.position(seat, seats);
        let mut depth = 0;
        while let Some(above) = parent_position(position, seats) {
            position = above;
            depth += 1;
        }
        depth
    }

    /// The seats below `seat`: at most two, the one on the lower position first.
    pub fn children(self, seat: u32, seats: u32) -> impl Iterator<Item = u32> {
        child_positions(self.position(seat, seats), seats)
            .into_iter()
            .flatten()
            .map(move |position| self.seat(position, seats))
    }

    const fn position(self, seat: u32, seats: u32) -> u32 {
        match self {
            Self::Plain => seat,
            Self::Mirrored => seats - 1 - seat,
            Self::Shifted => (seat + seats - 1) % seats,
        }
    }

    const fn seat(self, position: u32, seats: u32) -> u32 {
        match self {
            Self::Plain => position,
            Self::Mirrored => seats - 1 - position,
            Self::Shifted => (position + 1) % seats,
        }
    }
}

/// The position above `position`.
const fn parent_position(position: u32, seats: u32) -> Option<u32> {
    if position == 0 {
        return None;
    }
    let lowest = position & position.wrapping_neg();
    let cleared = position ^ lowest;
    let above = cleared | (lowest << 1);
    Some(if above < seats { above } else { cleared })
}

/// The positions below `position`.
fn child_positions(position: u32, seats: u32) -> [Option<u32>; 2] {
    if position == 0 {
        // The highest power of two below n; none in a tree of one.
        let height = TreeShape::height(seats);
        return [(height > 0).then(|| 1 << (height - 1)), None];
    }
    let half = (position & position.wrapping_neg()) >> 1;
    if half == 0 {
        return [None, None];
    }
    // Where the upper child would lie beyond the end, the highest position that clears the same
    // bits and still exists takes its place.
    let mut step = half;
    while step > 0 && position + step >= seats {
        step >>= 1;
    }
    [Some(position - half), (step > 0).then(|| position + step)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_and_parents_agree_and_reach_every_seat() {
        for seats in 1..=130 {
            for shape in [TreeShape::Plain, TreeShape::second(seats)] {
                let mut deepest = 0;
                let mut edges = 0;
                for seat in 0..seats {
                    for child in shape.children(seat, seats) {
                        assert_eq!(shape.parent(child, seats), Some(seat), "{seats} seats");
                        edges += 1;
                    }
                    deepest = deepest.max(shape.depth(seat, seats));
                }
                // A tree over n seats has n − 1 edges.
                assert_eq!(edges, seats - 1);
                assert_eq!(deepest, TreeShape::height(seats), "{seats} seats");
                assert_eq!(shape.parent(shape.root(seats), seats), None);
            }
        }
    }

    #[test]
    fn no_seat_is_inside_both_trees_of_an_even_number() {
        for seats in (2..=64).step_by(2) {
            for seat in 0..seats {
                let inside = |shape: TreeShape| {
                    shape.children(seat, seats).next().is_some() && seat != shape.root(seats)
                };
                assert!(!(inside(TreeShape::Plain) && inside(TreeShape::Mirrored)));
            }
        }
    }

    #[test]
    fn fourteen_seats_have_the_published_shape() {
        // 0 – 8, 8 – 4 and 12, 4 – 2 and 6, 12 – 10 and 13: the picture in Sanders et al. for n = 14.
        let children = |seat| TreeShape::Plain.children(seat, 14).collect::<Vec<_>>();
        assert_eq!(children(0), [8]);
        assert_eq!(children(8), [4, 12]);
        assert_eq!(children(4), [2, 6]);
        assert_eq!(children(12), [10, 13]);
    }
}
