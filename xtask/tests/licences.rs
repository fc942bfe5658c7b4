//! Every crate that is built in is under a licence that goes with MIT OR Apache-2.0.

use std::process::Command;

/// Licences that ask for no more than a notice.
const PERMISSIVE: [&str; 7] =
    ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Unicode-3.0", "Zlib"];

/// Crates under another licence, each with the reason why it is taken.
///
/// priority-queue (MPL-2.0) is used unchanged: its licence covers its own files and asks that
/// changes to them be published, and nothing of the code that uses them.
const EXCEPTIONS: [(&str, &str); 1] = [("priority-queue", "LGPL-3.0-or-later OR MPL-2.0")];

/// What a program of the toolchain prints.
fn told(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("the toolchain is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Name and licence of every package in cargo's metadata, whose package objects begin with name,
/// version, id and licence.
fn packages(metadata: &str) -> Vec<(&str, &str)> {
    let starts = metadata.split("{\"name\":\"").skip(1);
    let packages = starts.filter_map(|package| {
        let (name, rest) = package.split_once('"')?;
        let rest = rest.strip_prefix(",\"version\":\"")?;
        let (_, licence) = rest.split_once(",\"license\":")?;
        let licence =
            licence.strip_prefix('"').map_or("none", |it| it.split('"').next().unwrap_or(it));
        Some((name, licence))
    });
    packages.collect()
}

/// Whether each part of `A AND (B OR C)` offers a permissive licence.
fn is_permissive(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ");
    licence.split(" AND ").all(|part| {
        let mut choices = part.split(" OR ").map(|it| it.trim_matches(['(', ')', ' ']));
        choices.any(|choice| PERMISSIVE.contains(&choice))
    })
}

#[test]
fn all_licences_are_permissive_or_named() {
    let host = told("rustc", &["-vV"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let options = ["metadata", "--format-version", "1", "--locked", "--offline"];
    let place = ["--manifest-path", manifest, "--filter-platform", host];
    let metadata = told(env!("CARGO"), &[&options[..], &place].concat());
    let packages = packages(&metadata);
    assert!(packages.contains(&("report", "MIT OR Apache-2.0")), "our own crates are found");
    assert!(packages.iter().any(|(name, _)| *name == "petgraph"), "and those of others");
    for package in packages {
        assert!(is_permissive(package.1) || EXCEPTIONS.contains(&package), "{package:?}");
    }
}

#[test]
fn expressions_are_read_as_written() {
    assert!(is_permissive("MIT/Apache-2.0") && is_permissive("(MIT OR GPL-3.0) AND Unicode-3.0"));
    assert!(!is_permissive("MIT AND GPL-3.0") && !is_permissive("none") && !is_permissive(""));
}
