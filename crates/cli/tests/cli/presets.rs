//! `superclos presets` and `superclos size` as a user runs them.

use crate::common::Folder;

const MINE: &str = "(presets: [(name: \"mine\", text: \"a small ring\", \
    supernode: (cards: 4, inside: ring, bandwidth: \"10 GB/s\", latency: \"1 us\"), \
    hardware: [(field: \"supernode.bandwidth\", label: measured, source: \"here\")])])";

const RING: &str = "(schema: 1, title: \"ring\", fabrics: [(name: \"it\", cards: 4, \
    supernode: preset(\"mine\"), nics: preset(\"lan\"), outside: preset(\"lan\"))], \
    workloads: [(collective: all_gather, algorithm: ring(), size: \"1 MiB\")])";

#[test]
fn presets_are_listed_with_their_sources() {
    let folder = Folder::with("mine.ron", MINE);
    let (code, out, err) = folder.run("presets");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("cloudmatrix384: ") && out.contains("vendor claim: "), "{out}");
    assert!(!out.contains("no source"), "{out}");
    let (code, out, _) = folder.run("presets mine --presets mine.ron");
    assert_eq!(code, 0);
    assert!(out.starts_with("mine: a small ring\n  supernode.cards "), "{out}");
    assert!(out.contains("10 GB/s          measured: here\n"), "{out}");
    assert_eq!(folder.run("presets nobody").0, 2);
}

#[test]
fn a_scenario_takes_presets_from_files_of_its_own() {
    let folder = Folder::with("mine.ron", MINE);
    folder.write("ring.ron", RING);
    let (code, out, err) = folder.run("sim ring.ron --presets mine.ron");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("measured: supernode.bandwidth;"), "{out}");
    let (code, _, err) = folder.run("check ring.ron");
    assert_eq!(code, 2);
    assert!(err.contains("no preset for `supernode` is called \"mine\""), "{err}");
}

#[test]
fn a_clos_is_sized() {
    let folder = Folder::with("mine.ron", MINE);
    let (code, out, err) = folder.run("size --cards 65536 --radix 64");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("switches   5120 in all\n"), "{out}");
    assert!(out.contains("131072 between switches\n"), "{out}");
    let (code, out, _) = folder.run("size --cards 2048 --radix 64 --planes 8 --ratio 1:1");
    assert_eq!(code, 0);
    assert!(out.contains("switches   768 in all\n"), "{out}");
    let (code, _, err) = folder.run("size --cards 17 --radix 4");
    assert_eq!(code, 2);
    assert!(err.contains("17 cards do not fit three tiers of 4-port switches"), "{err}");
}
