//! Why a world cannot be simulated packet by packet.

use thiserror::Error;
use topology::RouteError;
use units::{Bandwidth, Bytes, Duration};

/// A refusal, before or during a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A transfer has no path.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// Too many transfers to list one by one.
    #[error("{transfers} transfers would have to be listed one by one, at most {limit} can be")]
    TooManyTransfers {
        /// The transfers of one step of the schedule's stages, added up.
        transfers: u128,
        /// The most that are listed.
        limit: u64,
    },
    /// A pair of cards exchanges more packets than can be numbered.
    #[error("one flow has {packets} packets, at most {limit} can be numbered")]
    TooManyPackets {
        /// The packets of the flow.
        packets: u128,
        /// The most that are numbered.
        limit: u32,
    },
    /// Switches that add up and copy.
    #[error("switches add up and copy at flow level only: `in_network` needs `engine: fluid`")]
    Reduction,
    /// A link on which a packet takes too long.
    #[error("a link of {bandwidth} and {latency} is too slow to simulate packets on (5 min a hop)")]
    TooSlow {
        /// The rate of the link.
        bandwidth: Bandwidth,
        /// Its latency.
        latency: Duration,
    },
    /// Sizes of packets out of range.
    #[error(
        "packets of {payload} bytes of payload, {header} of header, {control} of control are out of range"
    )]
    Frame {
        /// The payload.
        payload: u32,
        /// The header.
        header: u32,
        /// The size of control packets.
        control: u32,
    },
    /// A lossless class would lose packets.
    #[error(
        "a lossless class needs {needed} of headroom on a link of {bandwidth} and {latency} \
         (twice the delay, a pause frame and three packets), not {given}"
    )]
    Headroom {
        /// The headroom asked for.
        given: Bytes,
        /// The least that loses nothing.
        needed: Bytes,
        /// The rate of the link.
        bandwidth: Bandwidth,
        /// Its latency.
        latency: Duration,
    },
    /// The transport cannot work under the other settings.
    #[error("{0}")]
    Unfit(&'static str),
    /// The run was stopped or left the range of time.
    #[error(transparent)]
    Run(#[from] engine::Error),
}
