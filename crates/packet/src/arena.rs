//! All packets under way, by index; none is allocated twice.

/// No packet.
pub(crate) const NONE: u32 = u32::MAX;

/// What a packet is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It carries payload, or ends a message without any.
    #[default]
    Data,
    /// It tells the sender what has come.
    Acknowledgement,
    /// It asks the sender to go back.
    Refusal,
    /// It tells the sender that its packets were marked on the way.
    Congestion,
}

/// What every hop needs of a packet; two to a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Packet {
    /// When it reaches the end of the link it is on, in ps.
    pub(crate) at: u64,
    /// What chooses its way among equals.
    pub(crate) key: u64,
    /// The next packet in the same queue.
    pub(crate) next: u32,
    /// The node it goes to.
    pub(crate) dst: u32,
    /// Where the routes to that node begin.
    pub(crate) row: u32,
    /// Its size on the wire.
    pub(crate) bytes: u32,
}

/// What its ends need of it, and hops where something is counted, stopped or lost.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Cargo {
    /// The connection.
    pub(crate) flow: u32,
    /// Its place in the stream of the connection; of an acknowledgement, the packet acknowledged.
    pub(crate) sequence: u32,
    /// How manieth packet its sender sent; an acknowledgement returns it.
    pub(crate) number: u32,
    /// Of an acknowledgement or refusal: how many have come, or the first that has not.
    pub(crate) count: u32,
    /// The link by which it came to the node where it is, or [`NONE`] where it began.
    pub(crate) from: u32,
    /// How long after its arrival its last bit comes, in ps; not 0 only where switches cut through.
    pub(crate) behind: u32,
    /// What it is for.
    pub(crate) kind: Kind,
    /// How often the same data was sent before, at most 255.
    pub(crate) attempt: u8,
    /// Its class of service.
    pub(crate) class: u8,
    /// Whether a queue on the way was long.
    pub(crate) is_marked: bool,
    /// Whether the wire that it is on loses it although it tried again.
    pub(crate) is_lost: bool,
}

/// Packets by index.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    packets: Vec<Packet>,
    cargo: Vec<Cargo>,
    free: u32,
    live: u64,
}

impl Arena {
    /// An arena without packets.
    pub(crate) const fn new() -> Self {
        Self { packets: Vec::new(), cargo: Vec::new(), free: NONE, live: 0 }
    }

    /// Takes a packet in.
    pub(crate) fn insert(&mut self, packet: Packet, cargo: Cargo) -> u32 {
        self.live += 1;
        let index = self.free;
        if index == NONE {
            self.packets.push(packet);
            self.cargo.push(cargo);
            return self.packets.len() as u32 - 1;
        }
        let slot = &mut self.packets[index as usize];
        self.free = slot.next;
        *slot = packet;
        self.cargo[index as usize] = cargo;
        index
    }

    /// Lets a packet go.
    pub(crate) fn remove(&mut self, index: u32) {
        self.live -= 1;
        self.packets[index as usize].next = self.free;
        self.free = index;
    }

    /// What the ends of a packet need.
    pub(crate) fn cargo(&self, index: u32) -> &Cargo {
        &self.cargo[index as usize]
    }

    /// The same, to be changed.
    pub(crate) fn cargo_mut(&mut self, index: u32) -> &mut Cargo {
        &mut self.cargo[index as usize]
    }

    /// The packets under way.
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
