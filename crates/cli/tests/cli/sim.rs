//! `superclos sim`, `check` and `new` as a user runs them.

use crate::common::{Folder, SCENARIO, told};

fn folder() -> Folder {
    Folder::with("a.ron", SCENARIO)
}

#[test]
fn the_answer_is_on_stdout_and_nothing_else_is_said() {
    let (code, out, err) = folder().run("sim a.ron");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let parts = ["Fabrics as built", "AllReduce, ring, 1 MiB, 16 ranks", "In words", "Fastest"];
    assert!(parts.iter().all(|part| out.contains(part)), "{out}");
    let widest = out.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(120), "{widest:?}");
}

/// 2 fabrics × 2 ratios × 2 workloads = 8 points.
#[test]
fn every_form_tells_every_point() {
    let folder = folder();
    let (_, csv, _) = folder.run("sim a.ron --format csv");
    assert_eq!(csv.lines().count(), 1 + 8);
    let (_, json, _) = folder.run("sim a.ron --format json");
    assert_eq!(json.matches("\"checksum\":").count(), 8);
    let (_, nccl, _) = folder.run("sim a.ron --format nccl");
    assert_eq!(nccl.lines().filter(|line| !line.starts_with('#')).count(), 8);
    let (_, table, _) = folder.run("sim a.ron");
    // A row is a point, or both ratios ("1:1–4:1") where they show the same.
    let row = |line: &&str| line.starts_with("servers  ") || line.starts_with("supernodes  ");
    let points = table.lines().filter(row).map(|line| if line.contains('–') { 2 } else { 1 });
    assert_eq!(points.sum::<u32>(), 8);
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = folder();
    for format in ["table", "csv", "json", "nccl"] {
        let one = folder.run(&format!("sim a.ron --threads 1 --format {format}"));
        for threads in [2, 3, 8] {
            let more = folder.run(&format!("sim a.ron --threads {threads} --format {format}"));
            assert_eq!(one, more, "{format}, {threads} threads");
        }
    }
}

/// What is told of a run goes to stderr, point by point, and changes no byte of the answer.
#[test]
fn a_run_is_explained_beside_the_same_answer() {
    let folder = folder();
    for format in ["table", "csv", "json", "nccl"] {
        let (_, plain, _) = folder.run(&format!("sim a.ron --format {format}"));
        let (code, out, err) = folder.run(&format!("sim a.ron --format {format} --explain-run"));
        assert_eq!((code, &out), (0, &plain), "{format}");
        assert_eq!(err.matches("\n  classes: ").count(), 8, "{err}");
        assert!(err.starts_with("servers ratio=1:1"), "{err}");
    }
    let (_, out, err) = folder.run("sim a.ron --only 4:1 --only servers --explain-run --quiet");
    assert!(out.contains("In words") && err.contains("\n  alike: "), "{err}");
}

/// The reductions are exact: only the counts of work may differ, and the table has none.
#[test]
fn the_same_table_without_reductions() {
    let folder = folder();
    let plain = folder.run("sim a.ron --no-symmetry --no-recurrence");
    assert_eq!(plain, folder.run("sim a.ron"));
}

