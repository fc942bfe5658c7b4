//! Reports from users of other simulators, as scenarios with their right values (CASES O10, O15,
//! O18, O19).

use report::{Record, Status};
use scenario::{RunOptions, Source, read};

fn run(fabric: &str, workload: &str) -> Record {
    let text = format!("(schema: 1, title: \"t\", fabrics: [{fabric}], workloads: [{workload}])");
    let scenario = read(Source { name: "case.ron", text: &text }, &[])
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!(record.status, Status::Complete, "{text}");
    record
}

fn lone_flow(size: &str, bandwidth: &str, latency: &str) -> u64 {
    let star =
        format!("star(name: \"s\", cards: 2, bandwidth: \"{bandwidth}\", latency: \"{latency}\")");
    run(&star, &format!("flows(list: [(from: 0, to: 1, size: \"{size}\")])")).time_ps
}

/// CASES O10: one rank has nobody to talk to.
#[test]
fn a_collective_of_one_rank_takes_no_time() {
    let star = "star(name: \"s\", cards: 3, bandwidth: \"50 GB/s\", latency: \"1 us\")";
    let algorithms = [
        ("all_reduce", "ring"),
        ("all_reduce", "tree"),
        ("all_reduce", "halving_doubling"),
        ("all_reduce", "direct"),
        ("all_reduce", "hierarchical(inner: direct, outer: ring)"),
        ("all_gather", "ring"),
        ("all_gather", "direct"),
        ("reduce_scatter", "ring"),
        ("reduce_scatter", "direct"),
        ("all_to_all", "direct"),
        ("all_to_all", "pairwise"),
    ];
    for (collective, algorithm) in algorithms {
        for size in ["0 B", "1 B", "1 GiB"] {
            for ranks in ["ranks: 1", "ranks: 3, groups: 3"] {
                let record = run(
                    star,
                    &format!(
                        "(collective: {collective}, algorithm: {algorithm}, size: \"{size}\", \
                         {ranks})"
                    ),
                );
                assert_eq!(record.time_ps, 0, "{collective} {algorithm} {size}");
                assert_eq!(record.bus_factor.0, 0, "no bus bandwidth, not NaN");
                assert!(record.tiers.iter().all(|tier| tier.bytes == 0));
            }
        }
    }
}

/// CASES O15: 19 × 10 Gb/s over 4 × 40 Gb/s is 19:16; each of 19 flows of 1.25 GB gets
/// 160/19 Gb/s: 10 Gbit × 19 / 160 Gb/s = 1.1875 s.
#[test]
fn an_uneven_ratio_is_built_exactly() {
    let cluster = "(name: \"racks\", cards: 38, supernode: (cards: 1, inside: full_mesh, \
        bandwidth: \"10 Gb/s\", latency: \"0 s\"), nics: (per_card: 1, bandwidth: \"10 Gb/s\", \
        latency: \"0 s\"), outside: leaf_spine(leaf_ports: 19, ratio: \"19:16\", uplink: \
        \"40 Gb/s\", latency: \"0 s\", spine_ports: 32, spines: 4))";
    let flows: Vec<String> = (0..19)
        .map(|host| format!("(from: {host}, to: {}, size: \"1.25 GB\")", host + 19))
        .collect();
    let record = run(cluster, &format!("flows(list: [{}])", flows.join(", ")));
    assert_eq!(record.ratio, "19:16");
    // Shares are rounded down to 1 milli-bit/s, which costs less than 1 ns in a second.
    let exact = 1_187_500_000_000_u64;
    assert!((exact..exact + 1_000).contains(&record.time_ps), "{}", record.time_ps);
}

/// CASES O18, the valid extreme: 8 bit at 80 Tb/s are 0.1 ps, rounded up to 1 ps; 1 MB are 100 ns.
#[test]
fn a_byte_on_a_very_fast_link_takes_a_picosecond() {
    assert_eq!(lone_flow("1 B", "80 Tb/s", "0 s"), 1);
    assert_eq!(lone_flow("1000000 B", "80 Tb/s", "1 us"), 100_000 + 1_000_000);
}

/// CASES O19: each unit means what it says.
#[test]
fn units_are_what_they_say() {
    const MS: u64 = 1_000_000_000;
    assert_eq!(lone_flow("1 GB", "400 Gb/s", "0 s"), 20 * MS);
    assert_eq!(lone_flow("1 GB", "400 GB/s", "0 s"), 5 * MS / 2);
    // 8 × 2³⁰ bit / (4 × 10¹¹ bit/s) = 21.47483648 ms.
    assert_eq!(lone_flow("1 GiB", "400 Gb/s", "0 s"), 21_474_836_480);
    assert_eq!(lone_flow("1 GiB", "400 Gib/s", "0 s"), 20 * MS);
    assert_eq!(lone_flow("1 GB", "400Gbps", "0.005 ms"), 20 * MS + 5_000_000);
}

/// A list of flows waits, computes and shares: two flows of 125 MB into one port of 100 Gb/s take
/// 2 × 1 Gbit / 100 Gb/s = 20 ms after their start at 5 ms and 1 ms of computation.
#[test]
fn flows_start_when_they_are_told() {
    let star = "star(name: \"s\", cards: 3, bandwidth: \"100 Gb/s\", latency: \"2 us\")";
    let record = run(
        star,
        "flows(list: [(from: 0, to: 2, size: \"125 MB\", start: \"5 ms\", compute: \"1 ms\"), \
         (from: 1, to: 2, size: \"125 MB\", start: \"6 ms\")])",
    );
    assert_eq!(record.time_ps, 26_002_000_000);
    assert_eq!((record.ranks, record.size_asked), (3, 250_000_000));
}
