//! Every field of a job makes a difference, and what cannot be is refused at its place.

use scenario::{Source, read};

use crate::{PODS, jobs, pair, run, text};

/// A list of jobs with one thing in the first of them said.
fn first(more: &str) -> String {
    let given =
        |name: &str| more.starts_with(&format!("{name}:")) || more.contains(&format!(", {name}:"));
    let defaults = [
        ("name", "\"a\""),
        ("ranks", "6"),
        ("collective", "all_to_all"),
        ("algorithm", "direct"),
        ("size", "\"1 MB\""),
    ];
    let missing = defaults.into_iter().filter(|(name, _)| !given(name));
    let fields: Vec<String> = missing.map(|(name, value)| format!("{name}: {value}, ")).collect();
    let fields = fields.concat();
    let second =
        "(name: \"b\", ranks: 6, collective: all_to_all, algorithm: direct, size: \"1 MB\")";
    jobs(&format!("({fields}{more}), {second}"))
}

/// Every field of a job, with two values.
#[test]
fn every_field_of_a_job_makes_a_difference() {
    let ring = "collective: all_reduce, algorithm: ring(), ";
    let idle: Vec<String> = [
        ["name: \"a\"", "name: \"c\""].map(String::from),
        ["ranks: 6", "ranks: 8"].map(String::from),
        ["collective: all_gather", "collective: reduce_scatter"]
            .map(|it| format!("{it}, algorithm: ring(), reduce_bandwidth: \"1 GB/s\"")),
        ["algorithm: direct", "algorithm: pairwise"].map(String::from),
        ["size: \"1 MB\"", "size: \"2 MB\""].map(String::from),
        ["sizes: exact", "sizes: aligned"].map(String::from),
        ["groups: 1", "groups: 2"].map(String::from),
        ["grouping: consecutive", "grouping: strided"].map(|it| format!("groups: 3, {it}")),
        ["placement: linear", "placement: by_supernode"].map(String::from),
        ["placement: strided(stride: 4)", "placement: strided(stride: 5)"].map(String::from),
        ["placement: random", "placement: linear"].map(String::from),
        ["placement: fragmented(run: 1)", "placement: fragmented(run: 4)"].map(String::from),
        ["placement: allocated(busy: \"50 %\")", "placement: allocated()"].map(String::from),
        ["[0, 1, 2, 3, 4, 5]", "[0, 4, 8, 12, 1, 5]"]
            .map(|it| format!("placement: listed(cards: {it})")),
        ["[0, 1, 2, 3, 4, 5]", "[0, 4, 8, 12, 1, 5]"]
            .map(|it| format!("placement: shared(cards: {it})")),
        ["per_step: \"0 s\"", "per_step: \"1 us\""].map(String::from),
        ["per_message: \"0 s\"", "per_message: \"1 us\""].map(String::from),
        ["\"1 GB/s\"", "\"2 GB/s\""].map(|it| format!("{ring}reduce_bandwidth: {it}")),
        ["compute: \"0 s\"", "compute: \"1 us\""].map(String::from),
        ["()", "(late: [(ranks: [0], by: \"1 us\")])"].map(|it| format!("stragglers: {it}")),
        ["start: \"0 s\"", "start: \"1 us\""].map(String::from),
        ["repetitions: 1", "repetitions: 2"].map(String::from),
        ["period: \"1 ms\"", "period: \"2 ms\""].map(|it| format!("repetitions: 2, {it}")),
    ]
    .into_iter()
    .filter(|[left, right]| {
        let result = |more: &str| {
            let record = run(PODS, &first(more));
            (record.time_ps, record.jobs, record.notes, record.tiers)
        };
        result(left) == result(right)
    })
    .map(|[left, right]| format!("{left} and {right}"))
    .collect();
    assert!(idle.is_empty(), "these make no difference: {idle:#?}");
}

