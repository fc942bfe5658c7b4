//! The packet level beside the flow level on scenarios that are shipped: both agree, and loss ends every run.

use report::{Record, Status};
use scenario::{Override, RunOptions, Scenario, Source, missed, read};

const SECOND_OPINION: &str = include_str!("../../../scenarios/packets/second_opinion.ron");
const LOSS: &str = include_str!("../../../scenarios/packets/loss_everywhere.ron");

/// A scenario with other values.
fn scenario(text: &str, set: &[&str]) -> Scenario {
    let set: Vec<Override> =
        set.iter().map(|set| set.parse().expect("a field and its value")).collect();
    let scenario = read(Source { name: "opinions.ron", text }, &set);
    scenario.unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The same, and what came of its points.
fn run(text: &str, set: &[&str]) -> (Scenario, Vec<Record>) {
    let scenario = scenario(text, set);
    let records = scenario.points().iter().map(|point| point.run(&RunOptions::default()));
    let records = records.collect();
    (scenario, records)
}

#[test]
fn packets_take_as_long_as_rates_say() {
    // 2 fabrics × 3 ratios × 4 algorithms, each by rates and by packets; the scenario expects 1 % at most.
    // `cargo xtask opinions` goes up to 256 cards.
    let (scenario, records) = run(SECOND_OPINION, &[]);
    assert_eq!(records.len(), 48);
    assert!(records.iter().all(Record::is_complete));
    assert_eq!(missed(&scenario, &records), []);
    for pair in records.chunks(2) {
        let [rates, packets] = pair else { unreachable!("each point is there for both engines") };
        // The last packet of a message takes its time again at the next hop, so packets are not the same rates
        // under another name; and no result is below the bound.
        assert_ne!(rates.time_ps, packets.time_ps, "{}", packets.name());
        assert!(packets.time_ps >= rates.bound_ps, "{}", packets.name());
    }
}

#[test]
fn packets_that_look_for_the_shortest_queue_end_sooner() {
    // In turn some of eight cards meet at one uplink and leave another idle, and at 1:1 none may be. By the shortest
    // queue the All-to-All of 668 µs takes at most 0.2 % longer than by rates; in turn it takes more.
    let time = |engine: &str, set: &[&str]| {
        let scenario = scenario(SECOND_OPINION, set);
        let labels = ["servers", "all_to_all", "ratio=1:1", engine];
        let mut points = scenario.points().iter();
        let point = points.find(|point| labels.iter().all(|label| point.has_label(label)));
        point.expect("a point of the scenario").run(&RunOptions::default()).time_ps
    };
    let rates = time("engine=fluid", &[]);
    let off = |set: &[&str]| time("engine=packet", set) * 1_000_000 / rates - 1_000_000;
    let turns = off(&[]);
    let shortest = "fabric[servers].packets=custom(acknowledge_every: 1, control: \"0 B\", \
                    spray: shortest_queue)";
    let shortest = off(&[shortest]);
    assert!(turns > shortest && shortest <= 2_000, "{turns} and {shortest} parts per million");
}

#[test]
fn loss_on_every_outer_link_ends_with_a_result_by_every_transport() {
    // 64 of the 256 cards in debug, where packets are counted at every event.
    let small = ["fabric[hashed].cards=64", "fabric[sprayed].cards=64", "workload.groups=1"];
    let small = if cfg!(debug_assertions) { &small[..] } else { &[] };
    let (scenario, records) = run(LOSS, small);
    assert_eq!(records.len(), 11 + 10);
    assert_eq!(missed(&scenario, &records), []);
    for record in &records {
        let name = record.name();
        assert_eq!(record.status, Status::Complete, "{name}");
        let packets = record.packets.as_ref().expect("packets are told");
        let lost = packets.lost + packets.link_repeats + packets.overflowed;
        // 64 × 63 pairs of eight packets, 56 of 63 over two links and more: at least 56,000 chances of 0.1 %.
        assert!(lost > 25, "{name}: {lost}");
        let are_delivered = packets.messages.count == u64::from(record.ranks) * 63;
        assert!(are_delivered, "{name}: {:?}", packets.messages);
        // Links that repeat lose nothing for good; else each loss is made good by its sender.
        assert_eq!(packets.repeated > 0, packets.lost + packets.overflowed > 0, "{name}");
    }
    // All that pause do so, and only they do.
    let pauses = |record: &Record| record.packets.as_ref().is_some_and(|it| it.pauses > 0);
    for record in records.iter().filter(|record| record.name().contains("pauses")) {
        assert!(pauses(record), "{}", record.name());
    }
}
