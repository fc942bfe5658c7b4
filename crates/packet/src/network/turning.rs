//! Links that die, come back or change their rate, and routes that follow.
//!
//! What is on a link when it dies is lost, but for what comes at that very instant; what waits before it waits on, until the link is back or
//! routes change: then a switch sends it on by the new routes, and a card drops what waits at its
//! own dead link. The packet that is being sent when a rate changes leaves at the old one. What pauses
//! and credits say is not lost: both ends agree at once when a link is back.

use engine::Error as RunError;
use topology::{CardId, Fabric, LinkId};
use units::Time;

use super::PacketNetwork;
use super::course::{Cut, Retuned, What};
use super::device::Device;
use super::ledger::Cause;
use super::shared::{Ends, Shared};
use super::windows::device_mut;
use crate::arena::Fifo;
use crate::event::Class;
use crate::packet::{Kind, NONE, Packet};
use crate::routes::{Next, Routes, SetId};
use crate::service::Queues;

impl Device {
    /// A link dies: what is on it is lost, but for what comes at this very instant.
    fn cut(&mut self, shared: &Shared<'_>, now: u64, (link, landing): (u32, u32)) {
        let mut lost = Vec::new();
        let mut coming = Fifo::EMPTY;
        while self.landings[landing as usize].wire.head() != NONE {
            let index = self.landings[landing as usize].wire.pop(&self.arena);
            if self.arena[index].at == now {
                coming.push(&mut self.arena, index);
            } else {
                lost.push(self.arena.remove(index));
            }
        }
        self.landings[landing as usize].wire = coming;
        self.mail.keep(|packet| {
            let stays = packet.link != link || packet.at == now;
            if !stays {
                lost.push(*packet);
            }
            stays
        });
        for packet in lost {
            self.ledger.drop(packet.class, Cause::Cut);
            self.pass(shared, now, &packet);
        }
    }

    /// Does something to every packet here and on its way here.
    fn for_each_packet(&mut self, change: &dyn Fn(&mut Packet)) {
        self.mail.for_each(change);
        let wires = self.landings.iter().map(|landing| landing.wire.head());
        for head in self.queues.iter().flat_map(Queues::heads).chain(wires) {
            let mut index = head;
            while index != NONE {
                change(&mut self.arena[index]);
                index = self.arena[index].next;
            }
        }
    }
}

impl<'f> PacketNetwork<'f> {
    /// Lets the next turn come.
    pub(super) fn await_turn(&mut self) {
        if let Some(turn) = self.turns_ahead.front().filter(|turn| turn.at <= super::HORIZON) {
            self.host.calendar.push(turn.at, Class::Turn.rank(0));
        }
    }

    /// Links or routes become others.
    pub(super) fn turn(&mut self, now: u64) -> Result<(), RunError> {
        self.work(now)?;
        self.hand_over();
        let turn = self.turns_ahead.pop_front().expect("a turn was ahead");
        match turn.what {
            What::Links(retuned) => {
                for link in retuned {
                    self.retune(now, link);
                }
            }
            What::Routes(fabric) => self.reroute(now, fabric),
        }
        self.hand_over();
        self.switches.iter_mut().for_each(Device::look_ahead);
        self.is_expecting = true;
        self.await_turn();
        Ok(())
    }

    fn retune(&mut self, now: u64, Retuned { link, line }: Retuned) {
        let Ends { from, port, into, landing } = self.shared.ends[link as usize];
        let device = device_mut(&mut self.host, &mut self.switches, from);
        device.queues[port as usize].is_down = line.is_none();
        if let Some(line) = line {
            device.ports[port as usize].retune(line);
            return device.transmit(&self.shared, now, port);
        }
        let device = device_mut(&mut self.host, &mut self.switches, into);
        device.cut(&self.shared, now, (link, landing));
    }

    /// From now on packets take the routes of `fabric`.
    fn reroute(&mut self, now: u64, fabric: &'f Fabric) {
        let ends = self.connections.iter().map(|it| (CardId(it.src), CardId(it.way.dst)));
        self.shared.routes = Routes::new(fabric, ends);
        for (ends, link) in self.shared.ends.iter().zip(fabric.links()) {
            let device = device_mut(&mut self.host, &mut self.switches, ends.into);
            device.landings[ends.landing as usize].column = self.shared.routes.column(link.dst);
        }
        let waiting = self.leave_outlets();
        for flow in 0..self.connections.len() as u32 {
            self.redirect(now, flow);
        }
        self.readdress();
        for link in 0..self.shared.ends.len() as u32 {
            if self.queues(link).is_some_and(|queues| queues.is_down) {
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
        let row = self.shared.routes.row(src, dst);
        let back_row = self.shared.routes.row(dst, src);
        let ways =
            self.shared.routes.ports(src, dst).ok().zip(self.shared.routes.ports(dst, src).ok());
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
        let (connections, receivers) = (&self.connections, &self.receivers);
        let readdress = |packet: &mut Packet| {
            packet.row = match packet.kind {
                Kind::Data => connections[packet.flow as usize].way.row,
                _ => receivers[packet.flow as usize].back.row,
            };
        };
        for device in std::iter::once(&mut self.host).chain(&mut self.switches) {
            device.for_each_packet(&readdress);
        }
    }

    /// Lets what waits for a dead link take another, by the new routes.
    fn forward_again(&mut self, now: u64, link: u32) {
        let Ends { from, port, .. } = self.shared.ends[link as usize];
        let node = self.shared.routes.fabric().link(LinkId(link)).src;
        let device = device_mut(&mut self.host, &mut self.switches, from);
        for mut packet in device.queues[port as usize].drain(&mut device.arena) {
            let shared = &self.shared;
            let device = device_mut(&mut self.host, &mut self.switches, from);
            if packet.link == NONE {
                device.ledger.drop(packet.class, Cause::Cut);
                if packet.kind == Kind::Data {
                    self.left(now, self.place_of(shared.outlet(link, packet.class)));
                }
                continue;
            }
            let route = (packet.row, shared.routes.column(node));
            let next = shared.routes.next(route, node.0, packet.dst);
            if matches!(next, Next::Nowhere) {
                device.ledger.drop(packet.class, Cause::Unroutable);
                device.release(shared, now, &packet);
                continue;
            }
            let (next, key) = device.choose(shared, now, (next, node.0), packet.key);
            let waiting = device.waiting(shared, now, next, packet.class);
            if device.overflows(shared, node.0, waiting, &packet) {
                device.ledger.drop(packet.class, Cause::Overflowed);
                device.release(shared, now, &packet);
                continue;
            }
            device.put(shared, now, (next, key), &mut packet);
        }
    }

    /// The flows that have no way and something undelivered, in their order.
    pub fn cut(&self) -> Vec<Cut> {
        let payload = self.shared.settings.frame.payload;
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
