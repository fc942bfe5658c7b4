//! What is known of each flow: half a cache line each.

use std::hint::select_unpredictable;

use super::NONE;

/// A flow and its rates.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct FlowRate {
    /// Its path now, or of its last time; [`NONE`] before it has one.
    pub(super) path: u32,
    pub(super) rate: u64,
    /// The resource that holds it back.
    pub(super) holder: u32,
    pub(super) is_in_set: bool,
    /// Whether it has left and still counts on what it crossed.
    pub(super) is_leaving: bool,
    pub(super) next_rate: u64,
    pub(super) next_holder: u32,
}

impl FlowRate {
    /// A flow that has not come yet.
    pub(super) const fn new(path: u32) -> Self {
        Self {
            path,
            rate: 0,
            holder: NONE,
            is_in_set: false,
            is_leaving: false,
            next_rate: 0,
            next_holder: NONE,
        }
    }

    /// The rate under trial: the new one in the set, the standing one outside. Which of them is not guessed:
    /// a wrong guess would wait for memory, and those asked for after it with it.
    pub(super) fn tried_rate(&self) -> u64 {
        select_unpredictable(self.is_in_set, self.next_rate, self.rate)
    }
}
