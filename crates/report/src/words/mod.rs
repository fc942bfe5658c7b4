//! The closing lines: which fabric wins by how much and why, and what oversubscription costs.

mod axes;
mod best;
mod steps;
mod verdict;

use crate::groups::{Workload, grouped};
use crate::wrap::wrap;
use crate::{Record, Results, show};

/// A change of time below this is called small (parts per million).
const SMALL_PPM: u32 = 10_000;

/// The words for how a point did its collective.
type Way = fn(&Record) -> String;

/// The algorithm where it tells the ways of `members` apart, else the workload.
fn way(members: &[&Record]) -> Way {
    let count = |key: fn(&Record) -> String| grouped(members.iter().copied(), key).len();
    let algorithm: Way = |it| {
        let labels = it.labels_about("algorithm").map(|(axis, value)| format!(" ({axis}={value})"));
        format!("{}{}", it.algorithm, labels.collect::<Vec<_>>().concat())
    };
    let workload: Way = Record::workload;
    if count(workload) > count(algorithm) {
        |it| format!("\"{}\"", it.workload())
    } else {
        algorithm
    }
}

/// The change of time from each named value to the next, values of equal time at the beginning
/// taken together; `None` with fewer than two values.
fn change_by_steps(values: &[(String, u64)]) -> Option<String> {
    let (first, time) = values.first()?;
    let free = values.iter().take_while(|it| it.1 == *time).count() - 1;
    if values.len() < 2 {
        return None;
    }
    let mut told = Vec::new();
    if free > 0 {
        told.push(format!("nothing from {first} to {}", values[free].0));
    }
    told.extend(values[free..].windows(2).map(|pair| {
        let change = show::change(pair[0].1, pair[1].1);
        format!("{} to {} {change}", pair[0].0, pair[1].0)
    }));
    Some(told.join(", "))
}

