//! The earliest of some instants that keep changing.

use units::Time;

/// How many instants, or winners of such matches, play one match: two lines of the cache.
const FAN: usize = 16;

/// The winner of each match between some instants, and so the earliest of all.
///
/// One entry for each slot, whether it has an instant or not, and one for each match; a change costs at
/// most a look at one match in each of the log₁₆ rounds, and mostly ends in the first.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The slots' instants from `leaves` on; above them, node n holds the earliest of its children, the
    /// nodes from 16 n + 1 on.
    tree: Vec<Time>,
    leaves: usize,
}

impl Tournament {
    /// So many slots, none of which has an instant.
    pub fn new(slots: usize) -> Self {
        let (mut leaves, mut width) = (0, 1);
        while width < slots {
            (leaves, width) = (leaves + width, width * FAN);
        }
        // The last match is whole, if there is one.
        let room = if leaves == 0 { 1 } else { slots.next_multiple_of(FAN) };
        Self { tree: vec![Time::MAX; leaves + room], leaves }
    }

    /// The instant of a slot; [`Time::MAX`] if it has none.
    pub fn get(&self, slot: usize) -> Time {
        self.tree[self.leaves + slot]
    }

    /// Gives a slot another instant; [`Time::MAX`] for none.
    pub fn set(&mut self, slot: usize, at: Time) {
        let (mut node, mut at) = (self.leaves + slot, at);
        loop {
            let before = std::mem::replace(&mut self.tree[node], at);
            if node == 0 {
                return;
            }
            let above = (node - 1) / FAN;
            let winner = self.tree[above];
            if at >= winner {
                if before > winner {
                    return;
                }
                // It was the earliest of its match, or one of them.
                at = self.match_below(above).iter().copied().min().unwrap_or(Time::MAX);
                if at == winner {
                    return;
                }
            }
            node = above;
        }
    }

    /// The earliest instant; [`Time::MAX`] if no slot has one.
    pub fn earliest(&self) -> Time {
        self.tree[0]
    }

    /// Takes the instants up to `now` from all slots that have one, and tells these in order; each match
    /// that changes is looked at once.
    pub fn take_until(&mut self, now: Time, taken: &mut Vec<u32>) {
        if self.earliest() <= now {
            self.take_below(0, now, taken);
        }
    }

    /// The same below a node that has such an instant.
    fn take_below(&mut self, node: usize, now: Time, taken: &mut Vec<u32>) {
        if node >= self.leaves {
            taken.push((node - self.leaves) as u32);
            self.tree[node] = Time::MAX;
            return;
        }
        let first = FAN * node + 1;
        let end = (first + FAN).min(self.tree.len());
        for below in first..end {
            if self.tree[below] <= now {
                self.take_below(below, now, taken);
            }
        }
        self.tree[node] = self.match_below(node).iter().copied().min().unwrap_or(Time::MAX);
    }

    /// The first slot with the earliest instant.
    pub fn winner(&self) -> usize {
        let earliest = self.earliest();
        let mut node = 0;
        while node < self.leaves {
            let index = self.match_below(node).iter().position(|&at| at == earliest);
            node = FAN * node + 1 + index.expect("a match has its winner among its entries");
        }
        node - self.leaves
    }

    /// What plays the match that a node is the winner of; the last one of a round may be cut short.
    fn match_below(&self, node: usize) -> &[Time] {
        let first = FAN * node + 1;
        &self.tree[first..(first + FAN).min(self.tree.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_wins_whatever_changes() {
        for slots in [1, 2, 3, 7, 15, 16, 17, 31, 33, 255, 256, 257, 300] {
            let mut tournament = Tournament::new(slots);
            let mut plain = vec![Time::MAX; slots];
            assert_eq!(tournament.earliest(), Time::MAX);
            for step in 0..1_000_usize {
                let slot = step * 7 % slots;
                let at = match step * step % 11 {
                    0 => Time::MAX,
                    other => Time::from_picos((other * 13 % 7) as u64),
                };
                tournament.set(slot, at);
                plain[slot] = at;
                let least = *plain.iter().min().expect("there are slots");
                assert_eq!(tournament.earliest(), least);
                assert_eq!(tournament.get(slot), at);
                let first = plain.iter().position(|&one| one == least).expect("it is there");
                assert_eq!(tournament.winner(), first);
                if step % 97 == 0 {
                    let now = Time::from_picos(2);
                    let due = |&slot: &u32| plain[slot as usize] <= now;
                    let expected: Vec<u32> = (0..slots as u32).filter(due).collect();
                    let mut taken = Vec::new();
                    tournament.take_until(now, &mut taken);
                    assert_eq!(taken, expected);
                    for slot in expected {
                        plain[slot as usize] = Time::MAX;
                    }
                    assert_eq!(Some(&tournament.earliest()), plain.iter().min());
                }
            }
        }
    }
}
