//! What happens at the end of a link.

use topology::LinkId;

use super::PacketNetwork;
use super::ledger::Cause;
use super::way::choose;
use crate::arena::{Cargo, Kind, NONE};
use crate::event::Class;
use crate::routes::Next;
use crate::transport::Arrival;
use crate::{Buffer, Marking, Pacing};

impl PacketNetwork<'_> {
    /// The first packet on the wire of a link is there.
    pub(super) fn arrive(&mut self, now: u64, link: u32) {
        let port = &mut self.ports[link as usize];
        let first = port.wire.head();
        if first == NONE || self.arena[first].at > now {
            // The packet that was to come now was on the link when it died.
            return;
        }
        let index = port.wire.pop(&self.arena);
        let next = port.wire.head();
        let (node, place) = (port.dst, port.place);
        let rank = Class::Arrive.rank(link);
        self.hash.add(now, rank, u64::from(port.arrived));
        port.arrived = port.arrived.wrapping_add(1);
        if next != NONE {
            self.calendar.push(self.arena[next].at, rank);
        }
        if !self.wires.lose_nothing() && self.is_lost((now, link), index) {
            self.ledger.drop(self.arena.cargo(index).class, Cause::Lost);
            self.pass(now, link, index);
            self.arena.remove(index);
            return;
        }
        if self.arena[index].dst == node {
            self.pass(now, link, index);
            let cargo = *self.arena.cargo(index);
            self.arena.remove(index);
            self.ledger.delivered += 1;
            self.receive(now, &cargo);
        } else {
            self.forward(now, (link, index), (node, place));
        }
    }

    fn is_lost(&self, (now, link): (u64, u32), index: u32) -> bool {
        let cargo = self.arena.cargo(index);
        if self.wires.is_listed(link, cargo) {
            return true;
        }
        if self.settings.link_retries > 0 {
            return cargo.is_lost;
        }
        let name = self.connections[cargo.flow as usize].way.key;
        self.wires.loses((now, link), name, cargo)
    }

    /// A switch, or a card that forwards, sends a packet on.
    fn forward(&mut self, now: u64, (from, index): (u32, u32), (node, place): (u32, u32)) {
        let packet = &self.arena[index];
        let next = self.routes.next((packet.row, place), node, packet.dst);
        if matches!(next, Next::Nowhere) {
            self.ledger.drop(self.arena.cargo(index).class, Cause::Unroutable);
            self.pass(now, from, index);
            self.arena.remove(index);
            return;
        }
        let choice = (self.settings.routing, &self.ports[..], now);
        let (link, key) = choose(choice, next, node, packet.key);
        if self.settings.buffer != Buffer::Endless || self.settings.marking.is_some() {
            let waiting = self.waiting(now, link, self.arena.cargo(index).class);
            if self.overflows(node, waiting, index) {
                self.ledger.drop(self.arena.cargo(index).class, Cause::Overflowed);
                self.pass(now, from, index);
                self.arena.remove(index);
                return;
            }
            self.mark(link, waiting, index);
        }
        self.arena[index].key = key;
        if !self.queues.is_empty() {
            self.admit(now, from, index);
        }
        self.put(now, link.0, index);
    }

    /// The bytes that wait for a link in a class, and the rest of the packet that is leaving.
    pub(super) fn waiting(&self, now: u64, link: LinkId, class: u8) -> u64 {
        let port = &self.ports[link.index()];
        let leaving = self.lines[port.line].bytes(port.backlog(now));
        match self.queues.get(link.index()) {
            Some(queues) => leaving + queues.bytes[usize::from(class)],
            None => leaving,
        }
    }

    /// Whether a packet finds no room in the queue of `waiting` bytes that it would join at a node.
    pub(super) fn overflows(&self, node: u32, waiting: u64, index: u32) -> bool {
        let bytes = u64::from(self.arena[index].bytes);
        match self.settings.buffer {
            Buffer::Endless => false,
            _ if self.is_lossless(self.arena.cargo(index).class) => false,
            Buffer::PerQueue(size) => waiting + bytes > size.as_u64(),
            Buffer::Shared { size, alpha } => {
                let free = size.as_u64() - self.pools[node as usize];
                let threshold = u128::from(free) * u128::from(alpha.over());
                bytes > free || u128::from(waiting) * u128::from(alpha.under()) >= threshold
            }
        }
    }

    pub(super) fn is_lossless(&self, class: u8) -> bool {
        let class = self.classes.get(usize::from(class));
        class.is_some_and(|class| class.backpressure.is_lossless())
    }

    /// Marks a data packet that finds a long queue.
    pub(super) fn mark(&mut self, link: LinkId, queue: u64, index: u32) {
        let Some(Marking { least, most, most_ppm }) = self.settings.marking else { return };
        let (least, most) = (least.as_u64(), most.as_u64());
        let cargo = self.arena.cargo(index);
        if cargo.kind != Kind::Data || queue <= least {
            return;
        }
        let is_marked = queue > most || {
            let share = u128::from(queue - least) * u128::from(most_ppm) / u128::from(most - least);
            let name = self.connections[cargo.flow as usize].way.key;
            u128::from(self.wires.mark_draw(link.0, name, cargo)) < share
        };
        if is_marked {
            let cargo = self.arena.cargo_mut(index);
            cargo.is_marked = true;
            self.ledger.marked += 1;
            self.ledger.of(cargo.class).marked += 1;
        }
    }

    /// A packet has reached its card.
    fn receive(&mut self, now: u64, cargo: &Cargo) {
        if cargo.kind != Kind::Data {
            return self.hear(now, cargo);
        }
        let flow = cargo.flow;
        if cargo.is_marked {
            self.notify(now, cargo);
        }
        let receiver = &mut self.receivers[flow as usize];
        let arrival = receiver.inbox.on_packet(cargo.sequence);
        receiver.silent += 1;
        let is_due = receiver.silent >= receiver.acknowledge_every;
        let repairs = self.connections[flow as usize].patience.is_some();
        let is_complete = self.deliver(now, flow);
        let kind = match arrival {
            Arrival::FirstRefused => Some(Kind::Refusal),
            Arrival::Refused => None,
            // Only senders that repeat want to hear of each packet that is out of order.
            Arrival::Known | Arrival::Ahead if repairs => Some(Kind::Acknowledgement),
            _ if is_due || is_complete => Some(Kind::Acknowledgement),
            _ => None,
        };
        if let Some(kind) = kind {
            self.answer(now, (kind, *cargo));
        }
    }

    /// Tells the sender of a marked packet, unless it was told a moment ago.
    fn notify(&mut self, now: u64, cargo: &Cargo) {
        let Pacing::Dcqcn(parameters) = self.settings.pacing else { return };
        let receiver = &mut self.receivers[cargo.flow as usize];
        let interval = parameters.notification_interval.as_picos();
        if receiver.notified.is_some_and(|last| now - last < interval) {
            return;
        }
        receiver.notified = Some(now);
        self.ledger.notified += 1;
        self.answer(now, (Kind::Congestion, *cargo));
    }
}