/// Sentences for a planner, one workload after the other, from complete points only.
pub fn render(results: &Results) -> String {
    let mut out = String::new();
    let tally = results.tally();
    if tally.stalled + tally.failed > 0 {
        let text = format!(
            "{} of {} points did not complete.",
            tally.stalled + tally.failed,
            results.points
        );
        wrap(&mut out, "  ", 4, &format!("{text} They are left out of the comparison."));
    }
    if tally.absent > 0 {
        let text = format!("{} of {} points were not run to an end", tally.absent, results.points);
        wrap(
            &mut out,
            "  ",
            4,
            &format!("PARTIAL: {text}: the comparison is over the others only."),
        );
    }
    let complete: Vec<&Record> = results.records.iter().filter(|it| it.is_complete()).collect();
    for (workload, members) in grouped(complete.iter().copied(), Workload::of) {
        wrap(&mut out, "  ", 4, &format!("{}:", workload.name()));
        for line in verdict::lines(&members) {
            wrap(&mut out, "  - ", 4, &line);
        }
        for line in steps::lines(&members) {
            wrap(&mut out, "  - ", 4, &line);
        }
    }
    let axes = axes::lines(&complete);
    if !axes.is_empty() {
        out.push_str("  Along the other axes of the sweep:\n");
    }
    for line in axes {
        wrap(&mut out, "  - ", 4, &line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{by, record, results};

    fn words(records: Vec<Record>) -> String {
        let text = render(&results(records));
        assert!(text.lines().all(|line| show::width(line) <= 120), "{text}");
        text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// b takes 2,820 / 2,000 = 1.41 times as long.
    #[test]
    fn the_winner_is_named_with_its_lead_and_the_reason() {
        let mut slow = record("b", "1:1", 2_820_000_000);
        slow.tiers[1].bytes = 8_000_000_000;
        let text = words(vec![slow, by("tree", record("a", "1:1", 2_000_000_000))]);
        assert!(
            text.contains(
                "AllReduce of 1 GiB: - Fastest: a, 2.0000 ms by tree at 1:1; bound 1.0000 ms by the"
            ),
            "{text}"
        );
        assert!(text.contains("b: 1.41 times as long, 2.8200 ms by ring at 1:1; bound "), "{text}");
        // Bound = half the time; the nic tier is used 98 %.
        let bind = "at 1:1; bound 1.0000 ms by the cut \"nic out\", reached to 50.0 %; the busiest nic link is \
                    used to 98.0 % over the run, so that tier binds.";
        assert!(text.contains(bind), "{text}");
        // 4 GB and 8 GB over 16 ranks.
        assert!(
            text.contains("Why: per rank 250.0 MB on nic links in a, 500.0 MB in b."),
            "{text}"
        );
    }

    #[test]
    fn bytes_are_no_reason_where_no_link_is_busy() {
        let idle = |fabric, micros: u64| {
            let mut point = record(fabric, "1:1", micros * 1_000_000);
            point.tiers.iter_mut().for_each(|tier| tier.utilisation_ppm /= 5);
            point
        };
        let text = words(vec![idle("a", 100), idle("b", 200)]);
        // 980,000 / 5 ppm = 19.6 %.
        assert!(
            text.contains("Why: no link of b is used to more than 19.6 %, so not bytes"),
            "{text}"
        );
    }

    /// 100 → 100 → 150 → 300 us: nothing, +50 %, +100 %.
    #[test]
    fn each_step_of_oversubscription_has_its_price() {
        let at = |ratio, micros: u64| record("a", ratio, micros * 1_000_000);
        let text = words(vec![at("4:1", 300), at("1:1", 100), at("0.5:1", 100), at("2:1", 150)]);
        let steps = "Oversubscription, ring on a: nothing from 0.5:1 to 1:1, 1:1 to 2:1 +50.00 %, \
                     2:1 to 4:1 +100.00 %.";
        assert!(text.contains(steps), "{text}");
        assert!(text.contains("Fastest: a, 100.00 us by ring at 0.5:1 or 1:1; bound "), "{text}");
    }

    /// 0.5 GB of 4 GB on NIC links cross the leaf: 12.5 %.
    #[test]
    fn a_ring_that_does_not_feel_oversubscription_is_said_to_be_one() {
        let at = |fabric, ratio, nanos: u64| {
            let mut point = record(fabric, ratio, nanos * 1_000);
            point.tiers[2].bytes = 500_000_000;
            point
        };
        let text = words(vec![
            at("a", "1:1", 1_000),
            at("a", "8:1", 1_001),
            at("b", "1:1", 900),
            at("b", "8:1", 901),
        ]);
        let line = "Oversubscription, ring on a and b: less than 1 % from 1:1 to 8:1: only 12.5 % of \
                    what its NICs carry crosses the links above the leaves.";
        assert!(text.contains(line), "{text}");
        // 1,000 / 900 and 1,001 / 901 are both 1.11.
        let ratios = "Fastest by ratio: 1:1 to 8:1 b (a 1.11 times as long).";
        assert!(text.contains(ratios), "{text}");
    }

    /// 100 → 110 → 99 us: +10 %, −10 %; without placement there is nothing along an axis.
    #[test]
    fn other_axes_of_the_sweep_have_their_changes_told() {
        let at = |placement: &str, ratio, micros: u64| {
            let mut point = record("a", ratio, micros * 1_000_000);
            point.labels.push(("placement".into(), placement.into()));
            point
        };
        let mut points = vec![at("linear", "1:1", 100), at("random", "1:1", 110)];
        points.extend([at("dealt", "1:1", 99), at("linear", "2:1", 5), at("random", "2:1", 5)]);
        let text = words(points);
        let along = "Along the other axes of the sweep: - placement, AllReduce of 1 GiB by ring on a at \
                     1:1: linear to random +10.00 %, random to dealt -10.00 %. - placement, AllReduce of \
                     1 GiB by ring on a at 2:1: nothing from linear to random.";
        assert!(text.contains(along), "{text}");
        assert!(!words(vec![record("a", "1:1", 5)]).contains("Along"));
    }

    #[test]
    fn ties_and_missing_points_are_named() {
        let mut all = results(vec![record("a", "-", 5), record("b", "-", 5), record("c", "-", 6)]);
        all.records[2].status = crate::Status::Failed { why: "x".into() };
        all.points = 5;
        let text = render(&all);
        assert!(text.contains("  - Level: a, 5 ps by ring; bound "), "{text}");
        assert!(text.contains("1 of 5 points did not complete"), "{text}");
        assert!(text.contains("PARTIAL: 2 of 5 points were not run to an end"), "{text}");
    }
}
