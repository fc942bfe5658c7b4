//! algbw and busbw as nccl-tests define them, exactly.
//!
//! With S the bytes of one rank's whole buffer (own part included), T the completion time and n
//! the ranks: algbw = S / T, and busbw = algbw × a factor that makes it comparable with the rate
//! of a port: 2(n−1)/n for `AllReduce`, (n−1)/n for `AllGather`, `ReduceScatter` and All-to-All,
//! 1 otherwise. busbw is not the speed of a wire and may exceed it. Source: NVIDIA, nccl-tests,
//! `doc/PERFORMANCE.md`.

use crate::Record;
use crate::show::Fraction;

/// An exact rate in bytes per second.
#[derive(Clone, Copy, Debug)]
pub struct Rate(Fraction);

/// Picoseconds in a second.
const PICOS_PER_SECOND: u128 = 1_000_000_000_000;

impl Rate {
    /// `bytes` in `picos` picoseconds, or `None` when no time passed.
    pub fn new(bytes: u64, picos: u64) -> Option<Self> {
        Fraction::new(u128::from(bytes) * PICOS_PER_SECOND, u128::from(picos)).map(Self)
    }

    /// The rate times `over / under`; `None` when `under` is 0 or the product cannot be told in
    /// 128 bits.
    pub fn times(self, (over, under): (u64, u64)) -> Option<Self> {
        self.0.times(Fraction::new(over.into(), under.into())?).map(Self)
    }

    /// Bytes per second, rounded down.
    pub const fn bytes_per_second(self) -> u128 {
        self.0.floor()
    }

    /// GB/s with `decimals` digits after the point.
    pub fn gigabytes_fixed(self, decimals: u32) -> String {
        self.in_gigabytes().map_or_else(|| "n/a".to_owned(), |rate| rate.fixed(decimals))
    }

    /// In GB/s (10⁹ bytes per second); `None` where that cannot be told in 128 bits.
    pub(crate) fn in_gigabytes(self) -> Option<Fraction> {
        self.0.times(Fraction::new(1, 1_000_000_000)?)
    }
}

/// The algorithm bandwidth S / T of a complete point; `None` when it is not complete, no time
/// passed, or no data was moved among several ranks.
pub fn algbw(record: &Record) -> Option<Rate> {
    let moved = record.is_complete() && record.ranks > 1;
    Rate::new(record.size, record.time_ps).filter(|_| moved)
}

/// The bus bandwidth of a complete point; `None` where [`algbw`] is, so for one rank always.
pub fn busbw(record: &Record) -> Option<Rate> {
    algbw(record)?.times(record.bus_factor)
}

/// The bound over the completion time in parts per million, rounded down; `None` when the point
/// is not complete or took no time.
pub fn efficiency_ppm(record: &Record) -> Option<u32> {
    crate::show::ppm(record.bound_ps, record.time_ps).filter(|_| record.is_complete())
}

/// The factor of busbw for a collective in which each rank sends all but its own part of the
/// buffer `passes` times: passes × (n − 1) / n; 2 passes for `AllReduce`, 1 for `AllGather`,
/// `ReduceScatter` and All-to-All. With one rank it is 0.
pub fn bus_factor(passes: u64, ranks: u32) -> (u64, u64) {
    let ranks = u64::from(ranks.max(1));
    (passes * (ranks - 1), ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;

    fn shown(size: u64, picos: u64, ranks: u32, factor: (u64, u64)) -> (String, String) {
        let mut point = record("star", "-", picos);
        (point.size, point.ranks, point.bus_factor) = (size, ranks, factor);
        let rate = |rate: Option<Rate>| rate.map_or("n/a".into(), |rate| rate.gigabytes_fixed(7));
        (rate(algbw(&point)), rate(busbw(&point)))
    }

    /// CASES O11, input a: 2³⁰ B / 10 ms = 107.3741824 GB/s with 8 ranks.
    #[test]
    fn factors_are_those_of_nccl_tests() {
        let (size, picos) = (1 << 30, 10_000_000_000);
        let all_reduce = shown(size, picos, 8, bus_factor(2, 8));
        assert_eq!(all_reduce, ("107.3741824".into(), "187.9048192".into())); // × 14/8
        let all_gather = shown(size, picos, 8, bus_factor(1, 8));
        assert_eq!(all_gather, ("107.3741824".into(), "93.9524096".into())); // × 7/8
        let broadcast = shown(size, picos, 8, (1, 1));
        assert_eq!(broadcast, ("107.3741824".into(), "107.3741824".into()));
    }

    /// CASES O11, input b: All-to-All of 2³⁰ B over 2 nodes × 8 cards at 50 GB/s a card. Half of
    /// it leaves the node: 2²⁹ B / 50 GB/s = 10,737,418,240 ps; 100 GB/s × 15/16 = 93.75 GB/s.
    #[test]
    fn all_to_all_on_two_nodes_beats_its_port() {
        let factor = bus_factor(1, 16);
        let (algbw, busbw) = shown(1 << 30, 10_737_418_240, 16, factor);
        assert_eq!((algbw.as_str(), busbw.as_str()), ("100.0000000", "93.7500000"));
    }

    /// CASES O10: one rank has no rate, never NaN or infinity.
    #[test]
    fn one_rank_has_no_rate() {
        assert_eq!(shown(1 << 30, 0, 1, bus_factor(2, 1)), ("n/a".into(), "n/a".into()));
        assert_eq!(shown(1 << 30, 5_000, 1, bus_factor(2, 1)), ("n/a".into(), "n/a".into()));
        assert_eq!(shown(0, 0, 8, bus_factor(2, 8)), ("n/a".into(), "n/a".into()));
    }

    #[test]
    fn rates_beyond_128_bits_are_not_told() {
        let widest = Rate::new(u64::MAX, 1).expect("time passed");
        assert!(widest.times((u64::MAX, 2)).is_none());
        assert!(widest.times((1, 0)).is_none());
    }

    #[test]
    fn efficiency_is_bound_over_time() {
        let mut point = record("star", "-", 4_000);
        point.bound_ps = 3_000;
        assert_eq!(efficiency_ppm(&point), Some(750_000));
        point.time_ps = 0;
        assert_eq!(efficiency_ppm(&point), None);
    }
}
