//! Values that are right alone and impossible together.

use super::{Case, case, check_all};

const ROWS: [[&str; 5]; 61] = [
    // names
    ["name: \"pods\"", "name: \"servers\"", "fabrics[1].name", "is taken", "\"servers\""],
    ["name: \"listed flows\"", "name: \"big\"", "workloads[3].name", "is taken", "\"big\""],
    // nics
    ["per_card: 1", "per_card: 1, per_supernode: 1", "fabrics[0].nics", "both are given", ""],
    ["per_card: 1, ", "", "fabrics[0].nics", "neither is given", ""],
    // ratios that cannot be built: 12 down-ports / 5 is no whole number of uplinks
    ["\"3:1\"", "\"5:1\"", "fabrics[1].outside.ratio", "12 down-ports", "\"5:1\""],
    ["\"3:1\"", "\"19:16\"", "fabrics[1].outside.ratio", "cannot be built", "\"19:16\""],
    [
        "core_ratio: \"1:1\"",
        "core_ratio: \"3:1\"",
        "fabrics[1].outside.core_ratio",
        "cannot be built",
        "",
    ],
    [
        "[\"1:1\", \"8:4\"]",
        "[\"1:1\", \"3:1\"]",
        "fabrics[0].outside.ratio",
        "cannot be built",
        "\"3:1\"",
    ],
    [
        "uplink: \"400Gbps\"",
        "uplink: \"399 Gb/s\"",
        "fabrics[0].outside.ratio",
        "cannot be built",
        "",
    ],
    // 2 leaves × 16 uplinks over 4 spines: 8 ports each
    ["spine_ports: 128", "spine_ports: 7", "fabrics[0].outside", "ports", ""],
    ["spines: 4", "spines: 1000", "fabrics[0].outside", "1000 top switches", ""],
    // losses
    [
        "until: \"8 us\"",
        "until: \"7 us\"",
        "fabrics[0].losses[0].until",
        "before it begins",
        "\"7 us\"",
    ],
    [
        "link(from: \"leaf 0\"",
        "link(from: \"leaf 9\"",
        "fabrics[0].losses[0]",
        "no card or switch",
        "",
    ],
    [
        "link(from: \"leaf 0\", to: \"spine 1\"",
        "tier(name: \"agg-core\"",
        "fabrics[0].losses[0]",
        "no links are of the tier",
        "",
    ],
    [
        "link(from: \"leaf 0\", to: \"spine 1\"",
        "uplinks(supernode: 4",
        "fabrics[0].losses[0]",
        "supernode 4: there are 4",
        "",
    ],
    [
        "link(from: \"leaf 0\", to: \"spine 1\"",
        "link(from: \"leaf 0\", to: \"spine 1\", count: 9",
        "fabrics[0].losses[0]",
        "are to be broken",
        "",
    ],
    // too large, by estimate
    [
        "supernode: (cards: 4, inside: full_mesh",
        "supernode: (cards: 2001, inside: full_mesh",
        "fabrics[1].supernode.cards",
        "at most 2000 cards",
        "2001",
    ],
    // explicit
    [
        "[\"a\", \"b\"]",
        "[\"a\", \"b\", \"a\"]",
        "fabrics[3]",
        "node \"a\" is listed twice",
        "\"a\"",
    ],
    ["[\"s\"]", "[\"s\", \"b\"]", "fabrics[3]", "node \"b\" is listed twice", "\"b\""],
    [
        "(from: \"s\", to: \"b\"",
        "(from: \"s\", to: \"c\"",
        "fabrics[3].links[1].to",
        "no card and no switch",
        "\"c\"",
    ],
    [
        "(from: \"s\", to: \"b\"",
        "(from: \"t\", to: \"b\"",
        "fabrics[3].links[1].from",
        "no card and no switch",
        "\"t\"",
    ],
    [
        "(from: \"s\", to: \"b\"",
        "(from: \"b\", to: \"b\"",
        "fabrics[3].links[1]",
        "ends where it starts",
        "",
    ],
    [
        "(from: \"s\", to: \"b\"",
        "(from: \"s\", to: \"a\"",
        "fabrics[3].links[1]",
        "already linked by links[0]",
        "",
    ],
    [
        "[\"a\", \"b\"]",
        "[\"a\", \"b\", \"c\"]",
        "fabrics[3]",
        "2 component(s) of 2 and 1 cards",
        "",
    ],
    // hardware
    [
        "field: \"nics.bandwidth\"",
        "field: \"nics.bandwith\"",
        "fabrics[0].hardware[0].field",
        "no field",
        "",
    ],
    [
        "field: \"nics.bandwidth\"",
        "field: \"outside.cores\"",
        "fabrics[0].hardware[0].field",
        "no field",
        "",
    ],
    // ranks and groups
    ["ranks: 2", "ranks: 3", "workloads[0].ranks", "do not fit on 2 cards", "3"],
    ["ranks: 2", "ranks: 35", "workloads[0].ranks", "do not fit on 34 cards", "35"],
    ["groups: 1", "groups: 2000000", "workloads[0].groups", "do not divide", "2000000"],
    ["groups: 1", "groups: 3", "workloads[0].groups", "2 ranks do not divide into 3 groups", "3"],
    // collectives
    ["algorithm: pairwise", "algorithm: ring", "workloads[1].algorithm", "does not perform", ""],
    ["algorithm: pairwise", "algorithm: tree", "workloads[1].algorithm", "does not perform", ""],
    [
        "algorithm: tree(channels: 6, chunk: \"4 MiB\")",
        "algorithm: two_level",
        "workloads[0].algorithm",
        "does not perform",
        "",
    ],
    [
        "algorithm: hierarchical(inner: ring, outer: halving_doubling(order: distance_halving))",
        "algorithm: in_network()",
        "workloads[2].algorithm",
        "its switches do not add up",
        "in_network()",
    ],
    ["\"4 MiB\"", "\"15 B\"", "workloads[0].algorithm", "chunks", ""],
    ["\"4 MiB\"", "\"16 B\"", "workloads[0].algorithm", "chunks", ""],
    [
        "values: [\"5 GiB\", \"6 GiB\"]",
        "values: [\"100 B\"]",
        "workloads[0].size",
        "too few to align",
        "\"100 B\"",
    ],
    // flows
    ["from: 0, to: 1", "from: 1, to: 1", "workloads[3].list[0]", "to itself", ""],
    ["from: 0, to: 1", "from: 0, to: 2", "workloads[3]", "3 ranks do not fit on 2 cards", ""],
    // sweeps
    [
        "fabric[servers].outside.ratio",
        "fabric[servers].outside.ration",
        "sweep[0].field",
        "no fabric called \"servers\"",
        "",
    ],
    [
        "fabric[servers].outside.ratio",
        "fabric[server].outside.ratio",
        "sweep[0].field",
        "no fabric called",
        "",
    ],
    [
        "fabric[servers].outside.ratio",
        "outside.ratio",
        "sweep[0].field",
        "no field of the scenario",
        "",
    ],
    ["fabric[servers].outside.ratio", "title", "sweep[0].field", "makes no difference", ""],
    ["fabric[servers].outside.ratio", "engine", "sweep[0].field", "engine is not swept", ""],
    ["fabric[servers].outside.ratio", "fabric", "sweep[0].field", "no field of the scenario", ""],
    ["fabric[servers].outside.ratio", "workload[big].size", "sweep[1]", "swept twice", ""],
    ["label: \"bytes\"", "label: \"ratio\"", "sweep[1].label", "is taken", "\"ratio\""],
    ["[\"1:1\", \"8:4\"]", "[\"1:1\", \"1:1\"]", "sweep[0].values[1]", "again", "\"1:1\""],
    // packets to lose
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", drops: [(from: \"card 0\", to: \"card 1\", sender: \"card 0\", receiver: \"card 1\", packets: [1])]",
        "fabrics[2].drops[0]",
        "no link leads from \"card 0\" to \"card 1\"",
        "",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", drops: [(from: \"card 0\", to: \"card 99\", sender: \"card 0\", receiver: \"card 1\", packets: [1])]",
        "fabrics[2].drops[0]",
        "no card or switch is called \"card 99\"",
        "",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", drops: [(from: \"card 0\", to: \"switch 0\", sender: \"card 0\", receiver: \"switch 0\", packets: [1])]",
        "fabrics[2].drops[0]",
        "is a switch, not a card",
        "",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", drops: [(from: \"card 0\", to: \"switch 0\", sender: \"card 0\", receiver: \"card 1\", packets: [1])]",
        "engine",
        "lists packets to lose in `drops`, which rates do not know",
        "",
    ],
    // what breaks during the run
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", faults: [slow_node(name: \"card 0\", speed: \"9 %\", at: \"2 ms\", until: \"2 ms\")]",
        "fabrics[2].faults[0].until",
        "it is repaired at 2 ms and strikes at 2 ms",
        "\"2 ms\"",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", faults: [slow_node(name: \"card 0\", speed: \"9 %\", until: \"0 s\")]",
        "fabrics[2].faults[0].until",
        "it is repaired at 0 ps and strikes at 0 ps",
        "\"0 s\"",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", faults: [dead_node(name: \"card 0\", at: \"2 ms\")]",
        "fabrics[2].faults[0]",
        "`reroute_after` is not given",
        "",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", reroute_after: \"1 ms\", faults: [dead_node(name: \"card 34\", at: \"2 ms\")]",
        "fabrics[2].faults[0]",
        "no card or switch is called \"card 34\"",
        "",
    ],
    [
        "latency: \"604 ns\"",
        "latency: \"604 ns\", reroute_after: \"1 ms\", faults: [dead_link(from: \"card 0\", to: \"card 1\", until: \"2 ms\")]",
        "fabrics[2].faults[0]",
        "0 links between",
        "",
    ],
    // expectations
    [
        "(fabric: \"servers\", at",
        "(fabric: \"server\", at",
        "expect[0].of.fabric",
        "no point has \"server\"",
        "\"server\"",
    ],
    [
        "{\"ratio\": \"1:1\"}",
        "{\"ratio\": \"2:1\"}",
        "expect[0].of.at.ratio",
        "no point has \"2:1\"",
        "",
    ],
    [
        "{\"ratio\": \"1:1\"}",
        "{\"ration\": \"1:1\"}",
        "expect[0].of.at",
        "no point has \"ration\"",
        "",
    ],
    [
        "across: \"ratio\"",
        "across: \"size\"",
        "expect[2].across",
        "no axis is called \"size\"",
        "\"size\"",
    ],
];

/// All of them.
pub(crate) fn cases() -> Vec<Case> {
    ROWS.into_iter().map(case).collect()
}

#[test]
fn impossible_combinations_are_refused_with_their_place() {
    check_all(&cases());
}

#[test]
fn a_hundred_lossy_parts_are_enough() {
    let lossy =
        "link(from: \"leaf 0\", to: \"spine 1\", loss: \"0.002 %\", at: \"7 us\", until: \"8 us\")";
    let text = super::BASE.replace(lossy, &vec![lossy; 101].join(", "));
    let told = super::refusal(&text, &[]).to_string();
    assert!(told.contains("101 entries") && told.contains("at most 100"), "{told}");
}
