//! What can be seen of the ports.

use topology::LinkId;
use units::{Bytes, Duration, Time};

use super::PacketNetwork;
use super::backpressure::FarEnd;
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
    /// How often its sender was told to pause a class.
    pub pauses: u64,
    /// How long some class of it was paused.
    pub paused: Duration,
}

/// How long messages took from their start to their delivery; percentiles are rounded up by less than one part
/// in 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageTimes {
    /// The messages delivered.
    pub messages: u64,
    /// The quickest.
    pub least: Duration,
    /// What half of them did not exceed.
    pub median: Duration,
    /// What 99 of a hundred did not exceed.
    pub p99: Duration,
    /// The slowest.
    pub most: Duration,
}

impl PacketNetwork<'_> {
    /// How a link was used so far.
    pub fn link_use(&self, link: LinkId) -> LinkUse {
        let ends = self.shared.ends[link.index()];
        let port = self.port(link.0);
        let line = &self.shared.lines[port.line];
        let (longest_queue, paused) = match self.queues(link.0) {
            Some(queues) => (queues.most, queues.paused_for),
            None => (line.bytes(port.longest), 0),
        };
        let far_end = self.device(ends.into).far_ends.get(ends.landing as usize);
        let pauses = far_end.map_or(0, FarEnd::pauses);
        LinkUse {
            pauses,
            packets: u64::from(port.packets),
            bytes: Bytes::new(port.bytes),
            longest_queue: Bytes::new(longest_queue),
            paused: Duration::from_picos(paused),
        }
    }

    /// How long messages took.
    pub fn message_times(&self) -> MessageTimes {
        let picos = Duration::from_picos;
        MessageTimes {
            messages: self.took.count(),
            least: picos(self.took.least()),
            median: picos(self.took.percentile(50)),
            p99: picos(self.took.percentile(99)),
            most: picos(self.took.most()),
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
    pub fn event_hash(&self) -> u64 {
        self.devices().fold(0, |sum, device| sum.wrapping_add(device.hash.value()))
    }

    /// The events handled so far.
    pub fn events(&self) -> u64 {
        self.devices().map(|device| device.hash.events()).sum()
    }
}