/// What is wrong with a workload or an expectation, and where.
#[test]
fn impossible_jobs_are_refused_with_their_place() {
    let listed = |cards: &str| first(&format!("placement: listed(cards: {cards})"));
    let straggler = |what: &str| first(&format!("stragglers: ({what})"));
    let two = |first: &str, second: &str| jobs(&format!("{first}, {second}"));
    let a = pair("a", [0, 1], "size: \"1 MB\"");
    for (workload, path, says) in [
        (first("ranks: 11"), "jobs[1].ranks", "6 ranks do not fit on 5 free cards"),
        (first("ranks: 17"), "jobs[0].ranks", "17 ranks do not fit on 16 cards"),
        (first("ranks: 0"), "jobs[0].ranks", "0 is out of range"),
        (
            first("placement: rail"),
            "jobs[0].placement",
            "0 of 1 groups of 6 ranks lie on one rail each; the longest rail",
        ),
        (listed("[0, 1, 2, 3, 4, 16]"), "jobs[0].placement", "card 16 does not exist"),
        (listed("[0, 1, 2, 3, 4, 4]"), "jobs[0].placement", "card 4 is listed twice"),
        (listed("[0, 1]"), "jobs[0].ranks", "6 ranks do not fit on 2 cards"),
        (
            two(&a, &pair("b", [1, 2], "size: \"1 MB\"")),
            "jobs[1].placement",
            "card 1 belongs to an earlier job",
        ),
        (two(&a, &pair("a", [2, 3], "size: \"1 MB\"")), "jobs[1].name", "is taken"),
        (first("placement: packed"), "jobs[0].placement", "unknown word `packed`"),
        (first("period: \"0 s\", repetitions: 2"), "jobs[0].period", "cannot begin all at once"),
        (first("repetitions: 0"), "jobs[0].repetitions", "0 is out of range"),
        (first("groups: 4"), "jobs[0].groups", "6 ranks do not divide into 4 groups"),
        (first("algorithm: ring()"), "jobs[0].algorithm", "does not perform"),
        (
            straggler("late: [(ranks: [6], by: \"1 us\")]"),
            "jobs[0].stragglers.late[0].ranks",
            "rank 6 does not exist: there are 6 ranks",
        ),
        (
            straggler("slow: [(ranks: [1], factor: \"2:1\"), (ranks: [1], factor: \"3:1\")]"),
            "jobs[0].stragglers.slow[1].ranks",
            "rank 1 stands twice in `slow`",
        ),
        (
            straggler("slow: [(ranks: [1], factor: \"1:2\")]"),
            "jobs[0].stragglers.slow[0].factor",
            "is out of range",
        ),
        (
            straggler("clocks: [(ranks: [], ahead: \"1 us\")]"),
            "jobs[0].stragglers.clocks[0].ranks",
            "the list is empty",
        ),
        (jobs(""), "jobs", "the list is empty"),
    ] {
        refused(&text(PODS, &workload, ""), &format!("workloads[0].{path}"), says);
    }
    let many: Vec<String> =
        (0..257).map(|job| pair(&format!("job {job}"), [0, 1], "size: \"1 MB\"")).collect();
    refused(&text(PODS, &jobs(&many.join(", ")), ""), "workloads[0].jobs", "257 jobs");
    let fit = first("");
    let of_none = "slowdown(job: \"c\", at_most: \"2:1\")";
    refused(&text(PODS, &fit, of_none), "expect[0].job", "no point meant has a job called \"c\"");
    refused(&text(PODS, &fit, "slowdown(job: \"a\")"), "expect[0]", "neither limit is given");
    let alone = "(collective: all_reduce, algorithm: ring(), size: \"1 MB\", \
                 stragglers: (late: [(ranks: [16], by: \"1 us\")]))";
    refused(&text(PODS, alone, ""), "workloads[0].stragglers.late[0].ranks", "does not exist");
}

fn refused(text: &str, path: &str, says: &str) {
    let Err(refusal) = read(Source { name: "jobs.ron", text }, &[]) else {
        panic!("read: {text}");
    };
    let met = refusal.problems().iter().any(|it| it.path == path && it.found.contains(says));
    assert!(met, "{path}: {says} is not among\n{refusal}");
}
