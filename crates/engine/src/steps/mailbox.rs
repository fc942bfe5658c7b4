//! Messages of a flow that its receiver has not used yet.

use smallvec::SmallVec;
use units::Time;

/// When they are delivered, in order; several that wait together are one entry, so that a receiver that
/// falls behind takes no memory. Mostly the first, those that wait behind it, and one to come are all, and
/// lie in one line of the cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Mailbox {
    entries: SmallVec<[(Time, u64); 3]>,
    /// How many entries before the first have been used up; those of a short list are taken out at once.
    used: u32,
}

const _: () = assert!(size_of::<Mailbox>() <= 64, "a mailbox takes a line of the cache");

/// So many entries are moved up at little cost.
const SHORT: usize = 8;

impl Mailbox {
    /// Whether no message is known.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.len() == self.used as usize
    }

    /// A message will be delivered at `at`, not before the others, as is known at `now`.
    ///
    /// But for the first one, which its receiver may be waiting for in the step that it is in, what has
    /// been delivered by now is used in a step that begins later: when it was delivered makes no
    /// difference any more.
    pub(super) fn push(&mut self, now: Time, at: Time) {
        let third = self.used as usize + 2;
        let later = self.entries.get(third..).unwrap_or_default();
        let waiting = later.iter().take_while(|(at, _)| *at <= now).count();
        if waiting > 0 {
            let count: u64 = later[..waiting].iter().map(|(_, count)| count).sum();
            let last = later[waiting - 1].0;
            let second = &mut self.entries[third - 1];
            *second = (last, second.1 + count);
            self.entries.drain(third..third + waiting);
        }
        self.entries.push((at, 1));
    }

    /// Takes out the first message.
    pub(super) fn pop(&mut self) -> Option<Time> {
        let (at, count) = self.entries.get_mut(self.used as usize)?;
        let at = *at;
        *count -= 1;
        if *count == 0 {
            self.used += 1;
            let (used, all) = (self.used as usize, self.entries.len());
            // The longer the list, the more rarely it is moved up.
            if all <= SHORT && used == 1 {
                self.entries.remove(0);
                self.used = 0;
            } else if all <= SHORT || 2 * used >= all {
                self.entries.drain(..used);
                self.used = 0;
            }
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
        assert_eq!(mailbox.used, 0);
        assert_eq!(mailbox.pop(), Some(at(11)));
        for _ in 2..=990 {
            assert!(mailbox.pop().is_some_and(|when| when <= at(1_000)));
        }
        assert_eq!(mailbox.pop(), Some(at(1_001)));
        assert_eq!((0..10).filter_map(|_| mailbox.pop()).count(), 9);
        assert!(mailbox.is_empty());
    }

    #[test]
    fn a_long_list_comes_out_in_order_whatever_comes_in_between() {
        let at = Time::from_picos;
        let mut mailbox = Mailbox::default();
        let (mut sent, mut taken) = (0, 0);
        for turn in 0..200_u64 {
            // All are known long before they are delivered, so none is joined to another.
            for _ in 0..turn % 23 {
                sent += 1;
                mailbox.push(Time::ZERO, at(sent));
            }
            for _ in 0..turn % 17 {
                if mailbox.is_empty() {
                    break;
                }
                taken += 1;
                assert_eq!(mailbox.pop(), Some(at(taken)));
            }
        }
        assert!(sent - taken > 20, "the list is long");
        while taken < sent {
            taken += 1;
            assert_eq!(mailbox.pop(), Some(at(taken)));
        }
        assert!(mailbox.is_empty());
        assert_eq!(mailbox.pop(), None);
    }
}
