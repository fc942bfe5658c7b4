//! What many packets will ask for is read beforehand, all at once.
//!
//! A packet asks memory for one thing after another, and the next packet asks when this one is done. Where there are
//! many, their questions are asked together before: memory answers dozens as quickly as one. Nothing
//! depends on the answers.

use std::hint::black_box;

use super::PacketNetwork;
use super::connection::{Connection, Receiver};
use super::device::Device;
use super::shared::Shared;
use crate::packet::{Kind, Packet};

/// So many packets are worth it.
const MANY: usize = 64;

impl Device {
    /// Reads the ports, landings and routes of a switch at which many packets come soon.
    pub(super) fn foresee(&self, shared: &Shared<'_>) {
        let packets = self.mail.near();
        let Some(landing) = self.landings.first().filter(|_| packets >= MANY) else { return };
        let ports = self.ports.iter();
        let ports = ports.map(|port| port.packets ^ shared.ends[port.link as usize].port);
        let landings = self.landings.iter();
        let landings = landings.map(|it| it.arrived ^ shared.ends[it.link as usize].landing);
        let links = ports.chain(landings).fold(0, |all, word| all ^ word);
        black_box(links ^ shared.routes.foresee(landing.node, packets));
    }
}

impl PacketNetwork<'_> {
    /// Reads the connections to whose ends packets come next, before the first of a slot is taken.
    pub(super) fn foresee(&self) {
        let asked = |packet: &Packet| match packet.kind {
            Kind::Data => self.receivers[packet.flow as usize].foresee(),
            _ => self.connections[packet.flow as usize].foresee(),
        };
        black_box(self.host.mail.unopened().map(asked).fold(0, |all, word| all ^ word));
    }
}

impl Receiver {
    /// Reads its cache lines.
    fn foresee(&self) -> usize {
        (self.back.dst ^ self.inbox.expected() ^ self.silent) as usize ^ self.ends.len()
    }
}

impl Connection {
    /// Reads its cache lines.
    fn foresee(&self) -> usize {
        let sending = self.way.dst ^ self.sender.sent() ^ self.end ^ self.next_ready;
        sending as usize ^ self.messages.len() ^ self.times.started.as_picos() as usize
    }
}
