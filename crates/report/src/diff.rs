//! Two sets of completion times against each other: what moved, and what only one of them has.

use std::fmt::Write;

use crate::baseline::{Baseline, Ending};
use crate::columns::{Column, GAP, lay_out};
use crate::wrap::COLUMNS;
use crate::{Results, show};

/// What differs between two sets of points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Points of both that did not end alike, by name.
    pub moved: Vec<Moved>,
    /// Points that only the first has.
    pub only_before: Vec<String>,
    /// Points that only the second has.
    pub only_after: Vec<String>,
    /// How many points ended alike.
    pub equal: u64,
}

/// A point that did not end as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Its name.
    pub point: String,
    /// How it ended in the first set.
    pub before: Ending,
    /// How it ended in the second set.
    pub after: Ending,
}

impl Diff {
    /// Compares two sets of completion times point by point.
    pub fn between(before: &Baseline, after: &Baseline) -> Self {
        let mut diff = Self::default();
        for (point, earlier) in before.points() {
            match after.points().get(point) {
                None => diff.only_before.push(point.clone()),
                Some(later) if later == earlier => diff.equal += 1,
                Some(later) => {
                    let (before, after) = (earlier.clone(), later.clone());
                    diff.moved.push(Moved { point: point.clone(), before, after });
                }
            }
        }
        let new = after.points().keys().filter(|point| !before.points().contains_key(*point));
        diff.only_after = new.cloned().collect();
        diff
    }

    /// Compares two results point by point.
    pub fn of_results(before: &Results, after: &Results) -> Self {
        Self::between(&Baseline::of(before), &Baseline::of(after))
    }

    /// Whether every point is in both and ended alike.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.only_before.is_empty() && self.only_after.is_empty()
    }

    /// A table of what moved, then the points that only one set has, then a count; `before` and
    /// `after` name the sets.
    pub fn render(&self, before: &str, after: &str) -> String {
        let mut out = String::new();
        if !self.moved.is_empty() {
            let [before, after] = [before, after].map(|name| show::cut(name, 20));
            let figures = self.figures(&before, &after);
            let taken: usize = figures.iter().map(|it| it.width() + GAP).sum();
            let room = COLUMNS - taken;
            let names = self.moved.iter().map(|it| show::cut(&it.point, 4 * room)).collect();
            let mut columns = vec![Column::new("moved", names).left()];
            columns.extend(figures);
            out.push_str(&lay_out(&columns, room).trim_fmt());
            out.push('\n');
        }
        for (set, points) in [(before, &self.only_before), (after, &self.only_after)] {
            for point in points {
                out.push_str(&show::cut(&format!("only in {set}: {point}"), COLUMNS));
                out.push('\n');
            }
        }
        let apart = self.only_before.len() + self.only_after.len();
        let counts = format!("{} moved, {apart} in one only", self.moved.len());
        let _ = writeln!(out, "{} equal, {counts}", self.equal);
        out
    }

    fn figures(&self, before: &str, after: &str) -> Vec<Column> {
        let each = |text: fn(&Moved) -> String| self.moved.iter().map(text).collect();
        vec![
            Column::new(before, each(|it| ending(&it.before))),
            Column::new(after, each(|it| ending(&it.after))),
            Column::new("apart by", each(Moved::apart)),
            Column::new("change", each(Moved::change)),
        ]
    }
}

impl Moved {
    /// The time between both ends, where they can be compared.
    fn apart(&self) -> String {
        if self.before.status == self.after.status {
            show::time(self.before.time_ps.abs_diff(self.after.time_ps))
        } else {
            "-".to_owned()
        }
    }

    /// The change in percent, or that the status changed.
    fn change(&self) -> String {
        if self.before.status == self.after.status {
            show::cut(&show::change(self.before.time_ps, self.after.time_ps), 14)
        } else {
            "status".to_owned()
        }
    }
}

/// The time of a complete point, the status of another.
fn ending(ending: &Ending) -> String {
    match ending.status.as_str() {
        "complete" => show::time(ending.time_ps),
        other => format!("{} at {}", show::cut(other, 10), show::time(ending.time_ps)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::example::{record, results};

    #[test]
    fn what_moved_and_what_is_missing_is_told() {
        let mut stalled = record("d", "1:1", 9);
        stalled.status = Status::Stalled { why: "x".into() };
        let before = results(vec![
            record("a", "1:1", 4_000_000),
            record("b", "1:1", 5),
            record("c", "1:1", 6),
            record("d", "1:1", 9),
        ]);
        let after = results(vec![
            record("a", "1:1", 5_000_000),
            record("b", "1:1", 5),
            record("e", "1:1", 1),
            stalled,
        ]);
        let diff = Diff::of_results(&before, &after);
        assert_eq!((diff.moved.len(), diff.equal), (2, 1));
        let text = diff.render("old", "new");
        let cells: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect())
            .collect();
        assert_eq!(cells[0], ["moved", "old", "new", "apart by", "change"]);
        let name = "a ratio=1:1 AllReduce ring 1 GiB";
        assert_eq!(cells[2], [name, "4.0000 us", "5.0000 us", "1.0000 us", "+25.00 %"]);
        let name = "d ratio=1:1 AllReduce ring 1 GiB";
        assert_eq!(cells[3], [name, "9 ps", "stalled at 9 ps", "-", "status"]);
        assert!(text.ends_with(
            "only in old: c ratio=1:1 AllReduce ring 1 GiB\n\
             only in new: e ratio=1:1 AllReduce ring 1 GiB\n\
             1 equal, 2 moved, 2 in one only\n"
        ));
        assert!(Diff::of_results(&before, &before).is_empty());
    }
}
