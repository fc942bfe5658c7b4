//! Which points are compared with which: the workloads of a sweep.

use std::cmp::Ordering;
use std::fmt::Write;

use units::Ratio;

use crate::Record;
use crate::show::Fraction;

/// What two points must have in common to be compared: collective, size asked, and every sweep
/// label other than those of fabric, ratio, algorithm and size ([`Record::other_labels`]). (Ranks, size used and channels may differ, since
/// they follow from the fabric.)
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Workload<'a> {
    /// The collective.
    pub collective: &'a str,
    /// The bytes of one rank's buffer that the scenario asks for.
    pub size_asked: u64,
    /// The remaining sweep labels.
    pub labels: Vec<&'a (String, String)>,
}

impl<'a> Workload<'a> {
    /// The workload of a point.
    pub fn of(record: &'a Record) -> Self {
        Self {
            collective: &record.collective,
            size_asked: record.size_asked,
            labels: record.other_labels().collect(),
        }
    }

    /// E.g. "`AllReduce` of 1 GiB, placement=random".
    pub fn name(&self) -> String {
        let mut name = format!("{} of {}", self.collective, crate::show::size(self.size_asked));
        for (axis, value) in &self.labels {
            let _ = write!(name, ", {axis}={value}");
        }
        name
    }
}

/// `items` parted by `key`, groups and members in order of first appearance.
pub fn grouped<'a, T, K: PartialEq>(
    items: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for item in items {
        let key = key(item);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// For each point its time over the least time of a complete point of the same [`Workload`];
/// `None` for a point that is not complete or when that least time is 0.
pub fn slowdowns(records: &[Record]) -> Vec<Option<Fraction>> {
    let workloads = grouped(records, Workload::of);
    let best = |record: &Record| {
        let (_, members) =
            workloads.iter().find(|(workload, _)| *workload == Workload::of(record))?;
        members.iter().filter(|it| it.is_complete()).map(|it| it.time_ps).min()
    };
    let slowdown = |record: &Record| {
        let best = best(record).filter(|_| record.is_complete())?;
        Fraction::new(u128::from(record.time_ps), u128::from(best))
    };
    records.iter().map(slowdown).collect()
}

/// The key by which ratios are sorted: as exact fractions where they can be read ("19:16",
/// "0.5:1"), the others after them by text.
pub(crate) fn ratio_order(left: &str, right: &str) -> Ordering {
    match (left.parse::<Ratio>(), right.parse::<Ratio>()) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{by, record};

    #[test]
    fn slowdown_is_against_the_best_of_the_workload() {
        let mut other = record("a", "1:1", 400);
        other.size_asked = 5;
        let mut stalled = record("c", "1:1", 10);
        stalled.status = crate::Status::Stalled { why: String::new() };
        let records =
            [record("a", "1:1", 300), by("tree", record("b", "2:1", 200)), other, stalled];
        let shown: Vec<String> = slowdowns(&records)
            .iter()
            .map(|it| it.map_or("-".into(), |it| it.significant(4)))
            .collect();
        // 300 / 200, the best itself, alone with its size, did not complete.
        assert_eq!(shown, ["1.500", "1.000", "1.000", "-"]);
    }

    #[test]
    fn ratios_are_ordered_by_value() {
        let mut ratios = ["10:1", "-", "2:1", "19:16", "0.5:1", "1:1", "1:3"];
        ratios.sort_by(|left, right| ratio_order(left, right));
        assert_eq!(ratios, ["1:3", "0.5:1", "1:1", "19:16", "2:1", "10:1", "-"]);
    }
}
