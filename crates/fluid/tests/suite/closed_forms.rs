//! What has a closed form equals it, each transfer rounded up to 1 ps, shares rounded down.

use crate::common;
use collectives::{Algorithm, Channels, Collective, HalvingOrder, Inner, Outer};
use engine::Costs;
use fluid::{Conducts, Options, Outcome, Recovery, Status, World, simulate};
use topology::{Fabric, Routing};
use units::{Bytes, Duration, Split};

/// 50 GB/s in milli-bit/s.
pub(crate) const RATE: u64 = 400_000_000_000_000;
/// The path latency of all stars here: 1 µs in ps.
pub(crate) const LATENCY: u64 = 1_000_000;

/// The rank counts of all closed forms.
fn rank_counts() -> impl Iterator<Item = u32> {
    (1..=33).chain([80, 84, 90, 384, 1_000])
}

/// The sizes for `ranks`: nothing, less than, as many and more bytes than ranks, and primes.
fn sizes(ranks: u32) -> [u64; 7] {
    let ranks = u64::from(ranks);
    [0, 1, ranks - 1, ranks, ranks + 1, 10_007, 100_000_007]
}

pub(crate) fn star(ranks: u32) -> Fabric {
    common::star(ranks, 50, Duration::from_picos(LATENCY))
}

