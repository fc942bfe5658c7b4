//! Messages of a flow that its receiver has not used yet, as stretches of equal distances.

use std::collections::VecDeque;

use units::{Duration, Time};

/// An emptied stream that had room for more stretches than this gives it back.
const KEPT_ROOM: usize = 8;

/// When messages are delivered: the first one, and those that follow it at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) first: Time,
    /// From one message to the next; nothing is meant by it while there is only one.
    pub(super) period: Duration,
    /// How many messages, at least one.
    pub(super) count: u64,
}

impl Stretch {
    /// One message.
    pub(super) const fn one(at: Time) -> Self {
        Self { first: at, period: Duration::ZERO, count: 1 }
    }

    /// When its last message is delivered.
    fn last(&self) -> Time {
        let span = self.period.as_picos() * (self.count - 1);
        self.first + Duration::from_picos(span)
    }

    /// Lengthens the stretch by the messages of `next`, if they follow at its distance.
    fn takes_in(&mut self, next: &Self) -> bool {
        let Some(gap) = next.first.as_picos().checked_sub(self.last().as_picos()) else {
            return false;
        };
        let gap = Duration::from_picos(gap);
        let fits_here = self.count == 1 || gap == self.period;
        let fits_there = next.count == 1 || gap == next.period;
        if fits_here && fits_there {
            self.period = gap;
            self.count += next.count;
        }
        fits_here && fits_there
    }
}

/// Stretches in the order of their messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    stretches: VecDeque<Stretch>,
}

impl Stream {
    /// How many stretches.
    pub(super) fn stretches(&self) -> usize {
        self.stretches.len()
    }

    /// Whether no message is known.
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The messages that come next, at equal distances.
    pub(super) fn front(&self) -> Option<&Stretch> {
        self.stretches.front()
    }

    /// Messages after all others.
    pub(super) fn push(&mut self, next: Stretch) {
        if !self.stretches.back_mut().is_some_and(|last| last.takes_in(&next)) {
            self.stretches.push_back(next);
        }
    }

    /// Takes out the first message.
    pub(super) fn pop(&mut self) -> Option<Time> {
        let at = self.front()?.first;
        self.skip(1);
        Some(at)
    }

    /// Takes out the first `count` messages, which are of one stretch.
    ///
    /// # Panics
    /// If the first stretch has fewer.
    pub(super) fn skip(&mut self, count: u64) {
        let front = self.stretches.front_mut().expect("messages are taken that are known");
        front.count = front.count.checked_sub(count).expect("they are of one stretch");
        if front.count > 0 {
            front.first = front.first + Duration::from_picos(front.period.as_picos() * count);
            return;
        }
        self.stretches.pop_front();
        if self.stretches.is_empty() && self.stretches.capacity() > KEPT_ROOM {
            self.stretches = VecDeque::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(picos: u64) -> Time {
        Time::from_picos(picos)
    }

    fn stream(instants: &[u64]) -> Stream {
        let mut stream = Stream::default();
        for &instant in instants {
            stream.push(Stretch::one(at(instant)));
        }
        stream
    }

    #[test]
    fn equal_distances_are_one_stretch() {
        // 0, 3, 6 at distance 3; then 10, which opens a stretch of its own, and 11.
        let mut stream = stream(&[0, 3, 6, 10, 11]);
        assert_eq!(stream.stretches(), 2);
        let told: Vec<Time> = std::iter::from_fn(|| stream.pop()).collect();
        assert_eq!(told, [0, 3, 6, 10, 11].map(at));
        assert!(stream.is_empty());
    }

    #[test]
    fn stretches_are_joined_only_where_all_distances_are_equal() {
        let five = |first| Stretch { first: at(first), period: Duration::from_picos(2), count: 5 };
        let mut joined = stream(&[0, 2]);
        joined.push(five(4));
        assert_eq!(joined.front(), Some(&Stretch { count: 7, ..five(0) }));
        let mut apart = stream(&[0, 2]);
        apart.push(five(5));
        assert_eq!(apart.stretches(), 2);
        // A message that waits alone takes the distance of those behind it, if it has it.
        let mut behind = stream(&[2]);
        behind.push(five(4));
        assert_eq!(behind.front(), Some(&Stretch { count: 6, ..five(2) }));
    }

    #[test]
    fn messages_are_skipped_within_a_stretch() {
        let mut stream = stream(&[0, 3, 6, 9, 9]);
        stream.skip(3);
        assert_eq!(stream.pop(), Some(at(9)));
        assert_eq!(stream.pop(), Some(at(9)));
        assert_eq!(stream.pop(), None);
    }
}
