//! A vector as intervals with equal contributors.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Contributors;
use crate::RankId;

/// A vector of bytes, each known by its contributors.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    /// End and contributors of each interval, by its start. Bytes outside hold nothing.
    intervals: BTreeMap<u64, (u64, Contributors)>,
}

/// Intervals read from a buffer.
pub(super) type Copied = Vec<(Range<u64>, Contributors)>;

impl Buffer {
    /// The intervals in order, as start, end and contributors; neighbours may be equal.
    pub fn intervals(&self) -> impl Iterator<Item = (u64, u64, &Contributors)> {
        self.intervals.iter().map(|(&start, (end, whose))| (start, *end, whose))
    }

    /// Whether every byte of `range` is there and has exactly these contributors.
    pub fn holds(&self, range: Range<u64>, whose: &Contributors) -> bool {
        let mut reached = range.start;
        for (start, end, found) in self.intervals() {
            if end.min(range.end) > start.max(range.start) {
                if start > reached || found != whose {
                    return false;
                }
                reached = end;
            }
        }
        reached >= range.end
    }

    /// What the bytes of `range` contain.
    pub(super) fn read(&self, range: &Range<u64>) -> Copied {
        let first = self.intervals.range(..=range.start).next_back();
        let later = self.intervals.range(range.start + 1..range.end.max(range.start + 1));
        first
            .into_iter()
            .chain(later)
            .map(|(&start, (end, whose))| {
                (start.max(range.start)..(*end).min(range.end), whose.clone())
            })
            .filter(|(part, _)| part.start < part.end)
            .collect()
    }

    /// Replaces the bytes of `range` by `copied`, which was read from the same range elsewhere.
    pub(super) fn store(&mut self, range: &Range<u64>, copied: Copied) {
        self.cut(range);
        let old: Vec<u64> = self.intervals.range(range.clone()).map(|(&start, _)| start).collect();
        for start in old {
            self.intervals.remove(&start);
        }
        for (part, whose) in copied {
            self.intervals.insert(part.start, (part.end, whose));
        }
    }

    /// Adds `copied` to the bytes here; the error is a contributor that was there already.
    pub(super) fn reduce(&mut self, copied: &Copied) -> Result<(), RankId> {
        for (part, theirs) in copied {
            self.cut(part);
            let mut reached = part.start;
            let mut missing = Vec::new();
            for (&start, (end, mine)) in self.intervals.range_mut(part.clone()) {
                mine.add(theirs)?;
                if reached < start {
                    missing.push(reached..start);
                }
                reached = *end;
            }
            if reached < part.end {
                missing.push(reached..part.end);
            }
            for gap in missing {
                self.intervals.insert(gap.start, (gap.end, theirs.clone()));
            }
        }
        Ok(())
    }

    /// Cuts the intervals at both ends of `range`.
    fn cut(&mut self, range: &Range<u64>) {
        for at in [range.start, range.end] {
            if let Some((_, (end, whose))) = self.intervals.range_mut(..at).next_back()
                && *end > at
            {
                let rest = (*end, whose.clone());
                *end = at;
                self.intervals.insert(at, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(members: &[u32]) -> Contributors {
        Contributors::of(8, &members.iter().copied().map(RankId).collect::<Vec<_>>())
    }

    #[test]
    fn sums_and_gaps_are_kept_apart() {
        let mut buffer = Buffer::default();
        buffer.store(&(0..4), vec![(0..4, of(&[0]))]);
        buffer.store(&(8..9), vec![(8..9, of(&[0]))]);
        assert_eq!(buffer.reduce(&vec![(2..10, of(&[1]))]), Ok(()));
        assert!(buffer.holds(0..2, &of(&[0])));
        assert!(buffer.holds(2..4, &of(&[0, 1])));
        assert!(buffer.holds(4..8, &of(&[1])));
        assert!(buffer.holds(8..9, &of(&[0, 1])));
        assert!(buffer.holds(9..10, &of(&[1])));
        assert!(!buffer.holds(9..11, &of(&[1])));
        assert!(buffer.holds(3..3, &of(&[])));
        assert_eq!(buffer.reduce(&vec![(3..4, of(&[1]))]), Err(RankId(1)));
    }

    #[test]
    fn copies_replace_what_was_there() {
        let mut buffer = Buffer::default();
        buffer.store(&(0..10), vec![(0..10, of(&[0]))]);
        // Nothing was read for byte 4: it is gone here too.
        buffer.store(&(3..5), vec![(3..4, of(&[1]))]);
        assert_eq!(buffer.read(&(2..6)), [(2..3, of(&[0])), (3..4, of(&[1])), (5..6, of(&[0]))]);
        assert!(buffer.read(&(7..7)).is_empty());
    }
}
