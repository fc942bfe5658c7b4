//! A port: the transmitter of one link, its queue, and the packets on the wire.
//!
//! Where a queue is first in, first out and nothing can stop it, a packet's departure is known when it
//! joins. So it is put on the wire at once, with its instants; the queue is the time until the
//! transmitter is free, and a hop is one event, the packet's arrival at the far end.

use crate::arena::{Arena, Fifo};
use crate::line::Line;

/// How a packet is put on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    /// The packet.
    pub(crate) index: u32,
    /// Whether switches send it on as soon as its header is there.
    pub(crate) cut_through: bool,
    /// How often the link repeats it: each time costs a round trip of the link and the packet again.
    pub(crate) repeats: u64,
}

/// One link's transmitter and wire. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Port {
    /// Until when the transmitter is busy, in ps, rounded down.
    busy_until: u64,
    /// And the part of a picosecond beyond it, over the rate of the link.
    rest: u64,
    /// Packets on the wire and before it, in order of arrival.
    pub(crate) wire: Fifo,
    /// The link's kind.
    pub(crate) line: u32,
    /// The node at its end.
    pub(crate) dst: u32,
    /// The place of that node in the table of routes.
    pub(crate) place: u32,
    /// Packets put on the wire, modulo 2³².
    pub(crate) packets: u32,
    /// Packets that have come to its end, modulo 2³².
    pub(crate) arrived: u32,
    /// Bytes put on the wire.
    pub(crate) bytes: u64,
    /// The longest time that a packet found before it, in ps.
    pub(crate) longest: u64,
}

impl Port {
    /// An idle port.
    pub(crate) const fn new(line: u32, dst: u32, place: u32) -> Self {
        Self {
            busy_until: 0,
            rest: 0,
            wire: Fifo::EMPTY,
            line,
            dst,
            place,
            packets: 0,
            arrived: 0,
            bytes: 0,
            longest: 0,
        }
    }

    /// Becomes a link of another kind; the packet that is being sent ends at a whole picosecond.
    pub(crate) fn retune(&mut self, line: u32) {
        (self.busy_until, self.rest) = (self.free_at(), 0);
        self.line = line;
    }

    /// The time until all that waits has left, in ps.
    pub(crate) fn backlog(&self, now: u64) -> u64 {
        self.free_at().saturating_sub(now)
    }

    /// When all that waits has left, rounded up to 1 ps.
    pub(crate) fn free_at(&self) -> u64 {
        self.busy_until + u64::from(self.rest > 0)
    }

    /// Puts a packet behind all that waits. Returns its arrival at the far end if it is the first on
    /// the wire.
    ///
    /// Of a link that cuts through, a packet arrives with its header, unless it ends there.
    pub(crate) fn send(
        &mut self,
        now: u64,
        line: &Line,
        arena: &mut Arena,
        Launch { index, cut_through, repeats }: Launch,
    ) -> Option<u64> {
        let backlog = self.backlog(now);
        self.longest = self.longest.max(backlog);
        // A packet that comes when the one before has just left follows it without a gap: whoever waits
        // for the port is told the instant rounded up.
        if self.free_at() < now {
            (self.busy_until, self.rest) = (now, 0);
        }
        let begin = self.free_at();
        let packet = arena[index];
        let serial = line.serial(packet.bytes);
        self.busy_until += serial.picos;
        self.rest += serial.rest;
        if self.rest >= line.rate {
            self.rest -= line.rate;
            self.busy_until += 1;
        }
        if repeats > 0 {
            self.busy_until += repeats * (serial.picos + 2 * line.latency);
        }
        let (came, bytes, dst) = (packet.at, packet.bytes, packet.dst);
        let head = if cut_through {
            let tail = came + u64::from(arena.cargo(index).behind);
            if tail > self.busy_until {
                // A packet that is still coming in holds the link until its last bit is there.
                (self.busy_until, self.rest) = (tail, 0);
            }
            let end = self.free_at() + line.latency;
            let head = if dst == self.dst { end } else { begin + line.head + line.latency };
            let head = head.min(end);
            arena.cargo_mut(index).behind = u32::try_from(end - head).unwrap_or(u32::MAX);
            head
        } else {
            self.free_at() + line.latency
        };
        arena[index].at = head;
        self.packets = self.packets.wrapping_add(1);
        self.bytes += u64::from(bytes);
        self.wire.push(arena, index).then_some(head)
    }
}
