//! Packets before a link: at once on the wire where nothing can stop them, else in the queue of their
//! class until it is free.

use super::PacketNetwork;
use crate::Forwarding;
use crate::arena::{Cargo, Kind, NONE};
use crate::event::Class;
use crate::port::Launch;

impl PacketNetwork<'_> {
    /// Puts a packet behind those that wait for a link.
    pub(super) fn put(&mut self, now: u64, link: u32, index: u32) {
        if self.queues.is_empty() {
            self.launch(now, link, index);
        } else {
            self.enqueue(now, link, index);
        }
    }

    /// Puts a packet on the wire, or behind those before it where nothing can stop them.
    fn launch(&mut self, now: u64, link: u32, index: u32) {
        let repeats = self.link_repeats(now, link, index);
        let port = &mut self.ports[link as usize];
        let line = &self.lines[port.line];
        let cut_through = self.settings.forwarding == Forwarding::CutThrough;
        self.ledger.hops += 1;
        let launch = Launch { index, cut_through, repeats };
        if let Some(at) = port.send(now, line, &mut self.arena, launch) {
            self.calendar.push(at, Class::Arrive.rank(link));
        }
    }

    /// How often a link that repeats what it loses will have to.
    fn link_repeats(&mut self, now: u64, link: u32, index: u32) -> u64 {
        let limit = self.settings.link_retries;
        if limit == 0 {
            return 0;
        }
        let cargo = self.arena.cargo(index);
        let name = self.connections[cargo.flow as usize].way.key;
        let (repeats, came) = self.wires.retries((now, link, limit), name, cargo);
        self.arena.cargo_mut(index).is_lost = !came;
        self.ledger.link_repeats += u64::from(repeats);
        u64::from(repeats)
    }

    /// Puts a packet into the queue of its class.
    fn enqueue(&mut self, now: u64, link: u32, index: u32) {
        self.queues[link as usize].push(&mut self.arena, index);
        self.transmit(now, link);
    }

    /// Sends the packet whose turn it is, if the wire is free; else looks again when it is.
    pub(super) fn transmit(&mut self, now: u64, link: u32) {
        if self.queues[link as usize].is_down {
            return;
        }
        while self.queues[link as usize].is_waiting() {
            let free_at = self.ports[link as usize].free_at();
            if free_at > now {
                let queues = &mut self.queues[link as usize];
                if !queues.is_watched {
                    queues.is_watched = true;
                    self.schedule(free_at, Class::Free, link);
                }
                return;
            }
            let quantum = u64::from(self.settings.frame.full().max(self.settings.frame.control));
            let queues = &mut self.queues[link as usize];
            let Some(index) = queues.next(&self.arena, &self.classes, quantum) else {
                return;
            };
            self.release(now, index);
            self.launch(now, link, index);
            let Cargo { from, kind, class, .. } = *self.arena.cargo(index);
            if from == NONE && kind == Kind::Data {
                let outlet = self.outlet(link, class);
                self.schedule(self.ports[link as usize].free_at(), Class::Left, outlet);
            }
        }
    }

    /// The transmitter of a link is free.
    pub(super) fn free(&mut self, now: u64, link: u32) {
        self.queues[link as usize].is_watched = false;
        self.transmit(now, link);
    }
}
