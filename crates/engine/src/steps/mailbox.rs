//! Messages of a flow that its receiver has not used yet.

use smallvec::SmallVec;
use units::Time;

/// When they are delivered, in order; several that wait together are one entry, so that a receiver that
/// falls behind takes no memory. Mostly the first, those that wait behind it, and one to come are all, and
/// lie in one line of the cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Mailbox {
    entries: SmallVec<[(Time, u64); 3]>,
}

impl Mailbox {
    /// Whether no message is known.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A message will be delivered at `at`, not before the others, as is known at `now`.
    ///
    /// But for the first one, which its receiver may be waiting for in the step that it is in, what has
    /// been delivered by now is used in a step that begins later: when it was delivered makes no
    /// difference any more.
    pub(super) fn push(&mut self, now: Time, at: Time) {
        while let Some(&(later, count)) = self.entries.get(2)
            && later <= now
        {
            self.entries.remove(2);
            let waiting = &mut self.entries[1];
            *waiting = (later, waiting.1 + count);
        }
        self.entries.push((at, 1));
    }

    /// Takes out the first message.
    pub(super) fn pop(&mut self) -> Option<Time> {
        let (at, count) = self.entries.first_mut()?;
        let at = *at;
        *count -= 1;
        if *count == 0 {
            self.entries.remove(0);
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_together_is_one_entry_and_comes_out_one_by_one() {
        let at = Time::from_picos;
        let mut mailbox = Mailbox::default();
        for message in 1..=1_000 {
            mailbox.push(at(message), at(message + 10));
        }
        // The first one, those up to 1,000 as one, and ten to come; the last push saw 1,000.
        assert_eq!(mailbox.entries.len(), 12);
        assert_eq!(mailbox.pop(), Some(at(11)));
        for _ in 2..=990 {
            assert!(mailbox.pop().is_some_and(|when| when <= at(1_000)));
        }
        assert_eq!(mailbox.pop(), Some(at(1_001)));
        assert_eq!((0..10).filter_map(|_| mailbox.pop()).count(), 9);
        assert!(mailbox.is_empty());
    }
}
