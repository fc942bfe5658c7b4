//! A reader that leaves early, and a user who presses Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::common::{Folder, SCENARIO, told};

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::with("a.ron", SCENARIO);
    for arguments in ["sim a.ron", "sim a.ron --format json", "check a.ron", "new", "--help"] {
        let mut command = folder.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let (code, _, err) = told(&child.wait_with_output().expect("the program ends"));
        assert_eq!((code, err.as_str()), (0, ""), "{arguments}");
    }
}

/// A point that ends at once, and one whose 2 × 10⁹ transfers would take hours one by one.
fn long_run() -> Folder {
    let scenario = r#"(
        schema: 1,
        title: "Short and long",
        seed: 1,
        fabrics: [star(name: "star", cards: 4096, bandwidth: "400 Gb/s", latency: "1 us")],
        workloads: [
            flows(name: "short", list: [(from: 0, to: 1, size: "1 MB")]),
            (
                name: "long", collective: all_reduce, algorithm: ring(channels: 64),
                size: "1 GiB", sizes: aligned,
            ),
        ],
    )"#;
    Folder::with("a.ron", scenario)
}

/// Starts the long run and waits until its long point is in work.
fn started(folder: &Folder, arguments: &str) -> (Child, BufReader<std::process::ChildStderr>) {
    let engine = "--threads 1 --no-symmetry --no-recurrence -v";
    let mut command = folder.command(&format!("sim a.ron {engine} {arguments}"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).env("SUPERCLOS_LOG", "superclos=info");
    let mut child = command.spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("stderr is a pipe"));
    let mut line = String::new();
    while !line.contains("long") {
        line.clear();
        assert_ne!(lines.read_line(&mut line).expect("text"), 0, "the long point is in work");
    }
    (child, lines)
}

/// Sends Ctrl-C's signal.
fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill starts").success());
}

#[test]
fn an_interrupted_run_keeps_what_was_finished() {
    let folder = long_run();
    let (child, mut lines) = started(&folder, "--out out");
    interrupt(&child);
    let (code, out, _) = told(&child.wait_with_output().expect("the program ends"));
    let mut err = String::new();
    lines.read_to_string(&mut err).expect("text");
    assert_eq!(code, 130, "{err}");
    assert!(out.contains("PARTIAL: 1 of 2 points"), "{out}");
    assert!(err.contains("superclos: stopping, finished points are kept"), "{err}");
    let json = folder.read("out/results.json");
    assert!(json.contains("\"complete\": false") && json.contains("\"points\": 2"), "{json}");
    let csv = folder.read("out/results.csv");
    assert!(csv.lines().count() == 2 && csv.contains("partial,star"), "{csv}");
    assert_eq!(folder.names("out"), ["results.csv", "results.json"]);
}
