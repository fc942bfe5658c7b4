//! `superclos diff` and `superclos regress` as a user runs them.

use crate::common::{Folder, SCENARIO};

#[test]
fn two_results_are_compared_point_by_point() {
    let folder = Folder::with("a.ron", SCENARIO);
    assert_eq!(folder.run("sim a.ron --out a").0, 0);
    let (code, out, err) = folder.run("diff a a/results.json");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with("\n8 equal, 0 moved, 0 in one only\n"), "{out}");
    // Twice as fast a network for the servers moves their four points; one ratio is another.
    let other = SCENARIO.replacen(
        "per_card: 1, bandwidth: \"400 Gb/s\"",
        "per_card: 1, bandwidth: \"200 Gb/s\"",
        1,
    );
    folder.write("b.ron", &other.replace("[\"1:1\", \"4:1\"]", "[\"1:1\", \"2:1\"]"));
    let (code, _, err) = folder.run("sim b.ron --out b");
    assert_eq!(code, 0, "{err}");
    let (code, out, _) = folder.run("diff a b");
    assert_eq!(code, 0);
    assert!(out.contains("The scenarios differ.\n"), "{out}");
    // At 1:1: two points of the servers moved, two of the supernodes did not; 4:1 and 2:1 are
    // four points each that only one side has.
    assert!(out.ends_with("\n2 equal, 2 moved, 8 in one only\n"), "{out}");
    assert!(out.contains("only in A: servers ratio=4:1 ") && out.contains(" +"), "{out}");
}

#[test]
fn damaged_results_are_refused() {
    let folder = Folder::with("a.ron", SCENARIO);
    assert_eq!(folder.run("sim a.ron --out a").0, 0);
    let text = folder.read("a/results.json");
    let at = text.rfind("\"checksum\"").expect("a checksum");
    folder.write("cut.json", &text[..at]);
    let (code, out, err) = folder.run("diff a cut.json");
    assert_eq!((code, out.as_str()), (2, ""));
    let expected = "superclos: cannot read cut.json: truncated after record 7: the end of the file is \
                    missing\n";
    assert_eq!(err, expected);
    folder.write("changed.json", &text.replacen("\"time_ps\":", "\"time_ps\":1", 1));
    let (code, _, err) = folder.run("diff changed.json a");
    assert!(code == 2 && err.contains("record 1 (servers ratio=1:1"), "{err}");
    assert_eq!(folder.run("diff a nowhere").0, 2);
}

#[test]
fn completion_times_are_held_against_their_baselines() {
    let folder = Folder::with("scenarios/a.ron", SCENARIO);
    folder.write("scenarios/deep/b.ron", &SCENARIO.replace("seed: 7", "seed: 8"));
    let (code, out, err) = folder.run("regress");
    assert_eq!(code, 3, "no baseline yet: {err}");
    assert!(out.ends_with("2 scenarios: 0 points as before, 16 not\n"), "{out}");
    let (code, out, err) = folder.run("regress --bless");
    assert_eq!(code, 0, "{err}");
    assert!(out.ends_with("2 scenarios: 0 points as before, 16 not, now stored\n"), "{out}");
    assert_eq!(folder.names("scenarios/baselines"), ["a.csv", "deep"]);
    assert_eq!(folder.names("scenarios/baselines/deep"), ["b.csv"]);
    let (code, out, err) = folder.run("regress");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "2 scenarios: 16 points as before, 0 not\n");

    // A time that is one picosecond off, and a point that is gone.
    let stored = folder.read("scenarios/baselines/a.csv");
    let (kept, last) = stored.trim_end().rsplit_once('\n').expect("several lines");
    let (point, time) = last.rsplit_once(',').expect("three columns");
    let time: u64 = time.parse().expect("picoseconds");
    let moved = format!("{kept}\n{point},{}\nzero,complete,0\n", time + 1);
    folder.write("scenarios/baselines/a.csv", &moved);
    folder.write("scenarios/baselines/gone.csv", &stored);
    let (code, out, _) = folder.run("regress");
    assert_eq!(code, 3);
    for part in ["-<0.01 %", "1 ps", "only in baseline: zero", "gone.csv: its scenario is gone"] {
        assert!(out.contains(part), "no {part} in {out}");
    }
    assert!(out.ends_with("2 scenarios: 15 points as before, 2 not\n"), "{out}");
    assert_eq!(folder.run("regress scenarios/deep/b.ron").0, 0, "one scenario only");
    assert_eq!(folder.run("regress --bless").0, 0);
    assert_eq!(folder.names("scenarios/baselines"), ["a.csv", "deep"]);
    assert_eq!(folder.read("scenarios/baselines/a.csv"), stored);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = Folder::with("scenarios/a.ron", SCENARIO);
    assert_eq!(folder.run("regress --dir nowhere").0, 2);
    let (code, _, err) = folder.run("regress elsewhere/a.ron");
    assert!(code == 2 && err.contains("is not below scenarios"), "{err}");
    folder.write("scenarios/baselines/a.csv", "something else\n");
    let (code, _, err) = folder.run("regress");
    assert!(code == 2 && err.contains("the first line must be"), "{err}");
    folder.write("scenarios/bad.ron", "(");
    folder.write("scenarios/baselines/a.csv", "point,status,time_ps\n");
    let (code, out, _) = folder.run("regress");
    assert_eq!(code, 2, "one is refused");
    assert!(out.contains("a.ron against"), "the others are still compared: {out}");
}
