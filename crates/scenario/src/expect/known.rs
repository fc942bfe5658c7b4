//! What the points of a scenario are called, gathered once for all expectations.

use std::collections::BTreeMap;

use super::selector::told;
use crate::Point;

/// An axis that a point does not have.
const NONE: u32 = u32::MAX;

/// The names and swept values of all points as a table of numbers: a row a point, a column for each
/// kind of name and for each axis.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    columns: Vec<Column<'a>>,
    axes: BTreeMap<&'a str, usize>,
}

/// One kind of name, or one axis.
#[derive(Debug, Default)]
struct Column<'a> {
    numbers: BTreeMap<&'a str, u32>,
    of_point: Vec<u32>,
    /// The name of the point before, which is often that of the next one.
    last: Option<(&'a str, u32)>,
}

/// A column and the numbers that are wanted in it.
pub(super) struct Wanted {
    column: usize,
    is_wanted: Vec<bool>,
}

impl<'a> Known<'a> {
    /// Gathers what `points` are called.
    pub(crate) fn new(points: &'a [Point]) -> Self {
        let mut known = Self { columns: Vec::new(), axes: BTreeMap::new() };
        for (row, point) in points.iter().enumerate() {
            for (column, name) in told(point).into_iter().enumerate() {
                known.add(row, column, name);
            }
            for (axis, value) in point.labels() {
                let next = known.columns.len();
                let column = *known.axes.entry(axis).or_insert(next);
                known.add(row, column, value);
            }
        }
        for column in &mut known.columns {
            column.of_point.resize(points.len(), NONE);
        }
        known
    }

    fn add(&mut self, row: usize, column: usize, name: &'a str) {
        if self.columns.len() <= column {
            self.columns.resize_with(column + 1, Column::default);
        }
        let column = &mut self.columns[column];
        let number = match column.last {
            Some((last, number)) if last == name => number,
            _ => {
                let next = column.numbers.len() as u32;
                *column.numbers.entry(name).or_insert(next)
            }
        };
        column.last = Some((name, number));
        column.of_point.resize(row, NONE);
        column.of_point.push(number);
    }

    /// The names that points have in a column, in order.
    pub(super) fn names(&self, column: usize) -> impl Iterator<Item = &'a str> {
        self.columns[column].numbers.keys().copied()
    }

    /// The labels of all axes, in order.
    pub(super) fn axes(&self) -> impl Iterator<Item = &'a str> {
        self.axes.keys().copied()
    }

    /// The column of an axis that some point has.
    pub(super) fn axis(&self, label: &str) -> Option<usize> {
        self.axes.get(label).copied()
    }

    /// Whether some point has that name in a column.
    pub(super) fn has(&self, column: usize, name: &str) -> bool {
        self.columns[column].numbers.contains_key(name)
    }

    /// One of these names is wanted in a column.
    pub(super) fn wanted<'n>(
        &self,
        column: usize,
        names: impl IntoIterator<Item = &'n String>,
    ) -> Wanted {
        let numbers = &self.columns[column].numbers;
        let mut is_wanted = vec![false; numbers.len()];
        for name in names {
            if let Some(&number) = numbers.get(name.as_str()) {
                is_wanted[number as usize] = true;
            }
        }
        Wanted { column, is_wanted }
    }

    /// Whether some point is what all of these want.
    pub(super) fn any(&self, wanted: &[Wanted]) -> bool {
        if let [Wanted { is_wanted, .. }] = wanted {
            // Every name that is known is that of some point.
            return is_wanted.contains(&true);
        }
        let points = self.columns.first().map_or(0, |column| column.of_point.len());
        (0..points).any(|row| {
            wanted.iter().all(|Wanted { column, is_wanted }| {
                let number = self.columns[*column].of_point[row];
                number != NONE && is_wanted[number as usize]
            })
        })
    }
}
