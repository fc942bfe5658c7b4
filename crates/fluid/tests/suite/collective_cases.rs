//! The reported cases about collectives: rank counts, sizes, traffic and rates.

use collectives::{Algorithm, Channels, Collective};
use units::Duration;

use crate::cases::{HALVING, RING, collective, star};
use crate::common;

#[test]
fn o09_switches_are_no_ranks() {
    // Ring of 8, 7 steps of 2 MiB at 50 GB/s (41.94304 µs) and 1 µs: 300.60128 µs.
    let fabric = star(8, 400, Duration::from_micros(1));
    let outcome = collective(&fabric, Collective::AllGather, RING, 16 << 20);
    assert_eq!(outcome.makespan.as_picos(), 300_601_280);
    // Each rank sends 14,680,064 B, over two links.
    assert_eq!(outcome.traffic.tiers[0].bytes, 2 * 8 * 14_680_064);
}

#[test]
fn o10_one_rank() {
    let fabric = star(1, 400, Duration::from_micros(1));
    for size in [0, 1, 1 << 30] {
        for (kind, algorithm) in [
            (Collective::AllReduce, RING),
            (Collective::AllReduce, HALVING),
            (Collective::AllReduce, Algorithm::Direct),
            (Collective::AllToAll, Algorithm::Direct),
            (Collective::AllGather, RING),
            (Collective::ReduceScatter, RING),
        ] {
            let outcome = collective(&fabric, kind, algorithm, size);
            assert_eq!(outcome.makespan, Duration::ZERO);
            assert!(outcome.traffic.tiers.iter().all(|tier| tier.bytes == 0));
        }
    }
}

#[test]
fn o11_all_to_all_of_two_nodes_fills_the_ports() {
    // 16 ranks, 64 MiB blocks: 8 of 16 leave the node, 536,870,912 B at 50 GB/s = 10.73741824 ms.
    // In-node links of 4,500 GB/s stand for unlimited ones; 2 × 700 ns latency.
    let fabric = common::two_nodes();
    let outcome = collective(&fabric, Collective::AllToAll, Algorithm::Direct, 1 << 30);
    assert_eq!(outcome.makespan.as_picos(), 10_737_418_240 + 1_400_000);
    let nic = &outcome.traffic.tiers[1];
    // Full but for the latency: 10.73741824 / 10.73881824 = 0.999869…
    assert_eq!(nic.utilisation_ppm, 999_869);
}

#[test]
fn o12_direct_is_not_twice_as_fast_as_ring() {
    // 14 steps of 12.5 MB at 50 GB/s: 14 × (250 µs + 20 ns); direct: 2 × (1.75 ms + 20 ns).
    let fabric = star(8, 400, Duration::from_nanos(20));
    let ring = collective(&fabric, Collective::AllReduce, RING, 100_000_000);
    assert_eq!(ring.makespan.as_picos(), 3_500_280_000);
    let direct = collective(&fabric, Collective::AllReduce, Algorithm::Direct, 100_000_000);
    // ⌊50 GB/s / 7⌋ is rounded down by 1/7 milli-bit/s: 1.75 ms and 1 ps, twice.
    assert_eq!(direct.makespan.as_picos(), 3_500_040_000 + 2);
    for channels in 1..=4 {
        let split = Algorithm::Ring { channels: Channels::Count(channels) };
        let outcome = collective(&fabric, Collective::AllReduce, split, 100_000_000);
        assert!(outcome.makespan.as_picos() >= 3_500_000_000);
        // 8 ranks × 175 MB over two links each.
        assert_eq!(outcome.traffic.tiers[0].bytes, 2 * 8 * 175_000_000);
    }
}

#[test]
fn o13_rank_counts_that_are_no_powers_of_two() {
    let time = |ranks, algorithm| {
        let fabric = star(ranks, 400, Duration::from_micros(1));
        collective(&fabric, Collective::AllReduce, algorithm, 100_000_000).makespan.as_picos()
    };
    // Fold 1 S + exchanges 1.5 S + 1 S of 2 ms each, 6 steps of 1 µs.
    assert_eq!(time(6, HALVING), 7_006_000_000);
    // 10 steps of ⌈S/6⌉ = 16,666,667 B (20 ps each) and 1 µs.
    assert_eq!(time(6, RING), 10 * (16_666_667 * 20 + 1_000_000));
    assert_eq!(time(8, HALVING), 3_506_000_000);
    for ranks in (1..=33).chain([80, 84, 90]) {
        let fabric = star(ranks, 400, Duration::from_micros(1));
        for algorithm in [RING, HALVING] {
            let outcome = collective(&fabric, Collective::AllReduce, algorithm, 100_000_000);
            // 2(p − 1)S in all, over two links each.
            let bytes: u128 = outcome.traffic.tiers.iter().map(|tier| tier.bytes).sum();
            assert_eq!(bytes, 2 * 2 * u128::from(ranks - 1) * 100_000_000);
        }
    }
}

#[test]
fn o14_data_that_do_not_divide() {
    for (size, ranks, total) in
        [(1_000_003, 4, 6_000_018), (3, 8, 42), (10_000_019, 24, 460_000_874), (0, 5, 0)]
    {
        let fabric = star(ranks, 400, Duration::from_micros(1));
        let outcome = collective(&fabric, Collective::AllReduce, RING, size);
        assert_eq!(outcome.traffic.tiers[0].bytes, 2 * total);
    }
}
