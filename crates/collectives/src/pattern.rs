//! Who sends to whom in a step.

use std::sync::Arc;

use crate::TreeShape;
use crate::folding::Fold;

/// The transfers of one step, told from the number of seats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Nobody sends: a step of computation.
    Idle,
    /// Seat i sends to seat (i + distance) mod n.
    Shift {
        /// 1 … n − 1.
        distance: u32,
    },
    /// Every seat sends to every other seat at once.
    AllPairs,
    /// The listed transfers (source seat, destination seat); no pair stands twice.
    List(Vec<(u32, u32)>),
    /// With r = n − 2^⌊log₂ n⌋, seat 2i sends to seat 2i + 1 for i < r: what is above a power of two
    /// hands over to its neighbour.
    FoldIn,
    /// The reverse of [`FoldIn`](Self::FoldIn).
    FoldOut,
    /// The seats that have not handed over, numbered from 0, exchange with number xor mask.
    Exchange {
        /// A power of two below their number.
        mask: u32,
    },
    /// Chunks climb a binary tree: with D the deepest depth and K chunks, a seat at depth d sends
    /// chunk c to its parent in step c + D − d. The stage has K + D − 1 steps.
    TreeUp(TreeShape),
    /// Chunks pass along a chain: with K chunks seat k sends chunk c to seat k + 1 in step c + k. The
    /// stage has K + n − 2 steps.
    Chain,
    /// Seats that are multiples of 2 · mask send to the seat mask further, if there is one.
    FanOut {
        /// A power of two below n.
        mask: u32,
    },
    /// The reverse of [`FanOut`](Self::FanOut).
    FanIn {
        /// A power of two below n.
        mask: u32,
    },
    /// Seat 0 sends to every other seat at once.
    FromFirst,
    /// Every other seat sends to seat 0 at once.
    ToFirst,
    /// The last seat sends to every other seat at once.
    FromLast,
    /// Every other seat sends to the last seat at once.
    ToLast,
    /// The listed transfers in their windows, by source; the windows of a pair do not overlap.
    InWindows(Arc<[Transfer]>),
    /// Chunks descend a binary tree: a seat at depth d sends chunk c to its children in step c + d.
    /// The stage has K + D − 1 steps.
    TreeDown(TreeShape),
}

/// A transfer of a pattern, between two seats, in every step of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The sending seat.
    pub src: u32,
    /// The receiving seat.
    pub dst: u32,
    /// The first step of the stage in which it takes place.
    pub first: u64,
    /// The step after the last one.
    pub end: u64,
}

impl Pattern {
    /// Tells `visit` every transfer of a stage of `steps` steps among `seats` seats, by source seat
    /// and then in the order in which the source sends them.
    ///
    /// All pairs are told too: a caller that cannot afford n² asks [`is_all_pairs`](Self::is_all_pairs) first.
    pub fn for_each(&self, seats: u32, steps: u64, visit: &mut dyn FnMut(Transfer)) {
        let mut always = |src, dst| visit(Transfer { src, dst, first: 0, end: steps });
        match self {
            Self::Idle => {}
            Self::Shift { distance } => {
                for src in 0..seats {
                    always(src, (src + distance) % seats);
                }
            }
            Self::AllPairs => {
                for src in 0..seats {
                    for hop in 1..seats {
                        always(src, (src + hop) % seats);
                    }
                }
            }
            Self::List(pairs) => {
                for &(src, dst) in pairs {
                    always(src, dst);
                }
            }
            Self::FoldIn => {
                for pair in 0..Fold::new(seats).folded() {
                    always(2 * pair, 2 * pair + 1);
                }
            }
            Self::FoldOut => {
                for pair in 0..Fold::new(seats).folded() {
                    always(2 * pair + 1, 2 * pair);
                }
            }
            Self::Exchange { mask } => {
                let fold = Fold::new(seats);
                for index in 0..fold.core() {
                    always(fold.seat(index), fold.seat(index ^ mask));
                }
            }
            Self::Chain => {
                let chunks = (steps + 2).checked_sub(u64::from(seats));
                let chunks = chunks.expect("a chain has a step for each seat beside its chunks");
                for src in 0..seats - 1 {
                    let first = u64::from(src);
                    visit(Transfer { src, dst: src + 1, first, end: first + chunks });
                }
            }
            Self::FanOut { mask } => branches(seats, *mask, &mut always),
            Self::FanIn { mask } => branches(seats, *mask, &mut |src, dst| always(dst, src)),
            Self::FromFirst => (1..seats).for_each(|dst| always(0, dst)),
            Self::ToFirst => (1..seats).for_each(|src| always(src, 0)),
            Self::FromLast => (0..seats - 1).for_each(|dst| always(seats - 1, dst)),
            Self::ToLast => (0..seats - 1).for_each(|src| always(src, seats - 1)),
            Self::InWindows(windows) => windows.iter().copied().for_each(visit),
            Self::TreeUp(shape) => climb(*shape, seats, steps, visit),
            Self::TreeDown(shape) => descend(*shape, seats, steps, visit),
        }
    }

