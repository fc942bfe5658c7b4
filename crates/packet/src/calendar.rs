//! Pending events in the order of their instants: a radix heap.
//!
//! The clock never goes back, so an event is filed by the highest bit in which its instant differs from
//! the last one taken; each event moves down at most once a bit. What is due at one instant is
//! sorted by rank, so the order of all events is total: instant, then rank.
//!
//! Source: Ahuja, Mehlhorn, Orlin, Tarjan: *Faster Algorithms for the Shortest Path Problem*, Journal
//! of the ACM 37 (2), 1990, section 1.

/// A pending event: when, and its rank among those of one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The instant in ps.
    pub(crate) at: u64,
    /// Class and entity.
    pub(crate) rank: u64,
}

/// The buckets: 0 for the instant taken last, b for instants that differ from it first in bit b − 1.
const BUCKETS: usize = 65;

/// A queue of events that never looks back.
#[derive(Clone, Debug)]
pub(crate) struct Calendar {
    /// The instant of the events in bucket 0.
    last: u64,
    buckets: Vec<Vec<Entry>>,
    /// The first instant in each bucket; meaningless while it is empty.
    first: [u64; BUCKETS],
    /// The buckets that hold something, by bit.
    filled: u128,
    /// An empty vector to trade with the bucket that is being spread.
    spare: Vec<Entry>,
}

impl Calendar {
    /// A calendar without events, at the beginning of time.
    pub(crate) fn new() -> Self {
        Self {
            last: 0,
            buckets: vec![Vec::new(); BUCKETS],
            first: [0; BUCKETS],
            filled: 0,
            spare: Vec::new(),
        }
    }

    /// Files an event, not before the last one taken.
    pub(crate) fn push(&mut self, at: u64, rank: u64) {
        debug_assert!(at >= self.last, "events are of the future");
        let bucket = self.bucket(at);
        if bucket == 0 {
            // Rare: an event at the very instant that is being handled.
            let due = &mut self.buckets[0];
            let place = due.partition_point(|entry| entry.rank > rank);
            due.insert(place, Entry { at, rank });
            self.filled |= 1;
            return;
        }
        self.file(bucket, Entry { at, rank });
    }

    /// The instant of the next event.
    pub(crate) fn next_time(&self) -> Option<u64> {
        match self.filled.trailing_zeros() as usize {
            0 => Some(self.last),
            bucket if bucket < BUCKETS => Some(self.first[bucket]),
            _ => None,
        }
    }

    /// Takes the next event if it is due at `now`.
    pub(crate) fn pop_due(&mut self, now: u64) -> Option<Entry> {
        if self.next_time()? > now {
            return None;
        }
        if self.filled & 1 == 0 {
            self.spread();
        }
        let due = &mut self.buckets[0];
        let entry = due.pop();
        if due.is_empty() {
            self.filled &= !1;
        }
        entry
    }

    const fn bucket(&self, at: u64) -> usize {
        (u64::BITS - (at ^ self.last).leading_zeros()) as usize
    }

    fn file(&mut self, bucket: usize, entry: Entry) {
        let bit = 1 << bucket;
        if self.filled & bit == 0 || entry.at < self.first[bucket] {
            self.first[bucket] = entry.at;
            self.filled |= bit;
        }
        self.buckets[bucket].push(entry);
    }

    /// Moves on to the next instant: the events of the lowest bucket go further down.
    fn spread(&mut self) {
        let bucket = self.filled.trailing_zeros() as usize;
        self.filled &= !(1 << bucket);
        self.last = self.first[bucket];
        let mut entries = std::mem::take(&mut self.spare);
        std::mem::swap(&mut entries, &mut self.buckets[bucket]);
        for entry in entries.drain(..) {
            match self.bucket(entry.at) {
                0 => self.buckets[0].push(entry),
                lower => self.file(lower, entry),
            }
        }
        self.spare = entries;
        self.filled |= 1;
        let due = &mut self.buckets[0];
        if due.len() > 1 {
            due.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.rank));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use topology::mix;

    use super::*;

    #[test]
    fn order_is_that_of_a_sorted_list() {
        // A hold pattern with ties, far timers and events at the instant being handled.
        let mut calendar = Calendar::new();
        let mut heap = BinaryHeap::new();
        let mut word = 7;
        let mut draw = |below: u64| {
            word = mix(word, 1);
            word % below
        };
        for rank in 0..64 {
            let at = draw(1_000);
            calendar.push(at, rank);
            heap.push(Reverse((at, rank)));
        }
        let mut handled = 0;
        while let Some(at) = calendar.next_time() {
            if at > 0 {
                assert_eq!(
                    calendar.pop_due(at - 1),
                    None,
                    "nothing is due before the next instant"
                );
            }
            let entry = calendar.pop_due(at).expect("an event is due at the next instant");
            let Reverse(expected) = heap.pop().expect("as many events");
            assert_eq!((entry.at, entry.rank), expected);
            handled += 1;
            if handled < 20_000 {
                let ahead = match draw(8) {
                    0 => 0,
                    1 => 1 << 40,
                    _ => draw(2_000),
                };
                calendar.push(at + ahead, handled);
                heap.push(Reverse((at + ahead, handled)));
            }
        }
        assert!(heap.is_empty());
    }
}
