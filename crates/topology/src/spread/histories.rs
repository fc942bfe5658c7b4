//! What links carry over the states of a fabric, so that those that change alike can be merged.

use rustc_hash::FxHashMap;
use units::Bandwidth;

use crate::{Fabric, LinkId};

/// The history of each link as a number: of two links with equal rates now and equal numbers, the
/// rates stay equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Vec<u32>);

impl Histories {
    /// The histories over the states that follow the present one; linear in the links of all states.
    pub(super) fn new(later: &[&Fabric]) -> Self {
        let Some(first) = later.first() else { return Self::default() };
        let mut known: FxHashMap<Vec<Bandwidth>, u32> = FxHashMap::default();
        let history = |link: usize| {
            let rates = later.iter().map(|fabric| fabric.links()[link].goodput).collect();
            let next = known.len() as u32;
            *known.entry(rates).or_insert(next)
        };
        Self((0..first.links().len()).map(history).collect())
    }

    /// The number of a link's history; all are alike where nothing follows.
    pub(super) fn of(&self, link: LinkId) -> u32 {
        self.0.get(link.index()).copied().unwrap_or_default()
    }
}
