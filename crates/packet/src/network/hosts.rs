//! The cards' side: connections take turns at the links that leave a card.
//!
//! A link has at most one packet of its card's own data before it or on it, so connections share it packet by
//! packet, and acknowledgements wait for one packet at most.

use engine::{FlowId, News};
use units::Time;

use super::PacketNetwork;
use super::connection::Connection;
use super::way::choose;
use crate::Forwarding;
use crate::arena::{Kind, NONE, Packet};
use crate::event::Class;
use crate::transport::{Due, Progress, Report, Sending};

/// The connections that wait for one link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlet {
    first: u32,
    last: u32,
    /// A packet of the card's own data has not left yet.
    is_busy: bool,
    /// The connection whose message leaves with that packet, or [`NONE`].
    leaving: u32,
}

impl Outlet {
    /// Nobody waits.
    pub(super) const IDLE: Self = Self { first: NONE, last: NONE, is_busy: false, leaving: NONE };
}

impl PacketNetwork<'_> {
    /// Lets a connection wait for a link if it may send.
    pub(super) fn wake(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        let may_send = !connection.is_ready
            && !connection.has_given_up
            && connection.sender.can_send(connection.end);
        if !may_send {
            return;
        }
        let routing = self.settings.routing;
        let key = connection.way.packet_key(routing, connection.number);
        let next = self.routes.choices(connection.way.ports);
        let (link, key) = choose((routing, &self.ports, now), next, connection.src, key);
        connection.is_ready = true;
        connection.packet_key = key;
        connection.next_ready = NONE;
        let outlet = &mut self.outlets[link.index()];
        if outlet.first == NONE {
            outlet.first = flow;
        } else {
            self.connections[outlet.last as usize].next_ready = flow;
        }
        outlet.last = flow;
        self.serve(now, link.0);
    }

    /// Sends the packet of the connection that has waited longest, if the link takes one.
    fn serve(&mut self, now: u64, link: u32) {
        let outlet = &mut self.outlets[link as usize];
        if outlet.is_busy || outlet.first == NONE {
            return;
        }
        let flow = outlet.first;
        outlet.first = self.connections[flow as usize].next_ready;
        self.connections[flow as usize].is_ready = false;
        if !self.connections[flow as usize].sender.can_send(self.connections[flow as usize].end) {
            // What was to be sent again has come meanwhile.
            return self.serve(now, link);
        }
        self.send_data(now, (link, flow));
        self.wake(now, flow);
    }

    fn send_data(&mut self, now: u64, (link, flow): (u32, u32)) {
        let frame = self.settings.frame;
        let connection = &mut self.connections[flow as usize];
        let number = connection.number;
        connection.number = number.wrapping_add(1);
        let sent_before = connection.sender.sent();
        let Sending { sequence, attempt } = connection.sender.send(number);
        let is_last = sequence >= sent_before && connection.ends_message(sequence);
        let payload = connection.payload(sequence, frame.payload);
        let packet = Packet {
            key: connection.packet_key,
            flow,
            sequence,
            number,
            dst: connection.way.dst,
            row: connection.way.row,
            bytes: (payload + frame.header).max(1),
            kind: Kind::Data,
            attempt,
            ..Packet::default()
        };
        self.ledger.data += 1;
        self.ledger.repeated += u64::from(attempt > 0);
        self.arm(now, flow);
        self.inject(now, link, packet);
        let outlet = &mut self.outlets[link as usize];
        outlet.is_busy = true;
        outlet.leaving = if is_last { flow } else { NONE };
        self.schedule(self.ports[link as usize].free_at(), Class::Left, link);
    }

    /// A card puts a packet on one of its links.
    fn inject(&mut self, now: u64, link: u32, packet: Packet) {
        let index = self.arena.insert(packet);
        self.ledger.injected += 1;
        self.put(now, link, index);
    }

    /// Puts a packet behind those that wait for a link.
    pub(super) fn put(&mut self, now: u64, link: u32, index: u32) {
        let port = &mut self.ports[link as usize];
        let line = &self.lines[port.line];
        let cut_through = self.settings.forwarding == Forwarding::CutThrough;
        self.ledger.hops += 1;
        if let Some(at) = port.send(now, line, &mut self.arena, (index, cut_through)) {
            self.calendar.push(at, Class::Arrive.rank(link));
        }
    }

    /// A card's own packet has left.
    pub(super) fn left(&mut self, now: u64, link: u32) {
        let outlet = &mut self.outlets[link as usize];
        outlet.is_busy = false;
        let leaving = std::mem::replace(&mut outlet.leaving, NONE);
        if leaving != NONE {
            self.news.push_back(News::Drained(FlowId(leaving)));
        }
        self.serve(now, link);
    }

    /// A control packet of the receiver of a connection goes back to its sender.
    pub(super) fn answer(&mut self, now: u64, (kind, cause): (Kind, Packet)) {
        let receiver = &mut self.receivers[cause.flow as usize];
        let routing = self.settings.routing;
        let key = receiver.back.packet_key(routing, receiver.number);
        receiver.number = receiver.number.wrapping_add(1);
        receiver.silent = 0;
        let count = match self.connections[cause.flow as usize].patience {
            Some(_) => receiver.inbox.expected(),
            None => receiver.inbox.come(),
        };
        let next = self.routes.choices(receiver.back.ports);
        let (link, key) = choose((routing, &self.ports, now), next, cause.dst, key);
        let packet = Packet {
            key,
            flow: cause.flow,
            sequence: cause.sequence,
            number: cause.number,
            count,
            dst: receiver.back.dst,
            row: receiver.back.row,
            bytes: self.settings.frame.control,
            kind,
            ..Packet::default()
        };
        self.inject(now, link.0, packet);
    }

    /// A control packet has come back.
    pub(super) fn hear(&mut self, now: u64, packet: &Packet) {
        let flow = packet.flow;
        let connection = &mut self.connections[flow as usize];
        let progress = match packet.kind {
            Kind::Refusal => connection.sender.on_refused(packet.count),
            _ => connection.sender.on_acknowledged(Report {
                sequence: packet.sequence,
                number: packet.number,
                count: packet.count,
            }),
        };
        if progress == Progress::Some {
            let instant = Time::from_picos(now);
            let is_waiting = connection.is_waiting();
            connection.times.acknowledged = Some(instant);
            connection.forget();
            if let Some(patience) = &mut connection.patience {
                patience.on_progress(instant, is_waiting);
            }
        }
        self.wake(now, flow);
    }

    /// A packet of a connection is sent: its timer runs.
    fn arm(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        let Connection { patience: Some(patience), has_timer, .. } = connection else { return };
        let deadline = patience.on_sent(Time::from_picos(now));
        if let (false, Some(at)) = (*has_timer, deadline) {
            *has_timer = true;
            self.schedule(at.as_picos(), Class::Timeout, flow);
        }
    }

    /// The timer of a connection has come.
    pub(super) fn time_out(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        let Some(patience) = &mut connection.patience else { return };
        connection.has_timer = false;
        match patience.on_timer(Time::from_picos(now)) {
            Due::Idle => {}
            Due::Later(at) => {
                connection.has_timer = true;
                self.schedule(at.as_picos(), Class::Timeout, flow);
            }
            Due::Expired => {
                connection.sender.on_timeout();
                self.ledger.timeouts += 1;
                self.wake(now, flow);
            }
            Due::GiveUp => self.give_up(now, flow),
        }
    }
}
