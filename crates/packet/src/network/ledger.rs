//! Where all packets are: injected = delivered + dropped + queued + in flight.

use super::PacketNetwork;
use super::device::Device;
use crate::service::MOST_CLASSES;

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
    /// The same by class of service, the most urgent first; without classes all are of class 0.
    pub classes: [ClassLedger; MOST_CLASSES],
}

/// What became of the packets of a class, control packets of class 0 among them but where data is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassLedger {
    /// Data packets sent.
    pub data: u64,
    /// Packets that a wire lost.
    pub lost: u64,
    /// Packets that found a full queue.
    pub overflowed: u64,
    /// Packets cut off with links.
    pub cut: u64,
    /// Packets without a way.
    pub unroutable: u64,
    /// Packets marked.
    pub marked: u64,
    /// Pauses told to senders of links.
    pub pauses: u64,
    /// Resumptions told to them.
    pub resumptions: u64,
    /// For how long links were paused, all added up, in ps.
    pub paused: u64,
}

impl ClassLedger {
    const fn add(&mut self, other: Self) {
        self.data += other.data;
        self.lost += other.lost;
        self.overflowed += other.overflowed;
        self.cut += other.cut;
        self.unroutable += other.unroutable;
        self.marked += other.marked;
        self.pauses += other.pauses;
        self.resumptions += other.resumptions;
        self.paused += other.paused;
    }
}

/// Why a packet is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Lost,
    Overflowed,
    Cut,
    Unroutable,
}

impl Ledger {
    /// What became of the packets of both.
    fn and(mut self, other: Self) -> Self {
        for (class, more) in self.classes.iter_mut().zip(other.classes) {
            class.add(more);
        }
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
            classes: self.classes,
        }
    }

    /// Packets dropped, for whatever cause.
    pub const fn dropped(&self) -> u64 {
        self.lost + self.overflowed + self.cut + self.unroutable
    }

    /// A packet of a class is dropped.
    pub(super) fn drop(&mut self, class: u8, cause: Cause) {
        let of_class = &mut self.classes[usize::from(class)];
        let (all, of_class) = match cause {
            Cause::Lost => (&mut self.lost, &mut of_class.lost),
            Cause::Overflowed => (&mut self.overflowed, &mut of_class.overflowed),
            Cause::Cut => (&mut self.cut, &mut of_class.cut),
            Cause::Unroutable => (&mut self.unroutable, &mut of_class.unroutable),
        };
        *all += 1;
        *of_class += 1;
    }

    /// What became of the packets of a class.
    pub(super) fn of(&mut self, class: u8) -> &mut ClassLedger {
        &mut self.classes[usize::from(class)]
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
        self.check_classes()
    }

    /// Whether what was dropped and marked is that of the classes together.
    fn check_classes(&self) -> Result<(), String> {
        let ledger = self.ledger();
        let sum = |of: fn(&ClassLedger) -> u64| ledger.classes.iter().map(of).sum::<u64>();
        let Ledger { data, lost, overflowed, cut, unroutable, marked, .. } = ledger;
        let all = [data, lost, overflowed, cut, unroutable, marked];
        let of_classes = [
            sum(|it| it.data),
            sum(|it| it.lost),
            sum(|it| it.overflowed),
            sum(|it| it.cut),
            sum(|it| it.unroutable),
            sum(|it| it.marked),
        ];
        if all != of_classes {
            return Err(format!("{all:?} in all, {of_classes:?} by class"));
        }
        Ok(())
    }
}
