//! Quantities as exact text that reads back to the same value.

use std::fmt;

use crate::{Bandwidth, Bytes, Duration, Ratio, Time};

/// Units of one kind from the largest to the smallest, with their size in the smallest.
type Units = [(&'static str, u64)];

const RATES: &Units = &[
    ("Pb/s", 1_000_000_000_000_000_000),
    ("Tb/s", 1_000_000_000_000_000),
    ("Gb/s", 1_000_000_000_000),
    ("Mb/s", 1_000_000_000),
    ("kb/s", 1_000_000),
    ("b/s", 1_000),
];
const DECIMAL_SIZES: &Units = &[
    ("PB", 1_000_000_000_000_000),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];
const BINARY_SIZES: &Units = &[
    ("PiB", 1 << 50),
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];
const TIMES: &Units =
    &[("s", 1_000_000_000_000), ("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000), ("ps", 1)];

/// `value` in the largest of `units` that it reaches, with all its decimals.
fn exact(value: u64, units: &Units) -> String {
    let smallest = units.len() - 1;
    let index = units.iter().position(|&(_, size)| size <= value).unwrap_or(smallest);
    let (name, size) = units[index];
    let mut text = (value / size).to_string();
    let mut rest = u128::from(value % size);
    if rest > 0 {
        text.push('.');
    }
    while rest > 0 {
        rest *= 10;
        text.push(char::from(b'0' + (rest / u128::from(size)) as u8));
        rest %= u128::from(size);
    }
    text.push(' ');
    text + name
}

impl fmt::Display for Bandwidth {
    /// The rate in bits: `50 GB/s` shows as `400 Gb/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&exact(self.as_milli_bits_per_second(), RATES))
    }
}

impl fmt::Display for Bytes {
    /// The size in powers of 1,000 or of 1,024, whichever is shorter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = exact(self.as_u64(), DECIMAL_SIZES);
        let binary = exact(self.as_u64(), BINARY_SIZES);
        f.pad(if binary.len() < decimal.len() { &binary } else { &decimal })
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&exact(self.as_picos(), TIMES))
    }
}

impl fmt::Display for Time {
    /// The span since the start of the run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration::from_picos(self.as_picos()).fmt(f)
    }
}

impl fmt::Display for Ratio {
    /// The fraction in lowest terms; below one as `x:1` where that is exact within three decimals
    /// (`0.5:1`), as people who plan networks write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milli = u128::from(self.over()) * 1_000;
        let under = u128::from(self.under());
        if self.over() < self.under() && milli.is_multiple_of(under) {
            let decimals = format!("{:03}", milli / under);
            return f.pad(&format!("0.{}:1", decimals.trim_end_matches('0')));
        }
        f.pad(&format!("{}:{}", self.over(), self.under()))
    }
}
