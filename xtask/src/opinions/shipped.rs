//! What both engines say of the scenarios that are shipped.

use std::path::{Path, PathBuf};

use super::{Asked, FOLDER, Opinion, Table, ask_all, percent};
use crate::measure::median;
use crate::table::{grouped, markdown};

/// Points that are estimated at more packet events are left out.
const EVENTS: u64 = 50_000_000;

/// Packets that are sprayed overtake each other, so where a fabric recovers losses by go-back-N, as it
/// does unless told, they cannot do so: then selective repeat.
const SELECTIVE: &str = "set fabric.recovery=selective_repeat()";

/// A row a scenario; no difference is a miss.
pub(super) fn table(program: &Path) -> Table {
    let mut files = Vec::new();
    below(Path::new(FOLDER), &mut files).map_err(|error| format!("{FOLDER}: {error}"))?;
    files.sort();
    let names = files.iter().map(|file| name(file));
    let all: Result<Vec<Asked>, String> =
        files.iter().zip(names).map(|(file, name)| asked(file, name, &[])).collect();
    let all = all?;
    let first = ask_all(program, &all);
    let refused = |(place, answer): (usize, &Result<Vec<Opinion>, String>)| {
        answer.as_ref().is_err_and(|why| why.contains("go-back-N")).then_some(place)
    };
    let again: Vec<usize> = first.iter().enumerate().filter_map(refused).collect();
    let repeated: Result<Vec<Asked>, String> = again
        .iter()
        .map(|&place| asked(&files[place], format!("{} ¹", all[place].name), &[SELECTIVE]))
        .collect();
    let repeated = repeated?;
    let second = ask_all(program, &repeated);
    let mut answers: Vec<(&Asked, Result<Vec<Opinion>, String>)> = all.iter().zip(first).collect();
    for (place, answer) in again.into_iter().zip(repeated.iter().zip(second)) {
        answers[place] = answer;
    }
    let mut rows = Vec::new();
    let mut far = Vec::new();
    for (asked, answer) in answers {
        rows.push(row(&asked.name, answer, &mut far));
    }
    let header = ["scenario", "points", "compared", "least, %", "median, %", "most, %"];
    let table = markdown(&header.map(str::to_owned), &rows);
    let far = far.join("\n");
    let rule = grouped(EVENTS);
    Ok((
        format!(
            "Points of up to {rule} packet events; ¹ with recovery by selective repeat:\n\n{table}\n\
             Beyond 2 %:\n{far}\n"
        ),
        0,
    ))
}

/// All scenarios below a folder but the baselines, which are no scenarios.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "ron") {
            files.push(path);
        }
    }
    Ok(())
}

/// The path of a scenario below the folder.
fn name(file: &Path) -> String {
    let inside = file.strip_prefix(FOLDER).unwrap_or(file).with_extension("");
    inside.display().to_string()
}

fn asked(file: &Path, name: String, set: &[&str]) -> Result<Asked, String> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    let most = format!("most {EVENTS}");
    let lines = set.iter().map(|&line| line.to_owned()).chain([most]).collect();
    Ok(Asked { name, lines, text })
}

/// The row of a scenario; points beyond 2 % and points that did not end are told one by one.
fn row(name: &str, answer: Result<Vec<Opinion>, String>, far: &mut Vec<String>) -> Vec<String> {
    let opinions = match answer {
        Ok(opinions) => opinions,
        Err(why) => {
            let why = why.lines().next().unwrap_or_default();
            far.push(format!("* {why}"));
            let none = || "–".to_owned();
            return vec![name.to_owned(), none(), "0".to_owned(), none(), none(), none()];
        }
    };
    let mut offs = Vec::new();
    for opinion in opinions.iter().filter(|it| it.packets.0 != "left out") {
        let Opinion { fabric, swept, workload, rates, packets } = opinion;
        let told = match opinion.off() {
            Some(off) => {
                offs.push(off);
                if off.unsigned_abs() <= 20_000 {
                    continue;
                }
                format!("{} %", percent(off))
            }
            None => format!("{} by rates, {} by packets", rates.0, packets.0),
        };
        far.push(format!("* {name}: {fabric} {swept} {workload}: {told}"));
    }
    let shown = |off: Option<i64>| off.map_or("–".to_owned(), percent);
    vec![
        name.to_owned(),
        opinions.len().to_string(),
        offs.len().to_string(),
        shown(offs.iter().copied().min()),
        shown(median(&offs)),
        shown(offs.iter().copied().max()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(rates: u64, packets: u64) -> Opinion {
        let word = if packets > 0 { "complete" } else { "left out" };
        Opinion {
            fabric: "f".to_owned(),
            swept: "ratio=1:1".to_owned(),
            workload: "ring".to_owned(),
            rates: (word.to_owned(), rates),
            packets: (word.to_owned(), packets),
        }
    }

    #[test]
    fn a_row_has_the_extremes_and_the_far_ones_are_told() {
        let mut far = Vec::new();
        let opinions =
            vec![opinion(1_000, 1_001), opinion(1_000, 1_021), opinion(1_000, 999), opinion(0, 0)];
        let row = row("a", Ok(opinions), &mut far);
        assert_eq!(row, ["a", "4", "3", "−0.10", "+0.10", "+2.10"]);
        assert_eq!(far, ["* a: f ratio=1:1 ring: +2.10 %"]);
        let refused = super::row("b", Err("b: no\nmore".to_owned()), &mut far);
        assert_eq!((refused[2].as_str(), far[1].as_str()), ("0", "* b: no"));
    }

    #[test]
    fn scenarios_are_found_and_named() {
        let mut files = Vec::new();
        below(Path::new(FOLDER), &mut files).unwrap();
        let names: Vec<String> = files.iter().map(|file| name(file)).collect();
        assert!(names.contains(&"quickstart".to_owned()));
        assert!(names.iter().any(|name| name.ends_with("second_opinion")));
    }
}
