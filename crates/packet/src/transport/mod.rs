//! Transports: senders and receivers as state machines without clock or wire.
//!
//! A connection is a stream of packets numbered from 0, in which messages follow each other. A
//! [`Sender`] says which packet to send next and hears what has come; an [`Inbox`] says what a packet
//! that arrives means. Neither knows links, sizes or instants; the waiting is in [`Patience`].

mod dcqcn;
mod go_back;
mod ideal;
mod inbox;
mod patience;
mod selective;

use crate::Recovery;
pub use dcqcn::Dcqcn;
pub(crate) use dcqcn::Pace;
use go_back::GoBack;
use ideal::Ideal;
pub(crate) use inbox::{Arrival, Inbox};
pub(crate) use patience::{Due, Patience};
use selective::Selective;

/// How senders and receivers behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A window and nothing else: the reference, for networks that lose nothing.
    Ideal {
        /// How many packets may be under way.
        window: Window,
    },
    /// The receiver takes packets in order only; a gap or a timeout sends the sender back to it.
    ///
    /// Source: `InfiniBand` Architecture Specification volume 1, section 9.7 (reliable connection),
    /// as RDMA NICs implement it.
    GoBackN {
        /// How many packets may be under way.
        window: Window,
        /// Timeouts.
        recovery: Recovery,
    },
    /// The receiver takes packets in any order; only what is lost is repeated.
    ///
    /// A packet counts as lost when one that was sent `reordering` packets later has come, or at a
    /// timeout. Source: Mittal et al.: *Revisiting Network Support for RDMA*, SIGCOMM 2018, section 3;
    /// the numbering of sendings as in RFC 9002, section 6.1.1.
    Selective {
        /// How many packets may be under way.
        window: Window,
        /// Timeouts.
        recovery: Recovery,
        /// By how many packets others may overtake one before it counts as lost, at least 1.
        reordering: u32,
    },
}

impl Transport {
    /// The window.
    pub const fn window(&self) -> Window {
        match *self {
            Self::Ideal { window }
            | Self::GoBackN { window, .. }
            | Self::Selective { window, .. } => window,
        }
    }

    /// What it does about loss.
    pub const fn recovery(&self) -> Option<Recovery> {
        match *self {
            Self::Ideal { .. } => None,
            Self::GoBackN { recovery, .. } | Self::Selective { recovery, .. } => Some(recovery),
        }
    }
}

/// How many packets may be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// So many, at least 1.
    Packets(u32),
    /// So many times as leave the slowest link of the path before the acknowledgement of the first one
    /// is back, on an idle network, and one acknowledgement's worth more.
    BandwidthDelay {
        /// How many times, at least 1. Once fills an idle path; twice bears that packets wait for each
        /// other on the way.
        times: u32,
    },
}

/// A packet to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    /// Its place in the stream.
    pub(crate) sequence: u32,
    /// How often it was sent before, at most 255.
    pub(crate) attempt: u8,
}

/// What an acknowledgement says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// The packet that caused it.
    pub(crate) sequence: u32,
    /// Which sending it was, counted over all packets of the connection.
    pub(crate) number: u32,
    /// All packets before this one have come; of an ideal window, how many have come.
    pub(crate) count: u32,
}

/// Whether news brought the connection on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More has come than was known.
    Some,
    /// Nothing new.
    None,
}

/// The sending side of a connection.
#[derive(Clone, Debug)]
pub(crate) enum Sender {
    Ideal(Ideal),
    GoBack(GoBack),
    Selective(Box<Selective>),
}

impl Sender {
    /// A sender that has nothing to send and may have `window` packets under way.
    pub(crate) fn new(transport: &Transport, window: u32) -> Self {
        match *transport {
            Transport::Ideal { .. } => Self::Ideal(Ideal::new(window)),
            Transport::GoBackN { .. } => Self::GoBack(GoBack::new(window)),
            Transport::Selective { reordering, .. } => {
                Self::Selective(Box::new(Selective::new(window, reordering)))
            }
        }
    }

    /// Whether a packet may be sent, of those before `end`.
    pub(crate) fn can_send(&self, end: u32) -> bool {
        match self {
            Self::Ideal(sender) => sender.can_send(end),
            Self::GoBack(sender) => sender.can_send(end),
            Self::Selective(sender) => sender.can_send(end),
        }
    }

    /// The next packet; it counts as the connection's sending `number`.
    pub(crate) fn send(&mut self, number: u32) -> Sending {
        match self {
            Self::Ideal(sender) => sender.send(),
            Self::GoBack(sender) => sender.send(),
            Self::Selective(sender) => sender.send(number),
        }
    }

    /// Hears what has come.
    pub(crate) fn on_acknowledged(&mut self, report: Report) -> Progress {
        match self {
            Self::Ideal(sender) => sender.on_acknowledged(report.count),
            Self::GoBack(sender) => sender.on_acknowledged(report.count),
            Self::Selective(sender) => sender.on_acknowledged(report),
        }
    }

    /// Hears that the receiver waits for `expected` and takes nothing else.
    pub(crate) fn on_refused(&mut self, expected: u32) -> Progress {
        match self {
            Self::GoBack(sender) => sender.on_refused(expected),
            Self::Ideal(_) | Self::Selective(_) => Progress::None,
        }
    }

    /// Takes everything unacknowledged for lost.
    pub(crate) fn on_timeout(&mut self) {
        match self {
            Self::Ideal(_) => {}
            Self::GoBack(sender) => sender.on_timeout(),
            Self::Selective(sender) => sender.on_timeout(),
        }
    }

    /// All packets before this one are known to have come.
    pub(crate) fn acknowledged(&self) -> u32 {
        match self {
            Self::Ideal(sender) => sender.acknowledged(),
            Self::GoBack(sender) => sender.acknowledged(),
            Self::Selective(sender) => sender.acknowledged(),
        }
    }

    /// All packets before this one have been sent at least once.
    pub(crate) fn sent(&self) -> u32 {
        match self {
            Self::Ideal(sender) => sender.sent(),
            Self::GoBack(sender) => sender.sent(),
            Self::Selective(sender) => sender.sent(),
        }
    }
}
