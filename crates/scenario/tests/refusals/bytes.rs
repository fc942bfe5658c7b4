//! Bytes of a good scenario changed at random: refused or read, never a panic.

use proptest::prelude::*;
use scenario::{Colour, read_bytes};

use super::BASE;

/// A small scenario that is cheap to read when a change leaves it right.
const SMALL: &str = "(schema: 1, title: \"t\", seed: 7, fabrics: [star(name: \"s\", cards: 4, \
    bandwidth: \"50 GB/s\", latency: \"1 us\")], workloads: [(collective: all_reduce, algorithm: \
    ring(channels: 2), size: \"1 KiB\")], sweep: [(field: \"fabric.cards\", values: [2, 3])], \
    expect: [at_most(of: (at: {\"cards\": 2}), time: \"1 s\")])";

fn try_bytes(bytes: &[u8]) {
    if let Err(refusal) = read_bytes("bytes.ron", bytes, &[], &[]) {
        assert!(refusal.count() > 0);
        for problem in refusal.problems() {
            refusal.line_and_column(problem);
        }
        assert!(refusal.render(Colour::Plain).contains("bytes.ron:"));
    }
}

#[test]
fn invalid_utf8_is_refused_at_its_byte() {
    let mut bytes = BASE.as_bytes().to_vec();
    let title = BASE.find("everything").expect("the title");
    bytes[title] = 0xff;
    let refusal = read_bytes("bytes.ron", &bytes, &[], &[]).map(drop).expect_err("no UTF-8");
    assert_eq!(refusal.line_and_column(&refusal.problems()[0]), (4, 11));
    assert!(refusal.to_string().contains("byte 255 is not UTF-8"), "{refusal}");
}

#[test]
fn a_scenario_cut_anywhere_is_refused() {
    let end = SMALL.len() - 1;
    for length in 0..=end {
        let refusal = read_bytes("bytes.ron", &SMALL.as_bytes()[..length], &[], &[]);
        assert!(refusal.is_err(), "{length}");
        try_bytes(&SMALL.as_bytes()[..length]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (index, byte) in changes {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        try_bytes(&bytes);
    }

    #[test]
    fn moved_parts_never_panic(
        (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        (length, insert) in (0_usize..40, "[a-z0-9(),:\\[\\]{}\" ]{0,6}"),
    ) {
        let mut text: Vec<u8> = SMALL.into();
        let from = from.index(text.len());
        let part: Vec<u8> = text.drain(from..(from + length).min(text.len())).collect();
        let to = to.index(text.len() + 1);
        text.splice(to..to, part.into_iter().chain(insert.into_bytes()));
        try_bytes(&text);
    }
}
