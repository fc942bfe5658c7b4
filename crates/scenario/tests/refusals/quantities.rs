//! Numbers and quantities that make no sense, at every field that takes one (CASES O18, O19).

use super::{Case, case, check_all};

/// What stands in the base and its path, or a bad value and what is said of it.
type Pair = (&'static str, &'static str);

/// Fields with a rate: the text in the base and the path.
const RATES: [(&str, &str); 7] = [
    ("\"450 GB/s\"", "fabrics[0].supernode.bandwidth"),
    ("\"400 Gb/s\"", "fabrics[0].nics.bandwidth"),
    ("\"400Gbps\"", "fabrics[0].outside.uplink"),
    ("\"50 GB/s\"", "fabrics[2].bandwidth"),
    ("\"100 Gb/s\"", "fabrics[3].links[0].bandwidth"),
    ("\"451 GB/s\"", "fabrics[1].supernode.bandwidth"),
    ("\"1 TB/s\"", "workloads[0].reduce_bandwidth"),
];

/// Rates that are refused, and what is said.
const BAD_RATES: [(&str, &str); 16] = [
    ("\"0 Gb/s\"", "out of range"),
    ("\"-1 Gb/s\"", "negative"),
    ("\"NaN Gb/s\"", "no number"),
    ("\"inf Gb/s\"", "no number"),
    ("\"1e308 Gb/s\"", "exponent"),
    ("\"1e-300 Gb/s\"", "exponent"),
    ("\"20 Pb/s\"", "too large"),
    ("\"0.0001 b/s\"", "finer"),
    ("\"400\"", "no unit"),
    ("\"400 G\"", "unknown unit"),
    ("\"400 gbps\"", "unknown unit"),
    ("\"400 GB\"", "unknown unit"),
    ("\"\"", "no number"),
    ("400", "bare number"),
    ("NaN", "not whole"),
    ("fast", "a word"),
];

/// Fields with a time.
const TIMES: [(&str, &str); 11] = [
    ("\"1.0 us\"", "fabrics[0].supernode.latency"),
    ("\"600 ns\"", "fabrics[0].nics.latency"),
    ("\"603 ns\"", "fabrics[1].outside.latency"),
    ("\"604 ns\"", "fabrics[2].latency"),
    ("\"605 ns\"", "fabrics[3].links[0].latency"),
    ("\"2 us\"", "workloads[0].per_step"),
    ("\"5 us\"", "workloads[3].list[0].start"),
    ("\"20 s\"", "expect[0].time"),
    ("\"7 us\"", "fabrics[0].losses[0].at"),
    ("\"8 us\"", "fabrics[0].losses[0].until"),
    ("\"9 us\"", "fabrics[0].recovery.timeout"),
];

const BAD_TIMES: [(&str, &str); 10] = [
    ("\"-1 us\"", "negative"),
    ("\"NaN us\"", "no number"),
    ("\"NaN\"", "no number"),
    ("\"0.1 ps\"", "finer"),
    ("\"6000 h\"", "too large"),
    ("\"5\"", "no unit"),
    ("\"5 US\"", "unknown unit"),
    ("5", "bare number"),
    ("-1", "negative"),
    ("1.5", "not whole"),
];

/// Fields with a size.
const SIZES: [(&str, &str); 6] = [
    ("\"4 MiB\"", "workloads[0].algorithm.chunk"),
    ("\"2 GiB\"", "workloads[1].size"),
    ("\"4 GB\"", "workloads[3].list[0].size"),
    ("\"6 GiB\"", "sweep[1].values[1]"),
    ("\"2 KiB\"", "fabrics[0].recovery.mtu"),
    ("\"3 MiB\"", "fabrics[0].recovery.window"),
];

const BAD_SIZES: [(&str, &str); 9] = [
    ("\"-1 B\"", "negative"),
    ("\"1.5 B\"", "finer"),
    ("\"18446744073709551616 B\"", "too large"),
    ("\"16384 PiB\"", "too large"),
    ("\"1 gb\"", "unknown unit"),
    ("\"1 Gb\"", "unknown unit"),
    ("\"1\"", "no unit"),
    ("18446744073709551616", "not whole"),
    ("1024", "bare number"),
];

/// Fields with a ratio.
const RATIOS: [(&str, &str); 4] = [
    ("\"4:2\"", "fabrics[0].outside.ratio"),
    ("core_ratio: \"1:1\"", "fabrics[1].outside.core_ratio"),
    ("\"8:4\"", "sweep[0].values[1]"),
    ("\"4096:4160\"", "fabrics[0].supernode.efficiency"),
];

const BAD_RATIOS: [(&str, &str); 8] = [
    ("\"0:1\"", "zero"),
    ("\"1:0\"", "zero"),
    ("\"-1:1\"", "negative"),
    ("\"4\"", "no `:`"),
    ("\"4/1\"", "no `:`"),
    ("\"a:b\"", "no number"),
    ("4", "bare number"),
    ("inf", "not whole"),
];

