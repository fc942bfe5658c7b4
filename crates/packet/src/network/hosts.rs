//! The cards' side: connections take turns at the links that leave a card.
//!
//! A link has at most one packet of its card's own data before it or on it, so connections share it packet by
//! packet, and acknowledgements wait for one packet at most.

use engine::{FlowId, News};
use units::Time;

use super::PacketNetwork;
use crate::event::Class;
use crate::packet::{NONE, Packet};
use crate::port::Port;
use crate::transport::Sending;

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

    /// The connection that has waited longest, or [`NONE`].
    pub(super) const fn first(&self) -> u32 {
        self.first
    }

    /// Lets all who wait go; returns the first of them, or [`NONE`].
    pub(super) const fn clear(&mut self) -> u32 {
        let first = self.first;
        (self.first, self.last) = (NONE, NONE);
        first
    }
}

impl PacketNetwork<'_> {
    /// Lets a connection wait for a link if it may send.
    pub(super) fn wake(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        let may_send = !connection.is_ready
            && !connection.has_given_up
            && connection.way.is_open()
            && connection.sender.can_send(connection.end);
        if !may_send || self.is_held_back(now, flow) {
            return;
        }
        let connection = &mut self.connections[flow as usize];
        let routing = self.shared.settings.routing;
        let key = connection.way.packet_key(routing, connection.number);
        let next = self.shared.routes.choices(connection.way.ports);
        let (port, key) = self.host.choose(&self.shared, now, (next, connection.src), key);
        connection.is_ready = true;
        connection.packet_key = key;
        connection.next_ready = NONE;
        let place = port * (self.shared.classes.len() as u32).max(1) + u32::from(connection.class);
        let outlet = &mut self.outlets[place as usize];
        if outlet.first == NONE {
            outlet.first = flow;
        } else {
            self.connections[outlet.last as usize].next_ready = flow;
        }
        outlet.last = flow;
        self.serve(now, place);
    }

    /// Whether the pace of a connection lets no packet go yet; then it is woken when it does.
    fn is_held_back(&mut self, now: u64, flow: u32) -> bool {
        let connection = &mut self.connections[flow as usize];
        let Some(pace) = &connection.pace else { return false };
        let ready = pace.ready().as_picos();
        if ready > now && !connection.has_pace_timer {
            connection.has_pace_timer = true;
            self.schedule(ready, Class::Pace, flow);
        }
        ready > now
    }

    /// The pace of a connection may let it go on.
    pub(super) fn proceed(&mut self, now: u64, flow: u32) {
        self.connections[flow as usize].has_pace_timer = false;
        self.wake(now, flow);
    }

    /// Sends the packet of the connection that has waited longest, if the link takes one.
    fn serve(&mut self, now: u64, place: u32) {
        let outlet = &mut self.outlets[place as usize];
        if outlet.is_busy || outlet.first == NONE {
            return;
        }
        let flow = outlet.first;
        outlet.first = self.connections[flow as usize].next_ready;
        self.connections[flow as usize].is_ready = false;
        if !self.connections[flow as usize].sender.can_send(self.connections[flow as usize].end) {
            // What was to be sent again has come meanwhile.
            return self.serve(now, place);
        }
        self.send_data(now, (place, flow));
        self.wake(now, flow);
    }

    fn send_data(&mut self, now: u64, (place, flow): (u32, u32)) {
        let frame = self.shared.settings.frame;
        let connection = &mut self.connections[flow as usize];
        let number = connection.number;
        connection.number = number.wrapping_add(1);
        let sent_before = connection.sender.sent();
        let Sending { sequence, attempt } = connection.sender.send(number);
        let is_last = sequence >= sent_before && connection.ends_message(sequence);
        let payload = connection.payload(sequence, frame.payload);
        let mut packet = Packet {
            key: connection.packet_key,
            dst: connection.way.dst,
            row: connection.way.row,
            bytes: (payload + frame.header).max(1),
            link: NONE,
            class: connection.class,
            flow,
            sequence,
            number,
            attempt,
            ..Packet::default()
        };
        self.host.ledger.data += 1;
        self.host.ledger.of(packet.class).data += 1;
        self.host.ledger.repeated += u64::from(attempt > 0);
        if let Some(pace) = &mut connection.pace {
            pace.on_sent(Time::from_picos(now), u64::from(packet.bytes));
        }
        let outlet = &mut self.outlets[place as usize];
        outlet.is_busy = true;
        outlet.leaving = if is_last { flow } else { NONE };
        self.arm(now, flow);
        let port = place / (self.shared.classes.len() as u32).max(1);
        self.inject(now, port, &mut packet);
        if self.host.queues.is_empty() {
            let Port { link, .. } = self.host.ports[port as usize];
            let free_at = self.host.ports[port as usize].free_at();
            self.schedule(free_at, Class::Left, link);
        }
    }

    /// A card puts a packet on one of its links.
    pub(super) fn inject(&mut self, now: u64, port: u32, packet: &mut Packet) {
        self.host.ledger.injected += 1;
        self.host.put(&self.shared, now, (port, packet.key), packet);
    }

    /// The place of an outlet, by the entity of its events.
    pub(super) fn place_of(&self, outlet: u32) -> u32 {
        let classes = (self.shared.classes.len() as u32).max(1);
        let port = self.shared.ends[(outlet / classes) as usize].port;
        port * classes + outlet % classes
    }

    /// A card's own packet has left.
    pub(super) fn left(&mut self, now: u64, place: u32) {
        let outlet = &mut self.outlets[place as usize];
        outlet.is_busy = false;
        let leaving = std::mem::replace(&mut outlet.leaving, NONE);
        if leaving != NONE {
            self.news.push_back(News::Drained(FlowId(leaving)));
        }
        self.serve(now, place);
    }
}
