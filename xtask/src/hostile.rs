//! Files that are made to hurt whoever reads them.

/// A name and the bytes of the file.
type Hostile = (&'static str, fn() -> Vec<u8>);

/// What fits into a scenario of 192 KiB, with room for the rest of it.
const ROOM: usize = 180 << 10;

const STAR: &str = "star(name: \"s\", cards: 8, bandwidth: \"50 GB/s\", latency: \"1 us\")";

const RING: &str = "(collective: all_reduce, algorithm: ring(channels: 1), size: \"1 MiB\")";

/// An expectation of a fabric that is not there.
const NOTHING: &str = "at_least(of: (fabric: \"f\"), time: \"1 ps\")";

pub(crate) const HOSTILE: [Hostile; 62] = [
    // Brackets.
    ("10,000 nested [", || nested("[")),
    ("10,000 nested (", || nested("(")),
    ("10,000 nested {", || nested("{")),
    ("10,000 nested (a:", || nested("(a:")),
    ("10,000 nested {\"a\":", || nested("{\"a\":")),
    ("10,000 nested Some(", || nested("Some(")),
    ("10,000 nested comments", || nested("/*")),
    ("deep lists side by side", || fabrics(&deep("[", "]"))),
    ("deep structs side by side", || fabrics(&deep("(a:", "1)"))),
    ("deep maps side by side", || fabrics(&deep("{\"a\":", "1}"))),
    ("closing brackets only", || fill(")").into_bytes()),
    // Length.
    ("64 MB of spaces", || vec![b' '; 64_000_000]),
    ("64 MB of NUL", || vec![0; 64_000_000]),
    ("64 MB of bytes that are no UTF-8", || vec![0xff; 64_000_000]),
    ("64 MB of numbers in a list", || [b"[".as_slice(), &b"1,".repeat(32_000_000)].concat()),
    ("900 KiB in one line", || vec![b'x'; 900 << 10]),
    // Bytes.
    ("nothing", Vec::new),
    ("no UTF-8 after 180 KiB", || {
        [fabrics(STAR).as_slice(), fill(" ").as_bytes(), b"\xff"].concat()
    }),
    ("NUL after 180 KiB", || [fabrics(STAR).as_slice(), fill(" ").as_bytes(), b"\0"].concat()),
    ("180 KiB of random bytes", || random(|byte| byte)),
    ("180 KiB of random letters of the language", || {
        random(|byte| b"()[]{}:,\"'/*\\ab01 \n#r"[usize::from(byte) % 21])
    }),
    ("180 KiB of emoji before the fault", || fabrics(&format!("\"{}\" x", fill("👩‍🚀")))),
    ("180 KiB of combining marks", || fabrics(&format!("\"{}\" x", fill("\u{301}")))),
    // Texts.
    ("a text without end", || fabrics(&format!("\"{}", fill("x")))),
    ("a raw text without end", || fabrics(&format!("r{}\"", fill("#")))),
    ("180 KiB of escapes", || fabrics(&format!("\"{}\"", fill("\\u{41}")))),
    ("a name of 180 KiB", || whole(&format!("fabrics: [{STAR}], {}: 1", fill("x")))),
    ("a word of 180 KiB", || fabrics(&fill("x"))),
    // Fields.
    ("one known field, again and again", || whole(&fill("title: \"x\","))),
    ("one unknown field, again and again", || whole(&fill("colour: 1,"))),
    ("each field unknown", || whole(&numbered(|index| format!("f{index}: 1,")))),
    ("each field misspelt", || fabrics(&numbered(|index| format!("(bandwith{index}: 1),")))),
    ("each hardware field unknown", || {
        let one =
            |index| format!("(field: \"nics.bandwith{index}\", label: measured, source: \"\"),");
        fabrics(&format!("{}, hardware: [{}])", &STAR[..STAR.len() - 1], numbered(one)))
    }),
    // Lists.
    ("90,000 numbers as fabrics", || fabrics(&fill("1,"))),
    ("60,000 empty structs as fabrics", || fabrics(&fill("(),"))),
    ("60,000 empty lists as workloads", || scenario(STAR, &fill("[],"), "")),
    ("26,000 empty stars", || fabrics(&fill("star(),"))),
    ("90,000 seeds to sweep", || sweep(&format!("(field: \"seed\", values: [{}])", fill("1,")))),
    ("as many sweeps as fit", || sweep(&fill("(field: \"seed\", values: [1, 2]),"))),
    ("a million points", || {
        let values = numbered(|index| format!("{index},"));
        let values: String = values.split_inclusive(',').skip(1).take(1_000).collect();
        let axis = |field| format!("(field: \"{field}\", values: [{values}]),");
        sweep(&(axis("seed") + &axis("fabric.cards")))
    }),
    ("a path of 180 KiB to sweep", || {
        sweep(&format!("(field: \"fabric{}\", values: [1])", fill(".cards")))
    }),
    ("names that are all taken", || fabrics(&fill(&format!("{STAR},")))),
    ("expectations of nothing", || {
        let one = |index| format!("equal(of: (fabric: \"f{index}\"), across: \"a{index}\"),");
        scenario(STAR, RING, &format!("expect: [{}]", numbered(one)))
    }),
    ("links to nowhere", || {
        let one = |index| {
            format!("(from: \"a{index}\", to: \"b\", bandwidth: \"1 Gb/s\", latency: \"1 us\"),")
        };
        explicit("\"a\", \"b\"", &numbered(one))
    }),
    ("cards without links", || explicit(&numbered(|index| format!("\"c{index}\",")), "")),
    ("flows to nowhere", || {
        let flows = fill("(from: 0, to: 1000000000, size: \"1 GB\"),");
        scenario(STAR, &format!("flows(name: \"f\", list: [{flows}])"), "")
    }),
    // Numbers.
    ("10⁹ cards on a star", || fabrics(&STAR.replace("cards: 8", "cards: 1000000000"))),
    ("10⁹ cards in servers", || cluster("cards: 1000000000", "cards: 8", "leaf_ports: 64")),
    ("2⁶⁴ cards", || fabrics(&STAR.replace("cards: 8", "cards: 18446744073709551616"))),
    ("a supernode of 10⁹ cards", || cluster("cards: 8", "cards: 1000000000", "leaf_ports: 64")),
    ("a full mesh of 10⁶ cards", || {
        cluster("cards: 1000000", "cards: 1000000, inside: full_mesh", "leaf_ports: 64")
    }),
    ("leaves of 10⁹ ports", || cluster("cards: 8", "cards: 8", "leaf_ports: 1000000000")),
    ("180,000 digits", || fabrics(&STAR.replace("cards: 8", &format!("cards: {}", fill("9"))))),
    ("a rate of 180,000 digits", || fabrics(&STAR.replace("50 GB/s", &(fill("9") + " GB/s")))),
    ("a rate of 180,000 decimals", || {
        fabrics(&STAR.replace("50 GB/s", &format!("0.{} b/s", fill("3"))))
    }),
    ("a power of ten out of reach", || fabrics(&STAR.replace("50 GB/s", "1e999999999 GB/s"))),
    ("10⁹ channels", || scenario(STAR, &RING.replace("channels: 1", "channels: 1000000000"), "")),
    ("10³⁰ EiB", || {
        scenario(STAR, &RING.replace("1 MiB", &format!("1{} EiB", "0".repeat(30))), "")
    }),
    // Faults that are found late.
    ("a fault after 2,000,000 good cards", || {
        scenario(&STAR.replace("cards: 8", "cards: 2000000"), &RING.replace("1 MiB", "1 MiX"), "")
    }),
    ("a fault after 20,000 good points", || points("colour: 1")),
    ("a fault after 1,000 good expectations of 20,000 points", || {
        let one = |seed| format!("at_least(of: (at: {{\"seed\": {seed}}}), time: \"1 ps\"),");
        let expected: String = (9_000..10_000).map(one).collect();
        points(&format!("expect: [{expected} {NOTHING}]"))
    }),
    ("a fault after 5,000 good values in a selector", || {
        let values: Vec<String> = (5_000..10_000).map(|seed| seed.to_string()).collect();
        let of = format!("(at: {{\"seed\": [{}]}})", values.join(","));
        points(&format!("expect: [at_least(of: {of}, time: \"1 ps\"), {NOTHING}]"))
    }),
];

/// As many repetitions as fit.
fn fill(part: &str) -> String {
    part.repeat(ROOM / part.len())
}

/// As many numbered parts as fit.
fn numbered(part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for index in 0.. {
        let next = part(index);
        if text.len() + next.len() > ROOM {
            break;
        }
        text += &next;
    }
    text
}

fn nested(open: &str) -> Vec<u8> {
    open.repeat(10_000).into_bytes()
}

/// Brackets nested as deeply as is allowed, again and again.
fn deep(open: &str, close: &str) -> String {
    fill(&format!("{}{},", open.repeat(30), close.repeat(30)))
}

/// 180 KiB from a linear congruential generator, the same every time.
fn random(byte: fn(u8) -> u8) -> Vec<u8> {
    // Source: Knuth, MMIX; its high bits are the good ones.
    let mut state = 42_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        byte((state >> 56) as u8)
    };
    (0..ROOM).map(|_| next()).collect()
}

