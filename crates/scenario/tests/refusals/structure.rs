//! Fields that are unknown, repeated, missing or of another kind.

use super::{Case, case, check_all};

const ROWS: [[&str; 5]; 62] = [
    // unknown
    ["seed: 42", "sede: 42", "", "unknown field `sede`", "sede"],
    [
        "title: \"everything\"",
        "title: \"x\", author: \"y\"",
        "",
        "unknown field `author`",
        "author",
    ],
    ["per_card: 1", "percard: 1", "fabrics[0].nics", "unknown field `percard`", "percard"],
    ["spines: 4", "spine: 4", "fabrics[0].outside", "unknown field `spine`", "spine"],
    ["pod_leaves: 2", "pods: 2", "fabrics[1].outside", "unknown field `pods`", "pods"],
    ["count: 5", "number: 5", "fabrics[3].links[0]", "unknown field `number`", "number"],
    ["placement: random", "placment: random", "workloads[0]", "unknown field", "placment"],
    ["channels: 6", "chanels: 6", "workloads[0].algorithm", "unknown field", "chanels"],
    ["label: \"bytes\"", "lable: \"bytes\"", "sweep[1]", "unknown field", "lable"],
    ["tolerance: \"0.5 %\"", "tolerance: \"1 %\", by: 3", "expect[1]", "unknown field", "by"],
    ["compute: \"6 us\"", "delay: \"6 us\"", "workloads[3].list[0]", "unknown field", "delay"],
    ["flows: 3", "paths: 3", "fabrics[0].routing", "unknown field `paths`", "paths"],
    ["label: assumption", "lable: assumption", "fabrics[0].hardware[0]", "unknown", "lable"],
    // repeated
    ["seed: 42", "seed: 42, seed: 42", "", "`seed` stands here again", "seed"],
    ["cards: 32,", "cards: 32, cards: 32,", "fabrics[0]", "stands here again", "cards"],
    ["per_card: 1", "per_card: 1, per_card: 1", "fabrics[0].nics", "again", "per_card"],
    ["ranks: 2", "ranks: 2, ranks: 3", "workloads[0]", "stands here again", "ranks"],
    ["flows: 3", "flows: 3, flows: 4", "fabrics[0].routing", "again", "flows"],
    [
        "{\"ratio\": \"1:1\"}",
        "{\"ratio\": \"1:1\", \"ratio\": \"8:4\"}",
        "expect[0].of.at",
        "again",
        "",
    ],
    // missing
    ["schema: 1,", "", "schema", "missing", "("],
    ["title: \"everything\",", "", "title", "missing", "("],
    ["cards: 32,", "", "fabrics[0].cards", "missing", ""],
    ["name: \"servers\",", "", "fabrics[0].name", "missing", ""],
    ["inside: planes(count: 2),", "", "fabrics[0].supernode.inside", "missing", ""],
    ["ratio: \"3:1\",", "", "fabrics[1].outside.ratio", "missing", ""],
    ["size: \"2 GiB\"", "", "workloads[1].size", "missing", ""],
    ["algorithm: pairwise, ", "", "workloads[1].algorithm", "missing", ""],
    ["inner: ring, ", "", "workloads[2].algorithm.inner", "missing", ""],
    ["from: 0, ", "", "workloads[3].list[0].from", "missing", ""],
    ["values: [\"1:1\", \"8:4\"]", "", "sweep[0].values", "missing", ""],
    ["time: \"20 s\"", "", "expect[0].time", "missing", ""],
    ["across: \"ratio\"", "", "expect[2].across", "missing", ""],
    ["source: \"a guess\"", "", "fabrics[0].hardware[0].source", "missing", ""],
    // another kind
    ["title: \"everything\"", "title: everything", "title", "is a word", "everything"],
    ["title: \"everything\"", "title: 5", "title", "bare number", "5"],
    ["title: \"everything\"", "title: 'x'", "title", "single character", "'x'"],
    ["title: \"everything\"", "title: b\"x\"", "title", "byte string", ""],
    ["title: \"everything\"", "title: Some(\"x\")", "title", "an option", "Some(\"x\")"],
    ["title: \"everything\"", "title: None", "title", "an option", "None"],
    ["title: \"everything\"", "title: \"a\\nb\"", "title", "control character", ""],
    ["name: \"servers\"", "name: \"\"", "fabrics[0].name", "no name", "\"\""],
    ["name: \"servers\"", "name: \"a[b]\"", "fabrics[0].name", "no name", "\"a[b]\""],
    ["name: \"servers\"", "name: \" a\"", "fabrics[0].name", "no name", "\" a\""],
    ["planes(count: 2)", "plane(count: 2)", "fabrics[0].supernode.inside", "unknown word", "plane"],
    ["planes(count: 2)", "\"planes\"", "fabrics[0].supernode.inside", "in quotes", "\"planes\""],
    ["planes(count: 2)", "planes(2)", "fabrics[0].supernode.inside", "without names", ""],
    ["planes(count: 2)", "(count: 2)", "fabrics[0].supernode.inside", "name before", ""],
    ["planes(count: 2)", "[planes]", "fabrics[0].supernode.inside", "is a list", "[planes]"],
    [
        "inside: full_mesh",
        "inside: full_mesh(a: 1)",
        "fabrics[1].supernode.inside",
        "no fields",
        "a",
    ],
    ["ecmp(flows: 3)", "adaptive", "fabrics[0].routing", "unknown word", "adaptive"],
    ["leaf_spine(", "butterfly(", "fabrics[0].outside", "unknown word `butterfly`", "butterfly"],
    [
        "collective: all_to_all, ",
        "collective: transpose, ",
        "workloads[1].collective",
        "unknown",
        "transpose",
    ],
    ["algorithm: pairwise", "algorithm: best", "workloads[1].algorithm", "unknown word", "best"],
    ["sizes: aligned", "sizes: rounded", "workloads[0].sizes", "unknown word", "rounded"],
    ["[\"a\", \"b\"]", "\"a\"", "fabrics[3].cards", "text in quotes", "\"a\""],
    ["[\"a\", \"b\"]", "[]", "fabrics[3].cards", "is empty", "[]"],
    ["[\"a\", \"b\"]", "[\"a\", b]", "fabrics[3].cards[1]", "a word", "b"],
    ["values: [\"1:1\", \"8:4\"]", "values: []", "sweep[0].values", "empty list", "[]"],
    ["values: [\"1:1\", \"8:4\"]", "values: \"1:1\"", "sweep[0].values", "text in quotes", ""],
    ["{\"ratio\": \"1:1\"}", "(ratio: \"1:1\")", "expect[0].of.at", "fields in parentheses", ""],
    ["at_most(", "atmost(", "expect[0]", "unknown word `atmost`", "atmost"],
    ["label: assumption", "label: guess", "fabrics[0].hardware[0].label", "unknown word", "guess"],
];

/// All of them.
pub(crate) fn cases() -> Vec<Case> {
    ROWS.into_iter().map(case).collect()
}

#[test]
fn wrong_structure_is_refused_with_its_place() {
    check_all(&cases());
}

#[test]
fn lists_of_fabrics_and_workloads_are_not_empty() {
    let text = "(schema: 1, title: \"x\", fabrics: [], workloads: [])";
    let refusal = super::refusal(text, &[]);
    let paths: Vec<&str> = refusal.problems().iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["fabrics", "workloads"]);
}
