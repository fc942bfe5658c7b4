//! Where all packets are: injected = delivered + dropped + queued + in flight.

use super::PacketNetwork;
use super::device::Device;

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
    /// What became of the packets of both.
    const fn and(self, other: Self) -> Self {
        Self {
            injected: self.injected + other.injected,
            data: self.data + other.data,
            repeated: self.repeated + other.repeated,
            delivered: self.delivered + other.delivered,
            lost: self.lost + other.lost,
            overflowed: self.overflowed + other.overflowed,
            cut: self.cut + other.cut,
            unroutable: self.unroutable + other.unroutable,
            marked: self.marked + other.marked,
            notified: self.notified + other.notified,
            link_repeats: self.link_repeats + other.link_repeats,
            timeouts: self.timeouts + other.timeouts,
            hops: self.hops + other.hops,
        }
    }

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
    pub fn ledger(&self) -> Ledger {
        self.devices().fold(Ledger::default(), |sum, device| sum.and(device.ledger))
    }

    /// Whether every packet injected was delivered, was dropped, or is on some port.
    ///
    /// # Errors
    /// The sums that differ.
    pub fn check_ledger(&self) -> Result<(), String> {
        let ledger = self.ledger();
        let (injected, delivered, dropped) = (ledger.injected, ledger.delivered, ledger.dropped());
        let live: u64 = self.devices().map(Device::packets).sum();
        if injected != delivered + dropped + live {
            return Err(format!(
                "{injected} injected, {delivered} delivered, {dropped} dropped, {live} left"
            ));
        }
        let events = self.events();
        if events < WALKS || events.is_multiple_of(WALKS) {
            let found: u64 = self.devices().map(Device::found).sum();
            let kept: u64 = self.devices().map(|device| device.arena.live()).sum();
            if found != kept {
                return Err(format!("{kept} packets are at devices, {found} are on ports"));
            }
        }
        Ok(())
    }
}
