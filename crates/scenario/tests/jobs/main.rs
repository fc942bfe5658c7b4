//! Several jobs at once and stragglers, from the text of a scenario to its record.

mod fields;
mod mishaps;

use fluid::{Memo, Switch};
use report::{JobRecord, Record, Status};
use scenario::{RunOptions, Source, missed, read};

/// A ring of four ranks on neighbouring cards of a star: ports of 50 GB/s, 20 ps a byte, 1 µs of path.
const PICOS_PER_BYTE: u64 = 20;
const LATENCY: u64 = 1_000_000;

const STAR: &str = "star(name: \"star\", cards: 12, bandwidth: \"50 GB/s\", latency: \"1 us\")";

/// Four supernodes of 4 cards that share one border link each, under one leaf.
pub(crate) const PODS: &str = "(name: \"pods\", cards: 16, \
    supernode: (cards: 4, inside: planes(), bandwidth: \"400 GB/s\", latency: \"1 us\"), \
    nics: (per_supernode: 1, bandwidth: \"80 Gb/s\", latency: \"1 us\"), \
    outside: leaf_spine(leaf_ports: 16, ratio: \"1:1\", uplink: \"80 Gb/s\", latency: \"1 us\", spine_ports: 64))";

pub(crate) fn text(fabric: &str, workload: &str, expect: &str) -> String {
    format!(
        "(schema: 1, title: \"t\", fabrics: [{fabric}], workloads: [{workload}], expect: [{expect}])"
    )
}

pub(crate) fn jobs(list: &str) -> String {
    format!("jobs(name: \"w\", jobs: [{list}])")
}

