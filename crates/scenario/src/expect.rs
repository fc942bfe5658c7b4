//! What is expected of the results, and which expectations were missed.

mod known;
mod selector;

use std::collections::BTreeMap;

use report::{Missed, Record, Status};
use units::{Duration, Ratio};

use crate::document::Place;
use crate::value::Value;
use crate::{Point, Scenario};
pub(crate) use known::Known;
pub(crate) use selector::Selector;

/// One expectation.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub(crate) of: Selector,
    pub(crate) limit: Limit,
}

/// What is expected of the points meant.
#[derive(Clone, Debug)]
pub(crate) enum Limit {
    AtMost(Duration),
    AtLeast(Duration),
    Within {
        time: Duration,
        /// Parts per million.
        tolerance: u64,
    },
    Equal {
        across: Across,
        /// Parts per million; 0: not by a picosecond.
        tolerance: u64,
        /// Where the axis is named.
        place: Place,
    },
    Faster {
        than: Selector,
    },
    Slowdown(SlowdownLimit),
}

/// Limits of how much longer a job takes beside the others.
#[derive(Clone, Debug)]
pub(crate) struct SlowdownLimit {
    pub(crate) job: String,
    pub(crate) at_least: Option<Ratio>,
    pub(crate) at_most: Option<Ratio>,
    /// Where the job is named.
    pub(crate) place: Place,
}

/// Along what points may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Across {
    Fabric,
    Workload,
    Axis(String),
}

impl Expectation {
    /// The expectation that `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        let (form, _) = value.form();
        let fields = value.fields();
        let limit = match form {
            "at_most" => Limit::AtMost(fields.duration("time")),
            "at_least" => Limit::AtLeast(fields.duration("time")),
            "within" => Limit::Within {
                time: fields.duration("time"),
                tolerance: fields.percent("tolerance"),
            },
            "equal" => Limit::Equal {
                across: match fields.text("across").as_str() {
                    "fabric" => Across::Fabric,
                    "workload" => Across::Workload,
                    axis => Across::Axis(axis.to_owned()),
                },
                tolerance: fields.percent_if_given("tolerance").unwrap_or_default(),
                place: fields.get("across").place.clone(),
            },
            "slowdown" => Limit::Slowdown(SlowdownLimit {
                job: fields.text("job"),
                at_least: fields.ratio_if_given("at_least"),
                at_most: fields.ratio_if_given("at_most"),
                place: fields.get("job").place.clone(),
            }),
            _ => Limit::Faster { than: Selector::new(fields.get("than")) },
        };
        Self { of: Selector::new(fields.get("of")), limit }
    }

    /// The selectors of the expectation with the fields they stand in.
    pub(crate) fn selectors(&self) -> impl Iterator<Item = (&'static str, &Selector)> {
        let other = match &self.limit {
            Limit::Faster { than } => Some(("than", than)),
            _ => None,
        };
        std::iter::once(("of", &self.of)).chain(other)
    }
}

/// The expectations of `scenario` that `records` do not meet, in the order of the file.
///
/// Only points with a record are judged, so a part of a scenario can be run, and a run that was
/// stopped says nothing. A point that stalled or failed misses every expectation about it.
pub fn missed(scenario: &Scenario, records: &[Record]) -> Vec<Missed> {
    let mut next = 0;
    let mut record_of = |point: &Point| {
        // Records mostly stand in the order of the points.
        let places = (next..records.len()).chain(0..next);
        let place = places.into_iter().find(|&place| point.is_of(&records[place]))?;
        next = place + 1;
        Some(&records[place])
    };
    let pairs = scenario.points.iter().filter_map(|point| Some((point, record_of(point)?)));
    let pairs: Vec<Pair<'_>> =
        pairs.filter(|(_, record)| !matches!(record.status, Status::Stopped { .. })).collect();
    let mut missed = Vec::new();
    for expectation in &scenario.expectations {
        let meant: Vec<Pair<'_>> =
            pairs.iter().copied().filter(|(point, _)| expectation.of.means(point)).collect();
        let (complete, failed): (Vec<Pair<'_>>, Vec<Pair<'_>>) =
            meant.into_iter().partition(|(_, record)| record.is_complete());
        missed.extend(failed.into_iter().map(|(point, record)| Missed {
            point: point.name(),
            expected: "completion".to_owned(),
            found: format!("{}: {}", record.status.word(), record.status.why()),
        }));
        match &expectation.limit {
            Limit::Equal { across, tolerance, .. } => {
                equal(&complete, (across, *tolerance), &mut missed);
            }
            Limit::Faster { than } => {
                faster(&complete, &pairs, (&expectation.of, than), &mut missed);
            }
            Limit::Slowdown(limit) => {
                missed.extend(complete.iter().filter_map(|pair| slowed(*pair, limit)));
            }
            limit => missed.extend(complete.iter().filter_map(|pair| limited(*pair, limit))),
        }
    }
    missed
}

/// A point and its record.
type Pair<'a> = (&'a Point, &'a Record);

impl Point {
    /// Whether `record` is the record of this point.
    pub(crate) fn is_of(&self, record: &Record) -> bool {
        let (collective, algorithm) = self.result_names();
        record.fabric == self.fabric()
            && record.labels == self.labels()
            && record.collective == collective
            && record.algorithm == algorithm
            && record.size_asked == self.workload.size().as_u64()
    }
}