/// A scenario of these fields.
fn whole(fields: &str) -> Vec<u8> {
    format!("(schema: 1, {fields})").into_bytes()
}

fn scenario(fabrics: &str, workloads: &str, rest: &str) -> Vec<u8> {
    whole(&format!(
        "title: \"hostile\", question: \"?\", seed: 1, fabrics: [{fabrics}], workloads: [{workloads}], {rest}"
    ))
}

/// A scenario of 20,000 points, with these fields beside.
fn points(rest: &str) -> Vec<u8> {
    let seeds: Vec<String> = (0..10_000).map(|seed| seed.to_string()).collect();
    let seeds = format!("(field: \"seed\", values: [{}])", seeds.join(","));
    scenario(STAR, &format!("{RING}, {RING}"), &format!("sweep: [{seeds}], {rest}"))
}

/// A scenario with these fabrics and nothing else amiss.
fn fabrics(fabrics: &str) -> Vec<u8> {
    scenario(fabrics, RING, "")
}

/// A scenario with these sweeps and nothing else amiss.
fn sweep(axes: &str) -> Vec<u8> {
    scenario(STAR, RING, &format!("sweep: [{axes}]"))
}

fn explicit(cards: &str, links: &str) -> Vec<u8> {
    fabrics(&format!("explicit(name: \"e\", cards: [{cards}], switches: [], links: [{links}])"))
}

/// A cluster of so many cards, in such supernodes, under such leaves.
fn cluster(cards: &str, supernode: &str, leaf: &str) -> Vec<u8> {
    fabrics(&format!(
        "(name: \"c\", {cards}, supernode: ({supernode}, bandwidth: \"450 GB/s\", latency: \"1 us\"), \
         nics: (per_card: 1, bandwidth: \"400 Gb/s\", latency: \"1 us\"), \
         outside: leaf_spine({leaf}, uplink: \"400 Gb/s\", latency: \"1 us\", spine_ports: 256))"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_texts_are_as_long_as_they_may_be() {
        let mut names: Vec<&str> = HOSTILE.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), HOSTILE.len());
        // What is meant to be read to its end is not refused for its length.
        assert!(fabrics(&deep("(a:", "1)")).len() <= 192 << 10);
        assert!(fabrics(&numbered(|index| format!("f{index}"))).len() <= 192 << 10);
    }
}
