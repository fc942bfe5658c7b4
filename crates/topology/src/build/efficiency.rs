//! Which share of the wire payload may use.

use units::Bandwidth;

use crate::BuildError;

/// Payload per wire: bytes of payload in a packet over all its bytes with headers and gaps.
///
/// Valid when 1 ≤ payload ≤ wire; the builders refuse others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Efficiency {
    /// Bytes of payload.
    pub payload: u64,
    /// Bytes on the wire that carry them.
    pub wire: u64,
}

impl Efficiency {
    /// All of the wire is payload.
    pub const ONE: Self = Self { payload: 1, wire: 1 };

    /// ⌊`bandwidth` × payload / wire⌋; `what` names the links in an error.
    pub(super) fn goodput(
        self,
        what: &'static str,
        bandwidth: Bandwidth,
    ) -> Result<Bandwidth, BuildError> {
        let Self { payload, wire } = self;
        if payload == 0 || payload > wire {
            return Err(BuildError::Efficiency { what, payload, wire });
        }
        let rate = u128::from(bandwidth.as_milli_bits_per_second()) * u128::from(payload)
            / u128::from(wire);
        let rate = u64::try_from(rate).expect("a share of a u64 fits a u64");
        if rate == 0 {
            return Err(BuildError::NoBandwidth { what });
        }
        Ok(Bandwidth::from_milli_bits_per_second(rate))
    }
}
