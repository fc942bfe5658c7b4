//! Results as JSON: one record a line, each with a checksum, read back with care.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::{Missed, Record, Results, SCHEMA};

/// Why a results file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text ends too early.
    #[error("truncated after record {records}: the end of the file is missing")]
    Truncated {
        /// How many records are whole.
        records: usize,
    },
    /// The text is not what this program writes.
    #[error("damaged or not a results file, at line {line}, column {column}: {why}")]
    Damaged {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// Another version of the form.
    #[error("schema version {found}; this program reads version {SCHEMA}")]
    Schema {
        /// The version found.
        found: u64,
    },
    /// A record is not the one that was written.
    #[error(
        "record {record} ({name}) does not match its checksum: the file was changed or damaged"
    )]
    Checksum {
        /// The record, counted from 1.
        record: usize,
        /// The name it bears now.
        name: String,
    },
    /// More or fewer records than the file says.
    #[error("{found} records, but the file says {said}")]
    Count {
        /// The number of records found.
        found: u64,
        /// The number that the file says.
        said: u64,
    },
}

/// A record as it stands in the file.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    record: Record,
    checksum: String,
}

/// The file as a whole.
#[derive(Deserialize)]
struct File {
    tool: String,
    scenario_hash: String,
    seed: u64,
    title: String,
    question: String,
    scenario: String,
    complete: bool,
    points: u64,
    record_count: u64,
    records: Vec<Line>,
    missed: Vec<Missed>,
}

/// The part of the file that every version has.
#[derive(Deserialize)]
struct Head {
    schema: u64,
}

/// `results` as JSON text: a record is one line and carries an FNV-1a checksum of itself.
pub fn write(results: &Results) -> String {
    let mut text = String::from("{\n");
    let mut field = |name: &str, value: String| {
        let _ = writeln!(text, "\"{name}\": {value},");
    };
    field("schema", json(&results.schema));
    field("tool", json(&results.tool));
    field("scenario_hash", json(&results.scenario_hash));
    field("seed", json(&results.seed));
    field("title", json(&results.title));
    field("question", json(&results.question));
    field("scenario", json(&results.scenario));
    field("complete", json(&results.complete));
    field("points", json(&results.points));
    field("record_count", json(&results.records.len()));
    let lines: Vec<String> = results.records.iter().map(line).collect();
    let missed: Vec<String> = results.missed.iter().map(json).collect();
    let _ = writeln!(text, "\"records\": [{}],", listed(&lines));
    let _ = writeln!(text, "\"missed\": [{}]\n}}", listed(&missed));
    text
}

/// One item a line.
fn listed(items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("\n{}\n", items.join(",\n")) }
}

/// A record and, as its last field, its checksum.
fn line(record: &Record) -> String {
    let text = json(record);
    let body = text.strip_suffix('}').expect("a record is an object");
    format!("{body},\"checksum\":\"{}\"}}", checksum(&text))
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("records hold only text, integers and lists of them")
}

/// FNV-1a, 64 bits, in hexadecimal: it finds damage, not forgery.
/// Source: Fowler, Noll, Vo: The FNV Non-Cryptographic Hash Algorithm, IETF draft, section 2.
fn checksum(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Reads what [`write()`] wrote; anything else is refused with its place.
pub fn read(text: &str) -> Result<Results, ReadError> {
    let head: Head = serde_json::from_str(text).map_err(|error| refused(text, &error))?;
    if head.schema != u64::from(SCHEMA) {
        return Err(ReadError::Schema { found: head.schema });
    }
    let file: File = serde_json::from_str(text).map_err(|error| refused(text, &error))?;
    let found = file.records.len() as u64;
    if found != file.record_count {
        return Err(ReadError::Count { found, said: file.record_count });
    }
    let mut records = Vec::with_capacity(file.records.len());
    for (index, Line { record, checksum: written }) in file.records.into_iter().enumerate() {
        if checksum(&json(&record)) != written {
            return Err(ReadError::Checksum { record: index + 1, name: record.name() });
        }
        records.push(record);
    }
    Ok(Results {
        schema: SCHEMA,
        tool: file.tool,
        scenario_hash: file.scenario_hash,
        seed: file.seed,
        title: file.title,
        question: file.question,
        scenario: file.scenario,
        complete: file.complete,
        points: file.points,
        records,
        missed: file.missed,
    })
}

fn refused(text: &str, error: &serde_json::Error) -> ReadError {
    if error.is_eof() {
        let whole = |line: &&str| serde_json::from_str::<Line>(line.trim_end_matches(',')).is_ok();
        return ReadError::Truncated { records: text.lines().filter(whole).count() };
    }
    let full = error.to_string();
    let why = full.rsplit_once(" at line ").map_or(full.as_str(), |(why, _)| why);
    ReadError::Damaged { line: error.line(), column: error.column(), why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use crate::example::{record, results};

    fn written() -> (Results, String) {
        let mut stalled = record("b", "2:1", 7);
        stalled.status = Status::Stalled { why: "rank 3 waits for rank 4 \"\n".into() };
        stalled.tiers[0].bytes = u128::MAX;
        let mut first = record("a", "1:1", 5);
        first.jobs.push(crate::example::job("left", 0, 5, 3));
        let mut all = results(vec![first, stalled]);
        all.missed.push(Missed { point: "a".into(), expected: "<1".into(), found: "2".into() });
        let text = write(&all);
        (all, text)
    }

    #[test]
    fn what_is_written_reads_back() {
        let (all, text) = written();
        assert_eq!(read(&text), Ok(all));
        assert!(text.contains(&format!("\"bytes\":\"{}\"", u128::MAX)), "as a decimal string");
        let none = results(Vec::new());
        assert_eq!(read(&write(&none)), Ok(none));
    }

    /// TESTING I37: cut at every byte, the reader says after which record; only the final line
    /// feed can be missed.
    #[test]
    fn a_truncated_file_says_after_which_record() {
        let (_, text) = written();
        // A record ends with `"checksum":"`, 16 digits, `"}`: 12 + 16 + 2 bytes.
        let ends: Vec<usize> =
            text.match_indices("\"checksum\":\"").map(|(at, _)| at + 12 + 16 + 2).collect();
        for cut in 0..text.len() - 1 {
            let whole = ends.iter().filter(|&&end| end <= cut).count();
            let error = read(&text[..cut]).expect_err("cut short");
            assert_eq!(error, ReadError::Truncated { records: whole }, "cut at byte {cut}");
        }
    }

    #[test]
    fn a_changed_record_is_found() {
        let (_, text) = written();
        let changed = text.replace("\"time_ps\":5", "\"time_ps\":4");
        let error = read(&changed).expect_err("changed");
        assert!(matches!(error, ReadError::Checksum { record: 1, .. }), "{error}");
        let newer = text.replace("\"schema\": 1", "\"schema\": 2");
        assert_eq!(read(&newer), Err(ReadError::Schema { found: 2 }));
        let fewer = text.replace("\"record_count\": 2", "\"record_count\": 3");
        assert_eq!(read(&fewer), Err(ReadError::Count { found: 2, said: 3 }));
        assert!(matches!(read("[1, x]"), Err(ReadError::Damaged { line: 1, .. })));
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err(), "deep nesting is refused, not followed");
    }
}
