//! Jobs on a fabric that breaks while they run.

use crate::{jobs, run, times};

/// One flow from `a` over a trunk of 50 Gb/s, beside a broadcast from `b` to `c`, next to it, and to `d`,
/// behind the trunk; all ports have 100 Gb/s. `c` dies after 10 ms.
const FABRIC: &str = "explicit(name: \"trunk\", cards: [\"a\", \"e\", \"b\", \"c\", \"d\"], \
    switches: [\"l\", \"r\"], links: [\
    (from: \"a\", to: \"l\", bandwidth: \"100 Gb/s\", latency: \"1 us\"), \
    (from: \"b\", to: \"l\", bandwidth: \"100 Gb/s\", latency: \"1 us\"), \
    (from: \"c\", to: \"l\", bandwidth: \"100 Gb/s\", latency: \"1 us\"), \
    (from: \"d\", to: \"r\", bandwidth: \"100 Gb/s\", latency: \"1 us\"), \
    (from: \"e\", to: \"r\", bandwidth: \"100 Gb/s\", latency: \"1 us\"), \
    (from: \"l\", to: \"r\", bandwidth: \"50 Gb/s\", latency: \"1 us\")], \
    faults: [dead_node(name: \"c\", at: \"10 ms\")], reroute_after: \"0 s\")";

/// 75 MB are 600 Mb, 100 MB are 800 Mb. Together the trunk gives 25 Gb/s to each job, so `c` has 75 Gb/s
/// and all after 8 ms; `d` has all after 24 ms, when the flow from `a` has 200 Mb left: 4 ms at 50 Gb/s.
/// Alone that flow takes 16 ms. Alone `c` and `d` have 50 Gb/s each: 12 ms, which `c` does not live to see,
/// as 500 Mb are 62.5 MB.
#[test]
fn a_job_that_does_not_finish_alone_has_no_slowdown() {
    let long = crate::pair("long", [0, 1], "size: \"100 MB\"");
    let wide = "(name: \"wide\", ranks: 3, placement: listed(cards: [2, 3, 4]), \
        collective: broadcast(root: 0), algorithm: direct, size: \"75 MB\")";
    let record = run(FABRIC, &jobs(&format!("{long}, {wide}")));
    let path = 3_000_000;
    assert_eq!(times(&record), [(28_000_000_000 + path, 16_000_000_000 + path)]);
    assert_eq!(record.jobs[0].name, "long");
    let told = "job wide: alone it does not finish: rank 0 cannot reach rank 1 from 10 ms on: 62500000 of \
                75000000 bytes delivered";
    assert!(record.notes.iter().any(|note| note == told), "{:?}", record.notes);
}
