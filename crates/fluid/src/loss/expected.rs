//! What losses cost a transfer on average.
//!
//! With P the chance that a packet is lost and S = 1 − P, a packet is lost K times before it arrives,
//! E(K) = P/S, and E(K − 1 | K ≥ 1) = P/S. From these follow all means of `docs/models.md`, "Loss".

use engine::Error;
use units::{Bytes, Duration, Probability};

use super::skips::Skips;
use super::toll::{Toll, Verdict};
use super::{Hazard, Recovery, Scheme};

/// Parts of a whole.
const ONE: u128 = Probability::ONE.parts() as u128;

/// The mean cost of a transfer of `bytes` whose packets arrive as `skips` say.
///
/// # Errors
/// [`Error::TimeRange`] where a mean has no 64 bits.
pub(crate) fn toll(
    recovery: &Recovery,
    hazard: &Hazard,
    skips: &Skips,
    bytes: Bytes,
) -> Result<Verdict, Error> {
    let survival = skips.survival();
    let lost = u128::from(survival.complement().parts());
    if lost == 0 {
        return Ok(Verdict::Arrives(Toll::default()));
    }
    let (packets, payload) = recovery.packets(bytes);
    if survival == Probability::ZERO || exceed(recovery.retries, survival, packets) >= ONE {
        return Ok(Verdict::GivesUp);
    }
    let arrives = u128::from(survival.parts());
    let product = |factors: &[u128]| {
        let product = factors.iter().try_fold(1_u128, |product, &it| product.checked_mul(it));
        product.ok_or(Error::TimeRange)
    };
    let n = u128::from(packets);
    let sent_again = match recovery.scheme {
        Scheme::GoBackN { .. } => ramp(packets, hazard.flight)?,
        Scheme::SelectiveRepeat { .. } | Scheme::LinkRetry => n,
    };
    let extra = product(&[lost, sent_again, u128::from(payload)])?.div_ceil(arrives);
    let hit = skips.all_arrive(packets).complement().parts();
    let (timeouts, delay) = if recovery.scheme == Scheme::LinkRetry {
        let round_trip = u128::from(hazard.link_round_trip.as_picos());
        (0, product(&[lost, n, round_trip])?.div_ceil(arrives))
    } else {
        // Any packet but the last, when its repeat is lost again; the last one each time.
        let again = product(&[n - 1, lost, lost])?;
        let timeouts = again.checked_add(lost * ONE).ok_or(Error::TimeRange)?.div_ceil(arrives);
        let waits = product(&[timeouts, u128::from(recovery.timeout.as_picos())])?.div_ceil(ONE);
        let idle = idle(packets, hazard.flight);
        let news = product(&[lost, u128::from(hazard.round_trip.as_picos()), idle])?;
        (timeouts, waits + news.div_ceil(u128::from(hazard.flight) * ONE))
    };
    let narrow = |wide: u128| u64::try_from(wide).map_err(|_| Error::TimeRange);
    let (extra, delay) = (Bytes::new(narrow(extra)?), Duration::from_picos(narrow(delay)?));
    Ok(Verdict::Arrives(Toll { extra, delay, timeouts, hit }))
}

/// How many of `packets` are lost more than `retries` + 1 times on average, in parts.
fn exceed(retries: u32, survival: Probability, packets: u64) -> u128 {
    let lost = survival.complement();
    let all = (0..retries).fold(lost, |all, _| all.and(lost));
    u128::from(all.parts()) * u128::from(packets)
}

/// Σ min(flight, j) over j = 1 … packets: what a loss at each place of the transfer repeats.
fn ramp(packets: u64, flight: u64) -> Result<u128, Error> {
    let (n, w) = (u128::from(packets), u128::from(flight.min(packets)));
    // The first n − w places have w packets behind them, the last w have w, w − 1, …, 1.
    let sum = (n - w).checked_mul(w).and_then(|flat| flat.checked_add(w * (w + 1) / 2));
    sum.ok_or(Error::TimeRange)
}

/// Σ (flight − j) over j = 2 … min(packets, flight): how many packets are missing in the last flight.
fn idle(packets: u64, flight: u64) -> u128 {
    let (last, w) = (u128::from(flight.min(packets)), u128::from(flight));
    if last < 2 {
        return 0;
    }
    // (last − 1) terms from w − 2 down to w − last.
    (last - 1) * (2 * w - 2 - last) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_their_terms() {
        for packets in 1..12_u64 {
            for flight in 1..12_u64 {
                let terms: u64 = (1..=packets).map(|left| flight.min(left)).sum();
                assert_eq!(ramp(packets, flight), Ok(u128::from(terms)));
                let terms: u64 = (2..=packets).map(|left| flight.saturating_sub(left)).sum();
                assert_eq!(idle(packets, flight), u128::from(terms), "{packets} {flight}");
            }
        }
    }

    #[test]
    fn the_means_are_those_of_the_formulas() {
        // 8,000 packets of 1,000 bytes at P = 0.001, one in flight: 8,000 · P/S = 8.008008… packets are
        // repeated; timeouts (7,999 · P² + P)/S = 0.008 999/0.999 = 0.009 008 008 009 (rounded up).
        let recovery = Recovery {
            scheme: Scheme::SelectiveRepeat { window: Bytes::new(1_000) },
            mtu: Bytes::new(1_000),
            timeout: Duration::from_micros(1_000),
            ..Recovery::default()
        };
        let survival = Probability::from_ppm(999_000).expect("at most 1");
        let hazard = Hazard {
            survivals: vec![survival],
            flight: 1,
            round_trip: Duration::from_micros(2),
            link_round_trip: Duration::from_micros(2),
        };
        let skips = Skips::new(survival);
        let toll =
            |recovery: Recovery| match toll(&recovery, &hazard, &skips, Bytes::new(8_000_000)) {
                Ok(Verdict::Arrives(toll)) => toll,
                other => panic!("{other:?}"),
            };
        let repeat = toll(recovery);
        assert_eq!(repeat.extra, Bytes::new(8_009));
        assert_eq!(repeat.timeouts, 9_008_008_009);
        assert_eq!(repeat.delay, Duration::from_picos(9_008_009));
        // With one packet in flight go-back-N repeats the same.
        let back = Recovery { scheme: Scheme::GoBackN { window: Bytes::new(1_000) }, ..recovery };
        assert_eq!(toll(back), repeat);
        // On the link: 8.008008 round trips of 2 µs.
        let link = toll(Recovery { scheme: Scheme::LinkRetry, ..recovery });
        assert_eq!(link.delay, Duration::from_picos(16_016_017));
        assert_eq!(link.timeouts, 0);
    }

    #[test]
    fn who_will_exceed_the_limit_gives_up() {
        // P = 1/2 and one repeat: a quarter of all packets is lost twice.
        let survival = Probability::from_ppm(500_000).expect("at most 1");
        assert_eq!(exceed(1, survival, 3), 3 * ONE / 4);
        assert_eq!(exceed(1, survival, 4), ONE);
        assert_eq!(exceed(7, Probability::ONE, u64::MAX), 0);
    }
}
