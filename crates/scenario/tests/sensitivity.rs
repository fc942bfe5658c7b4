//! Every field makes a difference: two values of it give two results.

#[path = "sensitivity/packet_rows.rs"]
mod packet_rows;
#[path = "sensitivity/rows.rs"]
mod rows;

use report::Record;
use rows::Row;
use scenario::{Override, RunOptions, Source, field_paths, read};

/// 24 cards on 4 supernodes, 24 of a star and 3 listed, with workloads of every form.
const BASE: &str = include_str!("sensitivity.ron");

/// Fabrics whose switches add up, inside or outside.
const ADDING: [&str; 2] = ["adding", "climbing"];
/// Six cards on each, and a workload that needs them.
const SWITCHES: &str = include_str!("sensitivity_switches.ron");

/// All rows.
fn rows() -> impl Iterator<Item = &'static Row> {
    rows::ROWS.iter().chain(&packet_rows::ROWS)
}

/// Finite queues with marks and classes, and workloads that fill them.
const QUEUES: &str = include_str!("sensitivity_queues.ron");

/// The result of a fabric and a workload with a field at a value, without what merely repeats it; or
/// the refusal.
fn result(
    path: &str,
    (fabric, workload): (&str, &str),
    value: &str,
) -> Result<(Record, String), String> {
    let (name, text) = match fabric {
        _ if ADDING.contains(&fabric) => ("switches.ron", SWITCHES),
        "queues" => ("queues.ron", QUEUES),
        _ => ("sensitivity.ron", BASE),
    };
    let path = match path.split_once('.') {
        Some((root, rest)) => {
            let name = if root == "fabric" { fabric } else { workload };
            format!("{root}[{name}].{rest}")
        }
        None => path.to_owned(),
    };
    let set = Override { field: path, value: value.to_owned() };
    // Only the packet engine looks at packets.
    let is_packet = set.field.contains(".packets") || fabric == "queues";
    let engine = if is_packet { "packet" } else { "fluid" };
    let engine = Override { field: "engine".to_owned(), value: engine.to_owned() };
    let scenario = match read(Source { name, text }, &[engine, set]) {
        Ok(scenario) => scenario,
        // Switches that only forward cannot do what this workload asks for: that is the difference.
        Err(refusal) if ADDING.contains(&fabric) => return Err(refusal.to_string()),
        Err(refusal) => panic!("{refusal}"),
    };
    // A new name is the difference itself: the point keeps its place.
    let base = read(Source { name, text }, &[]);
    let base = base.unwrap_or_else(|refusal| panic!("{refusal}"));
    let index = base
        .points()
        .iter()
        .position(|point| point.fabric() == fabric && point.workload() == workload)
        .expect("the row names a point of the base");
    let point = &scenario.points()[index];
    let mut record = point.run(&RunOptions::default());
    let gave_up = matches!(record.status, report::Status::RetryLimit { .. });
    assert!(record.is_complete() || gave_up, "{record:?}");
    record.counters = report::Counters::default();
    // What is broken and how losses are recovered is told word by word: that alone is no difference.
    let repeats = ["broken:", "routes follow", "lossy:", "recovery:", "losses are"];
    record.notes.retain(|note| !repeats.iter().any(|it| note.starts_with(it)));
    Ok((record, point.workload().to_owned()))
}

#[test]
fn every_field_makes_a_difference() {
    let mut idle = Vec::new();
    for &(path, point, [left, right]) in rows() {
        let point = point.split_once(' ').expect("fabric and workload");
        if result(path, point, left) == result(path, point, right) {
            idle.push(format!("{path} at {left} and {right}"));
        }
    }
    assert!(idle.is_empty(), "these make no difference: {idle:#?}");
}

#[test]
fn no_field_is_left_out() {
    // They say what the results are about, and are copied to them.
    let told = ["title", "question"];
    for path in field_paths() {
        let known = told.contains(&path.as_str()) || rows().any(|(row, ..)| *row == path);
        assert!(known, "no row shows that {path} makes a difference");
    }
}