    /// Whether every seat sends to every other seat.
    pub const fn is_all_pairs(&self) -> bool {
        matches!(self, Self::AllPairs)
    }
}

/// The seats that face each other at a level of a binomial tree, the one nearer to the root first.
fn branches(seats: u32, mask: u32, visit: &mut dyn FnMut(u32, u32)) {
    for near in (0..seats).step_by(2 * mask as usize) {
        if near + mask < seats {
            visit(near, near + mask);
        }
    }
}

/// The number of chunks that a tree of `seats` seats moves one level a step in `steps` steps.
fn chunks(seats: u32, steps: u64) -> u64 {
    (steps + 1)
        .checked_sub(u64::from(TreeShape::height(seats)))
        .filter(|&chunks| chunks > 0)
        .expect("a tree stage has a step for each level beside those for its chunks")
}

fn climb(shape: TreeShape, seats: u32, steps: u64, visit: &mut dyn FnMut(Transfer)) {
    let chunks = chunks(seats, steps);
    for src in 0..seats {
        if let Some(dst) = shape.parent(src, seats) {
            let first = u64::from(TreeShape::height(seats) - shape.depth(src, seats));
            visit(Transfer { src, dst, first, end: first + chunks });
        }
    }
}

fn descend(shape: TreeShape, seats: u32, steps: u64, visit: &mut dyn FnMut(Transfer)) {
    let chunks = chunks(seats, steps);
    for src in 0..seats {
        let first = u64::from(shape.depth(src, seats));
        for dst in shape.children(src, seats) {
            visit(Transfer { src, dst, first, end: first + chunks });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pattern: &Pattern, seats: u32, steps: u64) -> Vec<Transfer> {
        let mut told = Vec::new();
        pattern.for_each(seats, steps, &mut |transfer| told.push(transfer));
        told
    }

    #[test]
    fn chunks_climb_level_by_level() {
        // Four seats: 0 – 2 – (1, 3), D = 2. With 3 chunks the stage has 3 + 2 − 1 = 4 steps:
        // depth 2 sends in steps 0 … 2, depth 1 in steps 1 … 3.
        let up = |src, dst, first| Transfer { src, dst, first, end: first + 3 };
        assert_eq!(
            told(&Pattern::TreeUp(TreeShape::Plain), 4, 4),
            [up(1, 2, 0), up(2, 0, 1), up(3, 2, 0)]
        );
        assert_eq!(
            told(&Pattern::TreeDown(TreeShape::Plain), 4, 4),
            [up(0, 2, 0), up(2, 1, 1), up(2, 3, 1)]
        );
    }

    #[test]
    fn five_seats_fold_one_pair_and_exchange_four() {
        let once = |src, dst| Transfer { src, dst, first: 0, end: 1 };
        assert_eq!(told(&Pattern::FoldIn, 5, 1), [once(0, 1)]);
        assert_eq!(told(&Pattern::FoldOut, 5, 1), [once(1, 0)]);
        // The core is 1, 2, 3, 4: numbers 0 … 3, exchanged by mask 2.
        assert_eq!(
            told(&Pattern::Exchange { mask: 2 }, 5, 1),
            [once(1, 3), once(2, 4), once(3, 1), once(4, 2)]
        );
    }

    #[test]
    fn chains_and_branches_know_their_seats() {
        // Two chunks along four seats: 2 + 4 − 2 = 4 steps.
        let pass = |src, first| Transfer { src, dst: src + 1, first, end: first + 2 };
        assert_eq!(told(&Pattern::Chain, 4, 4), [pass(0, 0), pass(1, 1), pass(2, 2)]);
        let once = |src, dst| Transfer { src, dst, first: 0, end: 1 };
        assert_eq!(told(&Pattern::FanOut { mask: 2 }, 7, 1), [once(0, 2), once(4, 6)]);
        assert_eq!(told(&Pattern::FanIn { mask: 2 }, 6, 1), [once(2, 0)]);
    }

    #[test]
    fn transfers_come_by_source() {
        for pattern in [
            Pattern::Shift { distance: 3 },
            Pattern::AllPairs,
            Pattern::FoldIn,
            Pattern::FoldOut,
            Pattern::Exchange { mask: 4 },
            Pattern::TreeUp(TreeShape::Shifted),
            Pattern::TreeDown(TreeShape::Shifted),
            Pattern::FanOut { mask: 2 },
            Pattern::FanIn { mask: 2 },
            Pattern::FromFirst,
            Pattern::ToFirst,
            Pattern::FromLast,
            Pattern::ToLast,
        ] {
            let sources: Vec<u32> = told(&pattern, 13, 9).iter().map(|t| t.src).collect();
            assert!(sources.is_sorted(), "{pattern:?}");
            assert!(!sources.is_empty());
        }
    }
}
