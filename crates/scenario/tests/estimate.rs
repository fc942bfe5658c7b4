//! What is estimated of a point before its run, held against the run, over the shipped scenarios.

use scenario::{RunOptions, Source, read};

/// By what factor events may be fewer than the most that was estimated, where no state recurs.
const EVENTS: u128 = 2;
/// By what factor the events of packets may be off.
const PACKETS: u128 = 4;

/// Scenarios that are quick enough for a debug build, with merged and hashed flows, blocks, losses,
/// stragglers, jobs and packets among them.
const SHIPPED: [&str; 11] = [
    include_str!("../../../scenarios/quickstart.ron"),
    include_str!("../../../scenarios/three_tiers.ron"),
    include_str!("../../../scenarios/ecmp.ron"),
    include_str!("../../../scenarios/below_1to1.ron"),
    include_str!("../../../scenarios/random_placement.ron"),
    include_str!("../../../scenarios/ragged_supernodes.ron"),
    include_str!("../../../scenarios/flows.ron"),
    include_str!("../../../scenarios/mishaps/straggler.ron"),
    include_str!("../../../scenarios/mishaps/slow_link.ron"),
    include_str!("../../../scenarios/collectives/roots.ron"),
    include_str!("../../../scenarios/placement/border_hotspot.ron"),
];

/// The run takes between the least and the most events that are estimated. Where no state recurs the
/// most is also near: each transfer of a class is news twice (drained, delivered).
#[test]
fn events_lie_where_they_are_estimated() {
    let mut told = 0;
    for text in SHIPPED {
        let scenario = read(Source { name: "a.ron", text }, &[]).expect("shipped");
        for point in scenario.points() {
            let options = RunOptions::default();
            let estimate = point.estimate(&options, None).expect("shipped points can be run");
            let (least, most) = estimate.events.expect("no limit was given");
            let counters = point.run(&options).counters;
            let (events, name) = (u128::from(counters.events), point.name());
            assert!(least <= most, "{name}: {least} to {most}");
            assert!(events <= most, "{name}: {events} events, at most {most}");
            assert_eq!(estimate.classes, Some(counters.flow_classes), "{name}");
            assert_eq!(estimate.transfers, counters.transfers, "{name}");
            if counters.skipped_steps == 0 {
                assert!(events * EVENTS >= most, "{name}: {events} events, at most {most}");
            }
            told += 1;
        }
    }
    assert!(told > 60, "{told} points");
}

/// 128 cards share 1 MiB, 8 KiB a message: two packets of 4,096 bytes over 2 or 4 links, acknowledged; or 64 KiB:
/// one packet of 512 bytes.
#[test]
fn events_of_packets_are_of_the_order_estimated() {
    let text = include_str!("../../../scenarios/quickstart.ron");
    for size in ["1 MiB", "64 KiB"] {
        let set = |field: &str, value: &str| scenario::Override {
            field: field.to_owned(),
            value: value.to_owned(),
        };
        let source = Source { name: "a.ron", text };
        let set = [set("engine", "packet"), set("workload.size", size)];
        let scenario = scenario::read_with(source, &set, &[]).expect("overrides fit");
        let point = &scenario.points()[0];
        let options = RunOptions::default();
        let estimate = point.estimate(&options, None).expect("it can be run");
        let (_, most) = estimate.events.expect("no limit was given");
        let events = u128::from(point.run(&options).counters.events);
        assert!(
            events <= most * PACKETS && most <= events * PACKETS,
            "{size}: {events} events, about {most}"
        );
    }
}

/// Where classes would take too much memory to be found, only what is counted is told.
#[test]
fn classes_are_not_sought_beyond_the_memory_given() {
    let text = include_str!("../../../scenarios/ecmp.ron");
    let scenario = read(Source { name: "a.ron", text }, &[]).expect("shipped");
    let point = &scenario.points()[0];
    let told = point.estimate(&RunOptions::default(), Some(1)).expect("it can be run");
    assert_eq!((told.classes, told.events), (None, None));
    assert!(told.memory > 1 && told.transfers > 0);
}
