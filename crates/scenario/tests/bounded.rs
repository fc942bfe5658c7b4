//! A point with more hashed transfers than can be simulated is told by its bound, marked as such.

use report::Status;
use scenario::{RunOptions, Source, missed, read};

/// An All-to-All of 1,025 cards, all but one of them in one supernode, over hashed paths of 20 flows a
/// pair: 1,025 × 1,024 × 20 = 20,992,000 flows to be listed. Nothing has latency.
const TEXT: &str = r#"(
  schema: 1, title: "bounded", seed: 1,
  fabrics: [(
    name: "one apart", cards: 1025,
    supernode: (cards: 1024, inside: planes(count: 1), bandwidth: "400 GB/s", latency: "0 s"),
    nics: (per_card: 1, bandwidth: "400 Gb/s", latency: "0 s"),
    outside: leaf_spine(leaf_ports: 64, ratio: "1:1", uplink: "400 Gb/s", latency: "0 s", spine_ports: 64),
    routing: ecmp(flows: 20),
  )],
  workloads: [(collective: all_to_all, algorithm: direct, size: "51250000 B")],
  expect: [at_most(time: "1 s")],
)"#;

/// A chunk is 51,250,000 B / 1,025 = 50,000 B. The lone card takes one of each of 1,024 others over its NIC
/// of 50 GB/s: 1,024 × 50,000 B / 50 GB/s = 1.024 ms. Each other card sends one chunk outside, and
/// 1,023 × 50,000 B / 400 GB/s = 128 µs inside.
#[test]
fn too_many_hashed_transfers_are_told_by_their_bound() {
    let scenario = read(Source { name: "bounded.ron", text: TEXT }, &[])
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let point = &scenario.points()[0];
    let estimate = point.estimate(&RunOptions::default(), None).expect("it is counted");
    assert!(estimate.is_bounded && estimate.classes.is_none());
    assert_eq!(estimate.transfers, 20_992_000);
    let record = point.run(&RunOptions::default());
    assert_eq!(record.status.word(), "bound only");
    let why = "each hashed to its own path, are more than the 20000000 that can be simulated";
    assert!(record.status.why().contains(why), "{}", record.status.why());
    assert_eq!((record.time_ps, record.bound_ps), (1_024_000_000, 1_024_000_000));
    assert_eq!(record.bound_cut, "nic link");
    let missed = missed(&scenario, std::slice::from_ref(&record));
    let told: Vec<_> = missed.iter().map(|it| (&*it.expected, it.found.contains(why))).collect();
    assert_eq!(told, [("completion", true)]);
    assert!(!record.is_complete() && matches!(record.status, Status::Bounded { .. }));
}
