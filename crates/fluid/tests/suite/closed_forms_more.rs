//! More closed forms on a star: log-step algorithms, roots, barriers, uneven and relayed all-to-all.
//!
//! t(b) is the time of b bytes at 50 GB/s, rounded up to 1 ps, t(b, k) the same at ⌊rate/k⌋, and α the
//! path latency of 1 µs.

use crate::closed_forms::{LATENCY, RATE, drain, run, star};
use crate::common;
use collectives::{Algorithm, Channels, Collective, exchange};
use engine::Costs;
use fluid::{Conducts, Options, Recovery, World, simulate};
use topology::Routing;
use units::Bytes;

const COUNTS: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 31, 32, 33, 90, 384];

fn time(collective: Collective, algorithm: Algorithm, ranks: u32, size: u64) -> u64 {
    run(&star(ranks), collective, algorithm, size).makespan.as_picos()
}

/// 1, 2, 4, … below `ranks`.
fn distances(ranks: u32) -> impl DoubleEndedIterator<Item = u32> {
    (0..ranks.next_power_of_two().ilog2()).map(|bit| 1 << bit)
}

/// t(b) + α.
fn hop(bytes: u64) -> u64 {
    drain(bytes, RATE) + LATENCY
}

#[test]
fn nhr_and_bruck() {
    for ranks in COUNTS {
        let chunk = 10_007;
        let size = chunk * u64::from(ranks);
        // In the step of distance d ⌊(p − 1 + d) / 2d⌋ chunks.
        let chunks = |d: u32| u64::from((ranks - 1 + d) / (2 * d));
        let half: u64 = distances(ranks).map(|d| hop(chunks(d) * chunk)).sum();
        assert_eq!(time(Collective::AllReduce, Algorithm::Nhr, ranks, size), 2 * half);
        for collective in [Collective::AllGather, Collective::ReduceScatter] {
            assert_eq!(time(collective, Algorithm::Nhr, ranks, size), half, "{ranks} ranks");
        }
        // In the step of distance d min(d, p − d) chunks.
        let bruck: u64 = distances(ranks).map(|d| hop(u64::from(d.min(ranks - d)) * chunk)).sum();
        assert_eq!(time(Collective::AllGather, Algorithm::Bruck, ranks, size), bruck);
        // In the step of distance d the blocks whose way has that bit.
        let blocks = |d: u32| (1..ranks).filter(|way| way & d != 0).count() as u64;
        let all_to_all: u64 = distances(ranks).map(|d| hop(blocks(d) * chunk)).sum();
        assert_eq!(time(Collective::AllToAll, Algorithm::Bruck, ranks, size), all_to_all);
    }
}

#[test]
fn recursive_halving_and_doubling() {
    for ranks in COUNTS {
        let chunk = 10_007;
        let size = chunk * u64::from(ranks);
        let (core, levels) = (1_u32 << ranks.ilog2(), ranks.ilog2());
        let folded = u64::from(ranks - core);
        // A seat of the core stands for two seats if its number is below r, else for itself; in the
        // exchange at distance d the partners hold the chunks of the runs of d numbers they are in.
        let held = |index: u64, d: u64| {
            let first = index / d * d;
            (first..first + d).map(|index| if index < folded { 2 } else { 1 }).sum::<u64>()
        };
        // Both begin together; each leaves when its own message has drained and the other has come. In
        // a reduce-scatter a seat sends what its partner keeps, in an all-gather what it holds.
        let exchange = |leaves: &mut Vec<u64>, d: u64, partner: u64| {
            for index in (0..u64::from(core)).filter(|index| index & d == 0) {
                let (one, other) = (index as usize, (index + d) as usize);
                let begin = leaves[one].max(leaves[other]);
                let sent = |index: u64| held(index ^ (d * partner), d) * chunk;
                let (from_one, from_other) = (sent(index), sent(index + d));
                leaves[one] = begin + u64::max(drain(from_one, RATE), hop(from_other));
                leaves[other] = begin + u64::max(drain(from_other, RATE), hop(from_one));
            }
        };
        let mut leaves = vec![0_u64; core as usize];
        // Reduce-scatter: r seats take a whole vector first, and give one chunk back last.
        leaves[..folded as usize].fill(hop(size));
        for level in (0..levels).rev() {
            exchange(&mut leaves, 1 << level, 1);
        }
        let back = |leaves: &[u64], bytes: u64| {
            let ends = (0..).zip(leaves);
            ends.map(|(index, end)| end + if index < folded { hop(bytes) } else { 0 }).max()
        };
        let expected = back(&leaves, chunk).expect("possible");
        let found = time(Collective::ReduceScatter, Algorithm::Recursive, ranks, size);
        assert_eq!(found, expected, "{ranks} ranks");
        if folded == 0 {
            let plain: u64 = (1..=levels).map(|level| hop(size >> level)).sum();
            assert_eq!(found, plain, "Σ t(S/2ˡ) + α");
        }
        // All-gather: one chunk first, the whole last.
        let mut leaves = vec![0_u64; core as usize];
        leaves[..folded as usize].fill(hop(chunk));
        for level in 0..levels {
            exchange(&mut leaves, 1 << level, 0);
        }
        let expected = back(&leaves, size).expect("possible");
        assert_eq!(time(Collective::AllGather, Algorithm::Recursive, ranks, size), expected);
    }
}

