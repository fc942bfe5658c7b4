//! The collectives, and how their bus bandwidth is counted.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a group of ranks does together.
///
/// The size S of a collective is counted as nccl-tests does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collective {
    /// Every rank ends with the sum of all vectors; S is the vector.
    AllReduce,
    /// Every rank ends with the parts of all ranks; S is the whole result.
    AllGather,
    /// Every rank ends with its part of the sum of all vectors; S is one input vector.
    ReduceScatter,
    /// Every rank sends another block to each rank; S is the buffer of one rank, its own part
    /// included.
    AllToAll,
    /// The same with uneven blocks: all ranks send most to the last rank, by [`Skew`](crate::Skew).
    AllToAllV {
        /// How much more than the mean the last rank gets, in parts per million, at most a million.
        imbalance_ppm: u32,
    },
    /// Every rank ends with the vector of the root; S is the vector.
    Broadcast {
        /// The place of the root in its group.
        root: u32,
    },
    /// The root ends with the sum of all vectors; S is the vector.
    Reduce {
        /// The place of the root in its group.
        root: u32,
    },
    /// The root ends with the parts of all ranks; S is the whole result.
    Gather {
        /// The place of the root in its group.
        root: u32,
    },
    /// Every rank ends with its part of the root's vector; S is the vector.
    Scatter {
        /// The place of the root in its group.
        root: u32,
    },
    /// No rank leaves before all have come; S is 0.
    Barrier,
    /// One rank sends a vector to another; S is the vector.
    SendReceive {
        /// The place of the sender in its group.
        from: u32,
        /// The place of the receiver, another one.
        to: u32,
    },
}

impl Collective {
    /// The factor between algorithm and bus bandwidth among `ranks` ranks (at least 1), as numerator
    /// and denominator: busbw = S/T × num/den. It is 0 for one rank, which moves nothing.
    ///
    /// Source: nccl-tests, `doc/PERFORMANCE.md` and the `…GetBw` functions: 2(n − 1)/n for
    /// all-reduce; 1 for broadcast, reduce and send–receive; (n − 1)/n otherwise. A barrier, which
    /// moves nothing, counts as 1.
    ///
    /// ```
    /// use collectives::Collective;
    /// assert_eq!(Collective::AllReduce.bus_factor(8), (14, 8)); // 1.75
    /// assert_eq!(Collective::AllToAll.bus_factor(8), (7, 8)); // 0.875
    /// assert_eq!(Collective::AllGather.bus_factor(1), (0, 1));
    /// ```
    ///
    /// # Panics
    /// If there are no ranks.
    pub const fn bus_factor(self, ranks: u32) -> (u64, u64) {
        assert!(ranks > 0, "a collective has ranks");
        let ranks = ranks as u64;
        match self {
            Self::AllReduce => (2 * (ranks - 1), ranks),
            Self::AllGather
            | Self::ReduceScatter
            | Self::AllToAll
            | Self::AllToAllV { .. }
            | Self::Gather { .. }
            | Self::Scatter { .. } => (ranks - 1, ranks),
            Self::Broadcast { .. }
            | Self::Reduce { .. }
            | Self::Barrier
            | Self::SendReceive { .. } => ((ranks > 1) as u64, 1),
        }
    }
}

impl Collective {
    /// Whether vectors are never cut among the ranks.
    pub(crate) const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Broadcast { .. } | Self::Reduce { .. } | Self::Barrier | Self::SendReceive { .. }
        )
    }

    /// The places in a group that it names: a root, a sender and a receiver.
    pub(crate) fn places(self) -> impl Iterator<Item = u32> {
        let (one, other) = match self {
            Self::Broadcast { root }
            | Self::Reduce { root }
            | Self::Gather { root }
            | Self::Scatter { root } => (Some(root), None),
            Self::SendReceive { from, to } => (Some(from), Some(to)),
            _ => (None, None),
        };
        one.into_iter().chain(other)
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllReduce => "all-reduce",
            Self::AllGather => "all-gather",
            Self::ReduceScatter => "reduce-scatter",
            Self::AllToAll => "all-to-all",
            Self::AllToAllV { .. } => "all-to-all-v",
            Self::Broadcast { .. } => "broadcast",
            Self::Reduce { .. } => "reduce",
            Self::Gather { .. } => "gather",
            Self::Scatter { .. } => "scatter",
            Self::Barrier => "barrier",
            Self::SendReceive { .. } => "send-receive",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_bus_bandwidths_come_out() {
        // CASES O11a: 1 GiB in 10 ms is 107.3741824 GB/s; all-reduce × 1.75 = 187.9048192 GB/s,
        // the others × 0.875 = 93.9524096 GB/s. In bytes per second:
        let algbw = (1_u64 << 30) * 100;
        let busbw = |collective: Collective| {
            let (num, den) = collective.bus_factor(8);
            algbw * num / den
        };
        assert_eq!(busbw(Collective::AllReduce), 187_904_819_200);
        for collective in [Collective::AllGather, Collective::ReduceScatter, Collective::AllToAll] {
            assert_eq!(busbw(collective), 93_952_409_600);
        }
        // CASES O11b: 16 ranks, 100 GB/s × 15/16 = 93.75 GB/s.
        let (num, den) = Collective::AllToAll.bus_factor(16);
        assert_eq!(100_000_000_000 * num / den, 93_750_000_000);
    }
}
