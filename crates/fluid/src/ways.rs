//! Paths over numbered resources, in tables.
//!
//! Millions of hashed paths are known at once. What they cross stands in one table, 4 bytes a crossing
//! while every path crosses whole what it crosses, 12 bytes from the first weight on that is not 1.

use std::slice;

use units::Duration;

use crate::Crossing;

/// What a path crosses.
#[derive(Clone, Copy, Debug)]
pub struct Crossings<'w> {
    resources: &'w [u32],
    /// Empty where all weights are 1.
    weights: &'w [u64],
}

impl<'w> Crossings<'w> {
    /// How many resources, at least one.
    #[expect(clippy::len_without_is_empty, reason = "no path crosses nothing")]
    pub const fn len(self) -> usize {
        self.resources.len()
    }

    /// The crossing at a place of the path.
    ///
    /// # Panics
    /// If the path has not so many.
    pub fn at(self, index: usize) -> Crossing {
        let weight = self.weights.get(index).copied().unwrap_or(1);
        Crossing { resource: self.resources[index], weight }
    }

    /// All of them, in order.
    pub fn iter(self) -> Iter<'w> {
        Iter { resources: self.resources.iter(), weights: self.weights.iter() }
    }
}

impl<'w> IntoIterator for Crossings<'w> {
    type Item = Crossing;
    type IntoIter = Iter<'w>;

    fn into_iter(self) -> Iter<'w> {
        self.iter()
    }
}

/// The crossings of a path, one after the other.
#[derive(Clone, Debug)]
pub struct Iter<'w> {
    resources: slice::Iter<'w, u32>,
    weights: slice::Iter<'w, u64>,
}

impl Iterator for Iter<'_> {
    type Item = Crossing;

    fn next(&mut self) -> Option<Crossing> {
        let resource = *self.resources.next()?;
        Some(Crossing { resource, weight: self.weights.next().copied().unwrap_or(1) })
    }
}

/// Paths, each with its latency.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// Where the crossings of each path begin; one more at the end.
    start: Vec<u32>,
    resources: Vec<u32>,
    /// Empty while all are 1.
    weights: Vec<u64>,
    latencies: Vec<Duration>,
}

impl Default for Ways {
    fn default() -> Self {
        Self { start: vec![0], resources: Vec::new(), weights: Vec::new(), latencies: Vec::new() }
    }
}

impl Ways {
    /// Adds a path and returns its index.
    ///
    /// # Panics
    /// If there is no room for more: 2³² crossings, or paths.
    pub(crate) fn push(
        &mut self,
        crossings: impl IntoIterator<Item = Crossing>,
        latency: Duration,
    ) -> u32 {
        for Crossing { resource, weight } in crossings {
            if weight != 1 && self.weights.is_empty() {
                self.weights = vec![1; self.resources.len()];
            }
            if weight != 1 || !self.weights.is_empty() {
                self.weights.push(weight);
            }
            self.resources.push(resource);
        }
        let end =
            u32::try_from(self.resources.len()).expect("paths cross fewer than 2^32 resources");
        self.start.push(end);
        self.latencies.push(latency);
        self.latencies.len() as u32 - 1
    }

    /// How many paths.
    pub(crate) const fn len(&self) -> u32 {
        self.latencies.len() as u32
    }

    /// What a path crosses.
    pub(crate) fn crossings(&self, path: u32) -> Crossings<'_> {
        let path = path as usize;
        let range = self.start[path] as usize..self.start[path + 1] as usize;
        let weights = if self.weights.is_empty() { &[][..] } else { &self.weights[range.clone()] };
        Crossings { resources: &self.resources[range], weights }
    }

    /// Whether all weights are 1.
    pub(crate) const fn are_whole(&self) -> bool {
        self.weights.is_empty()
    }

    /// The weight of a path on what it crosses at this place.
    pub(crate) fn weight(&self, path: u32, index: u32) -> u64 {
        if self.weights.is_empty() {
            return 1;
        }
        self.weights[(self.start[path as usize] + index) as usize]
    }

    /// The latency of a path.
    pub(crate) fn latency(&self, path: u32) -> Duration {
        self.latencies[path as usize]
    }

    /// Multiplies the weights of each path by its own factor; `None` beyond 64 bits.
    pub(crate) fn scale(&mut self, factor: impl Fn(u32) -> u64) -> Option<()> {
        for path in 0..self.len() {
            let factor = factor(path);
            if factor == 1 {
                continue;
            }
            if self.weights.is_empty() {
                self.weights = vec![1; self.resources.len()];
            }
            let range = self.start[path as usize] as usize..self.start[path as usize + 1] as usize;
            for weight in &mut self.weights[range] {
                *weight = weight.checked_mul(factor)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(resource: u32, weight: u64) -> Crossing {
        Crossing { resource, weight }
    }

    #[test]
    fn weights_are_kept_from_the_first_that_is_not_one() {
        let mut ways = Ways::default();
        let whole = ways.push([crossing(3, 1), crossing(5, 1)], Duration::ZERO);
        assert!(ways.weights.is_empty());
        let part = ways.push([crossing(4, 2)], Duration::from_picos(7));
        let told = |path| ways.crossings(path).iter().collect::<Vec<_>>();
        assert_eq!(told(whole), [crossing(3, 1), crossing(5, 1)]);
        assert_eq!(told(part), [crossing(4, 2)]);
        assert_eq!(ways.latency(part), Duration::from_picos(7));
        assert_eq!((ways.crossings(whole).len(), ways.crossings(whole).at(1)), (2, crossing(5, 1)));
    }

    #[test]
    fn each_path_is_scaled_by_its_own_factor() {
        let mut ways = Ways::default();
        ways.push([crossing(0, 1)], Duration::ZERO);
        ways.push([crossing(1, 1)], Duration::ZERO);
        assert_eq!(ways.scale(|path| if path == 0 { 1 } else { 6 }), Some(()));
        assert_eq!((ways.crossings(0).at(0).weight, ways.crossings(1).at(0).weight), (1, 6));
        assert_eq!(ways.scale(|_| u64::MAX), None);
    }
}