#[test]
fn pairwise_reductions() {
    for ranks in COUNTS.into_iter().filter(|&ranks| ranks <= 90) {
        let size = 1_000_000 * u64::from(ranks);
        let half = u64::from(ranks - 1) * hop(1_000_000);
        for (collective, times) in
            [(Collective::AllReduce, 2), (Collective::AllGather, 1), (Collective::ReduceScatter, 1)]
        {
            assert_eq!(time(collective, Algorithm::Pairwise, ranks, size), times * half);
        }
    }
}

#[test]
fn binomial_trees() {
    for ranks in COUNTS {
        for size in [0, 1, 10_007 * u64::from(ranks), 100_000_007] {
            for root in [0, ranks - 1] {
                // Going down, a parent is free again when its message has drained.
                let mut free = vec![0_u64; ranks as usize];
                let mut parts = free.clone();
                for mask in distances(ranks).rev().map(|mask| mask as usize) {
                    for seat in (0..ranks as usize).step_by(2 * mask) {
                        let child = seat + mask;
                        if child < ranks as usize {
                            free[child] = free[seat] + hop(size);
                            free[seat] += drain(size, RATE);
                            let branch = branch(size, ranks, child, mask);
                            parts[child] = parts[seat] + hop(branch);
                            parts[seat] += drain(branch, RATE);
                        }
                    }
                }
                let last = |ends: &[u64]| ends.iter().copied().max().expect("a seat");
                let binomial = Algorithm::Binomial;
                let found = time(Collective::Broadcast { root }, binomial, ranks, size);
                assert_eq!(found, last(&free), "broadcast, {ranks} ranks, {size} bytes");
                let found = time(Collective::Scatter { root }, binomial, ranks, size);
                assert_eq!(found, last(&parts), "scatter, {ranks} ranks, {size} bytes");
                // Going up, a parent takes one child after the other.
                let mut ready = vec![0_u64; ranks as usize];
                let mut parts = ready.clone();
                for mask in distances(ranks).map(|mask| mask as usize) {
                    for seat in (0..ranks as usize).step_by(2 * mask) {
                        let child = seat + mask;
                        if child < ranks as usize {
                            ready[seat] = ready[seat].max(ready[child]) + hop(size);
                            let branch = branch(size, ranks, child, mask);
                            parts[seat] = parts[seat].max(parts[child]) + hop(branch);
                        }
                    }
                }
                let found = time(Collective::Reduce { root }, binomial, ranks, size);
                assert_eq!(found, ready[0], "reduce, {ranks} ranks, {size} bytes");
                let found = time(Collective::Gather { root }, binomial, ranks, size);
                assert_eq!(found, parts[0], "gather, {ranks} ranks, {size} bytes");
            }
        }
    }
}

/// The bytes of the chunks of `mask` seats from `child` on.
fn branch(size: u64, ranks: u32, child: usize, mask: usize) -> u64 {
    let split = units::Split { total: Bytes::new(size), parts: u64::from(ranks) };
    let end = (child + mask).min(ranks as usize) as u64;
    split.start(end) - split.start(child as u64)
}

#[test]
fn chains() {
    // K chunks, the last one no larger: (K + p − 3)·t(chunk) + t(last) + (p − 1)·α.
    for ranks in COUNTS.into_iter().filter(|&ranks| ranks > 1) {
        for (size, chunk) in [(0_u64, 100), (100, 100), (1_000_000, 50_000), (1_000_001, 70_000)] {
            let algorithm =
                Algorithm::Chain { channels: Channels::Count(1), chunk: Bytes::new(chunk) };
            let chunks = u64::max(1, size.div_ceil(chunk));
            let last = size - (chunks - 1) * chunk;
            let most = chunk.min(size);
            let hops = u64::from(ranks - 1);
            let expected =
                (chunks + hops - 2) * drain(most, RATE) + drain(last, RATE) + hops * LATENCY;
            for root in [0, ranks / 2] {
                for collective in [Collective::Broadcast { root }, Collective::Reduce { root }] {
                    let found = time(collective, algorithm, ranks, size);
                    assert_eq!(found, expected, "{collective}, {ranks} ranks, {size} bytes");
                }
            }
        }
    }
}

