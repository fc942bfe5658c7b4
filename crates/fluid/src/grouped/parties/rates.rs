//! Rates of parties that were met before.

use rustc_hash::FxHashMap;

use super::small::Set;

/// The rates that lie beside a party in one line of the cache.
const INSIDE: usize = 5;

/// Rates are kept for so many parties of at most [`INSIDE`] for each track, and later ones take the place of
/// others.
const PARTIES_EACH: usize = 128;

/// So many rates of larger parties are kept for each track; then all are forgotten, and solved again.
const RATES_EACH: usize = 512;

/// What was solved.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    /// Small parties, each at the place that follows from who it is, unless another one has taken it.
    entries: Vec<Entry>,
    used: usize,
    most: usize,
    /// Where the rates of each larger party begin.
    larger: FxHashMap<(u32, Set), u32>,
    /// They stand in the order of its tracks.
    listed: Vec<u64>,
    most_listed: usize,
}

/// A party and its rates, in the order of its tracks.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Entry {
    /// Nobody where there is no party.
    party: Set,
    rates: [u64; INSIDE],
    group: u32,
}

const EMPTY: Entry = Entry { party: 0, rates: [0; INSIDE], group: 0 };

impl Rates {
    /// No rates yet, for so many tracks.
    pub(super) fn new(tracks: usize) -> Self {
        Self {
            entries: Vec::new(),
            used: 0,
            most: (PARTIES_EACH * tracks).next_power_of_two(),
            larger: FxHashMap::default(),
            listed: Vec::new(),
            most_listed: RATES_EACH * tracks,
        }
    }

    /// The rates of a party, if they are known.
    pub(super) fn get(&self, group: u32, party: Set) -> Option<&[u64]> {
        let count = party.count_ones() as usize;
        if count > INSIDE {
            let first = *self.larger.get(&(group, party))? as usize;
            return Some(&self.listed[first..first + count]);
        }
        let entry = self.entries.get(self.place(group, party))?;
        (entry.party == party && entry.group == group).then(|| &entry.rates[..count])
    }

    /// Keeps the rates of a party.
    pub(super) fn insert(&mut self, group: u32, party: Set, rates: &[u64]) {
        if rates.len() > INSIDE {
            if self.listed.len() > self.most_listed {
                self.larger.clear();
                self.listed.clear();
            }
            self.larger.insert((group, party), self.listed.len() as u32);
            self.listed.extend_from_slice(rates);
            return;
        }
        if 2 * self.used >= self.entries.len() && self.entries.len() < self.most {
            let doubled = (2 * self.entries.len()).max(64).min(self.most);
            let before = std::mem::replace(&mut self.entries, vec![EMPTY; doubled]);
            self.used = 0;
            before.into_iter().filter(|entry| entry.party != 0).for_each(|entry| self.put(entry));
        }
        let mut entry = Entry { party, group, ..EMPTY };
        entry.rates[..rates.len()].copy_from_slice(rates);
        self.put(entry);
    }

    fn put(&mut self, entry: Entry) {
        let place = self.place(entry.group, entry.party);
        self.used += usize::from(self.entries[place].party == 0);
        self.entries[place] = entry;
    }

    /// Where a small party belongs: the upper bits of a product (Fibonacci hashing: Knuth, *The Art of
    /// Computer Programming* 3, section 6.4).
    fn place(&self, group: u32, party: Set) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let folded = (party as u64).wrapping_mul(GOLDEN) ^ (party >> 64) as u64;
        let mixed = (folded ^ u64::from(group)).wrapping_mul(GOLDEN);
        let bits = self.entries.len().trailing_zeros();
        mixed.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_nothing_else() {
        let mut rates = Rates::new(64);
        let party = |number: u32| 0b111 << (number % 90) | 1_u128 << (number / 90 + 93);
        for number in 0..500 {
            assert_eq!(rates.get(number, party(number)), None);
            rates.insert(number, party(number), &[number.into(), 1, 2, 3]);
            assert_eq!(rates.get(number, party(number)), Some(&[number.into(), 1, 2, 3][..]));
        }
        // Places are doubled when half are taken: few took the place of another.
        let kept = (0..500_u32).filter(|&number| {
            let found = rates.get(number, party(number));
            found.inspect(|rates| assert_eq!(rates[0], u64::from(number))).is_some()
        });
        assert!(kept.count() > 250, "most are there");
        let larger = 0b11_1111;
        rates.insert(7, larger, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(rates.get(7, larger), Some(&[1, 2, 3, 4, 5, 6][..]));
        assert_eq!(rates.get(8, larger), None);
    }
}
