//! How values are spread: counts by size, to a hundredth.

/// The values below 2⁷ have a count each, those of each power of two above share 2⁷ counts; so a value is
/// known to one part in 128.
const FINE_BITS: u32 = 7;
const FINE: usize = 1 << FINE_BITS;

/// Counts of values by their size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    counts: Vec<u64>,
    count: u64,
    least: u64,
    most: u64,
}

impl Spread {
    /// Adds a value.
    pub(crate) fn add(&mut self, value: u64) {
        let place = place(value);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.least = if self.count == 0 { value } else { self.least.min(value) };
        self.most = self.most.max(value);
        self.count += 1;
    }

    /// How many values there are.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// The least value; 0 without any.
    pub(crate) const fn least(&self) -> u64 {
        self.least
    }

    /// The largest value; 0 without any.
    pub(crate) const fn most(&self) -> u64 {
        self.most
    }

    /// The value that so many per cent of all do not exceed, rounded up by less than 1/128.
    pub(crate) fn percentile(&self, percent: u64) -> u64 {
        let wanted = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1);
        let mut passed = 0;
        for (place, &count) in self.counts.iter().enumerate() {
            passed += u128::from(count);
            if passed >= wanted {
                return last(place).clamp(self.least, self.most);
            }
        }
        self.most
    }
}

/// The place of a value among the counts.
const fn place(value: u64) -> usize {
    let bits = u64::BITS - value.leading_zeros();
    if bits <= FINE_BITS {
        return value as usize;
    }
    let shift = bits - FINE_BITS - 1;
    shift as usize * FINE + (value >> shift) as usize
}

/// The largest value of a place.
const fn last(place: usize) -> u64 {
    if place < 2 * FINE {
        return place as u64;
    }
    let shift = (place / FINE - 1) as u32;
    let first = ((place % FINE + FINE) as u64) << shift;
    first + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_known_to_one_part_in_128() {
        let mut spread = Spread::default();
        (1..=10_000).for_each(|value| spread.add(value * 1_000));
        assert_eq!((spread.count(), spread.least(), spread.most()), (10_000, 1_000, 10_000_000));
        for percent in [1, 50, 99, 100] {
            let exact = percent * 100_000;
            let found = spread.percentile(percent);
            assert!((exact..=exact + exact / 128).contains(&found), "{percent} %: {found}");
        }
        for value in [0, 1, 127, 128, 255, 256, 257, 1 << 20, u64::MAX] {
            let last = last(place(value));
            assert!(last >= value && last - value <= value / 128, "{value}: {last}");
            assert!(last == u64::MAX || place(last + 1) == place(value) + 1);
        }
    }
}
