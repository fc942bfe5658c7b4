//! Columns of text side by side.

use std::ops::Range;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

use crate::show;
use crate::wrap::COLUMNS;

/// Blank columns between two columns of a table.
pub(crate) const GAP: usize = 2;

/// A column: its heading, whether it holds numbers, and its cells.
pub(crate) struct Column {
    heading: String,
    alignment: CellAlignment,
    cells: Vec<String>,
}

impl Column {
    /// A column of numbers, to the right.
    pub(crate) fn new(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), alignment: CellAlignment::Right, cells }
    }

    /// The same column to the left.
    pub(crate) fn left(self) -> Self {
        Self { alignment: CellAlignment::Left, ..self }
    }

    /// Whether two rows of the column show the same.
    pub(crate) fn shows_alike(&self, one: usize, other: usize) -> bool {
        self.cells[one] == self.cells[other]
    }

    /// The cell of a row.
    pub(crate) fn cell(&self, row: usize) -> &str {
        &self.cells[row]
    }

    /// The same column with one row for each range of rows, whose cell `text` tells.
    pub(crate) fn merged(
        &self,
        ranges: &[Range<usize>],
        text: impl Fn(Range<usize>) -> String,
    ) -> Self {
        let cells = ranges.iter().cloned().map(text).collect();
        Self { heading: self.heading.clone(), alignment: self.alignment, cells }
    }

    /// Its widest line.
    pub(crate) fn width(&self) -> usize {
        let heading = self.heading.lines().map(show::width).max();
        self.cells.iter().map(|cell| show::width(cell)).chain(heading).max().unwrap_or(0)
    }
}

/// The columns side by side, the first of them at most `room` wide.
pub(crate) fn lay_out(columns: &[Column], room: usize) -> Table {
    let style = TableStyle::new().header_separator(LineStyle::none().fill('-'));
    let mut table = Table::new();
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(COLUMNS as u16);
    table.set_header(columns.iter().map(|it| it.heading.clone()).collect::<Vec<_>>());
    for index in 0..columns[0].cells.len() {
        table.add_row(columns.iter().map(|it| it.cells[index].clone()).collect::<Vec<_>>());
    }
    let last = columns.len() - 1;
    for (index, column) in columns.iter().enumerate() {
        let gap = if index == last { 0 } else { GAP };
        let width = if index == 0 { column.width().min(room) } else { column.width() };
        let shape = table.column_mut(index).expect("a column of the header");
        shape.set_padding((0, gap as u16)).set_cell_alignment(column.alignment);
        shape.set_constraint(ColumnConstraint::Absolute(Width::Fixed((width + gap) as u16)));
    }
    table
}