fn time(record: &Record) -> Duration {
    Duration::from_picos(record.time_ps)
}

/// Judges one point against a time.
fn limited((point, record): Pair<'_>, limit: &Limit) -> Option<Missed> {
    let (met, expected) = match limit {
        Limit::AtMost(most) => (time(record) <= *most, format!("at most {most}")),
        Limit::AtLeast(least) => (time(record) >= *least, format!("at least {least}")),
        Limit::Within { time, tolerance } => {
            let met = are_near(time.as_picos(), record.time_ps, *tolerance);
            (met, format!("{time} ± {} %", percent(*tolerance)))
        }
        Limit::Equal { .. } | Limit::Faster { .. } | Limit::Slowdown(_) => return None,
    };
    (!met).then(|| Missed { point: point.name(), expected, found: time(record).to_string() })
}

/// Whether a time is the wanted one but for some parts per million of it.
fn are_near(wanted: u64, found: u64, tolerance: u64) -> bool {
    let (wanted, found) = (u128::from(wanted), u128::from(found));
    found.abs_diff(wanted) * 1_000_000 <= wanted * u128::from(tolerance)
}

/// Parts per million as a percentage, without zeros at its end.
fn percent(parts: u64) -> String {
    let percent = format!("{}.{:04}", parts / 10_000, parts % 10_000);
    percent.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Judges the slowdown of a job of one point, if the point has the job.
fn slowed((point, record): Pair<'_>, limit: &SlowdownLimit) -> Option<Missed> {
    let job = record.jobs.iter().find(|job| job.name == limit.job)?;
    let (time, alone) = (u128::from(job.time_ps()), u128::from(job.alone_ps));
    // time / alone against over : under, without a division.
    let against =
        |ratio: Ratio| (time * u128::from(ratio.under())).cmp(&(alone * u128::from(ratio.over())));
    let least = limit.at_least.filter(|&least| against(least).is_lt());
    let most = limit.at_most.filter(|&most| against(most).is_gt());
    let expected = match (least, most) {
        (Some(least), _) => format!("at least {least} of {}", limit.job),
        (None, Some(most)) => format!("at most {most} of {}", limit.job),
        (None, None) => return None,
    };
    let found = job.slowdown().map_or_else(
        || format!("{} where it takes no time alone", report::show::time(job.time_ps())),
        |slowdown| format!("{} times as long as alone", slowdown.fixed(4)),
    );
    Some(Missed { point: point.name(), expected: format!("a slowdown of {expected}"), found })
}

/// What points have in common that differ only along `across`.
fn common<'a>(point: &'a Point, across: &Across) -> (&'a str, &'a str, Vec<&'a (String, String)>) {
    let fabric = if *across == Across::Fabric { "" } else { point.fabric() };
    let workload = if *across == Across::Workload { "" } else { point.workload() };
    let labels = point.labels().iter().filter(|(axis, _)| match across {
        Across::Axis(across) => axis != across,
        Across::Workload => axis != "workload",
        Across::Fabric => true,
    });
    (fabric, workload, labels.collect())
}

/// Compares each point with the first one that differs from it only along `across`.
fn equal(pairs: &[Pair<'_>], (across, tolerance): (&Across, u64), missed: &mut Vec<Missed>) {
    let mut first: BTreeMap<_, Pair<'_>> = BTreeMap::new();
    for &(point, record) in pairs {
        let (other, wanted) = *first.entry(common(point, across)).or_insert((point, record));
        if are_near(wanted.time_ps, record.time_ps, tolerance) {
            continue;
        }
        let give = match tolerance {
            0 => String::new(),
            part => format!(" ± {} %", percent(part)),
        };
        missed.push(Missed {
            point: point.name(),
            expected: format!("{}{give}, as {}", time(wanted), other.name()),
            found: time(record).to_string(),
        });
    }
}

/// Compares each point with its counterparts.
fn faster(
    pairs: &[Pair<'_>],
    all: &[Pair<'_>],
    selectors: (&Selector, &Selector),
    missed: &mut Vec<Missed>,
) {
    for (point, record) in pairs {
        let others = all.iter().filter(|(other, found)| {
            found.is_complete() && are_counterparts(selectors, point, other)
        });
        let Some((other, limit)) = others.min_by_key(|(_, found)| found.time_ps) else { continue };
        if record.time_ps >= limit.time_ps {
            missed.push(Missed {
                point: point.name(),
                expected: format!("less than {} of {}", time(limit), other.name()),
                found: time(record).to_string(),
            });
        }
    }
}

/// Whether `point` and `other` are meant by the two selectors and have the same value on every axis
/// that both have and neither selector fixes.
pub(crate) fn are_counterparts(
    (of, than): (&Selector, &Selector),
    point: &Point,
    other: &Point,
) -> bool {
    let agree = |(axis, value): &(String, String)| {
        of.fixes(axis)
            || than.fixes(axis)
            || axis == "workload"
            || other.labels().iter().all(|(name, found)| name != axis || found == value)
    };
    of.means(point) && than.means(other) && point.labels().iter().all(agree)
}
