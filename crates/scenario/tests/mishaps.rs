//! What breaks during a run, from the text of a scenario to its record.

use report::{Record, Status};
use scenario::{Refusal, RunOptions, Scenario, Source, read};

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

/// A fabric of four cards under two planes that do this with what comes, 400 GB/s and 500 ns, on which this
/// breaks.
fn planes(name: &str, switches: &str, faults: &str) -> String {
    format!(
        "(name: \"{name}\", cards: 4, supernode: (cards: 4, inside: planes(count: 2, switches: {switches}), \
         bandwidth: \"400 GB/s\", latency: \"500 ns\"), nics: (per_card: 1, bandwidth: \"100 Gb/s\", \
         latency: \"700 ns\"), outside: leaf_spine(leaf_ports: 4, ratio: \"1:1\", uplink: \"100 Gb/s\", \
         latency: \"700 ns\", spine_ports: 64), faults: [{faults}], reroute_after: \"20 us\")"
    )
}

/// Sums 64 MB in 16 pieces by the switches of these fabrics.
fn summed(fabrics: &[String]) -> Result<Scenario, Refusal> {
    let text = format!(
        "(schema: 1, title: \"summed\", seed: 1, fabrics: [{}], workloads: [(collective: all_reduce, \
         algorithm: in_network(chunk: \"4 MB\"), size: \"64 MB\")])",
        fabrics.join(", ")
    );
    read(Source { name: "summed.ron", text: &text }, &[])
}

#[test]
fn a_card_that_switches_lose_is_told_by_their_names() {
    let dies = planes("dies", "reduce", "dead_node(name: \"card 2\", at: \"35 us\")");
    let scenario = summed(&[dies]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!(record.status.word(), "unreachable");
    // A piece takes 10 us up and 10 us down, 250 ns a link: 3.5 pieces up, 2.475 down.
    let told = "rank 2 cannot reach all of plane switch 0 and 1 more from 55 us on: 2000000 of 4000000 bytes \
                delivered; not all of plane switch 0 and 1 more can reach rank 2 from 55 us on: 1900000 of \
                4000000 bytes delivered; ";
    assert!(record.status.why().starts_with(told), "{}", record.status.why());
}

#[test]
fn a_card_that_comes_late_has_its_place_under_switches_that_add_up() {
    // 160 us up, 10 us for the last piece down, 500 ns; routes lead to the card 20 us after it is there.
    let late = planes("late", "reduce", "dead_node(name: \"card 2\", until: \"40 us\")");
    let scenario = summed(&[late]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!((record.status, record.time_ps), (Status::Complete, 230_500_000));
}

#[test]
fn each_fabric_is_asked_whether_its_switches_add_up() {
    // All have as many cards in as large supernodes.
    let whole = planes("whole", "reduce", "");
    let refused = |other: String| {
        let refusal =
            summed(&[whole.clone(), other]).map(|_| ()).expect_err("no tree joins all cards");
        refusal.to_string()
    };
    let forwards = refused(planes("other", "forward", ""));
    assert!(forwards.contains("on fabric \"other\": its switches do not add up"), "{forwards}");
    let dead = refused(planes("other", "reduce", "dead_node(name: \"card 2\")"));
    assert!(dead.contains("on fabric \"other\": no tree of switches that add up joins"), "{dead}");
    assert!(dead.contains("in 1 supernode: "), "{dead}");
}
