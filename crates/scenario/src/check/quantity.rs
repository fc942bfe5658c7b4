//! Quantities: rates, sizes, times, ratios and percentages.

use std::str::FromStr;

use units::{Bandwidth, Bytes, Duration, ParseError, Probability, Ratio};

use crate::fields::Kind;
use crate::value::Data;

/// Reads a quantity of `kind`.
pub(super) fn quantity(text: &str, kind: &Kind) -> Result<Data, Refused> {
    match kind {
        Kind::Bandwidth => read(text, Data::Bandwidth),
        Kind::Size { .. } => read(text, Data::Size),
        Kind::Duration => read(text, Data::Duration),
        Kind::Percent => percent(text).map(Data::Percent),
        Kind::Probability => probability(text).map(Data::Probability),
        _ => read(text, Data::Ratio),
    }
}

/// Whether a quantity lies in the range of `kind`.
pub(super) fn fits(data: &Data, kind: &Kind) -> bool {
    match (kind, data) {
        (Kind::Bandwidth, Data::Bandwidth(rate)) => rate.as_milli_bits_per_second() > 0,
        (Kind::Size { least }, Data::Size(size)) => size.as_u64() >= *least,
        (Kind::Efficiency, Data::Ratio(ratio)) => *ratio <= Ratio::ONE,
        (Kind::Factor, Data::Ratio(ratio)) => *ratio >= Ratio::ONE,
        _ => true,
    }
}

/// What a value of `kind` must be, at more length than the table of fields has room for.
pub(super) fn allowed(kind: &Kind) -> String {
    match kind {
        Kind::Bandwidth => refusal_of::<Bandwidth>().allowed().to_owned(),
        Kind::Size { .. } => refusal_of::<Bytes>().allowed().to_owned(),
        Kind::Duration => refusal_of::<Duration>().allowed().to_owned(),
        Kind::Ratio | Kind::Efficiency | Kind::Factor => refusal_of::<Ratio>().allowed().to_owned(),
        other => other.words(),
    }
}

/// What was meant by something that is no text, if it can be guessed.
pub(super) fn hint(written: &str, kind: &Kind) -> Option<String> {
    match kind {
        Kind::Bandwidth => hint_as::<Bandwidth>(written),
        Kind::Size { .. } => hint_as::<Bytes>(written),
        Kind::Duration => hint_as::<Duration>(written),
        Kind::Ratio | Kind::Efficiency | Kind::Factor => hint_as::<Ratio>(written),
        _ => None,
    }
}

/// Why a quantity was refused.
pub(super) struct Refused {
    pub(super) found: String,
    pub(super) allowed: String,
    pub(super) hint: Option<String>,
}

impl From<ParseError> for Refused {
    fn from(error: ParseError) -> Self {
        let (found, allowed) = (error.to_string(), error.allowed().to_owned());
        Self { found, allowed, hint: error.hint() }
    }
}

fn read<T: FromStr<Err = ParseError>>(text: &str, data: fn(T) -> Data) -> Result<Data, Refused> {
    text.parse().map(data).map_err(Refused::from)
}

/// The refusal of an empty text, which tells what is allowed.
fn refusal_of<T: FromStr<Err = ParseError>>() -> ParseError {
    "".parse::<T>().err().expect("an empty text is no quantity")
}

fn hint_as<T: FromStr<Err = ParseError>>(written: &str) -> Option<String> {
    match written.parse::<T>() {
        Ok(_) => Some(format!("in quotes: \"{written}\"")),
        Err(error) => error.hint(),
    }
}

/// "0.5 %" in parts per million, exactly.
fn percent(text: &str) -> Result<u64, Refused> {
    let refused = |found: &str| Refused {
        found: found.to_owned(),
        allowed: "a percentage above 0 % up to 100 % with at most four decimals, such as \"0.5 %\""
            .into(),
        hint: None,
    };
    let number = text.trim().strip_suffix('%').ok_or_else(|| refused("no `%`"))?.trim_end();
    // A part of one hundred is a ratio; one part per million is 0.0001 %.
    let part: Ratio = format!("{number}:100").parse().map_err(|_| refused("no percentage"))?;
    if part > Ratio::ONE {
        return Err(refused("above 100 %"));
    }
    let millionths = u128::from(part.over()) * 1_000_000;
    if !millionths.is_multiple_of(u128::from(part.under())) {
        return Err(refused("finer than 0.0001 %"));
    }
    Ok((millionths / u128::from(part.under())) as u64)
}

/// "0.001 %" as a probability, exactly.
fn probability(text: &str) -> Result<Probability, Refused> {
    let refused = |found: &str| Refused {
        found: found.to_owned(),
        allowed: "a percentage from 0 % to 100 % with at most ten decimals, such as \"0.001 %\""
            .into(),
        hint: None,
    };
    let number = text.trim().strip_suffix('%').ok_or_else(|| refused("no `%`"))?.trim_end();
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    let ends_in_point = number.ends_with('.');
    if whole.is_empty() || ends_in_point || !is_number(whole) || !is_number(decimals) {
        return Err(refused(if number.starts_with('-') { "negative" } else { "no percentage" }));
    }
    let decimals = decimals.trim_end_matches('0');
    if decimals.len() > 10 {
        return Err(refused("finer than 0.0000000001 %"));
    }
    let parts = format!("{whole}{decimals:0<10}").parse();
    parts.ok().and_then(Probability::from_parts).ok_or_else(|| refused("above 100 %"))
}
