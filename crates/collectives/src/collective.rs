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
}

impl Collective {
    /// The factor between algorithm and bus bandwidth among `ranks` ranks (at least 1), as numerator
    /// and denominator: busbw = S/T × num/den. It is 0 for one rank, which moves nothing.
    ///
    /// Source: nccl-tests, `doc/PERFORMANCE.md`: 2(n − 1)/n for all-reduce, (n − 1)/n otherwise.
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
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => (ranks - 1, ranks),
        }
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllReduce => "all-reduce",
            Self::AllGather => "all-gather",
            Self::ReduceScatter => "reduce-scatter",
            Self::AllToAll => "all-to-all",
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
