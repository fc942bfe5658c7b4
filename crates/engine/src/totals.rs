//! What flows carry over many steps.

use std::ops::Range;

use crate::Flow;

impl Flow {
    /// The bytes of the steps of a range, in time that does not grow with it where sizes recur.
    pub fn total(&self, steps: Range<u64>) -> u128 {
        let Range { start: first, end } = steps;
        let steady = self.sizes.steady();
        let regular_end = end.min(steady.until.max(first));
        let bytes = |step: u64| u128::from(self.bytes(step).as_u64());
        let regular = regular_end - first;
        let periods = u128::from(regular / steady.period);
        let mut sum = 0;
        if periods > 0 {
            sum += periods * (first..first + steady.period).map(bytes).sum::<u128>();
        }
        sum += (regular_end - regular % steady.period..regular_end).map(bytes).sum::<u128>();
        sum + (regular_end..end).map(bytes).sum::<u128>()
    }
}
