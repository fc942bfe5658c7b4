//! Which point a thread takes next.
//!
//! Points of one fabric and workload that differ in swept values alone often come to the same problem,
//! which one of them solves while the others would wait. So a thread stays with such a family, and
//! threads meet in one only when none is untouched any more.
//!
//! Families are taken workload by workload: those of one take about as long on every fabric, so that with
//! the longest workloads first in a scenario the threads end at about the same time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use scenario::Point;

/// Points in families, by their workloads, then in the order of the first of each.
pub(crate) struct Queue {
    families: Vec<Family>,
    untouched: AtomicUsize,
}

struct Family {
    /// Indexes of points.
    points: Vec<usize>,
    next: AtomicUsize,
}

impl Family {
    fn next(&self) -> Option<usize> {
        self.points.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

impl Queue {
    /// All of `points`.
    pub(crate) fn new(points: &[&Point]) -> Self {
        Self::of(points.iter().map(|point| point.family()))
    }

    /// Points by what their families are called: a fabric and a workload.
    fn of<F: Ord, W: Ord + Copy>(names: impl Iterator<Item = (F, W)>) -> Self {
        let (mut known, mut workloads) = (BTreeMap::new(), BTreeMap::new());
        let mut families: Vec<(usize, Vec<usize>)> = Vec::new();
        for (index, (fabric, workload)) in names.enumerate() {
            let count = workloads.len();
            let turn = *workloads.entry(workload).or_insert(count);
            let family = *known.entry((fabric, workload)).or_insert(families.len());
            if family == families.len() {
                families.push((turn, Vec::new()));
            }
            families[family].1.push(index);
        }
        families.sort_by_key(|&(turn, _)| turn);
        let family = |(_, points)| Family { points, next: AtomicUsize::new(0) };
        Self {
            families: families.into_iter().map(family).collect(),
            untouched: AtomicUsize::new(0),
        }
    }

    /// The next point of a thread that stays with family `own`, `None` at first, while it lasts.
    pub(crate) fn next(&self, own: &mut Option<usize>) -> Option<usize> {
        if let Some(point) = own.and_then(|own| self.families[own].next()) {
            return Some(point);
        }
        let untouched = self.untouched.fetch_add(1, Ordering::Relaxed);
        let others = untouched.min(self.families.len())..self.families.len();
        let (family, point) = others.chain(0..self.families.len()).find_map(|family| {
            let point = self.families[family].next()?;
            Some((family, point))
        })?;
        *own = Some(family);
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fabrics a and b, swept over two values, with two workloads: points 0 and 1, 4 and 5 … differ in their
    /// workload, 0 and 2 in the swept value.
    fn queue() -> Queue {
        Queue::of(["a", "b"].into_iter().flat_map(|fabric| [0, 1, 0, 1].map(|work| (fabric, work))))
    }

    #[test]
    fn one_thread_takes_workload_after_workload() {
        let (queue, mut own) = (queue(), None);
        let order: Vec<usize> = std::iter::from_fn(|| queue.next(&mut own)).collect();
        assert_eq!(order, [0, 2, 4, 6, 1, 3, 5, 7]);
    }

    #[test]
    fn threads_stay_with_their_families_and_help_at_the_end() {
        let queue = queue();
        let (mut first, mut second) = (None, None);
        assert_eq!(queue.next(&mut first), Some(0));
        assert_eq!(queue.next(&mut second), Some(4));
        // The first one is quicker and takes all of its own, then those that nobody has begun.
        let quick: Vec<usize> = (0..6).filter_map(|_| queue.next(&mut first)).collect();
        assert_eq!(quick, [2, 1, 3, 5, 7, 6]);
        assert_eq!((queue.next(&mut first), queue.next(&mut second)), (None, None));
    }
}
