//! The whole answer for a reader: title, fabrics, tables, notes, what was missed, words.

use std::fmt::Write;

use crate::table::Colour;
use crate::wrap::wrap;
use crate::{Record, Results, Status, fabrics, groups, jobs, losses, packets, table, words};

/// The answer as text of at most 120 columns.
pub fn render(results: &Results, colour: Colour) -> String {
    let mut out = String::new();
    let mut title = String::new();
    wrap(&mut title, "", 2, &results.title);
    out.push_str(&colour.bold(title.trim_end()));
    out.push('\n');
    if !results.question.is_empty() {
        wrap(&mut out, "", 2, &results.question);
    }
    if !results.complete {
        let ended = results.points - results.tally().absent;
        let text = format!("PARTIAL: {ended} of {} points came to an end", results.points);
        let _ = writeln!(out, "{}", colour.bold(&text));
    }
    let mut section = |name: &str, text: String| {
        if !text.is_empty() {
            let _ = write!(out, "\n{}\n{}\n", colour.bold(name), text.trim_end_matches('\n'));
        }
    };
    section("Fabrics as built", fabrics::render(&results.records));
    section("Completion times", table::render(results, colour));
    section("Jobs", jobs::render(results));
    section("Not complete", incomplete(results));
    section("Losses", losses::render(results));
    section("Packets", packets::render(results));
    section("Notes", notes(results));
    section("Expectations missed", missed(results));
    section("In words", words::render(results));
    out
}

/// Why points did not complete.
fn incomplete(results: &Results) -> String {
    let mut out = String::new();
    for record in &results.records {
        if record.status != Status::Complete {
            let (name, status) = (record.name(), &record.status);
            let text = format!("{name}: {}: {}", status.word(), status.why());
            wrap(&mut out, "  ", 4, &text);
        }
    }
    out
}

/// Each note once, with what it is about: nothing if all points have it, else the fabrics all of
/// whose points have it, else the workloads.
fn notes(results: &Results) -> String {
    let mut notes: Vec<&str> = Vec::new();
    for note in results.records.iter().flat_map(|it| &it.notes) {
        if !notes.contains(&note.as_str()) {
            notes.push(note);
        }
    }
    let mut out = String::new();
    for note in notes {
        wrap(&mut out, "  - ", 4, &format!("{note}{}", about(note, &results.records)));
    }
    out
}

/// Which points have a note, in brackets.
fn about(note: &str, records: &[Record]) -> String {
    let has = |it: &&Record| it.notes.iter().any(|own| own == note);
    let with: Vec<&Record> = records.iter().filter(has).collect();
    let fabrics = groups::grouped(with.iter().copied(), |it: &Record| it.fabric.clone());
    let whole =
        |fabric: &str, count| records.iter().filter(|it| it.fabric == fabric).count() == count;
    let names: Vec<String> = if with.len() == records.len() {
        return String::new();
    } else if fabrics.iter().all(|(fabric, points)| whole(fabric, points.len())) {
        fabrics.into_iter().map(|(fabric, _)| fabric).collect()
    } else {
        groups::grouped(with, Record::workload).into_iter().map(|(workload, _)| workload).collect()
    };
    format!(" ({})", names.join(", "))
}

/// The expectations that were not met.
pub fn missed(results: &Results) -> String {
    let mut out = String::new();
    for missed in &results.missed {
        let text =
            format!("{}: expected {}, found {}", missed.point, missed.expected, missed.found);
        wrap(&mut out, "  ", 4, &text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Missed;
    use crate::example::{record, results};

    #[test]
    fn a_page_has_only_the_sections_that_say_something() {
        let mut all = results(vec![record("a", "1:1", 1_000_000), record("b", "1:1", 2_000_000)]);
        let text = render(&all, Colour::Off);
        assert!(!text.contains("Notes") && !text.contains("missed") && !text.contains('\x1b'));
        all.records[1].notes.push("8 channels by default".into());
        all.missed.push(Missed {
            point: "a".into(),
            expected: "< 1 us".into(),
            found: "2 us".into(),
        });
        all.complete = false;
        let text = render(&all, Colour::On);
        assert!(text.contains("  - 8 channels by default (b)\n"), "{text}");
        assert!(text.contains("  a: expected < 1 us, found 2 us"), "{text}");
        assert!(text.contains("PARTIAL: 2 of 2 points"), "{text}");
        assert!(text.contains("\x1b[1mTwo fabrics\x1b[0m\n"), "{text}");
        all.records[1].status = Status::Stopped { why: "after 3 events".into() };
        let text = render(&all, Colour::Off);
        assert!(text.contains("PARTIAL: 1 of 2 points came to an end"), "{text}");
    }
}
