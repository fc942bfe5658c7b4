//! Where all packets are: injected = delivered + dropped + queued + in flight.

use super::PacketNetwork;

/// What became of all packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Packets that cards put into the network, control packets included.
    pub injected: u64,
    /// Data packets among them.
    pub data: u64,
    /// Data packets that had been sent before.
    pub repeated: u64,
    /// Packets that reached the card they were sent to.
    pub delivered: u64,
    /// Packets that a wire lost.
    pub lost: u64,
    /// Packets that found a full queue.
    pub overflowed: u64,
    /// Packets that were on a link when it died, or waited at their own card for a dead one.
    pub cut: u64,
    /// Packets at a node from which no way led on.
    pub unroutable: u64,
    /// Packets marked in a long queue, each counted at each queue that marked it.
    pub marked: u64,
    /// Notifications of marked packets.
    pub notified: u64,
    /// Times that a link had to repeat a packet.
    pub link_repeats: u64,
    /// Times that everything unacknowledged of a connection counted as lost.
    pub timeouts: u64,
    /// Packets put on links.
    pub hops: u64,
}

impl Ledger {
    /// Packets dropped, for whatever cause.
    pub const fn dropped(&self) -> u64 {
        self.lost + self.overflowed + self.cut + self.unroutable
    }
}

/// At so many events from the beginning all ports are walked through to find all packets, then at every
/// so manieth.
const WALKS: u64 = 4_096;

impl PacketNetwork<'_> {
    /// What became of all packets so far.
    pub const fn ledger(&self) -> Ledger {
        self.ledger
    }

    /// Whether every packet injected was delivered, was dropped, or is on some port.
    ///
    /// # Errors
    /// The sums that differ.
    pub fn check_ledger(&self) -> Result<(), String> {
        let Ledger { injected, delivered, .. } = self.ledger;
        let dropped = self.ledger.dropped();
        let live = self.arena.live();
        if injected != delivered + dropped + live {
            return Err(format!(
                "{injected} injected, {delivered} delivered, {dropped} dropped, {live} left"
            ));
        }
        let events = self.hash.events();
        if events < WALKS || events.is_multiple_of(WALKS) {
            let wires = self.ports.iter().map(|port| port.wire.count(&self.arena));
            let queues = self.queues.iter().map(|queues| queues.count(&self.arena));
            let found: u64 = wires.chain(queues).sum();
            if found != live {
                return Err(format!("{live} packets are under way, {found} are on ports"));
            }
        }
        Ok(())
    }
}
