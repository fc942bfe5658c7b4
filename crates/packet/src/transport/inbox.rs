//! The receiving side of a connection.

use std::collections::BTreeSet;

use super::Transport;

/// What a packet that has arrived is to the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The one waited for, and nothing is missing before or behind it.
    InOrder,
    /// New, with something missing around it.
    Ahead,
    /// It had come already.
    Known,
    /// It is not the one waited for, and was thrown away; the first such since the gap began.
    FirstRefused,
    /// The same, not the first.
    Refused,
}

/// So many packets from the one waited for on are kept as bits.
const NEAR: u32 = u128::BITS;

/// A receiver: which packets have come.
#[derive(Clone, Debug)]
pub(crate) struct Inbox {
    /// Whether only the packet waited for is taken.
    in_order: bool,
    /// All before it have come.
    expected: u32,
    /// Of the next [`NEAR`] packets from `expected` on, which have come, by bit; the first has not.
    near: u128,
    /// Those that have come of all later ones.
    far: BTreeSet<u32>,
    /// Packets that have come, each counted once.
    come: u32,
    /// The present gap has been refused.
    has_refused: bool,
}

impl Inbox {
    /// A receiver to which nothing has come.
    pub(crate) const fn new(transport: &Transport) -> Self {
        Self {
            in_order: matches!(transport, Transport::GoBackN { .. }),
            expected: 0,
            near: 0,
            far: BTreeSet::new(),
            come: 0,
            has_refused: false,
        }
    }

    /// All packets before this one have come.
    pub(crate) const fn expected(&self) -> u32 {
        self.expected
    }

    /// Packets that have come, each counted once.
    pub(crate) const fn come(&self) -> u32 {
        self.come
    }

    /// Whether a packet has come.
    pub(crate) fn has(&self, sequence: u32) -> bool {
        match sequence.checked_sub(self.expected) {
            None => true,
            Some(place) if place < NEAR => self.near >> place & 1 != 0,
            Some(_) => self.far.contains(&sequence),
        }
    }

    /// Takes a packet.
    pub(crate) fn on_packet(&mut self, sequence: u32) -> Arrival {
        let Some(place) = sequence.checked_sub(self.expected) else {
            return Arrival::Known;
        };
        if place == 0 && self.near == 0 && self.far.is_empty() {
            self.expected += 1;
            self.come += 1;
            self.has_refused = false;
            return Arrival::InOrder;
        }
        if self.in_order {
            let first = !self.has_refused;
            self.has_refused = true;
            return if first { Arrival::FirstRefused } else { Arrival::Refused };
        }
        let is_new = if place < NEAR {
            let bit = 1 << place;
            let is_new = self.near & bit == 0;
            self.near |= bit;
            is_new
        } else {
            self.far.insert(sequence)
        };
        if !is_new {
            return Arrival::Known;
        }
        self.come += 1;
        self.advance();
        Arrival::Ahead
    }

    /// Waits for the first packet that has not come.
    fn advance(&mut self) {
        while self.near & 1 != 0 {
            let passed = self.near.trailing_ones();
            self.near = self.near.checked_shr(passed).unwrap_or(0);
            self.expected += passed;
            while let Some(&sequence) = self.far.first()
                && sequence - self.expected < NEAR
            {
                self.far.pop_first();
                self.near |= 1 << (sequence - self.expected);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Arrival::{Ahead, FirstRefused, InOrder, Known, Refused};
    use super::*;
    use crate::{Recovery, Window};
    use units::Duration;

    #[test]
    fn what_comes_far_ahead_is_remembered() {
        // 300 packets, the last first: all but packet 0 are ahead, each counted once.
        let mut inbox = Inbox::new(&Transport::Ideal { window: Window::Packets(1) });
        for sequence in (1..300).rev() {
            assert!(!inbox.has(sequence));
            assert_eq!((inbox.on_packet(sequence), inbox.on_packet(sequence)), (Ahead, Known));
            assert!(inbox.has(sequence));
            assert_eq!(inbox.expected(), 0);
        }
        assert_eq!((inbox.on_packet(0), inbox.expected(), inbox.come()), (Ahead, 300, 300));
        assert_eq!(inbox.on_packet(300), InOrder);
    }

    #[test]
    fn packets_in_any_order_are_counted_once() {
        let mut inbox = Inbox::new(&Transport::Ideal { window: Window::Packets(1) });
        let arrivals: Vec<Arrival> =
            [0, 2, 2, 1, 0, 3].into_iter().map(|sequence| inbox.on_packet(sequence)).collect();
        assert_eq!(arrivals, [InOrder, Ahead, Known, Ahead, Known, InOrder]);
        assert_eq!((inbox.expected(), inbox.come()), (4, 4));
    }

    #[test]
    fn a_gap_is_refused_once() {
        let recovery = Recovery { timeout: Duration::ZERO, back_off: 1, retries: 1 };
        let transport = Transport::GoBackN { window: Window::Packets(1), recovery };
        let mut inbox = Inbox::new(&transport);
        let arrivals: Vec<Arrival> =
            [0, 2, 3, 1, 3].into_iter().map(|sequence| inbox.on_packet(sequence)).collect();
        assert_eq!(arrivals, [InOrder, FirstRefused, Refused, InOrder, FirstRefused]);
    }
}
