//! What losses cost a transfer, drawn by key.
//!
//! Word number k of a transfer is mix(key of the transfer, k). One word tells how many packets arrive
//! before the next is lost, one more for each repeat tells whether it is lost again: the cost follows
//! the losses, not the packets.

use topology::mix;
use units::{Bytes, Duration, Probability};

use super::skips::Skips;
use super::toll::{Toll, Verdict};
use super::{Hazard, Recovery, Scheme};
use engine::Error;

/// Where more losses are expected in one transfer the mean is taken: they deviate from it by less than
/// one in a thousand.
pub(crate) const MOST_DRAWN: u128 = 1 << 20;

/// Whether so many losses are expected in a transfer that the mean stands for them.
pub(crate) fn is_beyond(recovery: &Recovery, skips: &Skips, bytes: Bytes) -> bool {
    let (packets, _) = recovery.packets(bytes);
    let lost = u128::from(skips.survival().complement().parts()) * u128::from(packets);
    lost / u128::from(Probability::ONE.parts()) > MOST_DRAWN
}

/// The cost of the transfer called `key`.
///
/// # Errors
/// [`Error::TimeRange`] where it has no 64 bits.
pub(crate) fn toll(
    recovery: &Recovery,
    (hazard, skips): (&Hazard, &Skips),
    bytes: Bytes,
    key: u64,
) -> Result<Verdict, Error> {
    let (packets, payload) = recovery.packets(bytes);
    let mut words = (0_u64..).map(|number| mix(key, number));
    let mut word = || words.next().expect("there are 2⁶⁴ words");
    let mut costs = Costs::default();
    let mut left = packets;
    loop {
        left -= skips.arrive(left, word());
        if left == 0 {
            break;
        }
        let mut times = 1_u64;
        while skips.is_lost(word()) {
            times += 1;
            if times > u64::from(recovery.retries) {
                return Ok(Verdict::GivesUp);
            }
        }
        costs.add(recovery, hazard, (times, left)).ok_or(Error::TimeRange)?;
        left -= 1;
    }
    costs.toll(recovery, hazard, payload).ok_or(Error::TimeRange)
}

/// What is added up loss by loss.
#[derive(Default)]
struct Costs {
    losses: u64,
    sent_again: u64,
    timeouts: u64,
    waits: Duration,
}

impl Costs {
    /// A packet lost so many `times` when `last` were still to be sent, itself included.
    fn add(
        &mut self,
        recovery: &Recovery,
        hazard: &Hazard,
        (times, last): (u64, u64),
    ) -> Option<()> {
        self.losses = self.losses.checked_add(times)?;
        let each = match recovery.scheme {
            Scheme::GoBackN { .. } => hazard.flight.min(last),
            Scheme::SelectiveRepeat { .. } | Scheme::LinkRetry => 1,
        };
        self.sent_again = self.sent_again.checked_add(each.checked_mul(times)?)?;
        if recovery.scheme != Scheme::LinkRetry {
            // Nothing follows the last packet that could reveal its loss, nor that of a repeat.
            let silent = if last == 1 { times } else { times - 1 };
            self.timeouts = self.timeouts.checked_add(silent)?;
            if last > 1 {
                self.waits = self.waits.checked_add(hazard.wait(last))?;
            }
        }
        Some(())
    }

    fn toll(self, recovery: &Recovery, hazard: &Hazard, payload: u64) -> Option<Verdict> {
        let pause = match recovery.scheme {
            Scheme::LinkRetry => hazard.link_round_trip.checked_mul(self.losses)?,
            _ => recovery.timeout.checked_mul(self.timeouts)?.checked_add(self.waits)?,
        };
        let one = Probability::ONE.parts();
        Some(Verdict::Arrives(Toll {
            extra: Bytes::new(self.sent_again.checked_mul(payload)?),
            delay: pause,
            timeouts: u128::from(self.timeouts) * u128::from(one),
            hit: if self.losses > 0 { one } else { 0 },
        }))
    }
}
