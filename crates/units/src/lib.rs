//! Time, sizes, rates and ratios as integers, with their units.
//!
//! Time is picoseconds, data is bytes, a rate is milli-bit per second and per direction.
//! Nothing here rounds in silence: a conversion that rounds says which way.

mod bandwidth;
mod bytes;
mod display;
mod gcd;
mod parse;
mod parse_error;
mod probability;
mod ratio;
mod time;

pub use bandwidth::Bandwidth;
pub use bytes::{Bytes, Split};
pub use gcd::{gcd, gcd_u64};
pub use parse_error::ParseError;
pub use probability::Probability;
pub use ratio::Ratio;
pub use time::{Duration, Time};
