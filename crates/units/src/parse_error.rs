//! Why a text is no quantity, what would be, and what was probably meant.

use crate::parse::duration_unit;

/// A quantity that a text can be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    Bandwidth,
    Bytes,
    Duration,
    Ratio,
}

/// Why a text is no quantity of the kind asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ParseError {
    found: String,
    quantity: Quantity,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("no number")]
    NoNumber,
    #[error("a negative number")]
    Negative,
    #[error("a number with an exponent")]
    Exponent,
    #[error("no unit")]
    NoUnit,
    #[error("unknown unit `{0}`")]
    UnknownUnit(String),
    #[error("no `:` between two sides")]
    NoColon,
    #[error("a side that is zero")]
    ZeroSide,
    #[error("too large")]
    TooLarge,
    #[error("finer than {0}")]
    TooFine(&'static str),
}

impl ParseError {
    pub(crate) fn new(text: &str, quantity: Quantity, problem: Problem) -> Self {
        Self { found: text.trim().to_owned(), quantity, problem }
    }

    /// What would be accepted, in a few words.
    pub const fn allowed(&self) -> &'static str {
        match self.quantity {
            Quantity::Bandwidth => {
                "a rate with its unit, such as \"400 Gb/s\" (bits) or \"50 GB/s\" (bytes); \
                 prefixes k M G T P and Ki Mi Gi Ti; at most 18 Pb/s"
            }
            Quantity::Bytes => {
                "a size with its unit, such as \"1 GiB\" (2^30 bytes), \"1 GB\" (10^9 bytes) or \
                 \"13 B\"; whole bytes, less than 2^64"
            }
            Quantity::Duration => {
                "a time with its unit: ps, ns, us, ms, s, min or h, such as \"1.5 us\"; whole \
                 picoseconds, at most 213 days"
            }
            Quantity::Ratio => "a ratio of two numbers above zero, such as \"4:1\" or \"19:16\"",
        }
    }

    /// What was probably meant, where the text lets one guess.
    pub fn hint(&self) -> Option<String> {
        let number = self.found[..number_length(&self.found)].trim();
        if number.is_empty() {
            return None;
        }
        let unit = match &self.problem {
            Problem::NoUnit => "",
            Problem::UnknownUnit(unit) => unit.as_str(),
            Problem::NoColon => {
                let right = self.found[number.len()..].trim().trim_start_matches(['/', '-']);
                let right = if right.is_empty() { "1" } else { right.trim() };
                return Some(format!("did you mean \"{number}:{right}\"?"));
            }
            _ => return None,
        };
        match self.quantity {
            Quantity::Bandwidth => Some(bandwidth_hint(number, unit)),
            Quantity::Bytes => Some(bytes_hint(number, unit)),
            Quantity::Duration => duration_hint(number, unit),
            Quantity::Ratio => None,
        }
    }
}

/// The prefix a writer had in mind when case is forgotten: `gbps` → `G`.
fn guessed_prefix(unit: &str) -> &'static str {
    match unit.chars().next().map(|letter| letter.to_ascii_lowercase()) {
        Some('k') => "k",
        Some('m') => "M",
        Some('t') => "T",
        Some('p') => "P",
        _ => "G",
    }
}

fn bandwidth_hint(number: &str, unit: &str) -> String {
    let prefix = guessed_prefix(unit);
    format!("did you mean \"{number} {prefix}b/s\" (bits) or \"{number} {prefix}B/s\" (bytes)?")
}

fn bytes_hint(number: &str, unit: &str) -> String {
    if unit.is_empty() {
        return format!("did you mean \"{number} B\", \"{number} MB\" or \"{number} MiB\"?");
    }
    let prefix = guessed_prefix(unit);
    let binary = prefix.to_uppercase();
    let binary = format!("\"{number} {binary}iB\" (powers of 1,024)");
    format!("did you mean \"{number} {prefix}B\" (powers of 1,000) or {binary}?")
}

fn duration_hint(number: &str, unit: &str) -> Option<String> {
    let lower = unit.to_lowercase();
    let meant = match lower.as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "" | "usec" | "micros" | "microseconds" => "us",
        "msec" | "millis" | "milliseconds" => "ms",
        "nsec" | "nanos" | "nanoseconds" => "ns",
        "minute" | "minutes" | "m" => "min",
        "hour" | "hours" => "h",
        other if duration_unit(other).is_some() => other,
        _ => return None,
    };
    Some(format!("did you mean \"{number} {meant}\"?"))
}

/// How many bytes at the start of `text` belong to its number.
pub(crate) fn number_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count()
}
