//! What can be seen of the ports.

use topology::LinkId;
use units::{Bytes, Duration};

use super::PacketNetwork;

/// How a link was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkUse {
    /// Packets put on it.
    pub packets: u64,
    /// Bytes put on it, headers included.
    pub bytes: Bytes,
    /// The longest time that a packet waited before it.
    pub longest_wait: Duration,
    /// The longest queue that a packet found, rounded up.
    pub longest_queue: Bytes,
}

impl PacketNetwork<'_> {
    /// How a link was used so far.
    pub fn link_use(&self, link: LinkId) -> LinkUse {
        let port = &self.ports[link.index()];
        LinkUse {
            packets: u64::from(port.packets),
            bytes: Bytes::new(port.bytes),
            longest_wait: Duration::from_picos(port.longest),
            longest_queue: Bytes::new(self.lines[port.line].bytes(port.longest)),
        }
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
