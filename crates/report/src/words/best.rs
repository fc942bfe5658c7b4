//! The points of a fabric that take least time.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::words::Way;
use crate::wrap::listed;

/// The points of one fabric that took least time.
pub(super) struct Best<'a> {
    pub(super) fabric: &'a str,
    way: Way,
    ties: Vec<&'a Record>,
}

impl<'a> Best<'a> {
    pub(super) fn of(fabric: &'a str, members: Vec<&'a Record>, way: Way) -> Self {
        let least = members.iter().map(|it| it.time_ps).min();
        let ties = members.into_iter().filter(|it| Some(it.time_ps) == least).collect();
        Self { fabric, way, ties }
    }

    pub(super) fn record(&self) -> &'a Record {
        self.ties[0]
    }

    pub(super) fn time_ps(&self) -> u64 {
        self.record().time_ps
    }

    /// E.g. "by ring at 0.5:1 or 1:1".
    pub(super) fn told(&self) -> String {
        let told = grouped(self.ties.iter().copied(), self.way);
        let ways = told.into_iter().map(|(way, members)| {
            let mut ratios: Vec<String> = members.iter().map(|it| it.ratio.clone()).collect();
            ratios.sort_by(|left, right| ratio_order(left, right));
            ratios.dedup();
            ratios.retain(|ratio| ratio != "-");
            let at = if ratios.is_empty() {
                String::new()
            } else {
                format!(" at {}", listed(&ratios, "or"))
            };
            format!("by {way}{at}")
        });
        ways.collect::<Vec<_>>().join(" or ")
    }
}

/// Each fabric at its best, the fastest first.
pub(super) fn bests<'a>(members: &[&'a Record], way: Way) -> Vec<Best<'a>> {
    let by_fabric = grouped(members.iter().copied(), |it: &Record| it.fabric.as_str());
    let mut bests: Vec<Best> =
        by_fabric.into_iter().map(|(fabric, points)| Best::of(fabric, points, way)).collect();
    bests.sort_by_key(Best::time_ps);
    bests
}
