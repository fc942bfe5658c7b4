//! The earliest of some instants that keep changing.

use units::Time;

/// The winner of each match between two instants, and so the earliest of all.
///
/// One entry for each slot, whether it has an instant or not; a change costs log₂ of their number.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The slots' instants from `leaves` on; above them, node n holds the earlier of 2n and 2n + 1.
    tree: Vec<Time>,
    leaves: usize,
}

impl Tournament {
    /// So many slots, none of which has an instant.
    pub fn new(slots: usize) -> Self {
        let leaves = slots.next_power_of_two();
        Self { tree: vec![Time::MAX; 2 * leaves], leaves }
    }

    /// The instant of a slot; [`Time::MAX`] if it has none.
    pub fn get(&self, slot: usize) -> Time {
        self.tree[self.leaves + slot]
    }

    /// Gives a slot another instant; [`Time::MAX`] for none.
    pub fn set(&mut self, slot: usize, at: Time) {
        let mut node = self.leaves + slot;
        self.tree[node] = at;
        while node > 1 {
            node /= 2;
            let earlier = self.tree[2 * node].min(self.tree[2 * node + 1]);
            if self.tree[node] == earlier {
                break;
            }
            self.tree[node] = earlier;
        }
    }

    /// The earliest instant; [`Time::MAX`] if no slot has one.
    pub fn earliest(&self) -> Time {
        self.tree[1]
    }

    /// The first slot with the earliest instant.
    pub fn winner(&self) -> usize {
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            if self.tree[node] != self.tree[node / 2] {
                node += 1;
            }
        }
        node - self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_wins_whatever_changes() {
        for slots in 1..20 {
            let mut tournament = Tournament::new(slots);
            let mut plain = vec![Time::MAX; slots];
            for step in 0..200_usize {
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
            }
        }
    }
}
