//! A port: the transmitter of one link, its queue, and the packets on the wire.
//!
//! Where a queue is first in, first out and nothing can stop it, a packet's departure is known when it
//! joins. So it is put on the wire at once, with its instants; the queue is the time until the
//! transmitter is free, and a hop is one event, the packet's arrival at the far end.

use crate::line::Line;
use crate::packet::Packet;

/// How a packet is put on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch {
    /// Whether switches send it on as soon as its header is there.
    pub(crate) cut_through: bool,
    /// How often the link repeats it: each time costs a round trip of the link and the packet again.
    pub(crate) repeats: u64,
}

/// When a packet reaches the far end of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// The instant in ps.
    pub(crate) at: u64,
    /// How long after it its last bit comes, in ps.
    pub(crate) behind: u32,
}

/// One link's transmitter. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Port {
    /// Until when the transmitter is busy, in ps, rounded down.
    busy_until: u64,
    /// And the part of a picosecond beyond it, over the rate of the link.
    rest: u64,
    /// Bytes put on the wire.
    pub(crate) bytes: u64,
    /// The longest time that a packet found before it, in ps.
    pub(crate) longest: u64,
    /// The link.
    pub(crate) link: u32,
    /// The link's kind.
    pub(crate) line: u32,
    /// The node at its end.
    pub(crate) dst: u32,
    /// Packets put on the wire, modulo 2³².
    pub(crate) packets: u32,
    /// The landing of the link if it is at the same device, or [`NONE`](crate::packet::NONE).
    pub(crate) landing: u32,
}

impl Port {
    /// An idle port of a link of a kind that leads to a node.
    pub(crate) const fn new((link, line): (u32, u32), dst: u32, landing: u32) -> Self {
        Self { busy_until: 0, rest: 0, bytes: 0, longest: 0, link, line, dst, packets: 0, landing }
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

    /// Puts a packet behind all that waits.
    ///
    /// Of a link that cuts through, a packet arrives with its header, unless it ends there.
    pub(crate) fn send(
        &mut self,
        now: u64,
        line: &Line,
        packet: &Packet,
        Launch { cut_through, repeats }: Launch,
    ) -> Flight {
        let backlog = self.backlog(now);
        self.longest = self.longest.max(backlog);
        // A packet that comes when the one before has just left follows it without a gap: whoever waits
        // for the port is told the instant rounded up.
        if self.free_at() < now {
            (self.busy_until, self.rest) = (now, 0);
        }
        let begin = self.free_at();
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
        self.packets = self.packets.wrapping_add(1);
        self.bytes += u64::from(packet.bytes);
        if cut_through {
            let tail = packet.at + u64::from(packet.behind);
            if tail > self.busy_until {
                // A packet that is still coming in holds the link until its last bit is there.
                (self.busy_until, self.rest) = (tail, 0);
            }
            let end = self.free_at() + line.latency;
            let head = if packet.dst == self.dst { end } else { begin + line.head + line.latency };
            let at = head.min(end);
            return Flight { at, behind: u32::try_from(end - at).unwrap_or(u32::MAX) };
        }
        Flight { at: self.free_at() + line.latency, behind: 0 }
    }
}
