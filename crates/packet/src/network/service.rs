//! Packets before a link: at once on the wire where nothing can stop them, else in the queue of their
//! class until it is free.

use super::device::Device;
use super::shared::Shared;
use crate::Forwarding;
use crate::event::Class;
use crate::packet::{Kind, NONE, Packet};
use crate::port::{Flight, Launch};

impl Device {
    /// Puts a packet behind those that wait for a link; from then on it has the key that comes with the port.
    pub(super) fn put(
        &mut self,
        shared: &Shared<'_>,
        now: u64,
        (port, key): (u32, u64),
        packet: &mut Packet,
    ) {
        if self.queues.is_empty() {
            return self.launch(shared, now, (port, key), packet);
        }
        packet.key = key;
        self.queues[port as usize].push(&mut self.arena, packet);
        self.transmit(shared, now, port);
    }

    /// Puts a packet on the wire, or behind those before it where nothing can stop them.
    fn launch(
        &mut self,
        shared: &Shared<'_>,
        now: u64,
        (place, key): (u32, u64),
        packet: &mut Packet,
    ) {
        let repeats = self.link_repeats(shared, (now, place), packet);
        let port = &mut self.ports[place as usize];
        let line = &shared.lines[port.line];
        let cut_through = shared.settings.forwarding == Forwarding::CutThrough;
        self.ledger.hops += 1;
        let Flight { at, behind } = port.send(now, line, packet, Launch { cut_through, repeats });
        let link = port.link;
        // Copied as it came, then changed where it lies: the other way round the copy waits for the changes.
        let sent = if port.landing == NONE {
            self.outbox.push(*packet);
            self.outbox.last_mut().expect("one was pushed")
        } else {
            let wire = &mut self.landings[port.landing as usize].wire;
            let index = self.arena.insert(packet);
            if wire.push(&mut self.arena, index) {
                self.calendar.push(at, Class::Arrive.rank(link));
            }
            &mut self.arena[index]
        };
        (sent.at, sent.behind, sent.key, sent.link) = (at, behind, key, link);
    }

    /// How often a link that repeats what it loses will have to.
    fn link_repeats(
        &mut self,
        shared: &Shared<'_>,
        (now, port): (u64, u32),
        packet: &mut Packet,
    ) -> u64 {
        let limit = shared.settings.link_retries;
        if limit == 0 {
            return 0;
        }
        let name = shared.names[packet.flow as usize];
        let link = self.ports[port as usize].link;
        let (repeats, came) = shared.wires.retries((now, link, limit), name, packet);
        packet.is_lost = !came;
        self.ledger.link_repeats += u64::from(repeats);
        u64::from(repeats)
    }

    /// Sends the packet whose turn it is, if the wire is free; else looks again when it is.
    pub(super) fn transmit(&mut self, shared: &Shared<'_>, now: u64, place: u32) {
        if self.queues[place as usize].is_down {
            return;
        }
        while self.queues[place as usize].is_waiting() {
            let port = &self.ports[place as usize];
            let (link, free_at) = (port.link, port.free_at());
            let queues = &mut self.queues[place as usize];
            if free_at > now {
                if !queues.is_watched {
                    queues.is_watched = true;
                    self.calendar.push(free_at, Class::Free.rank(link));
                }
                return;
            }
            let frame = shared.settings.frame;
            let quantum = u64::from(frame.full().max(frame.control));
            let Some(index) = queues.next(&self.arena, &shared.classes, quantum) else {
                return;
            };
            let mut packet = self.arena.remove(index);
            self.release(shared, now, &packet);
            let (is_own, class) = (packet.link == NONE && packet.kind == Kind::Data, packet.class);
            self.launch(shared, now, (place, packet.key), &mut packet);
            if is_own {
                let outlet = shared.outlet(link, class);
                let free_at = self.ports[place as usize].free_at();
                self.calendar.push(free_at, Class::Left.rank(outlet));
            }
        }
    }

    /// The transmitter of a link is free.
    pub(super) fn free(&mut self, shared: &Shared<'_>, now: u64, port: u32) {
        self.queues[port as usize].is_watched = false;
        self.transmit(shared, now, port);
    }
}