/// Fields with a count, and one more than they take.
const COUNTS: [(&str, &str, &str); 13] = [
    ("cards: 32,", "fabrics[0].cards", "2000001"),
    ("cards: 8,", "fabrics[0].supernode.cards", "1000000000"),
    ("per_card: 1", "fabrics[0].nics.per_card", "65"),
    ("per_supernode: 2", "fabrics[1].nics.per_supernode", "1000001"),
    ("leaf_ports: 16", "fabrics[0].outside.leaf_ports", "65537"),
    ("spine_ports: 128", "fabrics[0].outside.spine_ports", "1000001"),
    ("core_ports: 129", "fabrics[1].outside.core_ports", "1000001"),
    ("flows: 3", "fabrics[0].routing.flows", "1025"),
    ("count: 5", "fabrics[3].links[0].count", "65537"),
    ("channels: 6", "workloads[0].algorithm.channels", "65"),
    ("ranks: 2", "workloads[0].ranks", "2000001"),
    ("groups: 1", "workloads[0].groups", "2000001"),
    ("retries: 3", "fabrics[0].recovery.retries", "256"),
];

const BAD_COUNTS: [(&str, &str); 9] = [
    ("0", "out of range"),
    ("-1", "negative"),
    ("1.5", "not whole"),
    ("NaN", "not whole"),
    ("inf", "not whole"),
    ("1e308", "not whole"),
    ("18446744073709551616", "not whole"),
    ("\"8\"", "text in quotes"),
    ("true", "truth value"),
];

/// The probability of a loss.
const PROBABILITY: (&str, &str) = ("\"0.002 %\"", "fabrics[0].losses[0].loss");

const BAD_PROBABILITIES: [(&str, &str); 11] = [
    ("\"-1 %\"", "negative"),
    ("\"100.0001 %\"", "above 100 %"),
    ("\"10000000000000000000 %\"", "above 100 %"),
    ("\"NaN %\"", "no percentage"),
    ("\"inf %\"", "no percentage"),
    ("\"1e-5 %\"", "no percentage"),
    ("\"1. %\"", "no percentage"),
    ("\"%\"", "no percentage"),
    ("\"0.00000000001 %\"", "finer"),
    ("\"0.002\"", "no `%`"),
    ("0.002", "not whole"),
];

/// All of them, field by field.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let tables: [(&[Pair], &[Pair]); 5] = [
        (&RATES, &BAD_RATES),
        (&TIMES, &BAD_TIMES),
        (&SIZES, &BAD_SIZES),
        (&RATIOS, &BAD_RATIOS),
        (&[PROBABILITY], &BAD_PROBABILITIES),
    ];
    for (fields, values) in tables {
        for (old, path) in fields {
            for (value, says) in values {
                let before = old.split_once(": \"").map_or("", |(name, _)| name);
                let name = if before.is_empty() { "" } else { ": " };
                let new = format!("{before}{name}{value}");
                cases.push(case([old, &new, path, says, value]));
            }
        }
    }
    for (old, path, too_many) in COUNTS {
        let (name, _) = old.split_once(": ").expect("a field with its value");
        let end = if old.ends_with(',') { "," } else { "" };
        for (value, says) in BAD_COUNTS.into_iter().chain([(too_many, "out of range")]) {
            let new = format!("{name}: {value}{end}");
            cases.push(case([old, &new, path, says, value]));
        }
    }
    for row in [
        ["seed: 42", "seed: 18446744073709551616", "seed", "not whole", "18446744073709551616"],
        ["seed: 42", "seed: -1", "seed", "negative", "-1"],
        ["schema: 1", "schema: 2", "schema", "out of range", "2"],
        ["schema: 1", "schema: 0", "schema", "out of range", "0"],
        ["\"64:65\"", "\"65:64\"", "fabrics[0].nics.efficiency", "out of range", "\"65:64\""],
        ["\"2 KiB\"", "\"0 B\"", "fabrics[0].recovery.mtu", "out of range", "\"0 B\""],
        ["\"3 MiB\"", "\"0 B\"", "fabrics[0].recovery.window", "out of range", "\"0 B\""],
        ["\"9 us\"", "\"0 s\"", "fabrics[0].recovery.timeout", "0 s", "\"0 s\""],
        ["\"0.5 %\"", "\"0.5\"", "expect[1].tolerance", "no `%`", ""],
        ["\"0.5 %\"", "\"101 %\"", "expect[1].tolerance", "above 100 %", ""],
        ["\"0.5 %\"", "\"-1 %\"", "expect[1].tolerance", "no percentage", ""],
        ["\"0.5 %\"", "\"0.00001 %\"", "expect[1].tolerance", "finer", ""],
        ["\"0.5 %\"", "0.5", "expect[1].tolerance", "not whole", ""],
    ] {
        cases.push(case(row));
    }
    cases
}

#[test]
fn senseless_numbers_are_refused_at_every_field() {
    check_all(&cases());
}

#[test]
fn rates_are_hinted_at_in_bits_and_bytes() {
    let text = super::BASE.replace("\"400 Gb/s\"", "\"400 gbps\"");
    let told = super::refusal(&text, &[]).to_string();
    let hint = "did you mean \"400 Gb/s\" (bits) or \"400 GB/s\" (bytes)?";
    assert!(told.contains(hint), "{told}");
}
