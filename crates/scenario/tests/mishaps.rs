//! What breaks during a run, from the text of a scenario to its record.

use report::{Record, Status};
use scenario::{RunOptions, Source, read};

/// The record of one flow of 1.25 GB between the cards of two leaves with two spines, 100 Gb/s and 1 µs a
/// link; 100 ms and 4 µs when nothing happens.
fn run(faults: &str) -> Record {
    let text = format!(
        "(schema: 1, title: \"mishaps\", seed: 1, fabrics: [explicit(name: \"two leaves\", \
         cards: [\"a\", \"b\"], switches: [\"l\", \"m\", \"s\", \"t\"], links: [{}], {faults})], \
         workloads: [flows(list: [(from: 0, to: 1, size: \"1250 MB\")])])",
        [("a", "l"), ("b", "m"), ("l", "s"), ("m", "s"), ("l", "t"), ("m", "t")]
            .map(|(from, to)| format!(
                "(from: \"{from}\", to: \"{to}\", bandwidth: \"100 Gb/s\", latency: \"1 us\")"
            ))
            .join(", ")
    );
    let scenario = read(Source { name: "mishaps.ron", text: &text }, &[])
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    scenario.points()[0].run(&RunOptions::default())
}

/// The time of a run that completes, in µs.
fn micros(faults: &str) -> u64 {
    let record = run(faults);
    assert_eq!(record.status, Status::Complete);
    assert_eq!(record.time_ps % 1_000_000, 0, "whole microseconds");
    record.time_ps / 1_000_000
}

#[test]
fn a_fault_holds_from_its_instant_until_it_is_repaired() {
    let slow = |when: &str| {
        micros(&format!("faults: [slow_link(from: \"a\", to: \"l\", speed: \"50 %\"{when})]"))
    };
    // All at half speed; half speed after 20 ms; until 60 ms; from 20 to 60 ms.
    assert_eq!(slow(""), 200_004);
    assert_eq!(slow(", at: \"20 ms\""), 20_000 + 160_004);
    assert_eq!(slow(", until: \"60 ms\""), 60_000 + 70_004);
    assert_eq!(slow(", at: \"20 ms\", until: \"60 ms\""), 60_000 + 60_004);
}

#[test]
fn routes_follow_after_the_stated_delay() {
    // The spray uses both spines; it stands still until its routes are those without the dead one.
    let dead = "faults: [dead_node(name: \"s\", at: \"50 ms\")], reroute_after: ";
    assert_eq!(micros(&format!("{dead}\"0 s\"")), 100_004);
    assert_eq!(micros(&format!("{dead}\"10 ms\"")), 110_004);
    let record = run(&format!("{dead}\"10 ms\""));
    let told = [
        "broken: s carries nothing from 50 ms on",
        "routes follow 10 ms after links have died or come back",
    ];
    assert_eq!(record.notes[..2], told);
    // Dead from before the start, the routes know; dead from the start, they learn.
    assert_eq!(micros("faults: [dead_node(name: \"s\")]"), 100_004);
    let dead = "faults: [dead_node(name: \"s\", at: \"0 s\")], reroute_after: \"10 ms\"";
    assert_eq!(micros(dead), 110_004);
}

#[test]
fn who_cannot_be_reached_is_told_with_the_bytes_delivered() {
    let cut =
        "faults: [dead_link(from: \"a\", to: \"l\", at: \"50 ms\")], reroute_after: \"10 ms\"";
    let record = run(cut);
    assert_eq!(record.status.word(), "unreachable");
    let told = "rank 0 cannot reach rank 1 from 60 ms on: 625000000 of 1250000000 bytes delivered; \
                rank 0 (flow, group 0, channel 0) waits in step 0 for its message to rank 1 (flow, group 0, \
                channel 0) to leave; the message from rank 0 to rank 1 has had no way since 60 ms; 1 more waits";
    assert_eq!(record.status.why(), told);
    assert_eq!(record.time_ps, 60_000_000_000);
}
