//! Packets that stay at a device for a while, by index; none is allocated twice.

use crate::packet::{NONE, Packet};

/// Packets by index.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    packets: Vec<Packet>,
    free: u32,
    live: u64,
}

impl Arena {
    /// An arena without packets.
    pub(crate) const fn new() -> Self {
        Self { packets: Vec::new(), free: NONE, live: 0 }
    }

    /// Takes a packet in.
    pub(crate) fn insert(&mut self, packet: &Packet) -> u32 {
        self.live += 1;
        let index = self.free;
        if index == NONE {
            self.packets.push(*packet);
            return self.packets.len() as u32 - 1;
        }
        let slot = &mut self.packets[index as usize];
        self.free = slot.next;
        *slot = *packet;
        index
    }

    /// Lets a packet go.
    pub(crate) fn remove(&mut self, index: u32) -> Packet {
        self.live -= 1;
        let slot = &mut self.packets[index as usize];
        let packet = *slot;
        slot.next = self.free;
        self.free = index;
        packet
    }

    /// The packets that are there.
    pub(crate) const fn live(&self) -> u64 {
        self.live
    }
}

impl std::ops::Index<u32> for Arena {
    type Output = Packet;

    fn index(&self, index: u32) -> &Packet {
        &self.packets[index as usize]
    }
}

impl std::ops::IndexMut<u32> for Arena {
    fn index_mut(&mut self, index: u32) -> &mut Packet {
        &mut self.packets[index as usize]
    }
}

/// A queue of packets, linked through them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fifo {
    head: u32,
    tail: u32,
}

impl Fifo {
    /// Nothing waits.
    pub(crate) const EMPTY: Self = Self { head: NONE, tail: NONE };

    /// The first packet, or [`NONE`].
    pub(crate) const fn head(self) -> u32 {
        self.head
    }

    /// Appends a packet; says whether it is the first.
    pub(crate) fn push(&mut self, arena: &mut Arena, index: u32) -> bool {
        arena[index].next = NONE;
        let was_empty = self.head == NONE;
        if was_empty {
            self.head = index;
        } else {
            arena[self.tail].next = index;
        }
        self.tail = index;
        was_empty
    }

    /// Takes the first packet off; there must be one.
    pub(crate) fn pop(&mut self, arena: &Arena) -> u32 {
        let index = self.head;
        self.head = arena[index].next;
        index
    }

    /// The number of packets; for checks.
    pub(crate) fn count(self, arena: &Arena) -> u64 {
        let mut count = 0;
        let mut index = self.head;
        while index != NONE {
            count += 1;
            index = arena[index].next;
        }
        count
    }
}
