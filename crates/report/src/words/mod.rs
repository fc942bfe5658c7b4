//! The closing lines: which fabric wins by how much, why, and what oversubscription costs.

mod axes;
mod best;
mod reason;
mod steps;
mod verdict;

use crate::groups::{Workload, grouped};
use crate::show::{self, Fraction};
use crate::wrap::wrap;
use crate::{Record, Results, jobs};

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

/// "1.41 times as long", exact to two decimals; below 1 % in percent.
fn times(time: u64, best: u64) -> String {
    match Fraction::new(time.into(), best.into()) {
        Some(_) if show::ppm(time - best, best).is_some_and(|ppm| ppm < SMALL_PPM) => {
            format!("{} longer", show::change(best, time).trim_start_matches('+'))
        }
        Some(times) => format!("{} times as long", times.fixed(2)),
        None => "some time where the best takes none".to_owned(),
    }
}

/// Sentences for a planner, from complete points only: first who is fastest, then why, then what
/// oversubscription and the other axes of the sweep cost.
pub fn render(results: &Results) -> String {
    let mut out = String::new();
    gaps(&mut out, results);
    let complete: Vec<&Record> = results.records.iter().filter(|it| it.is_complete()).collect();
    let workloads: Vec<(String, Vec<&Record>)> = grouped(complete.iter().copied(), Workload::of)
        .into_iter()
        .map(|(workload, members)| (workload.name(), members))
        .collect();
    let answers = workloads.iter().map(|(name, it)| format!("{name}: {}", verdict::line(it)));
    section(&mut out, "Fastest, each fabric at its best:", answers.collect());
    for (name, members) in &workloads {
        section(&mut out, &format!("Why, {name}:"), reason::lines(members));
    }
    for (name, members) in &workloads {
        section(&mut out, &format!("What oversubscription costs, {name}:"), steps::lines(members));
    }
    section(&mut out, "Along the other axes of the sweep:", axes::lines(&complete));
    section(&mut out, "What jobs lose to each other:", jobs::lines(&complete));
    out
}

/// What the comparison lacks.
fn gaps(out: &mut String, results: &Results) {
    let tally = results.tally();
    if tally.stalled + tally.failed > 0 {
        let text = format!(
            "{} of {} points did not complete.",
            tally.stalled + tally.failed,
            results.points
        );
        wrap(out, "  ", 4, &format!("{text} They are left out of the comparison."));
    }
    if tally.bounded > 0 {
        let text = format!("{} of {} points are lower bounds", tally.bounded, results.points);
        let text = format!("{text}, not simulated times. They are left out of the comparison.");
        wrap(out, "  ", 4, &text);
    }
    if tally.absent > 0 {
        let text = format!("{} of {} points were not run to an end", tally.absent, results.points);
        wrap(out, "  ", 4, &format!("PARTIAL: {text}: the comparison is over the others only."));
    }
}

/// A heading and its lines, nothing without lines.
fn section(out: &mut String, heading: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        wrap(out, "  ", 4, heading);
    }
    for line in lines {
        wrap(out, "  - ", 4, &line);
    }
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
        let answer = "Fastest, each fabric at its best: - AllReduce of 1 GiB: a, 2.0000 ms by tree at \
                      1:1; then b 1.41 times as long (2.8200 ms by ring at 1:1).";
        assert!(text.starts_with(answer), "{text}");
        // The nic tier is used 98 %; 4 GB and 8 GB over 16 ranks.
        let why = "Why, AllReduce of 1 GiB: - a and b: nic links bind, the busiest used 98.0 % over the \
                   run. Per rank 500.0 MB on nic links in b, only 250.0 MB in a.";
        assert!(text.contains(why), "{text}");
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
        let idle = "no link binds all the time: the busiest (nic) is used 19.6 % over the run";
        assert!(text.contains(idle), "{text}");
        assert!(
            text.contains("Not bytes but the number of steps and their latency slow b."),
            "{text}"
        );
    }

    /// The bound is half the time.
    #[test]
    fn a_chain_of_steps_explains_idle_links() {
        let mut point = record("a", "1:1", 2_000);
        point.tiers.iter_mut().for_each(|tier| tier.utilisation_ppm /= 2);
        point.bound_cut = "chain of steps".into();
        let text = words(vec![point]);
        let chain = "- a: 50.0 % of the time is the chain of steps of one rank, one after the other at the \
                     full speed of its links, with their latency, the rest waiting and contention; no link \
                     is used more than 49.0 % (nic).";
        assert!(text.contains(chain), "{text}");
    }

    /// The same bytes, and a bound of 100 us against 50 us.
    #[test]
    fn slower_links_are_told_from_more_bytes() {
        let text = words(vec![record("a", "1:1", 100_000_000), record("b", "1:1", 200_000_000)]);
        let why = "Per rank 250.0 MB on nic links in b, 250.0 MB in a, but the links of b take 2.00 \
                   times as long for it.";
        assert!(text.contains(why), "{text}");
    }

    /// 100 → 100 → 150 → 300 us: nothing, +50 %, +100 %; 3 times as long in all.
    #[test]
    fn each_step_of_oversubscription_has_its_price() {
        let at = |ratio, micros: u64| record("a", ratio, micros * 1_000_000);
        let text = words(vec![at("4:1", 300), at("1:1", 100), at("0.5:1", 100), at("2:1", 150)]);
        let steps = "What oversubscription costs, AllReduce of 1 GiB: - ring from 0.5:1 to 4:1: a 3.00 \
                     times as long (nothing to 1:1, +50.00 % to 2:1, +100.00 % to 4:1).";
        assert!(text.contains(steps), "{text}");
        assert!(
            text.contains("AllReduce of 1 GiB: a, 100.00 us by ring at 0.5:1 or 1:1."),
            "{text}"
        );
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
        let line = "- Less than 1 % from 1:1 to 8:1: every algorithm on every fabric: at most 12.5 % of \
                    what the NICs carry crosses the links above the leaves.";
        assert!(text.contains(line), "{text}");
        // 1,000 / 900 and 1,001 / 901 are both 1.11.
        let ratios = "From 1:1 to 8:1 b is ahead, a always 1.11 times as long.";
        assert!(text.contains(ratios), "{text}");
    }

    /// 100 against 150, 120 and 90 us.
    #[test]
    fn a_change_of_the_lead_is_told_by_ratio() {
        let at = |fabric, ratio, micros: u64| record(fabric, ratio, micros * 1_000_000);
        let mut points: Vec<Record> = ["1:1", "2:1", "4:1"].map(|ratio| at("a", ratio, 100)).into();
        points.extend([at("b", "1:1", 150), at("b", "2:1", 120), at("b", "4:1", 90)]);
        let steady = words([0, 1, 3, 4].map(|it: usize| points[it].clone()).into());
        let lead = "From 1:1 to 2:1 a is ahead: b 1.50 times as long at 1:1, 1.20 at 2:1.";
        assert!(steady.contains(lead), "{steady}");
        let text = words(points);
        let ratios = "By ratio: at 1:1 a (b 1.50 times as long); at 2:1 a (b 1.20 times as long); at 4:1 \
                      b (a 1.11 times as long).";
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
        assert!(text.contains("level at 5 ps: a by ring and b by ring."), "{text}");
        assert!(text.contains("1 of 5 points did not complete"), "{text}");
        assert!(text.contains("PARTIAL: 2 of 5 points were not run to an end"), "{text}");
    }
}
