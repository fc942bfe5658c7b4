//! What a point tells of its run: which reductions applied, and why ranks could not be merged.

use fluid::Switch;
use scenario::{RunOptions, Source, read};

/// 32 cards in servers of 8, four of them on each of two leaves with two spines.
const FABRIC: &str = r#"
    name: "servers", cards: 32,
    supernode: (cards: 8, inside: planes(), bandwidth: "400 GB/s", latency: "1 us"),
    nics: (per_card: 1, bandwidth: "400 Gb/s", latency: "500 ns"),
    outside: leaf_spine(
        leaf_ports: 16, ratio: "1:1", uplink: "400 Gb/s", latency: "500 ns", spine_ports: 64,
    ),
"#;

const EXCHANGE: &str =
    "collective: all_reduce, algorithm: halving_doubling(), size: \"1 MiB\", sizes: aligned,";

/// The lines of the only point of a scenario, and its record as `run` tells it.
fn explained(fabric: &str, workload: &str) -> String {
    let text = format!(
        "(schema: 1, title: \"t\", question: \"q?\", seed: 7, fabrics: [({fabric})], \
         workloads: [({workload})])"
    );
    let scenario = read(Source { name: "a.ron", text: &text }, &[]).expect("it is right");
    let point = &scenario.points()[0];
    let options = RunOptions::default();
    let (record, lines) = point.explain(&options);
    assert_eq!(record, point.run(&options), "to explain a run changes nothing");
    lines.join("\n")
}

#[test]
fn what_is_alike_is_said_to_be_alike() {
    let told = explained(FABRIC, EXCHANGE);
    // log₂ 32 = 5 exchanges there and back are 10 flows a rank; all 32 ranks are one class.
    assert!(told.contains("classes: 10 of 320 flows, 1 of 32 seats"), "{told}");
    assert!(told.contains("merging: 160 transfers joined"), "{told}");
    assert!(told.contains("events for 320 transfers"), "{told}");
    assert!(told.contains("alike: all 4 supernodes"), "{told}");
}

#[test]
fn a_dead_link_is_named() {
    let fabric = format!("{FABRIC} faults: [dead_link(from: \"leaf 1\", to: \"spine 0\")],");
    let told = explained(&fabric, EXCHANGE);
    assert!(told.contains("link leaf 1 → spine 0 is dead"), "{told}");
}

#[test]
fn hashed_paths_are_named_with_two_links_that_carry_differently() {
    let fabric = format!("{FABRIC} routing: ecmp(flows: 1),");
    let told = explained(&fabric, EXCHANGE);
    assert!(told.contains("paths are hashed: "), "{told}");
    assert!(told.contains("leaf ") && told.contains("spine "), "{told}");
}

#[test]
fn bundles_are_counted_by_what_is_in_them() {
    let fabric = format!("{FABRIC} routing: ecmp(flows: 1),");
    let hierarchical = "collective: all_reduce, algorithm: hierarchical(inner: direct, outer: ring), \
                        size: \"1 MiB\", sizes: aligned,";
    let told = explained(&fabric, hierarchical);
    // 4 servers × 8 × 7 transfers before the rings across, and as many after them.
    assert!(told.contains("448 transfers bundled by their sender"), "{told}");
}

#[test]
fn a_partly_filled_supernode_is_named_with_its_ranks() {
    let fabric = FABRIC.replace("cards: 32", "cards: 28");
    let ring =
        "collective: all_reduce, algorithm: ring(channels: 1), size: \"7 MiB\", sizes: aligned,";
    let told = explained(&fabric, ring);
    let words = "ranks 24…27 lie on a partly filled supernode: 4 of them, elsewhere 8";
    assert!(told.contains(words), "{told}");
}

#[test]
fn sizes_that_leave_residues_are_named() {
    // 1,000,003 bytes over 32 ranks: chunks of 31,250 and of 31,251 bytes.
    let exact = "collective: all_to_all, algorithm: direct, size: \"1000003 B\", sizes: exact,";
    let told = explained(FABRIC, exact);
    assert!(told.contains("sizes leave residues"), "{told}");
}

#[test]
fn a_rank_that_starts_late_is_named() {
    let late = format!("{EXCHANGE} stragglers: (late: [(ranks: [5], by: \"1 ms\")]),");
    let told = explained(FABRIC, &late);
    assert!(told.contains("rank 5 at 1 ms"), "{told}");
}

#[test]
fn partners_of_a_random_placement_are_named() {
    let random = format!(
        "{} placement: random,",
        EXCHANGE.replace("halving_doubling()", "ring(channels: 1)")
    );
    let told = explained(FABRIC, &random);
    assert!(told.contains("meets higher or lower in the fabric than rank"), "{told}");
}

#[test]
fn without_symmetry_nothing_is_merged_and_that_is_said() {
    let text = format!(
        "(schema: 1, title: \"t\", question: \"q?\", seed: 7, fabrics: [({FABRIC})], \
         workloads: [({EXCHANGE})])"
    );
    let scenario = read(Source { name: "a.ron", text: &text }, &[]).expect("it is right");
    let options = RunOptions { symmetry: Switch::Off, ..RunOptions::default() };
    let (_, lines) = scenario.points()[0].explain(&options);
    assert!(
        lines[0].starts_with("nothing merged (--no-symmetry): 32 seats, 320 flows"),
        "{lines:?}"
    );
}
