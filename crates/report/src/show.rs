//! Numbers for people: times, amounts, shares and changes as short text with their units.

pub use crate::fraction::Fraction;

/// Rounds `value` half up to `digits` significant digits.
fn round_significant(value: u128, digits: u32) -> u128 {
    let mut unit = 1;
    while value / unit >= 10_u128.pow(digits) {
        unit *= 10;
    }
    (value / unit + u128::from(value % unit >= unit.div_ceil(2) && unit > 1)).saturating_mul(unit)
}

/// `value` in the largest unit of `units` (name, size; ascending, the first of size 1) in which it
/// is at least 1.
fn in_units(value: u128, digits: u32, units: &[(&str, u128)]) -> String {
    let rounded = round_significant(value, digits);
    let &(name, size) = units.iter().rev().find(|&&(_, size)| rounded >= size).unwrap_or(&units[0]);
    if size == 1 {
        return format!("{rounded} {name}");
    }
    let shown = Fraction::new(rounded, size).expect("a unit is larger than zero");
    format!("{} {name}", shown.significant(digits))
}

/// A span of time with 5 significant digits, e.g. "42.950 ms"; below 1 ns exact.
pub fn time(picos: u64) -> String {
    in_units(u128::from(picos), 5, &TIME_UNITS)
}

/// Units of time by thousands.
const TIME_UNITS: [(&str, u128); 5] =
    [("ps", 1), ("ns", 1_000), ("us", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];

/// Units of data by thousands.
const BYTE_UNITS: [(&str, u128); 7] = [
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("PB", 1_000_000_000_000_000),
    ("EB", 1_000_000_000_000_000_000),
];

/// An amount of data with 4 significant digits in decimal units, e.g. "20.97 TB".
pub fn bytes(amount: u128) -> String {
    in_units(amount, 4, &BYTE_UNITS)
}

/// The largest decimal unit (name, bytes) of which `amount` is at least one.
pub(crate) fn byte_unit(amount: u128) -> (&'static str, u128) {
    unit_of(amount, &BYTE_UNITS)
}

/// One unit (name, bytes) for several amounts: the largest of which the least amount above 0 is at
/// least one, unless the largest amount would then be 100,000 of it or more.
pub(crate) fn common_byte_unit(amounts: &[u128]) -> (&'static str, u128) {
    let least = amounts.iter().copied().filter(|&it| it > 0).min().unwrap_or(0);
    let most = amounts.iter().copied().max().unwrap_or(0);
    let fine = byte_unit(least);
    if most / fine.1 < 100_000 { fine } else { byte_unit(most) }
}

/// The largest unit (name, picoseconds) of which a time is at least one.
pub(crate) fn time_unit(picos: u64) -> (&'static str, u128) {
    unit_of(picos.into(), &TIME_UNITS)
}

fn unit_of(amount: u128, units: &[(&'static str, u128)]) -> (&'static str, u128) {
    let fitting = units.iter().rev().find(|&&(_, size)| amount >= size);
    *fitting.unwrap_or(&units[0])
}

/// The most digits after the point in a column of alike numbers.
const MOST_DECIMALS: usize = 6;

/// The values of a column with as many digits after the point as the least of them needs to have
/// `digits` significant ones; `None` where values lie so far apart that the least would need more
/// than 6.
pub(crate) fn alike(values: &[Option<Fraction>], digits: u32) -> Option<Vec<Option<String>>> {
    let decimals = |value: &Fraction| {
        let text = value.significant(digits);
        text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
    };
    let told = values.iter().flatten().filter(|it| it.over() > 0);
    let most = told.map(decimals).max().unwrap_or(0);
    let column = || values.iter().map(|it| it.map(|it| it.fixed(most as u32))).collect();
    (most <= MOST_DECIMALS).then(column)
}

/// A size exactly, in the unit that makes it shortest, e.g. "1 GiB", "2.5 GB".
pub fn size(amount: u64) -> String {
    units::Bytes::new(amount).to_string()
}

/// A whole number with commas between groups of three digits.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share given in parts per million as percent with one decimal, rounded down: 100.0 % is full.
pub fn percent(ppm: u32) -> String {
    format!("{}.{} %", ppm / 10_000, ppm / 1_000 % 10)
}

/// `part` of `whole` in parts per million, rounded down; `None` when `whole` is 0.
pub fn ppm(part: u64, whole: u64) -> Option<u32> {
    let ppm = (u128::from(part) * 1_000_000).checked_div(u128::from(whole))?;
    Some(u32::try_from(ppm).unwrap_or(u32::MAX))
}

/// `later` against `earlier` as a signed change in percent with two decimals, e.g. "+12.50 %";
/// "new" when `earlier` is 0 and `later` is not.
pub fn change(earlier: u64, later: u64) -> String {
    let (sign, apart) =
        if later < earlier { ("-", earlier - later) } else { ("+", later - earlier) };
    if apart == 0 {
        return "0 %".to_owned();
    }
    match Fraction::new(u128::from(apart) * 100, u128::from(earlier)) {
        Some(percent) if percent.fixed(2) == "0.00" => format!("{sign}<0.01 %"),
        Some(percent) => format!("{sign}{} %", percent.fixed(2)),
        None => "new".to_owned(),
    }
}

/// At most `columns` columns of `text`; what is cut is marked by an ellipsis. Control characters
/// are dropped, so that a name cannot steer a terminal.
pub fn cut(text: &str, columns: usize) -> String {
    let clean: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    if width(&clean) <= columns {
        return clean;
    }
    let (mut kept, mut taken) = (String::new(), 1);
    for letter in clean.chars() {
        taken += width(letter.encode_utf8(&mut [0; 4]));
        if taken > columns {
            break;
        }
        kept.push(letter);
    }
    kept.push('…');
    kept
}

/// The columns that `text` takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_take_the_unit_in_which_they_are_at_least_one() {
        assert_eq!(time(0), "0 ps");
        assert_eq!(time(999), "999 ps");
        assert_eq!(time(1_000), "1.0000 ns");
        assert_eq!(time(42_949_672_960), "42.950 ms");
        // 999.9996 us is 1.0000 ms with five digits, not 1000.0 us.
        assert_eq!(time(999_999_600), "1.0000 ms");
        // 2⁶⁴ − 1 ps = 18,446,744.07 s: digits before the point stay, rounded to five.
        assert_eq!(time(u64::MAX), "18447000 s");
    }

    /// 12.5 needs two decimals for four digits, 0.9395 needs four.
    #[test]
    fn columns_have_one_number_of_decimals() {
        let of = |over, under| Fraction::new(over, under);
        let column = alike(&[of(25, 2), None, of(9_395, 10_000), of(0, 1)], 4).expect("close");
        let shown: Vec<&str> = column.iter().map(|it| it.as_deref().unwrap_or("-")).collect();
        assert_eq!(shown, ["12.5000", "-", "0.9395", "0.0000"]);
        assert_eq!(alike(&[of(25, 2), of(1, 100_000)], 4), None, "eight decimals");
    }

    #[test]
    fn amounts_are_exact_or_rounded_as_said() {
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size(2_500_000_000), "2.5 GB");
        assert_eq!(bytes(20_971_520_000_000), "20.97 TB");
        assert_eq!(bytes(13), "13 B");
        assert_eq!(percent(999_999), "99.9 %");
        assert_eq!(percent(1_000_000), "100.0 %");
    }

    #[test]
    fn changes_have_a_sign_and_never_vanish() {
        assert_eq!(change(800, 900), "+12.50 %");
        assert_eq!(change(900, 800), "-11.11 %");
        assert_eq!(change(1_000_000_000, 1_000_000_001), "+<0.01 %");
        assert_eq!(change(5, 5), "0 %");
        assert_eq!(change(0, 5), "new");
    }

    #[test]
    fn long_names_are_cut_with_an_ellipsis() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        // Wide letters take two columns each.
        assert_eq!(cut("超節点网络", 6), "超節…");
        assert_eq!(cut("a\u{1b}[31m", 9), "a [31m");
    }
}
