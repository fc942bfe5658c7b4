//! What one of several jobs came to.

use serde::{Deserialize, Serialize};

use crate::show::Fraction;

/// One job of a point: exact integers only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRecord {
    /// The name of the job; no two jobs of a point share one.
    pub name: String,
    /// How many ranks it has.
    pub ranks: u32,
    /// The word of its placement, e.g. "linear".
    pub placement: String,
    /// When it was to start, in picoseconds.
    pub start_ps: u64,
    /// When the last of its ranks was done beside the other jobs, no earlier than its start.
    pub finish_ps: u64,
    /// How long it takes from its start when it has the fabric for itself, on the same cards.
    pub alone_ps: u64,
    /// How many supernodes hold one of its ranks.
    pub supernodes: u32,
    /// The fewest supernodes that could hold them all, if no card was taken or busy.
    pub fewest_supernodes: u32,
}

impl JobRecord {
    /// How long it took beside the others, from its start.
    pub const fn time_ps(&self) -> u64 {
        self.finish_ps - self.start_ps
    }

    /// Its time beside the others over its time alone, exactly; `None` when it takes no time alone.
    pub fn slowdown(&self) -> Option<Fraction> {
        Fraction::new(u128::from(self.time_ps()), u128::from(self.alone_ps))
    }
}
