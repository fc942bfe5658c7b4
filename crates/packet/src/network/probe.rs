//! What can be seen of the ports.

use topology::LinkId;
use units::{Bytes, Duration, Time};

use super::PacketNetwork;
use crate::event::Class;

/// How a link was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkUse {
    /// Packets put on it.
    pub packets: u64,
    /// Bytes put on it, headers included.
    pub bytes: Bytes,
    /// The most bytes that waited before it: without classes, what a packet found, rounded up.
    pub longest_queue: Bytes,
    /// How long some class of it was paused.
    pub paused: Duration,
}

impl PacketNetwork<'_> {
    /// How a link was used so far.
    pub fn link_use(&self, link: LinkId) -> LinkUse {
        let port = &self.ports[link.index()];
        let line = &self.lines[port.line];
        let (longest_queue, paused) = match self.queues.get(link.index()) {
            Some(queues) => (queues.most, queues.paused_for),
            None => (line.bytes(port.longest), 0),
        };
        LinkUse {
            packets: u64::from(port.packets),
            bytes: Bytes::new(port.bytes),
            longest_queue: Bytes::new(longest_queue),
            paused: Duration::from_picos(paused),
        }
    }

    /// Lets an event come at which nothing happens, as somebody who looks on makes them.
    pub fn look_on(&mut self, at: Time) {
        self.schedule(at.as_picos(), Class::Look, 0);
    }

    /// The number of connections.
    pub fn flows(&self) -> u64 {
        self.connections.len() as u64
    }

    /// The hash over all events: instant, class, entity and sequence.
    pub const fn event_hash(&self) -> u64 {
        self.hash.value()
    }

    /// The events handled so far.
    pub const fn events(&self) -> u64 {
        self.hash.events()
    }
}
