//! Links that die, come back or change their rate, and routes that follow.
//!
//! What is on a link when it dies is lost, but for what comes at that very instant; what waits before it waits on, until the link is back or
//! routes change: then a switch sends it on by the new routes, and a card drops what waits at its
//! own dead link. The packet that is being sent when a rate changes leaves at the old one. What pauses
//! and credits say is not lost: both ends agree at once when a link is back.

use topology::{CardId, Fabric, LinkId};
use units::Time;

use super::PacketNetwork;
use super::course::{Cut, Retuned, What};
use super::ledger::Cause;
use super::way::choose;
use crate::arena::{Cargo, Fifo, Kind, NONE};
use crate::event::Class;
use crate::routes::{Next, Routes, SetId};

impl<'f> PacketNetwork<'f> {
    /// Lets the next turn come.
    pub(super) fn await_turn(&mut self) {
        if let Some(turn) = self.turns_ahead.front().filter(|turn| turn.at <= super::HORIZON) {
            self.calendar.push(turn.at, Class::Turn.rank(0));
        }
    }

    /// Links or routes become others.
    pub(super) fn turn(&mut self, now: u64) {
        let turn = self.turns_ahead.pop_front().expect("a turn was ahead");
        match turn.what {
            What::Links(retuned) => {
                for link in retuned {
                    self.retune(now, link);
                }
            }
            What::Routes(fabric) => self.reroute(now, fabric),
        }
        self.await_turn();
    }

    fn retune(&mut self, now: u64, Retuned { link, line }: Retuned) {
        let is_down = line.is_none();
        self.queues[link as usize].is_down = is_down;
        if let Some(line) = line {
            self.ports[link as usize].retune(line);
            return self.transmit(now, link);
        }
        // What comes at this very instant has come.
        let mut coming = Fifo::EMPTY;
        while self.ports[link as usize].wire.head() != NONE {
            let index = self.ports[link as usize].wire.pop(&self.arena);
            if self.arena[index].at == now {
                coming.push(&mut self.arena, index);
                continue;
            }
            self.ledger.drop(self.arena.cargo(index).class, Cause::Cut);
            self.pass(now, link, index);
            self.arena.remove(index);
        }
        self.ports[link as usize].wire = coming;
    }

    /// From now on packets take the routes of `fabric`.
    fn reroute(&mut self, now: u64, fabric: &'f Fabric) {
        self.routes = Routes::new(fabric);
        for (port, link) in self.ports.iter_mut().zip(fabric.links()) {
            port.place = self.routes.place(link.dst);
        }
        let waiting = self.leave_outlets();
        for flow in 0..self.connections.len() as u32 {
            self.redirect(now, flow);
        }
        self.readdress();
        for link in 0..self.queues.len() as u32 {
            if self.queues[link as usize].is_down {
                self.forward_again(now, link);
            }
        }
        for flow in waiting.into_iter().chain(0..self.connections.len() as u32) {
            self.wake(now, flow);
        }
    }

    /// Takes all connections from where they wait; returns them in that order.
    fn leave_outlets(&mut self) -> Vec<u32> {
        let mut waiting = Vec::new();
        for outlet in &mut self.outlets {
            let mut flow = outlet.clear();
            while flow != NONE {
                let connection = &mut self.connections[flow as usize];
                connection.is_ready = false;
                waiting.push(flow);
                flow = connection.next_ready;
            }
        }
        waiting
    }

    /// Gives a connection its new ways. One that had none sends anew what is not acknowledged.
    fn redirect(&mut self, now: u64, flow: u32) {
        let connection = &self.connections[flow as usize];
        let (src, dst) = (CardId(connection.src), CardId(connection.way.dst));
        let row = self.routes.row(src, dst);
        let back_row = self.routes.row(dst, src);
        let ways = self.routes.ports(src, dst).ok().zip(self.routes.ports(dst, src).ok());
        let (ports, back_ports) = ways.unwrap_or((SetId::NONE, SetId::NONE));
        let connection = &mut self.connections[flow as usize];
        (connection.way.row, connection.way.ports) = (row, ports);
        let back = &mut self.receivers[flow as usize].back;
        (back.row, back.ports) = (back_row, back_ports);
        match (ways, connection.cut_since) {
            (None, None) => connection.cut_since = Some(now),
            (Some(_), Some(_)) => {
                connection.cut_since = None;
                self.resume(flow);
            }
            _ => {}
        }
    }

    /// A connection has a way again, or for the first time.
    fn resume(&mut self, flow: u32) {
        if self.connections[flow as usize].sender.sent() == 0 {
            return self.open(flow);
        }
        let connection = &mut self.connections[flow as usize];
        connection.sender.on_timeout();
        if let Some(patience) = &mut connection.patience {
            patience.rest();
        }
    }

    /// Tells all packets where the new routes of their connections begin.
    fn readdress(&mut self) {
        for link in 0..self.ports.len() {
            let wire = self.ports[link].wire.head();
            for head in self.queues[link].heads().chain([wire]) {
                let mut index = head;
                while index != NONE {
                    let Cargo { flow, kind, .. } = *self.arena.cargo(index);
                    self.arena[index].row = match kind {
                        Kind::Data => self.connections[flow as usize].way.row,
                        _ => self.receivers[flow as usize].back.row,
                    };
                    index = self.arena[index].next;
                }
            }
        }
    }

    /// Lets what waits for a dead link take another, by the new routes.
    fn forward_again(&mut self, now: u64, link: u32) {
        let node = self.routes.fabric().link(LinkId(link)).src;
        for index in self.queues[link as usize].drain(&self.arena) {
            let Cargo { from, kind, class, .. } = *self.arena.cargo(index);
            if from == NONE {
                self.ledger.drop(class, Cause::Cut);
                self.arena.remove(index);
                if kind == Kind::Data {
                    self.left(now, self.outlet(link, class));
                }
                continue;
            }
            let packet = &self.arena[index];
            let next = self.routes.next((packet.row, self.routes.place(node)), node.0, packet.dst);
            let onward = match next {
                Next::Nowhere => None,
                next => {
                    let choice = (self.settings.routing, &self.ports[..], now);
                    Some(choose(choice, next, node.0, packet.key))
                }
            };
            let Some((next, key)) = onward else {
                self.ledger.drop(class, Cause::Unroutable);
                self.release(now, index);
                self.arena.remove(index);
                continue;
            };
            if self.overflows(node.0, self.waiting(now, next, class), index) {
                self.ledger.drop(class, Cause::Overflowed);
                self.release(now, index);
                self.arena.remove(index);
                continue;
            }
            self.arena[index].key = key;
            self.put(now, next.0, index);
        }
    }

    /// The flows that have no way and something undelivered, in their order.
    pub fn cut(&self) -> Vec<Cut> {
        let payload = self.settings.frame.payload;
        let flows = (0..).zip(self.connections.iter().zip(&self.receivers));
        let told = flows.filter_map(|(flow, (connection, receiver))| {
            let since = connection.cut_since.filter(|_| !receiver.ends.is_empty())?;
            let undelivered =
                connection.messages.iter().filter(|it| it.end > receiver.inbox.expected());
            let mut cut = Cut { flow, at: Time::from_picos(since), asked: 0, delivered: 0 };
            for message in undelivered {
                cut.asked += message.bytes;
                let come = (message.first..message.end).filter(|&it| receiver.inbox.has(it));
                let bytes = come.map(|it| u64::from(connection.payload(it, payload)));
                cut.delivered += bytes.sum::<u64>();
            }
            cut.at = cut.at.max(connection.times.started);
            Some(cut)
        });
        told.collect()
    }
}
