//! Quantities from text, exactly: digits, an optional decimal part, a unit.
//!
//! Case matters (`Gb/s` is bits, `GB/s` is bytes) and nothing is rounded: a value that is not a whole
//! number of the smallest unit is refused. There is no sign and no exponent.

use std::str::FromStr;

use crate::parse_error::{Problem, Quantity, number_length};
use crate::{Bandwidth, Bytes, Duration, ParseError, Ratio};

/// A decimal number digits / 10^decimals.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u128,
    decimals: u32,
}

/// Reads `text` as digits with at most one point between them.
fn decimal(text: &str) -> Result<Decimal, Problem> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) {
        return Err(Problem::NoNumber);
    }
    let part = part.trim_end_matches('0');
    let digits = format!("{whole}{part}").parse().map_err(|_| {
        if whole.trim_start_matches('0').len() > 20 {
            Problem::TooLarge
        } else {
            Problem::TooFine("can be told")
        }
    })?;
    Ok(Decimal { digits, decimals: part.len() as u32 })
}

/// Splits `text` in its number and its unit.
fn number_and_unit(text: &str) -> Result<(Decimal, &str), Problem> {
    let text = text.trim();
    if text.starts_with('-') {
        return Err(Problem::Negative);
    }
    let (number, rest) = text.split_at(number_length(text));
    let value = decimal(number)?;
    let mut after = rest.chars();
    if matches!(after.next(), Some('e' | 'E'))
        && after.next().is_some_and(|next| next.is_ascii_digit() || matches!(next, '+' | '-'))
    {
        return Err(Problem::Exponent);
    }
    Ok((value, rest.trim_start()))
}

/// `value` times `factor` as a whole number below 2⁶⁴.
fn scaled(value: Decimal, factor: u64, smallest: &'static str) -> Result<u64, Problem> {
    if value.digits == 0 {
        return Ok(0);
    }
    let mut factor = u128::from(factor);
    let mut divisor = 10_u128.checked_pow(value.decimals).ok_or(Problem::TooFine(smallest))?;
    for prime in [2, 5] {
        while factor.is_multiple_of(prime) && divisor.is_multiple_of(prime) {
            (factor, divisor) = (factor / prime, divisor / prime);
        }
    }
    if !value.digits.is_multiple_of(divisor) {
        return Err(Problem::TooFine(smallest));
    }
    (value.digits / divisor)
        .checked_mul(factor)
        .and_then(|product| u64::try_from(product).ok())
        .ok_or(Problem::TooLarge)
}

/// The decimal or binary factor of a prefix, with what follows it.
fn prefix(unit: &str) -> (u64, &str) {
    const PREFIXES: [(&str, u64); 11] = [
        ("Ki", 1 << 10),
        ("Mi", 1 << 20),
        ("Gi", 1 << 30),
        ("Ti", 1 << 40),
        ("Pi", 1 << 50),
        ("k", 1_000),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
        ("T", 1_000_000_000_000),
        ("P", 1_000_000_000_000_000),
    ];
    for (letters, factor) in PREFIXES {
        if let Some(rest) = unit.strip_prefix(letters) {
            return (factor, rest);
        }
    }
    (1, unit)
}

/// Milli-bit/s in one unit of rate.
fn bandwidth_unit(unit: &str) -> Option<u64> {
    let (factor, rest) = prefix(unit);
    match rest {
        "b/s" | "bps" => factor.checked_mul(1_000),
        "B/s" | "Bps" => factor.checked_mul(8_000),
        _ => None,
    }
}

/// Bytes in one unit of size.
fn bytes_unit(unit: &str) -> Option<u64> {
    let (factor, rest) = prefix(unit);
    (rest == "B").then_some(factor)
}

/// Picoseconds in one unit of time.
pub(crate) fn duration_unit(unit: &str) -> Option<u64> {
    Some(match unit {
        "ps" => 1,
        "ns" => 1_000,
        "us" | "µs" | "μs" => 1_000_000,
        "ms" => 1_000_000_000,
        "s" => 1_000_000_000_000,
        "min" => 60_000_000_000_000,
        "h" => 3_600_000_000_000_000,
        _ => return None,
    })
}

/// Reads a number of `unit_of` units as a whole number of the smallest one.
fn quantity(
    text: &str,
    unit_of: fn(&str) -> Option<u64>,
    smallest: &'static str,
) -> Result<u64, Problem> {
    let (value, unit) = number_and_unit(text)?;
    if unit.is_empty() {
        return Err(Problem::NoUnit);
    }
    let factor = unit_of(unit).ok_or_else(|| Problem::UnknownUnit(unit.to_owned()))?;
    scaled(value, factor, smallest)
}

/// Both sides of a ratio as whole numbers: "1.5:1" is 15 : 10.
fn sides(text: &str) -> Result<(u64, u64), Problem> {
    let side = |text: &str| {
        let text = text.trim();
        if text.starts_with('-') { Err(Problem::Negative) } else { decimal(text) }
    };
    let Some((over, under)) = text.split_once(':') else {
        side(&text[..number_length(text)])?;
        return Err(Problem::NoColon);
    };
    let (over, under) = (side(over)?, side(under)?);
    if over.digits == 0 || under.digits == 0 {
        return Err(Problem::ZeroSide);
    }
    let decimals = over.decimals.max(under.decimals);
    let whole = |side: Decimal| {
        let factor = 10_u128.checked_pow(decimals - side.decimals)?;
        side.digits.checked_mul(factor)
    };
    let (over, under) = whole(over).zip(whole(under)).ok_or(Problem::TooLarge)?;
    let (mut left, mut right) = (over, under);
    while left != 0 {
        (left, right) = (right % left, left);
    }
    let lowest = |side: u128| u64::try_from(side / right).map_err(|_| Problem::TooLarge);
    Ok((lowest(over)?, lowest(under)?))
}

fn refused(text: &str, quantity: Quantity) -> impl FnOnce(Problem) -> ParseError {
    move |problem| ParseError::new(text, quantity, problem)
}

impl FromStr for Bandwidth {
    type Err = ParseError;

    /// Reads "400 Gb/s", "400Gbps" or "50 GB/s".
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(text, bandwidth_unit, "0.001 b/s")
            .map(Self::from_milli_bits_per_second)
            .map_err(refused(text, Quantity::Bandwidth))
    }
}

impl FromStr for Bytes {
    type Err = ParseError;

    /// Reads "1 GiB", "1 GB" or "13 B".
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(text, bytes_unit, "1 B").map(Self::new).map_err(refused(text, Quantity::Bytes))
    }
}

impl FromStr for Duration {
    type Err = ParseError;

    /// Reads "1.5 us", "20 ms" or "2 h".
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(text, duration_unit, "1 ps")
            .map(Self::from_picos)
            .map_err(refused(text, Quantity::Duration))
    }
}

impl FromStr for Ratio {
    type Err = ParseError;

    /// Reads "4:1", "19:16" or "0.5:1".
    fn from_str(text: &str) -> Result<Self, ParseError> {
        sides(text)
            .and_then(|(over, under)| Self::new(over, under).ok_or(Problem::ZeroSide))
            .map_err(refused(text, Quantity::Ratio))
    }
}
