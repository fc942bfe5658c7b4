//! What the packets of a path risk, and what a repeat on it takes.

use topology::PathLoss;
use units::{Bytes, Duration, Probability};

use super::{Recovery, Scheme};

/// Milli-bit/s × ps in a byte.
const WORK_PER_BYTE: u128 = 8_000_000_000_000_000;

/// The loss of a path, as far as a sender's recovery feels it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hazard {
    /// That a packet arrives, by epoch.
    pub(crate) survivals: Vec<Probability>,
    /// The packets in flight at the rate of the empty path, at least 1.
    pub(crate) flight: u64,
    /// There and back.
    pub(crate) round_trip: Duration,
    /// There and back on the slowest lossy link.
    pub(crate) link_round_trip: Duration,
}

impl Hazard {
    /// The hazard of a path of some rate (milli-bit/s) and latency; `None` if it never loses anything.
    pub(crate) fn new(
        recovery: &Recovery,
        loss: PathLoss,
        (rate, latency): (u128, Duration),
    ) -> Option<Self> {
        if loss.survivals.is_empty() {
            return None;
        }
        let twice = |span: Duration| span.checked_mul(2).unwrap_or(Duration::MAX);
        let round_trip = twice(latency);
        let window = match recovery.scheme {
            Scheme::GoBackN { window } | Scheme::SelectiveRepeat { window } => window,
            Scheme::LinkRetry => Bytes::ZERO,
        };
        let on_the_way = rate.saturating_mul(u128::from(round_trip.as_picos())) / WORK_PER_BYTE;
        let in_flight = on_the_way.min(u128::from(window.as_u64()));
        let packets = in_flight.div_ceil(u128::from(recovery.mtu.as_u64()));
        let flight = u64::try_from(packets).expect("at most the window, which has 64 bits").max(1);
        let PathLoss { survivals, link_latency } = loss;
        Some(Self { survivals, flight, round_trip, link_round_trip: twice(link_latency) })
    }

    /// How long a sender waits for the news of a loss that leaves `last` packets of the transfer to be
    /// sent, the lost one included: the part of the round trip that these do not fill.
    pub(crate) fn wait(&self, last: u64) -> Duration {
        let idle = u128::from(self.flight.saturating_sub(last));
        let wait = u128::from(self.round_trip.as_picos()) * idle;
        let wait = wait.div_ceil(u128::from(self.flight));
        Duration::from_picos(u64::try_from(wait).expect("at most the round trip"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flight_is_the_round_trip_or_the_window() {
        let loss = || PathLoss {
            survivals: vec![Probability::from_ppm(999_000).expect("at most 1")],
            link_latency: Duration::from_micros(1),
        };
        let path = (400_000_000_000_000_u128, Duration::from_micros(5));
        let scheme = |window| Scheme::GoBackN { window: Bytes::new(window) };
        let hazard = |window| {
            let recovery = Recovery { scheme: scheme(window), ..Recovery::default() };
            Hazard::new(&recovery, loss(), path).expect("it loses packets")
        };
        // 400 Gb/s × 10 µs = 500,000 bytes = 122.07 packets of 4,096.
        assert_eq!(hazard(u64::MAX).flight, 123);
        assert_eq!(hazard(65_536).flight, 16);
        assert_eq!(hazard(0).flight, 1);
        assert_eq!(hazard(65_536).wait(16), Duration::ZERO);
        // The last 4 of 16 packets fill a quarter of the round trip.
        assert_eq!(hazard(65_536).wait(4), Duration::from_nanos(7_500));
        assert_eq!(hazard(0).link_round_trip, Duration::from_micros(2));
        assert_eq!(Hazard::new(&Recovery::default(), PathLoss::default(), path), None);
    }
}