#[test]
fn one_step_from_and_to_a_root() {
    for ranks in COUNTS.into_iter().filter(|&ranks| ranks > 1) {
        let peers = u64::from(ranks - 1);
        for size in [0, 1, 10_007, 100_000_007] {
            // p − 1 messages share the port of the root.
            let whole = drain(size, RATE / peers) + LATENCY;
            for collective in [Collective::Broadcast { root: 0 }, Collective::Reduce { root: 1 }] {
                assert_eq!(time(collective, Algorithm::Direct, ranks, size), whole);
            }
            // With equal chunks all end together.
            let equal = size - size % u64::from(ranks);
            let part = drain(equal / u64::from(ranks), RATE / peers) + LATENCY;
            for collective in [Collective::Scatter { root: 1 }, Collective::Gather { root: 0 }] {
                assert_eq!(time(collective, Algorithm::Direct, ranks, equal), part);
            }
            let pair = Collective::SendReceive { from: ranks - 1, to: 0 };
            assert_eq!(time(pair, Algorithm::Direct, ranks, size), hop(size));
        }
    }
}

#[test]
fn barriers() {
    // ⌈log₂ p⌉ empty messages one after the other.
    for ranks in COUNTS {
        let steps = u64::from(ranks.next_power_of_two().ilog2());
        let found = time(Collective::Barrier, Algorithm::Dissemination, ranks, 0);
        assert_eq!(found, steps * LATENCY);
    }
}

#[test]
fn the_hot_spot_decides_an_uneven_all_to_all() {
    // The last rank gets (1 + x)S/p from each of p − 1 peers through its port: while it does it has
    // ⌊rate/(p − 1)⌋ for each, and no other rank needs as long.
    for ranks in [2, 3, 8, 33] {
        for imbalance_ppm in [0, 200_000, 1_000_000] {
            let size = 2_000_000 * u64::from(ranks);
            let collective = Collective::AllToAllV { imbalance_ppm };
            let found = time(collective, Algorithm::Direct, ranks, size);
            let most = 2_000_000 + 2 * u64::from(imbalance_ppm);
            let peers = u64::from(ranks - 1);
            assert_eq!(found, drain(most, RATE / peers) + LATENCY, "{ranks} ranks");
        }
    }
}

#[test]
fn a_table_is_what_its_rows_say() {
    // 3 MB and 1 MB to rank 2 share its port: the smaller is done after 2 MB, the larger after 4 MB.
    let megabytes = |row: [u64; 3]| row.map(|size| Bytes::new(size * 1_000_000)).to_vec();
    let schedule = exchange(&[megabytes([9, 0, 3]), megabytes([0, 0, 1]), megabytes([0, 0, 0])]);
    let fabric = star(3);
    let (cards, _) = common::everyone(&fabric);
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule.expect("a square table"),
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default()).expect("the star connects all");
    assert_eq!(outcome.makespan.as_picos(), hop(4_000_000));
}

#[test]
fn two_levels() {
    // n cards each in m supernodes: m blocks to each of n − 1 peers inside at 450 GB/s, then n blocks
    // to each of m − 1 peers across at 100 Gb/s.
    for (cards, supernodes) in [(1, 5), (2, 3), (4, 4), (8, 6), (8, 1), (3, 7)] {
        let fabric = common::cluster(cards, supernodes);
        let (n, m) = (u64::from(cards), u64::from(supernodes));
        for block in [0, 1_000, 999_983] {
            let size = block * n * m;
            let outcome = run(&fabric, Collective::AllToAll, Algorithm::TwoLevel, size);
            let inside = if n == 1 {
                0
            } else {
                drain(m * block, 3_600_000_000_000_000 / (n - 1)) + 500_000
            };
            let across = if m == 1 {
                0
            } else {
                drain(n * block, 100_000_000_000_000 / (m - 1)) + 1_400_000
            };
            assert_eq!(outcome.makespan.as_picos(), inside + across, "{m} supernodes of {n}");
        }
    }
}
