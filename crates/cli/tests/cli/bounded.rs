//! Estimates before a run, and limits of memory and time on it.

use crate::common::{Folder, SCENARIO};

/// A point that ends at once, and a ring one of whose 1,024 ranks is late, so that no state recurs: 8
/// channels × 1,024 ranks × 2,046 steps are 17 million transfers, some seconds on any machine.
const LONG: &str = r#"(
    schema: 1, title: "Long", question: "How long?", seed: 7,
    fabrics: [(
        name: "servers", cards: 1024,
        supernode: (cards: 8, inside: planes(), bandwidth: "400 GB/s", latency: "1 us"),
        nics: (per_card: 1, bandwidth: "400 Gb/s", latency: "500 ns"),
        outside: leaf_spine(
            leaf_ports: 32, ratio: "1:1", uplink: "400 Gb/s", latency: "500 ns", spine_ports: 64,
        ),
    )],
    workloads: [
        (collective: all_to_all, algorithm: direct, size: "16 MiB", sizes: aligned),
        (
            collective: all_reduce, algorithm: ring(channels: 8), size: "16 MiB", sizes: aligned,
            stragglers: (late: [(ranks: [17], by: "5 us")]),
        ),
    ],
)"#;

#[test]
fn an_estimate_tells_every_point_and_runs_none() {
    let folder = Folder::with("a.ron", SCENARIO);
    let (code, out, err) = folder.run("sim a.ron --estimate");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.matches(" classes of flows, ").count(), 8, "{out}");
    assert!(out.starts_with("servers ratio=1:1"), "{out}");
}

#[test]
fn what_will_not_fit_is_refused_before_it_runs() {
    let folder = Folder::with("a.ron", LONG);
    let (code, out, err) = folder.run("sim a.ron --max-memory 1MB");
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    for part in
        ["servers all_reduce ring 16 MiB: needs about ", "--max-memory 1.000 MB", "estimate: "]
    {
        assert!(err.contains(part), "no {part} in {err}");
    }
    let (code, out, err) = folder.run("sim a.ron --only ring --max-time 1us");
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("needs at least about ") && err.contains("--max-time 1µs"), "{err}");
    assert!(err.contains("what makes it smaller: "), "{err}");
}

#[test]
fn what_overruns_is_stopped_and_the_rest_is_kept() {
    let folder = Folder::with("a.ron", LONG);
    let (code, out, err) = folder.run("sim a.ron --format csv --threads 1 --max-time 1s --quiet");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("stopped: --max-time 1s is over; finished points are kept"), "{err}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{out}");
    assert!(rows[0].contains(",complete,"), "{}", rows[0]);
    assert!(rows[1].contains(",stopped,"), "{}", rows[1]);
    assert!(rows[1].contains(" events") && rows[1].contains("of simulated time reached"), "{out}");
    // 16,760,832 transfers of 16 MiB / 8 / 1,024 = 2 KiB.
    let told = " of 16,760,832 transfers delivered, ";
    let (transfers, bytes) = rows[1].split_once(told).expect("how much is delivered");
    let number = |text: &str| text.replace(',', "").parse::<u64>().expect("a number");
    let transfers = number(transfers.rsplit_once("reached, ").expect("the last of what is told").1);
    let bytes = number(bytes.split_once(" of 34,326,183,936 B").expect("bytes of all bytes").0);
    assert!(0 < transfers && transfers < 16_760_832, "{out}");
    assert_eq!(bytes, 2_048 * transfers);
    assert!(rows[1].contains(",16760832,"), "{out}");
}

#[test]
fn limits_that_hold_change_nothing() {
    let folder = Folder::with("a.ron", SCENARIO);
    let plain = folder.run("sim a.ron");
    assert_eq!(folder.run("sim a.ron --max-memory 64GB --max-time 1h"), plain);
}
