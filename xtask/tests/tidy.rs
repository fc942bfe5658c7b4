//! What holds for every source file and manifest of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates from the bottom up; those of one line stand beside each other.
const SPINE: [&[&str]; 7] = [
    &["units"],
    &["topology"],
    &["collectives"],
    &["engine"],
    &["fluid", "packet", "report"],
    &["scenario"],
    &["superclos"],
];

/// The most lines of a source file.
const LINES: usize = 350;

/// Words that may not stand in a source file; written in halves so that this file passes.
const UNFINISHED: [&str; 3] =
    [concat!("todo", "!"), concat!("unimplemented", "!"), concat!("#[igno", "re")];

/// What only the outer crates may use.
const OUTSIDE: [&str; 2] = ["std::fs", "std::env"];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file below `folder` whose name ends in `ending`, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).expect("a folder of the workspace");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path.file_name() != Some("target".as_ref()) {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Every source file with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut paths = files(&top().join("crates"), ".rs");
    paths.extend(files(&top().join("xtask"), ".rs"));
    assert!(paths.len() > 10, "the sources are found");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file is text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Fails with all faults together.
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn height(name: &str) -> Option<usize> {
    SPINE.iter().position(|level| level.contains(&name))
}

/// The names in the `[dependencies]` table of a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let table = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    let lines = table.take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|it| !it.is_empty())
        .collect()
}

#[test]
fn crates_use_only_crates_below_them() {
    let mut faults = Vec::new();
    for path in files(&top().join("crates"), "Cargo.toml") {
        let text = fs::read_to_string(&path).expect("a manifest is text");
        let name = text.lines().find_map(|line| line.strip_prefix("name = "));
        let name = name.expect("a package has a name").trim_matches('"');
        let Some(own) = height(name) else {
            faults.push(format!("{name} has no place in the spine"));
            continue;
        };
        for used in dependencies(&text) {
            if height(used).is_some_and(|other| other >= own) {
                faults.push(format!("{name} uses {used}, which is not below it"));
            }
        }
    }
    none(&faults);
}

#[test]
fn sources_say_what_they_are_and_stay_short() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if !text.starts_with("//! ") {
            faults.push(format!("{}: the first line must be `//! …`", path.display()));
        }
        let lines = text.lines().count();
        if lines > LINES {
            faults.push(format!("{}: {lines} lines, more than {LINES}", path.display()));
        }
    }
    none(&faults);
}

#[test]
fn nothing_is_left_unfinished() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for word in UNFINISHED {
            if text.contains(word) {
                faults.push(format!("{}: `{word}`", path.display()));
            }
        }
    }
    none(&faults);
}

#[test]
fn only_the_outer_crates_touch_files_and_environment() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let inside = path.strip_prefix(top()).expect("below the top");
        let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
        let outer = parts[0] == "xtask" || parts.get(1) == Some(&"cli");
        let beside = parts.iter().any(|part| ["tests", "benches", "examples"].contains(part));
        for word in OUTSIDE {
            if !outer && !beside && text.contains(word) {
                faults.push(format!("{}: `{word}`", inside.display()));
            }
        }
    }
    none(&faults);
}
