//! The end of a link, where its packets come in.

use crate::arena::Fifo;

/// The end of one link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    /// The link.
    pub(crate) link: u32,
    /// The node.
    pub(crate) node: u32,
    /// The column of that node in the table of routes.
    pub(crate) column: u32,
    /// Packets that have come, modulo 2³².
    pub(crate) arrived: u32,
    /// Of a link whose both ends are at one device: the packets on it and before it, in order of arrival.
    pub(crate) wire: Fifo,
}
