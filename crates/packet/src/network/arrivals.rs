//! What happens at the end of a link.

use super::PacketNetwork;
use super::device::Device;
use super::ledger::Cause;
use super::shared::Shared;
use super::way::choose;
use crate::event::Class;
use crate::packet::{Kind, Packet};
use crate::routes::Next;
use crate::transport::Arrival;
use crate::{Buffer, Marking, Pacing};

impl Device {
    /// A packet has come to the end of a link; says whether its card is there.
    pub(super) fn land(
        &mut self,
        shared: &Shared<'_>,
        now: u64,
        place: u32,
        packet: &mut Packet,
    ) -> bool {
        let landing = &mut self.landings[place as usize];
        self.hash.add(now, Class::Arrive.rank(landing.link), u64::from(landing.arrived));
        landing.arrived = landing.arrived.wrapping_add(1);
        let (node, route) = (landing.node, (packet.row, landing.column));
        if !shared.wires.lose_nothing() && shared.is_lost(now, packet) {
            self.ledger.drop(packet.class, Cause::Lost);
            self.pass(shared, now, packet);
            return false;
        }
        if packet.dst == node {
            self.ledger.delivered += 1;
            self.pass(shared, now, packet);
            return true;
        }
        self.forward(shared, now, (node, route), packet);
        false
    }

    /// A switch, or a card that forwards, sends a packet on.
    fn forward(
        &mut self,
        shared: &Shared<'_>,
        now: u64,
        (node, route): (u32, (u32, u32)),
        packet: &mut Packet,
    ) {
        let next = shared.routes.next(route, node, packet.dst);
        if matches!(next, Next::Nowhere) {
            self.ledger.drop(packet.class, Cause::Unroutable);
            return self.pass(shared, now, packet);
        }
        let (port, key) = self.choose(shared, now, (next, node), packet.key);
        if shared.settings.buffer != Buffer::Endless || !shared.markings.is_empty() {
            let waiting = self.waiting(shared, now, port, packet.class);
            if self.overflows(shared, node, waiting, packet) {
                self.ledger.drop(packet.class, Cause::Overflowed);
                return self.pass(shared, now, packet);
            }
            self.mark(shared, (port, waiting), packet);
        }
        if !self.queues.is_empty() {
            self.admit(shared, now, packet);
        }
        self.put(shared, now, (port, key), packet);
    }

    /// The port that a packet with `key` takes at one of the nodes here, and its key from then on.
    pub(super) fn choose(
        &self,
        shared: &Shared<'_>,
        now: u64,
        (next, node): (Next<'_>, u32),
        key: u64,
    ) -> (u32, u64) {
        let port = |link: topology::LinkId| shared.ends[link.index()].port;
        let backlog = |link| self.ports[port(link) as usize].backlog(now);
        let (link, key) = choose((shared.settings.routing, backlog), next, node, key);
        (port(link), key)
    }

    /// The bytes that wait for a link in a class, and the rest of the packet that is leaving.
    pub(super) fn waiting(&self, shared: &Shared<'_>, now: u64, port: u32, class: u8) -> u64 {
        let queues = self.queues.get(port as usize);
        let port = &self.ports[port as usize];
        let leaving = shared.lines[port.line].bytes(port.backlog(now));
        leaving + queues.map_or(0, |queues| queues.bytes[usize::from(class)])
    }

    /// Whether a packet finds no room in the queue of `waiting` bytes that it would join at a node.
    pub(super) fn overflows(
        &self,
        shared: &Shared<'_>,
        node: u32,
        waiting: u64,
        packet: &Packet,
    ) -> bool {
        let bytes = u64::from(packet.bytes);
        match shared.settings.buffer {
            Buffer::Endless => false,
            _ if shared.is_lossless(packet.class) => false,
            Buffer::PerQueue(size) => waiting + bytes > size.as_u64(),
            Buffer::Shared { size, alpha } => {
                let room = shared.rooms[node as usize];
                let free = size.as_u64() - self.pools[room as usize];
                let threshold = u128::from(free) * u128::from(alpha.over());
                bytes > free || u128::from(waiting) * u128::from(alpha.under()) >= threshold
            }
        }
    }

    /// Marks a data packet that finds a long queue.
    fn mark(&mut self, shared: &Shared<'_>, (port, queue): (u32, u64), packet: &mut Packet) {
        let marking = shared.markings.get(usize::from(packet.class)).copied().flatten();
        let Some(Marking { least, most, most_ppm }) = marking else { return };
        let (least, most) = (least.as_u64(), most.as_u64());
        if packet.kind != Kind::Data || queue <= least {
            return;
        }
        let is_marked = queue > most || {
            let share = u128::from(queue - least) * u128::from(most_ppm) / u128::from(most - least);
            let name = shared.names[packet.flow as usize];
            let link = self.ports[port as usize].link;
            u128::from(shared.wires.mark_draw(link, name, packet)) < share
        };
        if is_marked {
            self.ledger.marked += 1;
            self.ledger.of(packet.class).marked += 1;
            packet.is_marked = true;
        }
    }
}

impl Shared<'_> {
    /// Whether the link by which a packet comes loses it.
    fn is_lost(&self, now: u64, packet: &Packet) -> bool {
        if self.wires.is_listed(packet.link, packet) {
            return true;
        }
        if self.settings.link_retries > 0 {
            return packet.is_lost;
        }
        let name = self.names[packet.flow as usize];
        self.wires.loses((now, packet.link), name, packet)
    }
}

impl PacketNetwork<'_> {
    /// A packet has reached its card.
    pub(super) fn receive(&mut self, now: u64, packet: &Packet) {
        if packet.kind != Kind::Data {
            return self.hear(now, packet);
        }
        let flow = packet.flow;
        if packet.is_marked {
            self.notify(now, packet);
        }
        let receiver = &mut self.receivers[flow as usize];
        let arrival = receiver.inbox.on_packet(packet.sequence);
        receiver.silent += 1;
        let is_due = receiver.silent >= receiver.acknowledge_every;
        let repairs = self.shared.settings.transport.recovery().is_some();
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
            self.answer(now, (kind, packet));
        }
    }

    /// Tells the sender of a marked packet, unless it was told a moment ago.
    fn notify(&mut self, now: u64, packet: &Packet) {
        let Pacing::Dcqcn(parameters) = self.shared.settings.pacing else { return };
        let receiver = &mut self.receivers[packet.flow as usize];
        let interval = parameters.notification_interval.as_picos();
        if receiver.notified.is_some_and(|last| now - last < interval) {
            return;
        }
        receiver.notified = Some(now);
        self.host.ledger.notified += 1;
        self.answer(now, (Kind::Congestion, packet));
    }
}
