//! `superclos diff`: two results against each other.

use std::path::Path;

use report::diff::Diff as Comparison;
use report::{Results, json};

use crate::ending::{Ending, Trouble};
use crate::options::Diff;
use crate::{files, output};

/// Prints what moved between two results. A difference is an answer, not a failure.
pub(crate) fn run(options: &Diff) -> Result<Ending, Trouble> {
    let (before, after) = (read(&options.before)?, read(&options.after)?);
    let mut lines = vec![line("A", &options.before, &before), line("B", &options.after, &after)];
    if before.scenario_hash != after.scenario_hash {
        lines.push("The scenarios differ.".to_owned());
    }
    lines.push(String::new());
    lines.push(Comparison::of_results(&before, &after).render("A", "B"));
    output::answer(&lines.join("\n"))?;
    Ok(Ending::Done)
}

/// What one of the two results is.
fn line(name: &str, path: &Path, results: &Results) -> String {
    let Results { title, tool, complete, points, records, .. } = results;
    let part = if *complete { String::new() } else { format!(" of {points}, PARTIAL") };
    format!("{name}: {}: {title} ({}{part} points, {tool})", path.display(), records.len())
}

/// Results from a file, or from `results.json` in a folder.
fn read(path: &Path) -> Result<Results, Trouble> {
    let path = if path.is_dir() { path.join("results.json") } else { path.to_owned() };
    let text = files::read(&path, files::RESULTS_BYTES)?;
    json::read(&text).map_err(|error| Trouble::Unreadable { path, why: error.to_string() })
}
