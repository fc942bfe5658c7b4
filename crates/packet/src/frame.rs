//! How large packets are.

/// The sizes of packets on the wire, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The most payload of a data packet, 1 … 65,536.
    pub payload: u32,
    /// What every data packet carries beside its payload and what the links' efficiency already
    /// counts, 0 … 4,096: a message without payload is one packet of so many bytes, at least 1.
    pub header: u32,
    /// A packet that acknowledges or refuses others, 0 … 4,096; 0 takes no time on the wire.
    pub control: u32,
}

impl Frame {
    /// Packets of 4,096 bytes of payload with 64 bytes of header, control packets of 64 bytes.
    ///
    /// Source: the packets of csg-htsim's EQDS and NDP, as its lone flows show.
    pub const STANDARD: Self = Self { payload: 4_096, header: 64, control: 64 };

    /// The packets of a message of `bytes`, at least 1.
    pub(crate) const fn packets(self, bytes: u64) -> u64 {
        let packets = bytes.div_ceil(self.payload as u64);
        if packets == 0 { 1 } else { packets }
    }

    /// A full data packet on the wire.
    pub(crate) const fn full(self) -> u32 {
        self.payload + self.header
    }
}
