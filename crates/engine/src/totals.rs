//! What flows carry over many steps.

use std::ops::Range;

use units::Bytes;

use crate::Terms;

impl Terms {
    /// The bytes of the steps of a range, in time that does not grow with it where sizes recur.
    pub fn total(&self, steps: Range<u64>) -> u128 {
        let mut sum = 0;
        self.for_each_size(steps, &mut |bytes, steps| sum += u128::from(bytes.as_u64()) * steps);
        sum
    }

    /// Tells the sizes of the steps of a range, each with a number of steps that have it.
    pub fn for_each_size(&self, steps: Range<u64>, tell: &mut dyn FnMut(Bytes, u128)) {
        let Range { start: first, end } = steps;
        let steady = self.sizes.steady();
        let regular_end = end.min(steady.until.max(first));
        let regular = regular_end - first;
        let periods = u128::from(regular / steady.period);
        if periods > 0 {
            (first..first + steady.period).for_each(|step| tell(self.bytes(step), periods));
        }
        let rest = regular_end - regular % steady.period..end;
        rest.for_each(|step| tell(self.bytes(step), 1));
    }
}
