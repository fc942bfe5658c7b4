//! The shipped scenarios, the template and the documentation: they read, run and keep their word.

use engine::Progress;
use fluid::{Gauge, Watch};
use report::Record;
use scenario::{RunOptions, Scenario, Source, fields_markdown, missed, read, template};

const SHIPPED: [(&str, &str); 23] = [
    ("quickstart", include_str!("../../../scenarios/quickstart.ron")),
    ("three_tiers", include_str!("../../../scenarios/three_tiers.ron")),
    ("ecmp", include_str!("../../../scenarios/ecmp.ron")),
    ("below_1to1", include_str!("../../../scenarios/below_1to1.ron")),
    ("random_placement", include_str!("../../../scenarios/random_placement.ron")),
    ("ragged_supernodes", include_str!("../../../scenarios/ragged_supernodes.ron")),
    ("flows", include_str!("../../../scenarios/flows.ron")),
    ("log_steps", include_str!("../../../scenarios/collectives/log_steps.ron")),
    ("roots", include_str!("../../../scenarios/collectives/roots.ron")),
    (
        "two_level_all_to_all",
        include_str!("../../../scenarios/collectives/two_level_all_to_all.ron"),
    ),
    ("hot_expert", include_str!("../../../scenarios/collectives/hot_expert.ron")),
    ("in_network", include_str!("../../../scenarios/collectives/in_network.ron")),
    ("fragments", include_str!("../../../scenarios/placement/fragments.ron")),
    ("fragmented_jobs", include_str!("../../../scenarios/placement/fragmented_jobs.ron")),
    ("border_hotspot", include_str!("../../../scenarios/placement/border_hotspot.ron")),
    ("straggler", include_str!("../../../scenarios/mishaps/straggler.ron")),
    ("auto", include_str!("../../../scenarios/collectives/auto.ron")),
    ("inside", include_str!("../../../scenarios/fabrics/inside.ron")),
    ("outside", include_str!("../../../scenarios/fabrics/outside.ron")),
    ("supernodes", include_str!("../../../scenarios/presets/supernodes.ron")),
    ("networks", include_str!("../../../scenarios/presets/networks.ron")),
    ("spine_dies", include_str!("../../../scenarios/mishaps/spine_dies.ron")),
    ("flapping_link", include_str!("../../../scenarios/mishaps/flapping_link.ron")),
];

const FLAGSHIP: &str = include_str!("../../../scenarios/10k_cards.ron");

fn scenario(name: &str, text: &str) -> Scenario {
    read(Source { name, text }, &[]).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn run(scenario: &Scenario) -> Vec<Record> {
    scenario.points().iter().map(|point| point.run(&RunOptions::default())).collect()
}

#[test]
fn the_documentation_is_made_from_the_table() {
    let written = include_str!("../../../docs/scenario.md");
    assert!(
        written == fields_markdown(),
        "docs/scenario.md is old: cargo run -p scenario --example fields > docs/scenario.md"
    );
}

#[test]
fn small_scenarios_run_and_meet_their_expectations() {
    for (name, text) in SHIPPED.into_iter().chain([("template", template())]) {
        let scenario = scenario(name, text);
        assert!(!scenario.question().is_empty(), "{name} answers a question");
        let records = run(&scenario);
        assert!(records.iter().all(Record::is_complete), "{name}");
        assert_eq!(missed(&scenario, &records), [], "{name}");
    }
}

#[test]
fn a_resolved_scenario_reads_back_to_itself() {
    for (name, text) in SHIPPED.into_iter().chain([("template", template())]) {
        let first = scenario(name, text);
        let second = scenario(name, first.resolved());
        assert_eq!(first.resolved(), second.resolved());
        assert_eq!(first.hash(), second.hash());
        let names = |scenario: &Scenario| {
            scenario.points().iter().map(scenario::Point::name).collect::<Vec<_>>()
        };
        assert_eq!(names(&first), names(&second));
    }
}

#[test]
fn ten_thousand_cards_are_seventy_five_points() {
    let scenario = scenario("10k_cards.ron", FLAGSHIP);
    // 3 fabrics × 5 ratios × 5 workloads.
    assert_eq!(scenario.points().len(), 75);
    let first = &scenario.points()[0];
    assert_eq!(first.name(), "hgx-h100 ratio=0.5:1 all_reduce ring 1 GiB");
    assert!(first.has_label("ratio=0.5:1") && first.has_label("ring") && !first.has_label("tree"));
    let last = &scenario.points()[74];
    assert_eq!(last.name(), "atlas950-1024 ratio=8:1 all_to_all direct 256 MiB");
}

#[test]
fn points_come_by_fabric_then_values_then_workload() {
    let scenario = scenario("quickstart", SHIPPED[0].1);
    let names: Vec<String> = scenario.points().iter().take(5).map(scenario::Point::name).collect();
    assert_eq!(
        names,
        [
            "servers ratio=1:1 all_reduce ring 256 MiB",
            "servers ratio=1:1 all_reduce halving_doubling 256 MiB",
            "servers ratio=1:1 all_reduce hierarchical 256 MiB",
            "servers ratio=1:1 all_to_all direct 64 MiB",
            "servers ratio=2:1 all_reduce ring 256 MiB",
        ]
    );
}

#[test]
fn points_run_in_any_order_and_again() {
    let scenario = scenario("random_placement", SHIPPED[4].1);
    let forwards = run(&scenario);
    let mut backwards: Vec<Record> =
        scenario.points().iter().rev().map(|point| point.run(&RunOptions::default())).collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
}

#[test]
fn a_stopped_run_says_so() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let options =
        RunOptions { watch: Watch { stop: Some(&stop), gauge: None }, ..RunOptions::default() };
    let scenario = scenario("quickstart", SHIPPED[0].1);
    let record = scenario.points()[0].run(&options);
    assert_eq!(record.status, report::Status::Stopped { why: "asked to stop".to_owned() });
    let missed = missed(&scenario, &[scenario.points()[3].run(&options)]);
    assert_eq!(missed.len(), 0, "a point of the slower kind alone is not judged");
}

#[test]
fn a_stopped_run_tells_what_is_delivered_at_packet_level_too() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let gauge = Gauge::new();
    let watch = Watch { stop: Some(&stop), gauge: Some(&gauge) };
    let options = RunOptions { watch, ..RunOptions::default() };
    let text = SHIPPED[0].1.replacen("schema: 1,", "schema: 1, engine: packet,", 1);
    let scenario = scenario("quickstart", &text);
    let record = scenario.points()[0].run(&options);
    let progress = gauge.progress().expect("it had a plan");
    assert!(progress.transfers < progress.all_transfers, "{progress:?}");
    assert_eq!(record.counters.transfers, progress.all_transfers);
    let grouped = report::show::grouped;
    let Progress { transfers, all_transfers, bytes, all_bytes } = progress;
    let told = format!(
        "{} of {} transfers delivered, {} of {} B",
        grouped(transfers),
        grouped(all_transfers),
        grouped(bytes),
        grouped(all_bytes)
    );
    assert!(record.status.why().ends_with(&told), "{}", record.status.why());
}
