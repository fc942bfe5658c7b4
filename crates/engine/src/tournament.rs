//! The earliest of some instants that keep changing.

use std::hint::{black_box, select_unpredictable};

use units::Time;

/// How many instants, or winners of such matches, play one match: two lines of the cache.
const FAN: usize = 16;

/// 16⁸ slots are more than there are numbers for.
const MOST_ROUNDS: usize = 8;

/// Instants in a line of the cache.
const LINE: usize = 8;

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
    /// Nodes on the way to slots that are being taken from.
    nodes: Vec<u32>,
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
        Self { tree: vec![Time::MAX; leaves + room], leaves, nodes: Vec::new() }
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
                at = least(self.match_below(above));
                if at == winner {
                    return;
                }
            }
            node = above;
        }
    }

    /// Reads through all instants in order, which the processor fetches in advance.
    pub fn look_through(&self) {
        for at in self.tree.iter().step_by(LINE) {
            black_box(*at);
        }
    }

    /// The earliest instant; [`Time::MAX`] if no slot has one.
    pub fn earliest(&self) -> Time {
        self.tree[0]
    }

    /// Takes the instants up to `now` from all slots that have one, and tells these in order.
    ///
    /// Each match that changes is looked at once, those of a round one after the other, so that none waits
    /// for what another fetches from memory.
    pub fn take_until(&mut self, now: Time, taken: &mut Vec<u32>) {
        if self.earliest() > now {
            return;
        }
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.push(0);
        let mut matches = 0;
        while (nodes[matches] as usize) < self.leaves {
            let first = FAN as u32 * nodes[matches] + 1;
            let entries = self.match_below(nodes[matches] as usize).iter();
            nodes.extend((first..).zip(entries).filter(|(_, at)| **at <= now).map(|it| it.0));
            matches += 1;
        }
        for &node in &nodes[matches..] {
            taken.push(node - self.leaves as u32);
            self.tree[node as usize] = Time::MAX;
        }
        for &node in nodes[..matches].iter().rev() {
            self.tree[node as usize] = least(self.match_below(node as usize));
        }
        nodes.clear();
        self.nodes = nodes;
    }

    /// Takes the earliest instant from the first slot that has it, and tells the slot.
    ///
    /// # Panics
    /// If no slot has an instant.
    pub fn pop(&mut self) -> usize {
        assert!(self.earliest() < Time::MAX, "a slot has an instant");
        let (mut node, mut seconds, mut depth) = (0, [Time::MAX; MOST_ROUNDS], 0);
        while node < self.leaves {
            let (index, second) = first_and_second(self.match_below(node));
            (node, seconds[depth], depth) = (FAN * node + 1 + index, second, depth + 1);
        }
        let winner = node - self.leaves;
        let mut earliest = Time::MAX;
        self.tree[node] = earliest;
        for &second in seconds[..depth].iter().rev() {
            node = (node - 1) / FAN;
            earliest = earliest.min(second);
            self.tree[node] = earliest;
        }
        winner
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

/// Where in a match the first of the earliest stands, and the earliest of the others. All are looked at:
/// where it stands nobody, and no processor, can guess.
fn first_and_second(entries: &[Time]) -> (usize, Time) {
    let (mut first, mut second, mut index) = (u64::MAX, u64::MAX, 0);
    for (place, at) in entries.iter().enumerate() {
        let at = at.as_picos();
        let is_earlier = at < first;
        second = select_unpredictable(is_earlier, first, second.min(at));
        index = select_unpredictable(is_earlier, place, index);
        first = first.min(at);
    }
    (index, Time::from_picos(second))
}

/// The earliest of a match. Compared one by one: processors without instructions for the least of several
/// instants at once take longer when they make do with others.
fn least(entries: &[Time]) -> Time {
    let mut least = [u64::MAX; 4];
    let (quads, rest) = entries.as_chunks::<4>();
    for quad in quads {
        for (least, at) in least.iter_mut().zip(quad) {
            *least = select_unpredictable(at.as_picos() < *least, at.as_picos(), *least);
        }
    }
    let rest = rest.iter().map(|at| at.as_picos());
    Time::from_picos(rest.chain(least).min().unwrap_or(u64::MAX))
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
                if step % 13 == 0 && least < Time::MAX {
                    assert_eq!(tournament.pop(), first);
                    plain[first] = Time::MAX;
                    assert_eq!(Some(&tournament.earliest()), plain.iter().min());
                }
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
