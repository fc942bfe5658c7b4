//! What receivers answer, what senders hear, and how long they wait for it.

use units::Time;

use super::PacketNetwork;
use crate::event::Class;
use crate::packet::{Kind, NONE, Packet};
use crate::transport::{Due, Progress, Report};

impl PacketNetwork<'_> {
    /// A control packet of the receiver of a connection goes back to its sender.
    pub(super) fn answer(&mut self, now: u64, (kind, cause): (Kind, &Packet)) {
        let receiver = &mut self.receivers[cause.flow as usize];
        if !receiver.back.is_open() {
            return;
        }
        let routing = self.shared.settings.routing;
        let key = receiver.back.packet_key(routing, receiver.number);
        receiver.number = receiver.number.wrapping_add(1);
        if kind != Kind::Congestion {
            receiver.silent = 0;
        }
        let count = match self.shared.settings.transport.recovery() {
            Some(_) => receiver.inbox.expected(),
            None => receiver.inbox.come(),
        };
        let next = self.shared.routes.choices(receiver.back.ports);
        let (port, key) = self.host.choose(&self.shared, now, (next, receiver.card), key);
        let &Packet { flow, sequence, number, .. } = cause;
        let mut packet = Packet {
            key,
            dst: receiver.back.dst,
            row: receiver.back.row,
            bytes: self.shared.settings.frame.control,
            link: NONE,
            flow,
            sequence,
            number,
            count,
            kind,
            ..Packet::default()
        };
        self.inject(now, port, &mut packet);
    }

    /// A control packet has come back.
    pub(super) fn hear(&mut self, now: u64, packet: &Packet) {
        let flow = packet.flow;
        let connection = &mut self.connections[flow as usize];
        if packet.kind == Kind::Congestion {
            if let Some(pace) = &mut connection.pace {
                pace.on_congestion(Time::from_picos(now));
            }
            return;
        }
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
                let deadline = patience.on_progress(instant, is_waiting);
                self.await_deadline(flow, deadline);
            }
        }
        self.wake(now, flow);
    }

    /// A packet of a connection is sent: its timer runs.
    pub(super) fn arm(&mut self, now: u64, flow: u32) {
        let connection = &mut self.connections[flow as usize];
        let Some(patience) = &mut connection.patience else { return };
        let deadline = patience.on_sent(Time::from_picos(now));
        self.await_deadline(flow, deadline);
    }

    /// Makes sure that the timer of a connection comes by its deadline.
    fn await_deadline(&mut self, flow: u32, deadline: Option<Time>) {
        let has_timer = &mut self.connections[flow as usize].has_timer;
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
        if connection.cut_since.is_some() {
            // There is no way on which anything could be sent: routes are waited for.
            return patience.rest();
        }
        match patience.on_timer(Time::from_picos(now)) {
            Due::Idle => {}
            Due::Later(at) => {
                connection.has_timer = true;
                self.schedule(at.as_picos(), Class::Timeout, flow);
            }
            Due::Expired => {
                connection.sender.on_timeout();
                self.host.ledger.timeouts += 1;
                self.wake(now, flow);
            }
            Due::GiveUp => self.give_up(now, flow),
        }
    }
}