pub(crate) fn run(
    fabric: &Fabric,
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Outcome {
    let (cards, groups) = common::everyone(fabric);
    let schedule = common::schedule(&groups, collective, algorithm, size);
    let world = World {
        fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default()).expect("the star connects all");
    assert_eq!(outcome.status, Status::Finished);
    outcome
}

/// The time of `bytes` at `rate`, rounded up to 1 ps.
pub(crate) fn drain(bytes: u64, rate: u64) -> u64 {
    u64::try_from(Bytes::new(bytes).as_work().div_ceil(u128::from(rate))).expect("possible")
}

/// The largest chunk of a vector cut in `parts`.
fn largest(size: u64, parts: u64) -> u64 {
    let split = Split { total: Bytes::new(size), parts };
    (0..parts).map(|index| split.chunk(index).as_u64()).max().expect("possible")
}

#[test]
fn ring_all_reduce() {
    // 2(p − 1) steps of one chunk and one latency each. With chunks of one size a step takes
    // drain + latency; with ragged ones a longer chunk delays only its own round trip, so the
    // time lies between that of the smallest and that of the largest chunk, and a chunk of the
    // largest size makes all 2(p − 1) hops: it is the largest exactly.
    for ranks in rank_counts() {
        let fabric = star(ranks);
        for size in sizes(ranks) {
            let ring = Algorithm::Ring { channels: Channels::Count(1) };
            let outcome = run(&fabric, Collective::AllReduce, ring, size);
            let steps = 2 * u64::from(ranks - 1);
            let step = drain(largest(size, u64::from(ranks)), RATE) + LATENCY;
            assert_eq!(outcome.makespan.as_picos(), steps * step, "{ranks} ranks, {size} bytes");
        }
    }
}

#[test]
fn halving_doubling_all_reduce() {
    // With 2^k ranks of the core: k exchanges of V/2, V/4, … and back, each as long as its largest
    // half, ⌈V/2⌉, ⌈V/4⌉, …; other counts hand over the whole vector to a neighbour first and get
    // the result last.
    for ranks in rank_counts() {
        let fabric = star(ranks);
        let levels = ranks.ilog2();
        let core = 1_u64 << levels;
        for size in sizes(ranks) {
            let order = HalvingOrder::DistanceDoubling;
            let outcome =
                run(&fabric, Collective::AllReduce, Algorithm::HalvingDoubling { order }, size);
            let halvings: u64 =
                (1..=levels).map(|level| drain(size.div_ceil(1 << level), RATE) + LATENCY).sum();
            let fold = if core == u64::from(ranks) { 0 } else { 2 * (drain(size, RATE) + LATENCY) };
            let expected = 2 * halvings + fold;
            assert_eq!(outcome.makespan.as_picos(), expected, "{ranks} ranks, {size} bytes");
        }
    }
}

#[test]
fn direct_all_reduce() {
    // All peers at once: p − 1 equal chunks share the port of the rank that they are for, or from,
    // ⌊rate/(p − 1)⌋ each, there and back; the largest chunk is last.
    for ranks in rank_counts() {
        let fabric = star(ranks);
        for size in sizes(ranks) {
            let outcome = run(&fabric, Collective::AllReduce, Algorithm::Direct, size);
            let peers = u64::from(ranks - 1);
            let expected = if peers == 0 {
                0
            } else {
                2 * (drain(largest(size, u64::from(ranks)), RATE / peers) + LATENCY)
            };
            assert_eq!(outcome.makespan.as_picos(), expected, "{ranks} ranks, {size} bytes");
        }
    }
}

#[test]
fn all_to_all() {
    for ranks in rank_counts() {
        let fabric = star(ranks);
        for size in sizes(ranks) {
            let peers = u64::from(ranks - 1);
            let block = largest(size, u64::from(ranks));
            let at_once = run(&fabric, Collective::AllToAll, Algorithm::Direct, size);
            let expected = if peers == 0 { 0 } else { drain(block, RATE / peers) + LATENCY };
            assert_eq!(at_once.makespan.as_picos(), expected, "{ranks} ranks, {size} bytes");
            if ranks <= 90 {
                // Equal blocks only: with ragged ones a long block delays no chain twice.
                let whole = size - size % u64::from(ranks);
                let pairwise = run(&fabric, Collective::AllToAll, Algorithm::Pairwise, whole);
                let expected = peers * (drain(whole / u64::from(ranks), RATE) + LATENCY);
                assert_eq!(pairwise.makespan.as_picos(), expected, "{ranks} ranks, {size} bytes");
            }
        }
    }
}

#[test]
fn hierarchical_all_reduce() {
    // n cards each in m supernodes: direct reduce-scatter inside, rings of m across for shards of
    // S/n, direct all-gather inside. Inside 450 GB/s and 500 ns, outside 100 Gb/s NICs.
    for (supernode, supernodes) in [(1, 5), (2, 3), (4, 4), (8, 6), (8, 1), (3, 7)] {
        let fabric = common::cluster(supernode, supernodes);
        let chunks = u64::from(supernode) * u64::from(supernodes);
        for size in [0, chunks, 1_000 * chunks, 999_983 * chunks] {
            let algorithm = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
            let outcome = run(&fabric, Collective::AllReduce, algorithm, size);
            let shard = size / u64::from(supernode);
            let peers = u64::from(supernode - 1);
            let inside =
                if peers == 0 { 0 } else { drain(shard, 3_600_000_000_000_000 / peers) + 500_000 };
            let steps = 2 * u64::from(supernodes - 1);
            let chunk = shard / u64::from(supernodes);
            // Card – leaf – card: two NIC links of 700 ns on one leaf.
            let outside = steps * (drain(chunk, 100_000_000_000_000) + 1_400_000);
            assert_eq!(
                outcome.makespan.as_picos(),
                2 * inside + outside,
                "{supernodes} supernodes of {supernode}, {size} bytes"
            );
        }
    }
}

#[test]
fn hierarchical_all_reduce_with_log_steps_inside() {
    // As above with NHR inside: over distance d = 1, 2, 4, … below n a card sends ⌊(n − 1 + d)/2d⌋
    // shards at 450 GB/s, and both ends of a step are there at the same time.
    for (supernode, supernodes) in [(2, 3), (4, 4), (8, 6), (8, 1), (3, 7), (7, 2)] {
        let fabric = common::cluster(supernode, supernodes);
        let size = 840 * 11 * u64::from(supernode) * u64::from(supernodes);
        let algorithm = Algorithm::Hierarchical { inner: Inner::Nhr, outer: Outer::Ring };
        let outcome = run(&fabric, Collective::AllReduce, algorithm, size);
        let (cards, shard) = (u64::from(supernode), size / u64::from(supernode));
        let distances = [1, 2, 4, 8].into_iter().filter(|&distance| distance < cards);
        let inside: u64 = distances
            .map(|distance| (cards - 1 + distance) / (2 * distance))
            .map(|shards| drain(shards * shard, 3_600_000_000_000_000) + 500_000)
            .sum();
        let chunk = shard / u64::from(supernodes);
        let steps = 2 * u64::from(supernodes - 1);
        let outside = steps * (drain(chunk, 100_000_000_000_000) + 1_400_000);
        assert_eq!(
            outcome.makespan.as_picos(),
            2 * inside + outside,
            "{supernodes} supernodes of {supernode}"
        );
    }
}

#[test]
fn one_step_collectives() {
    // All-gather and reduce-scatter are half an all-reduce each.
    for ranks in [1, 2, 3, 8, 33, 90] {
        let fabric = star(ranks);
        let size = 1_000_000 * u64::from(ranks);
        let steps = u64::from(ranks - 1);
        for collective in [Collective::AllGather, Collective::ReduceScatter] {
            let ring = Algorithm::Ring { channels: Channels::Count(1) };
            let ring = run(&fabric, collective, ring, size);
            assert_eq!(ring.makespan.as_picos(), steps * (drain(1_000_000, RATE) + LATENCY));
            let direct = run(&fabric, collective, Algorithm::Direct, size);
            let expected = if steps == 0 { 0 } else { drain(1_000_000, RATE / steps) + LATENCY };
            assert_eq!(direct.makespan.as_picos(), expected);
        }
    }
}

#[test]
fn tree_all_reduce_lies_between_its_bound_and_the_filling_of_its_pipeline() {
    // A rank receives at most two chunks up and one down in one tree and one down in the other in
    // the time of a step, four chunk times at its port; the pipeline fills and drains over the
    // depth twice. So: bound ≤ T ≤ bound + 2 × depth × (4 × chunk time + latency).
    for ranks in rank_counts().filter(|&ranks| ranks > 1 && ranks <= 384) {
        let fabric = star(ranks);
        for (size, chunk) in [(0, 1_000), (1_000_000, 50_000), (64_000_000, 1_000_000)] {
            let tree = Algorithm::Tree { channels: Channels::Count(1), chunk: Bytes::new(chunk) };
            let outcome = run(&fabric, Collective::AllReduce, tree, size);
            let depth = u64::from(ranks.ilog2()) + 1;
            let step = 4 * drain(chunk.min(size.div_ceil(2)), RATE) + LATENCY;
            let bound = outcome.bound.time.as_picos();
            let most = bound + 2 * depth * step;
            let time = outcome.makespan.as_picos();
            assert!(
                bound <= time && time <= most,
                "{ranks} ranks, {size} bytes: {time} not in {bound} ..= {most}"
            );
        }
    }
}