#[test]
fn files_are_whole_and_alone_in_their_folder() {
    let folder = folder();
    folder.write("out/results.json", "an older file");
    let (code, table, err) = folder.run("sim a.ron --out out");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(table.contains("In words"), "the answer is still on stdout");
    assert_eq!(folder.names("out"), ["results.csv", "results.json"]);
    assert_eq!(folder.read("out/results.csv"), folder.run("sim a.ron --format csv").1);
    assert_eq!(folder.read("out/results.json"), folder.run("sim a.ron --format json").1);
    let json = folder.read("out/results.json");
    for field in ["\"schema\": 1", "\"tool\": \"superclos ", "\"seed\": 7", "\"complete\": true"] {
        assert!(json.contains(field), "{field}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_failure_with_the_answer_kept() {
    let folder = folder();
    let (code, out, err) = folder.run("sim a.ron --out a.ron");
    assert_eq!(code, 1);
    assert!(out.contains("In words") && err.starts_with("superclos: cannot write a.ron"), "{err}");
}

#[test]
fn points_are_chosen_by_their_labels() {
    let folder = folder();
    let rows = |arguments: &str| {
        let (code, out, err) = folder.run(&format!("sim a.ron --format csv {arguments}"));
        assert_eq!(code, 0, "{err}");
        out.lines().count() - 1
    };
    assert_eq!(rows("--only 4:1"), 4);
    assert_eq!(rows("--only ratio=4:1 --only servers"), 2);
    let (code, out, err) = folder.run("sim a.ron --only nowhere");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("fits none of the 8 points:\n  servers ratio=1:1"), "{err}");
}

#[test]
fn a_field_is_set_from_the_command_line() {
    let folder = folder();
    let (code, out, _) = folder.run("sim a.ron --format json --set seed=9");
    assert_eq!(code, 0);
    assert!(out.contains("\"seed\": 9"));
    let (code, _, err) = folder.run("sim a.ron --set sede=9");
    assert_eq!(code, 2, "{err}");
    assert_eq!(folder.run("sim a.ron --set seed").0, 2, "no value");
}

#[test]
fn all_that_is_wrong_is_shown_where_it_is() {
    let folder = folder();
    let wrong =
        SCENARIO.replace("seed: 7", "sede: 7").replace("cards: 8, inside", "cards: -8, inside");
    folder.write("b.ron", &wrong);
    for command in ["sim", "check"] {
        let (code, out, err) = folder.run(&format!("{command} b.ron"));
        assert_eq!((code, out.as_str()), (2, ""));
        for part in ["b.ron:5:", "sede: 7", "^", "seed", "-8"] {
            assert!(err.contains(part), "no {part} in {err}");
        }
        assert!(!err.contains('\x1b') && !err.contains("panicked"), "{err}");
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    let folder = folder();
    folder.write("long.ron", &" ".repeat((1 << 20) + 1));
    folder.write("empty.ron", "");
    let refusal = |arguments: &str| {
        let (code, out, err) = folder.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments}: {err}");
        err
    };
    let err = refusal("sim long.ron");
    assert_eq!(
        err,
        "superclos: cannot read long.ron: 1048577 bytes, more than the 1048576 allowed\n"
    );
    assert!(refusal("sim nowhere.ron").starts_with("superclos: cannot read nowhere.ron: "));
    refusal("sim empty.ron");
    refusal("sim");
    refusal("dance");
    refusal("sim a.ron --threads 0");
    refusal("sim a.ron --format pie");
    std::fs::write(folder.path("bytes.ron"), b"(schema: 1, \xff)").expect("a new file");
    assert!(
        refusal("check bytes.ron").contains("bytes.ron:1:13"),
        "{}",
        refusal("check bytes.ron")
    );
    let out = folder.command("check a.ron").env("SUPERCLOS_LOG", "a=b=c").output();
    let (code, _, err) = told(&out.expect("the program starts"));
    assert!(code == 2 && err.starts_with("superclos: SUPERCLOS_LOG: "), "{err}");
}

#[test]
fn colour_is_for_those_who_want_it() {
    let folder = folder();
    let coloured = |arguments: &str, no_color: &str| {
        let out = folder.command(arguments).env("NO_COLOR", no_color).output();
        let (code, out, err) = told(&out.expect("the program starts"));
        assert_eq!((code, err.as_str()), (0, ""), "{arguments}");
        out.contains('\x1b')
    };
    assert!(!coloured("sim a.ron", ""), "stdout is no terminal");
    assert!(!coloured("sim a.ron --color never", ""));
    assert!(!coloured("sim a.ron --color auto", "1"));
    assert!(coloured("sim a.ron --color always", "1"), "asked for in so many words");
    folder.write("b.ron", "(");
    assert!(folder.run("check b.ron --color always").2.contains('\x1b'), "pictures too");
}

#[test]
fn a_missed_expectation_is_told_by_the_exit_code() {
    let folder = folder();
    let expecting = SCENARIO.replace(
        "    sweep:",
        "    expect: [at_most(of: (fabric: \"servers\"), time: \"1 ns\")],\n    sweep:",
    );
    folder.write("b.ron", &expecting);
    let (code, out, err) = folder.run("sim b.ron");
    assert_eq!(code, 3, "{err}");
    assert!(out.contains("Expectations missed\n  servers"), "{out}");
    let (code, out, err) = folder.run("sim b.ron --format csv");
    assert_eq!((code, out.lines().count()), (3, 9));
    assert!(err.starts_with("superclos: expectations missed:\n  servers"), "{err}");
}

#[test]
fn the_template_runs() {
    let folder = folder();
    let (code, out, _) = folder.run("new");
    assert_eq!(code, 0);
    let (code, _, err) = folder.run("new b.ron");
    assert_eq!(code, 0, "{err}");
    assert_eq!(folder.read("b.ron"), out);
    let (code, told, err) = folder.run("check b.ron");
    assert_eq!(code, 0, "{err}");
    assert!(told.starts_with("b.ron: no problem, "), "{told}");
    let (code, _, err) = folder.run("new b.ron");
    assert_eq!(code, 2);
    assert!(err.contains("b.ron exists"), "{err}");
    let (code, out, err) = folder.run("sim b.ron");
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn help_is_no_error() {
    let folder = folder();
    for arguments in ["--help", "sim --help", "--version"] {
        let (code, out, err) = folder.run(arguments);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("superclos"), "{out}");
    }
    assert!(folder.run("--help").1.contains("130  interrupted"));
}

#[test]
fn looking_on_and_threads_change_no_answer_of_packets() {
    // Every look of the log and every number of threads gives the same bytes, the hash over all events among them.
    let folder = folder();
    let run =
        |engine: &str| folder.run(&format!("sim a.ron --engine packet --format json {engine}"));
    let (code, plain, silent) = run("--threads 1");
    assert_eq!((code, silent.as_str()), (0, ""));
    assert_eq!(plain.matches("packet events: ").count(), 8);
    for threads in [2, 4] {
        assert_eq!(run(&format!("--threads {threads}")).1, plain);
    }
    let (code, traced, log) = run("--threads 1 -vvv");
    assert_eq!((code, traced), (0, plain));
    assert!(log.contains("network built"), "{log}");
}
