//! Transfers whose path moves while they are under way.
//!
//! The losses of a transfer are decided when it starts, for the path that it takes then; they lie evenly
//! over what it sends. When its routes change and the new path loses otherwise, the transfer begins
//! another *leg*: of the one before it the share of its costs that has been sent is kept, and for the
//! payload that is left losses are decided anew.

use units::Bytes;

use super::toll::Toll;

/// What becomes of a transfer whose routes have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Onward {
    /// Its path loses as the one before.
    AsBefore,
    /// A leg begins, with so many bytes to send, repeats included.
    Sends(Bytes),
    /// Its sender gives up.
    GivesUp,
}

/// The leg of a flow's transfer, under way or the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    /// How many legs of the transfer came before it.
    pub(super) number: u64,
    /// How many transfers of its flow came before this one, as far as they are counted.
    pub(super) start: u64,
    /// The payload of the whole transfer.
    pub(super) asked: Bytes,
    /// The hazard of its path, by number.
    pub(super) hazard: u32,
    /// The payload that was left when it began.
    pub(super) payload: Bytes,
    /// What the earlier legs have cost.
    pub(super) before: Toll,
    /// What this one costs when it is not the last but one.
    pub(super) toll: Toll,
}

impl Leg {
    /// What it sends when it lasts to the end of the transfer; `None` beyond 64 bits.
    pub(super) fn sends(&self) -> Option<Bytes> {
        let sent = self.payload.as_u64().checked_add(self.toll.extra.as_u64());
        sent.map(Bytes::new)
    }

    /// What all legs cost, if this is the last one.
    pub(super) fn cost(&self) -> Toll {
        self.before.and(&self.toll)
    }

    /// The payload among the last `left` bytes, rounded up.
    pub(super) fn payload_left(&self, left: Bytes) -> Bytes {
        let sent = u128::from(self.payload.as_u64()) + u128::from(self.toll.extra.as_u64());
        let share = u128::from(left.as_u64()) * u128::from(self.payload.as_u64());
        // What carries nothing has sent nothing before it is gone.
        let payload = share.checked_div(sent).map(|_| share.div_ceil(sent)).unwrap_or_default();
        Bytes::new(u64::try_from(payload).expect("a share of the payload"))
    }

    /// What it has cost when `left` bytes are still to be sent: the share of what has been sent.
    pub(super) fn paid(&self, left: Bytes) -> Toll {
        let sent = self.payload.as_u64() + self.toll.extra.as_u64();
        let done = sent - left.as_u64();
        let moved = self.payload.as_u64() - self.payload_left(left).as_u64();
        Toll { extra: Bytes::new(done - moved), ..self.toll.share(done, sent) }
    }
}

#[cfg(test)]
mod tests {
    use units::Duration;

    use super::*;

    #[test]
    fn a_leg_costs_what_has_been_sent_of_it() {
        // 1,000 bytes and 200 again, 7 ns of waiting, one timeout and a certain loss. With 301 of 1,200
        // bytes left ⌈301 · 1,000/1,200⌉ = 251 are payload; 899 are sent: 749 and 150 again,
        // ⌈7 · 899/1,200 = 5.24 ns⌉ in ps, 0.749166… of the timeout and of the loss.
        let one = 1_000_000_000_000;
        let toll = Toll {
            extra: Bytes::new(200),
            delay: Duration::from_nanos(7),
            timeouts: u128::from(one),
            hit: one,
        };
        let leg = Leg { payload: Bytes::new(1_000), toll, ..Leg::default() };
        assert_eq!(leg.payload_left(Bytes::new(301)), Bytes::new(251));
        let paid = Toll {
            extra: Bytes::new(150),
            delay: Duration::from_picos(5_245),
            timeouts: 749_166_666_666,
            hit: 749_166_666_666,
        };
        assert_eq!(leg.paid(Bytes::new(301)), paid);
        // All of it, and nothing.
        assert_eq!(leg.paid(Bytes::ZERO), toll);
        assert_eq!(leg.paid(Bytes::new(1_200)), Toll::default());
        assert_eq!(leg.payload_left(Bytes::new(1_200)), Bytes::new(1_000));
        let empty = Leg::default();
        assert_eq!((empty.payload_left(Bytes::ZERO), empty.paid(Bytes::ZERO)), Default::default());
        // Two certain losses are one transfer that lost something.
        assert_eq!(toll.and(&paid).hit, one);
        assert_eq!(toll.and(&paid).extra, Bytes::new(350));
    }
}
