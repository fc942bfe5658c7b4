//! Completion times to compare with: one line a point, in a file that people can read and merge.

use std::collections::BTreeMap;

use crate::{Record, Results};

/// The completion time of each point of a scenario, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    points: BTreeMap<String, Ending>,
}

/// How a point ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// "complete", "stalled", "retry limit", "unreachable" or "failed".
    pub status: String,
    /// The completion time in picoseconds.
    pub time_ps: u64,
}

/// Why a baseline cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// Not the columns of a baseline.
    #[error("the first line must be `{}`, found `{found}`", HEADER.join(","))]
    Header {
        /// The first line.
        found: String,
    },
    /// A line that is none of a baseline.
    #[error("line {line}: {why}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
}

const HEADER: [&str; 3] = ["point", "status", "time_ps"];

impl Baseline {
    /// The completion times of `results`; points of the same name are numbered in their order.
    pub fn of(results: &Results) -> Self {
        let mut points = BTreeMap::new();
        for record in &results.records {
            let ending =
                Ending { status: record.status.word().to_owned(), time_ps: record.time_ps };
            points.insert(free_name(&points, record), ending);
        }
        Self { points }
    }

    /// The points and how they ended, by name.
    pub const fn points(&self) -> &BTreeMap<String, Ending> {
        &self.points
    }

    /// As CSV text, sorted by name.
    pub fn write(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut push = |row: [&str; 3]| {
            writer.write_record(row).expect("three columns each, in memory");
        };
        push(HEADER);
        for (name, ending) in &self.points {
            push([name, &ending.status, &ending.time_ps.to_string()]);
        }
        let bytes = writer.into_inner().expect("memory takes every byte");
        String::from_utf8(bytes).expect("CSV of text is text")
    }

    /// Reads what [`write`](Self::write) wrote.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut points = BTreeMap::new();
        for (index, row) in reader.records().enumerate() {
            let row = row.map_err(|error| BaselineError::Line {
                line: error.position().map_or(index as u64 + 1, csv::Position::line),
                why: error.to_string(),
            })?;
            let line = row.position().map_or(index as u64 + 1, csv::Position::line);
            if index == 0 {
                if row != HEADER[..] {
                    let found = text.lines().next().unwrap_or_default().to_owned();
                    return Err(BaselineError::Header { found });
                }
                continue;
            }
            let wrong = |why: String| BaselineError::Line { line, why };
            let [name, status, time] = [&row[0], &row[1], &row[2]];
            let time_ps = time
                .parse()
                .map_err(|_| wrong(format!("`{time}` is not a time in whole picoseconds")))?;
            let ending = Ending { status: status.to_owned(), time_ps };
            if points.insert(name.to_owned(), ending).is_some() {
                return Err(wrong(format!("`{name}` stands twice")));
            }
        }
        if text.trim().is_empty() {
            return Err(BaselineError::Header { found: String::new() });
        }
        Ok(Self { points })
    }
}

/// The name of a point, numbered when it is taken.
fn free_name(taken: &BTreeMap<String, Ending>, record: &Record) -> String {
    let name = record.name();
    let numbered = |number: usize| format!("{name} #{number}");
    if taken.contains_key(&name) {
        let mut numbers = (2..=taken.len() + 2).map(numbered);
        return numbers.find(|name| !taken.contains_key(name)).expect("some number is free");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{record, results};

    #[test]
    fn a_baseline_is_sorted_text_that_reads_back() {
        let all = results(vec![record("b", "1:1", 7), record("a", "-", 5), record("a", "-", 6)]);
        let baseline = Baseline::of(&all);
        let text = baseline.write();
        let expected = "point,status,time_ps\n\
            a ratio=- AllReduce ring 1 GiB,complete,5\n\
            a ratio=- AllReduce ring 1 GiB #2,complete,6\n\
            b ratio=1:1 AllReduce ring 1 GiB,complete,7\n";
        assert_eq!(text, expected);
        assert_eq!(Baseline::read(&text), Ok(baseline));
    }

    #[test]
    fn a_damaged_baseline_is_refused_with_its_line() {
        let read = |text: &str| Baseline::read(text).expect_err("damaged").to_string();
        assert_eq!(read(""), "the first line must be `point,status,time_ps`, found ``");
        assert_eq!(read("a,b\n"), "the first line must be `point,status,time_ps`, found `a,b`");
        let line = |row: &str| format!("point,status,time_ps\n{row}\n");
        let why = "line 2: `-1` is not a time in whole picoseconds";
        assert_eq!(read(&line("a,complete,-1")), why);
        assert_eq!(read(&line("a,complete,1\na,complete,1")), "line 3: `a` stands twice");
        assert!(read(&line("a,complete")).starts_with("line 2: "));
    }
}
