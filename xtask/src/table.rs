//! Tables in Markdown, which `docs/performance.md` takes over as they are.

/// A table whose first column is text and whose others are numbers.
pub(crate) fn markdown(header: &[String], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&header[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = |(column, &width): (usize, &usize)| {
        let right = if column == 0 { "-" } else { ":" };
        format!("|{}{right}", "-".repeat(width + 1))
    };
    let rule: String = widths.iter().enumerate().map(rule).collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{rule}|\n{body}", line(header))
}

/// A whole number with a comma between thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let text = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table = markdown(&text(["a", "s"]), &[text(["bb", "1.25"])]);
        assert_eq!(table, "| a  |    s |\n|----|-----:|\n| bb | 1.25 |\n");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 2_560, 1_234_567].map(grouped), ["0", "999", "2,560", "1,234,567"]);
    }
}
