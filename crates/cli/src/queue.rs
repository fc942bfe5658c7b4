//! Which point a thread takes next.
//!
//! Points of one fabric and workload that differ in swept values alone often come to the same problem,
//! which one of them solves while the others would wait. So a thread stays with such a family, and
//! threads meet in one only when none is untouched any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use scenario::Point;

/// Points in families, in the order of the first of each.
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
        let mut known = BTreeMap::new();
        let mut families: Vec<Family> = Vec::new();
        for (index, point) in points.iter().enumerate() {
            let family = *known.entry(point.family()).or_insert(families.len());
            if family == families.len() {
                families.push(Family { points: Vec::new(), next: AtomicUsize::new(0) });
            }
            families[family].points.push(index);
        }
        Self { families, untouched: AtomicUsize::new(0) }
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
