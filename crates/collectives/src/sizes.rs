//! The sizes of one transfer, step by step.

use units::{Bytes, Split};

/// The sizes of one transfer over the steps of its stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sizes {
    /// The same in every step.
    Constant(Bytes),
    /// Chunk (`first` − step) mod n of a split whose chunks differ.
    Backwards {
        /// The vector and the number of chunks.
        split: Split,
        /// The chunk of step 0, reduced by the period of the split.
        first: u64,
    },
    /// The same in every step but the last one, which is smaller.
    LastSmaller {
        /// The size in all steps before the last one.
        chunk: Bytes,
        /// The size in the last step.
        last: Bytes,
        /// The step of the stage after the last one.
        end: u64,
    },
}

impl Sizes {
    /// The size in step `step` of the stage (a step in which the transfer takes place).
    pub const fn at(self, step: u64) -> Bytes {
        match self {
            Self::Constant(bytes) => bytes,
            Self::Backwards { split, first } => {
                let period = split.period();
                split.chunk((first + period - step % period) % period)
            }
            Self::LastSmaller { chunk, last, end } => {
                if step + 1 < end {
                    chunk
                } else {
                    last
                }
            }
        }
    }

    /// After how many steps the sizes repeat (1 when they are constant).
    ///
    /// Sizes whose last one is smaller do not repeat: for them it is the step after the last one,
    /// which no step reaches; [`steady`](Self::steady) says more about them.
    pub const fn period(self) -> u64 {
        match self {
            Self::Constant(_) => 1,
            Self::Backwards { split, .. } => split.period(),
            Self::LastSmaller { end, .. } => end,
        }
    }

    /// The period of the steps before a limit, and the limit: a step beyond it may have another size.
    pub const fn steady(self) -> Steady {
        match self {
            Self::Constant(_) | Self::Backwards { .. } => {
                Steady { period: self.period(), until: u64::MAX }
            }
            Self::LastSmaller { end, .. } => Steady { period: 1, until: end - 1 },
        }
    }
}

/// How long sizes repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steady {
    /// After how many steps the sizes repeat, at least 1.
    pub period: u64,
    /// The first step of the stage that may break the period.
    pub until: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_step_is_smaller() {
        // Steps 2 … 4 of 10, 10 and 3 bytes.
        let sizes = Sizes::LastSmaller { chunk: Bytes::new(10), last: Bytes::new(3), end: 5 };
        let told: Vec<u64> = (2..5).map(|step| sizes.at(step).as_u64()).collect();
        assert_eq!(told, [10, 10, 3]);
        assert_eq!(sizes.steady(), Steady { period: 1, until: 4 });
    }
}
