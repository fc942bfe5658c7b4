//! Expectations: met, missed by a picosecond, and about points that did not run.

use report::Missed;
use scenario::{RunOptions, Source, missed, read};

/// A flow of 1 GB at 400 Gb/s: 8 × 10⁹ bit / 4 × 10¹¹ bit/s = 20 ms, and 2 us of latency on the way;
/// at 200 Gb/s 40 ms.
fn judge(expect: &str) -> Vec<Missed> {
    let text = format!(
        "(schema: 1, title: \"t\", fabrics: [star(name: \"s\", cards: 2, latency: \"2 us\")], \
         workloads: [flows(list: [(from: 0, to: 1, size: \"1 GB\")])], sweep: [(field: \
         \"fabric.bandwidth\", label: \"rate\", values: [\"400 Gb/s\", \"200 Gb/s\", \
         \"50 GB/s\"])], expect: [{expect}])"
    );
    let scenario = read(Source { name: "judge.ron", text: &text }, &[])
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let records: Vec<_> =
        scenario.points().iter().map(|point| point.run(&RunOptions::default())).collect();
    missed(&scenario, &records)
}

const FAST: &str = "of: (at: {\"rate\": \"400 Gb/s\"})";

#[test]
fn limits_are_exact() {
    assert_eq!(judge(&format!("at_most({FAST}, time: \"20.002 ms\")")), []);
    assert_eq!(judge(&format!("at_least({FAST}, time: \"20.002 ms\")")), []);
    let late = judge(&format!("at_most({FAST}, time: \"20.001999999 ms\")"));
    assert_eq!(
        late,
        [Missed {
            point: "s rate=400 Gb/s flows 1 GB".into(),
            expected: "at most 20.001999999 ms".into(),
            found: "20.002 ms".into(),
        }]
    );
    assert_eq!(judge(&format!("at_least({FAST}, time: \"20.002000001 ms\")")).len(), 1);
}

#[test]
fn tolerances_are_parts_of_the_expected_time() {
    // 20.002 ms is 0.01 % above 20 ms.
    assert_eq!(judge(&format!("within({FAST}, time: \"20 ms\", tolerance: \"0.01 %\")")), []);
    let missed = judge(&format!("within({FAST}, time: \"20 ms\", tolerance: \"0.0099 %\")"));
    assert_eq!(missed[0].expected, "20 ms ± 0.0099 %");
}

#[test]
fn an_axis_that_matters_is_no_equal_one() {
    let same = "equal(across: \"rate\", of: (at: {\"rate\": [\"400 Gb/s\", \"50 GB/s\"]}))";
    assert_eq!(judge(same), []);
    let missed = judge("equal(across: \"rate\")");
    assert_eq!(missed.len(), 1);
    assert_eq!(missed[0].point, "s rate=200 Gb/s flows 1 GB");
    assert_eq!(missed[0].expected, "20.002 ms, as s rate=400 Gb/s flows 1 GB");
}

#[test]
fn an_axis_may_matter_little() {
    // Of 20.002 ms and 40.002 ms the second is 99.99 % longer: 20 / 20.002.
    assert_eq!(judge("equal(across: \"rate\", tolerance: \"100 %\")"), []);
    assert_eq!(judge("equal(across: \"rate\", tolerance: \"99.9901 %\")"), []);
    let missed = judge("equal(across: \"rate\", tolerance: \"99.99 %\")");
    assert_eq!(missed.len(), 1);
    assert_eq!(missed[0].expected, "20.002 ms ± 99.99 %, as s rate=400 Gb/s flows 1 GB");
}

/// How many expectations are missed of a flow of 4,096 B on both engines or one. Rates bring it over two
/// links of 100 Gb/s and 1 µs in 327.68 ns + 2 µs; a packet takes 327.68 ns more at the second link: 14.1 %.
fn opinions(engine: &str, tolerance: &str) -> usize {
    let text = format!(
        "(schema: 1, title: \"t\", engine: {engine}, fabrics: [star(name: \"s\", cards: 2, \
         bandwidth: \"100 Gb/s\", latency: \"2 us\")], workloads: [flows(list: [(from: 0, to: 1, \
         size: \"4096 B\")])], expect: [equal(across: \"engine\", tolerance: \"{tolerance}\")])"
    );
    let scenario = read(Source { name: "opinions.ron", text: &text }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    let records: Vec<_> =
        scenario.points().iter().map(|point| point.run(&RunOptions::default())).collect();
    missed(&scenario, &records).len()
}

#[test]
fn two_engines_are_an_axis() {
    assert_eq!(opinions("both", "14.08 %"), 0);
    assert_eq!(opinions("both", "14.07 %"), 1);
    assert_eq!(opinions("packet", "14.07 %"), 0, "one engine alone contradicts nobody");
}

#[test]
fn the_faster_one_must_be_faster() {
    let faster = |left: &str, right: &str| {
        judge(&format!(
            "faster(of: (at: {{\"rate\": \"{left}\"}}), than: (at: {{\"rate\": \"{right}\"}}))"
        ))
    };
    assert_eq!(faster("400 Gb/s", "200 Gb/s"), []);
    assert_eq!(faster("200 Gb/s", "400 Gb/s").len(), 1);
    // As fast is not faster.
    assert_eq!(faster("50 GB/s", "400 Gb/s").len(), 1);
}
