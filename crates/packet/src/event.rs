//! What happens: classes of events, their rank among equals, and the hash over all of them.

use topology::mix;

/// A class of events; those of one instant are handled in the order of the variants, then of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Links or routes become others, before anything is put on them at that instant.
    Turn,
    /// The first packet on the wire of a link reaches its end.
    Arrive,
    /// A card's own packet has left through a link.
    Left,
    /// A pause, a resumption or credits reach the sender of a link.
    Hear,
    /// The transmitter of a link is free while packets wait for it.
    Free,
    /// The time of a connection's acknowledgement is over.
    Timeout,
    /// A connection may send again at its pace.
    Pace,
    /// Nothing happens: somebody looks on.
    Look,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Turn,
        Self::Arrive,
        Self::Left,
        Self::Hear,
        Self::Free,
        Self::Timeout,
        Self::Pace,
        Self::Look,
    ];

    /// The rank of an entity's event among those of one instant.
    pub(crate) const fn rank(self, entity: u32) -> u64 {
        (self as u64) << 32 | entity as u64
    }

    /// The class and entity of a rank.
    pub(crate) const fn of(rank: u64) -> (Self, u32) {
        (Self::ALL[(rank >> 32) as usize], rank as u32)
    }
}

/// The hash over all events: instant, class, entity, and how manieth it is.
///
/// The sum of a mixed word of each event, so it does not depend on who handles which event first,
/// as long as the same events happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventHash {
    sum: u64,
    events: u64,
}

impl EventHash {
    /// Adds an event of an entity that has had `sequence` events before.
    pub(crate) fn add(&mut self, at: u64, rank: u64, sequence: u64) {
        let word = mix(at, rank.rotate_left(40) ^ sequence);
        self.sum = self.sum.wrapping_add(word);
        self.events += 1;
    }

    /// The hash.
    pub(crate) const fn value(self) -> u64 {
        self.sum
    }

    /// The number of events.
    pub(crate) const fn events(self) -> u64 {
        self.events
    }
}