pub(crate) fn run(fabric: &str, workload: &str) -> Record {
    let text = text(fabric, workload, "");
    let scenario = read(Source { name: "jobs.ron", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    let record = scenario.points()[0].run(&RunOptions::default());
    assert_eq!(record.status, Status::Complete);
    record
}

/// A job that moves `bytes` from a card to another.
pub(crate) fn pair(name: &str, cards: [u32; 2], more: &str) -> String {
    let [from, to] = cards;
    format!(
        "(name: \"{name}\", ranks: 2, placement: listed(cards: [{from}, {to}]), \
         collective: send_receive(), algorithm: direct, {more})"
    )
}

/// The time of `record`'s jobs beside the others and alone.
fn times(record: &Record) -> Vec<(u64, u64)> {
    record.jobs.iter().map(|job| (job.time_ps(), job.alone_ps)).collect()
}

/// 100,000 B from a card to another of the star: 2 µs and 1 µs of path.
const SEND: u64 = 100_000 * PICOS_PER_BYTE + LATENCY;

#[test]
fn a_job_alone_has_a_slowdown_of_one() {
    let record = run(STAR, &jobs(&pair("only", [0, 1], "size: \"100 kB\"")));
    assert_eq!(times(&record), [(SEND, SEND)]);
    let slowdown = record.jobs[0].slowdown().expect("it takes time");
    assert_eq!((slowdown.over(), slowdown.under()), (1, 1));
    assert_eq!(record.time_ps, SEND);
    assert_eq!((record.ranks, record.collective.as_str()), (2, "Jobs"));
}

/// One border link of 10 GB/s: 100 ps a byte. 1 MB alone takes 100 µs, 2 MB take 200 µs. Together each has
/// half: the first ends after 200 µs, the second has 1 MB left, which takes 100 µs: 300 µs. The border
/// path has three links of 1 µs each way of the leaf and two inside: what it is, both have it once.
#[test]
fn jobs_share_the_border_of_their_supernode() {
    let small = pair("small", [0, 4], "size: \"1 MB\"");
    let large = pair("large", [1, 8], "size: \"2 MB\"");
    let record = run(PODS, &jobs(&format!("{small}, {large}")));
    let path = record.jobs[0].alone_ps - 100_000_000;
    assert!((1..10_000_000).contains(&path), "{path} ps of path");
    let expected =
        [(200_000_000 + path, 100_000_000 + path), (300_000_000 + path, 200_000_000 + path)];
    assert_eq!(times(&record), expected);
}

/// The second job starts when the first is done: nobody loses anything, and its time counts from there.
#[test]
fn jobs_that_do_not_meet_lose_nothing() {
    let first = pair("first", [0, 4], "size: \"1 MB\"");
    let second = pair("second", [1, 8], "size: \"2 MB\", start: \"200 us\"");
    let record = run(PODS, &jobs(&format!("{first}, {second}")));
    assert!(times(&record).iter().all(|(time, alone)| time == alone), "{:?}", record.jobs);
    let JobRecord { start_ps, finish_ps, alone_ps, .. } = record.jobs[1];
    assert_eq!((start_ps, finish_ps), (200_000_000, 200_000_000 + alone_ps));
    assert_eq!(record.time_ps, finish_ps);
}

/// Three rounds of 3 µs every 10 µs: the last one begins at 20 µs and ends at 23 µs; with a period shorter
/// than a message leaves (2 µs) the sender is never idle: 3 · 2 µs + 1 µs.
#[test]
fn rounds_begin_by_their_period() {
    let rounds = |period: &str| {
        let more = format!("size: \"100 kB\", repetitions: 3{period}");
        run(STAR, &jobs(&pair("only", [0, 1], &more))).time_ps
    };
    assert_eq!(rounds(", period: \"10 us\""), 20_000_000 + SEND);
    assert_eq!(rounds(", period: \"1 us\""), 3 * 100_000 * PICOS_PER_BYTE + LATENCY);
    assert_eq!(rounds(""), 3 * 100_000 * PICOS_PER_BYTE + LATENCY);
}

/// Of four supernodes of 4 the first job takes 1 ½ (cards 0 … 5), the second what fills supernodes best:
/// supernodes 2 and 3 are whole, so 4 of its 6 ranks take supernode 2, the other 2 fit in what is left of
/// supernode 1. The third has to take supernode 3. A fourth of 1 rank finds no card.
#[test]
fn the_allocator_sees_the_cards_of_earlier_jobs() {
    let job = |name: &str, ranks: u32| {
        format!(
            "(name: \"{name}\", ranks: {ranks}, placement: allocated(), collective: all_to_all, \
             algorithm: direct, size: \"1 MB\")"
        )
    };
    let three = [job("a", 6), job("b", 6), job("c", 4)].join(", ");
    let record = run(PODS, &jobs(&three));
    let spread: Vec<(u32, u32)> =
        record.jobs.iter().map(|job| (job.supernodes, job.fewest_supernodes)).collect();
    assert_eq!(spread, [(2, 2), (2, 2), (1, 1)]);
    // Both of the larger jobs cross the border of supernode 1, the third crosses none.
    let slow: Vec<bool> = times(&record).iter().map(|(time, alone)| time > alone).collect();
    assert_eq!(slow, [true, true, false]);
    let four = text(PODS, &jobs(&format!("{three}, {}", job("d", 1))), "");
    let refusal = read(Source { name: "jobs.ron", text: &four }, &[]).expect_err("no card is left");
    let told = &refusal.problems()[0];
    assert_eq!(told.path, "workloads[0].jobs[3].ranks");
    assert!(told.found.contains("1 ranks do not fit on 0 free cards; other jobs have taken 16"));
}

/// Jobs in rounds with stragglers on hashed paths: with and without reductions, and beside other points
/// that have solved the same.
#[test]
fn reductions_change_no_job() {
    let fabric = PODS.replace("spine_ports: 64)", "spine_ports: 64), routing: ecmp(flows: 2)");
    let job = |name: &str, collective: &str, more: &str| {
        format!(
            "(name: \"{name}\", ranks: 8, placement: random, collective: {collective}, \
             size: \"1 MB\", compute: \"3 us\", {more})"
        )
    };
    let left = job("left", "all_to_all, algorithm: direct", "repetitions: 3, period: \"90 us\"");
    let slow =
        "start: \"7 us\", stragglers: (slow: [(ranks: [2], factor: \"5:3\")], jitter: \"2 us\")";
    let right = job("right", "all_reduce, algorithm: ring(channels: 2)", slow);
    let text = text(&fabric, &jobs(&format!("{left}, {right}")), "");
    let scenario = read(Source { name: "jobs.ron", text: &text }, &[]).expect("it is right");
    let run = |options: RunOptions<'_>| {
        let mut record = scenario.points()[0].run(&options);
        record.counters = report::Counters::default();
        record
    };
    let plain =
        run(RunOptions { symmetry: Switch::Off, recurrence: Switch::Off, ..RunOptions::default() });
    assert_eq!(plain.jobs.len(), 2);
    assert_eq!(plain, run(RunOptions::default()));
    let memo = Memo::new();
    for _ in 0..2 {
        assert_eq!(plain, run(RunOptions { memo: Some(&memo), ..RunOptions::default() }));
    }
}

/// Two jobs of 8 ranks on four supernodes of 4, dealt in turn: two cards of each supernode.
#[test]
fn fragmentation_is_told_for_every_placement() {
    let job = |name: &str| {
        format!(
            "(name: \"{name}\", ranks: 8, placement: by_supernode, collective: all_to_all, \
             algorithm: direct, size: \"1 MB\")"
        )
    };
    let record = run(PODS, &jobs(&format!("{}, {}", job("a"), job("b"))));
    for job in &record.jobs {
        assert_eq!((job.supernodes, job.fewest_supernodes), (4, 2));
        assert_eq!((job.ranks, job.placement.as_str()), (8, "by_supernode"));
    }
}

/// The same two cards for both: the port of card 0 is shared.
#[test]
fn jobs_may_share_cards_where_they_say_so() {
    let first = pair("first", [0, 1], "size: \"100 kB\"");
    let second = pair("second", [0, 1], "size: \"100 kB\"").replace("listed", "shared");
    let record = run(STAR, &jobs(&format!("{first}, {second}")));
    assert_eq!(times(&record), [(2 * 100_000 * PICOS_PER_BYTE + LATENCY, SEND); 2]);
}

/// Another job, idle until long after, moves no hashed path of the first.
#[test]
fn hashed_paths_stay_where_they_are() {
    let fabric = PODS.replace("spine_ports: 64)", "spine_ports: 2), routing: ecmp(flows: 1)");
    let fabric = fabric.replace("leaf_ports: 16", "leaf_ports: 2");
    let job = |name: &str, more: &str| {
        format!(
            "(name: \"{name}\", ranks: 8, collective: all_to_all, algorithm: direct, \
             size: \"1 MB\"{more})"
        )
    };
    let alone = run(&fabric, &jobs(&job("a", "")));
    let beside =
        run(&fabric, &jobs(&format!("{}, {}", job("a", ""), job("b", ", start: \"1 s\""))));
    assert_eq!(alone.jobs[0], beside.jobs[0]);
    assert!(times(&beside).iter().all(|(time, alone)| time == alone));
}

/// The clock of a rank changes nothing but what it reads.
#[test]
fn clocks_that_are_ahead_change_no_result() {
    let ring = |stragglers: &str| {
        let workload = format!(
            "(collective: all_reduce, algorithm: ring(), size: \"4 kB\", ranks: 4, \
             compute: \"1 us\", stragglers: ({stragglers}))"
        );
        run(STAR, &workload)
    };
    let plain = ring("");
    let mut ahead =
        ring("clocks: [(ranks: [1, 3], ahead: \"1 ms\"), (ranks: [2], ahead: \"2 s\")]");
    // 1 µs and six steps of 20 ns + 1 µs: 7.12 µs.
    let note = "rank 3 ends at 7.1200 us, at 1.0071 ms by its own clock";
    assert!(ahead.notes.iter().any(|it| it == note), "{:?}", ahead.notes);
    assert_eq!(ahead.notes.len(), 3);
    ahead.notes.clear();
    assert_eq!(plain, ahead);
}

/// Jitter of up to 5 µs: every rank is late by its own amount, the seed decides, and the ring ends between
/// no and 5 µs later.
#[test]
fn jitter_follows_the_seed() {
    let time = |seed: u32, jitter: &str| {
        let workload = format!(
            "(collective: all_reduce, algorithm: ring(), size: \"4 kB\", ranks: 4, \
             stragglers: (jitter: \"{jitter}\"))"
        );
        let text = text(STAR, &workload, "").replace("title:", &format!("seed: {seed}, title:"));
        let scenario = read(Source { name: "jobs.ron", text: &text }, &[]).expect("it is right");
        scenario.points()[0].run(&RunOptions::default()).time_ps
    };
    let plain = time(1, "0 s");
    assert_eq!(plain, 6 * (1_000 * PICOS_PER_BYTE + LATENCY));
    let times: Vec<u64> = (1..=20).map(|seed| time(seed, "5 us")).collect();
    assert!(times.iter().all(|time| (plain..=plain + 5_000_000).contains(time)), "{times:?}");
    assert_eq!(times[0], time(1, "5 us"));
    // The latest of four is late by 4 µs on average, by less than 2.5 µs one time in 16.
    let mean = times.iter().map(|time| time - plain).sum::<u64>() / 20;
    assert!((3_000_000..5_000_000).contains(&mean), "{mean}");
}

/// 300 µs for 200 µs: 3:2, but for the path.
#[test]
fn expectations_judge_slowdowns() {
    let small = pair("small", [0, 4], "size: \"1 MB\"");
    let large = pair("large", [1, 8], "size: \"2 MB\"");
    let missed = |limit: &str| {
        let expect = format!("slowdown(job: \"large\", {limit})");
        let text = text(PODS, &jobs(&format!("{small}, {large}")), &expect);
        let scenario = read(Source { name: "jobs.ron", text: &text }, &[]);
        let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
        missed(&scenario, &[scenario.points()[0].run(&RunOptions::default())])
    };
    assert_eq!(missed("at_least: \"1.4:1\", at_most: \"3:2\""), []);
    let high = missed("at_most: \"1.4:1\"");
    assert_eq!(high[0].expected, "a slowdown of at most 7:5 of large");
    assert!(high[0].found.ends_with("times as long as alone"), "{high:?}");
    assert_eq!(missed("at_least: \"3:2\"").len(), 1);
}
