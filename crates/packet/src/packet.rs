//! A packet.

/// No packet, no link.
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

/// All there is to know of a packet: one cache line, handed from device to device as a whole.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Packet {
    /// When it reaches, or reached, the end of the link it is on, in ps.
    pub(crate) at: u64,
    /// What chooses its way among equals.
    pub(crate) key: u64,
    /// The link that it is on, or by which it came to the node where it is; [`NONE`] where it began.
    pub(crate) link: u32,
    /// The next packet in the same queue.
    pub(crate) next: u32,
    /// The node it goes to.
    pub(crate) dst: u32,
    /// Where the routes to that node begin.
    pub(crate) row: u32,
    /// Its size on the wire.
    pub(crate) bytes: u32,
    /// The connection.
    pub(crate) flow: u32,
    /// Its place in the stream of the connection; of an acknowledgement, the packet acknowledged.
    pub(crate) sequence: u32,
    /// How manieth packet its sender sent; an acknowledgement returns it.
    pub(crate) number: u32,
    /// Of an acknowledgement or refusal: how many have come, or the first that has not.
    pub(crate) count: u32,
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

const _: () = assert!(size_of::<Packet>() == 64, "a packet is one cache line");
