//! Text in lines of limited width.

use crate::show;

/// The widest line that a report prints.
pub const COLUMNS: usize = 120;

/// What is not parted from the number before it.
const UNITS: [&str; 18] = [
    "%", "ps", "ns", "us", "ms", "s", "B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB",
    "Gb/s", "Tb/s", "Pb/s",
];

/// Appends `text` to `out` in lines of at most [`COLUMNS`] columns, broken between words; the
/// first line starts with `first`, the others are indented by `indent` columns. A word that is
/// wider than a line is cut with an ellipsis, so no name can break the layout.
pub(crate) fn wrap(out: &mut String, first: &str, indent: usize, text: &str) {
    let mut line = first.to_owned();
    let mut empty = true;
    for word in words(text) {
        let word = show::cut(&word, COLUMNS - indent.max(show::width(first)) - 1);
        if !empty && show::width(&line) + 1 + show::width(&word) > COLUMNS {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// The words of a text; a number and its unit are one word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let number =
            words.last().is_some_and(|it| it.ends_with(|last: char| last.is_ascii_digit()));
        match words.last_mut().filter(|_| number && UNITS.contains(&unit)) {
            Some(number) => {
                number.push(' ');
                number.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
    }
    words
}

/// "a", "a and b", "a, b and c", with `and` as the last word between.
pub(crate) fn listed(names: &[String], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_allowed() {
        let mut out = String::new();
        let text = format!("{} {} end", "word ".repeat(40), "x".repeat(300));
        wrap(&mut out, "- ", 4, &text);
        assert!(out.lines().all(|line| show::width(line) <= COLUMNS), "{out}");
        assert!(out.starts_with("- word word"));
        assert!(out.ends_with("…\n    end\n") || out.ends_with("… end\n"), "{out}");
    }

    #[test]
    fn a_number_keeps_its_unit() {
        let mut out = String::new();
        wrap(&mut out, "", 0, &format!("{} 95.9 %, x", "y".repeat(114)));
        assert_eq!(out, format!("{}\n95.9 %, x\n", "y".repeat(114)));
        assert_eq!(words("the s of 5 s"), ["the", "s", "of", "5 s"]);
    }

    #[test]
    fn lists_read_as_sentences() {
        let names = ["a", "b", "c"].map(String::from);
        assert_eq!(listed(&names, "and"), "a, b and c");
        assert_eq!(listed(&names[..2], "or"), "a or b");
        assert_eq!(listed(&names[..1], "and"), "a");
    }
}
