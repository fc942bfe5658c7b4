//! The README shows what the program prints, and the documents name tests and files that exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::told;

/// What stands before the block of output in the README.
const MARKER: &str = "<!-- superclos sim scenarios/quickstart.ron -->\n```text\n";

/// What stands after it.
const END: &str = "```\n";

/// The documents that point into the tree.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "docs/architecture.md",
    "docs/models.md",
    "docs/glossary.md",
    "scenarios/README.md",
];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(top().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The README cut in three: before the block, the block, after it.
fn parts(readme: &str) -> (&str, &str, &str) {
    let start = readme.find(MARKER).expect("the README has a block of output") + MARKER.len();
    let length = readme[start..].find(END).expect("the block has an end");
    (&readme[..start], &readme[start..start + length], &readme[start + length..])
}

/// The block is the end of the answer, from the line with which it begins, byte for byte. With
/// `UPDATE_README` in the environment it is written anew.
#[test]
fn the_readme_shows_what_the_program_prints() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_superclos"));
    program.current_dir(top()).args(["sim", "scenarios/quickstart.ron"]);
    program.env("NO_COLOR", "1").env_remove("SUPERCLOS_LOG");
    let (code, printed, said) = told(&program.output().expect("the program starts"));
    assert_eq!((code, said.as_str()), (0, ""));

    let readme = read("README.md");
    let (before, shown, after) = parts(&readme);
    let first = shown.split_inclusive('\n').next().expect("the block has a line");
    let from = printed.find(&format!("\n{first}")).expect("the program prints its first line") + 1;
    let wanted = &printed[from..];
    if shown != wanted && std::env::var_os("UPDATE_README").is_some() {
        fs::write(top().join("README.md"), format!("{before}{wanted}{after}")).expect("written");
        return;
    }
    assert!(
        shown == wanted,
        "README.md shows another answer; UPDATE_README=1 in the environment of this test writes:\n{wanted}"
    );
}

/// What `text` says between back quotes on one line, code blocks left out.
fn quoted(text: &str) -> Vec<&str> {
    let mut quoted = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            quoted.extend(line.split('`').skip(1).step_by(2));
        }
    }
    quoted
}

/// Whether `source` holds a test called `name`.
fn has_test(source: &str, name: &str) -> bool {
    let mut is_test = false;
    for line in source.lines().map(str::trim) {
        if line == "#[test]" {
            is_test = true;
        } else if line.starts_with("fn ") {
            if is_test && line.starts_with(&format!("fn {name}(")) {
                return true;
            }
            is_test = false;
        }
    }
    false
}

#[test]
fn every_test_named_in_the_documents_exists() {
    let mut faults = Vec::new();
    let mut named = 0;
    for document in DOCUMENTS {
        let text = read(document);
        for (file, test) in quoted(&text).into_iter().filter_map(|it| it.split_once(".rs::")) {
            let path = format!("{file}.rs");
            named += 1;
            match fs::read_to_string(top().join(&path)) {
                Ok(source) if has_test(&source, test) => {}
                Ok(_) => faults.push(format!("{document}: no test {test} in {path}")),
                Err(error) => faults.push(format!("{document}: {path}: {error}")),
            }
        }
    }
    assert!(named > 50, "the table of claims names its tests: {named}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_path_named_in_the_documents_exists() {
    let mut faults = Vec::new();
    for document in DOCUMENTS {
        let text = read(document);
        let paths = quoted(&text).into_iter().filter(|it| {
            let is_inside = ["crates/", "docs/", "scenarios/", "xtask/"];
            is_inside.iter().any(|folder| it.starts_with(folder))
                && !it.contains(|letter: char| letter.is_whitespace() || "*{:".contains(letter))
        });
        for path in paths.filter(|path| !top().join(path).exists()) {
            faults.push(format!("{document}: {path}"));
        }
        let folder = Path::new(document).parent().expect("a document is in a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or(link);
            let is_elsewhere = target.is_empty() || target.contains("://");
            if !is_elsewhere && !top().join(folder).join(target).exists() {
                faults.push(format!("{document}: link to {link}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The question of a scenario's text, as its file writes it.
fn question(text: &str) -> &str {
    let start = text.find("question: \"").expect("a scenario asks a question") + 11;
    let length = text[start..].find('"').expect("the question ends");
    &text[start..start + length]
}

/// The scenarios below a folder, as paths from `scenarios`.
fn scenarios_below(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            scenarios_below(&path, found);
        } else if path.extension().is_some_and(|it| it == "ron") {
            let inside = path.strip_prefix(top().join("scenarios")).expect("it is below");
            found.push(inside.to_str().expect("a plain name").to_owned());
        }
    }
}

/// Files that are listed and do not exist are found by the test of links.
#[test]
fn the_index_lists_every_scenario_with_its_question() {
    let index = read("scenarios/README.md");
    let mut scenarios = Vec::new();
    scenarios_below(&top().join("scenarios"), &mut scenarios);
    assert!(scenarios.len() > 20, "the scenarios are found: {scenarios:?}");
    let mut faults = Vec::new();
    for name in scenarios {
        let text = read(&format!("scenarios/{name}"));
        let file = name.rsplit('/').next().expect("a name has a last part");
        let line = format!("* [{file}]({name}): {}\n", question(&text));
        if !index.contains(&line) {
            faults.push(line);
        }
    }
    assert!(faults.is_empty(), "scenarios/README.md lacks:\n{}", faults.concat());
}
