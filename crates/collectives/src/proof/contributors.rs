//! Sets of ranks, cheap to share.

use std::sync::Arc;

use crate::RankId;

/// The ranks whose contribution some bytes contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributors(Arc<[u64]>);

impl Contributors {
    /// Nobody of `ranks` ranks.
    pub fn none(ranks: u32) -> Self {
        Self(vec![0; ranks.div_ceil(u64::BITS) as usize].into())
    }

    /// The given ones of `ranks` ranks.
    pub fn of(ranks: u32, members: &[RankId]) -> Self {
        let mut words = vec![0_u64; ranks.div_ceil(u64::BITS) as usize];
        for member in members {
            words[(member.0 / u64::BITS) as usize] |= 1 << (member.0 % u64::BITS);
        }
        Self(words.into())
    }

    /// Adds `others`; if some are in both sets, the first of them is the error and nothing changes.
    pub(super) fn add(&mut self, others: &Self) -> Result<(), RankId> {
        for (word, (mine, theirs)) in self.0.iter().zip(others.0.iter()).enumerate() {
            if mine & theirs != 0 {
                let bit = (mine & theirs).trailing_zeros();
                return Err(RankId(word as u32 * u64::BITS + bit));
            }
        }
        if let Some(words) = Arc::get_mut(&mut self.0) {
            words.iter_mut().zip(others.0.iter()).for_each(|(mine, theirs)| *mine |= theirs);
        } else {
            self.0 =
                self.0.iter().zip(others.0.iter()).map(|(mine, theirs)| mine | theirs).collect();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_contain_everyone_once() {
        let of = |members: &[u32]| {
            Contributors::of(130, &members.iter().copied().map(RankId).collect::<Vec<_>>())
        };
        let mut sum = of(&[3, 64]);
        assert_eq!(sum.add(&of(&[0, 129])), Ok(()));
        assert_eq!(sum, of(&[0, 3, 64, 129]));
        assert_eq!(sum.add(&of(&[5, 129])), Err(RankId(129)));
        assert_eq!(sum, of(&[0, 3, 64, 129]));
    }
}
