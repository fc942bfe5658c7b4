//! The page stays within 120 columns, whatever the names, and tells every point.

use proptest::prelude::*;
use report::{COLUMNS, Colour, Counters, Record, Results, SCHEMA, Status, TierRecord, page};
use unicode_width::UnicodeWidthStr;

/// A point with the given names and figures.
fn point(names: [&str; 5], figures: (u64, u64, u32)) -> Record {
    let [fabric, ratio, collective, algorithm, tier] = names;
    let (size, time_ps, utilisation_ppm) = figures;
    let tiers = [tier, "nic", "leaf-agg", "agg-core", "border", "inside"].map(|tier| TierRecord {
        tier: tier.into(),
        bytes: u128::from(size) * 1_000_000,
        utilisation_ppm,
        busiest: "a link".into(),
    });
    Record {
        labels: vec![("ratio".into(), ratio.into()), ("placement".into(), algorithm.into())],
        fabric: fabric.into(),
        ratio: ratio.into(),
        collective: collective.into(),
        algorithm: algorithm.into(),
        ranks: 10_240,
        size_asked: size,
        size: size / 2,
        channels: 8,
        status: Status::Complete,
        time_ps,
        bus_factor: (2, 3),
        bound_ps: time_ps / 3,
        bound_cut: tier.into(),
        tiers: tiers.into(),
        lost: None,
        packets: None,
        fabric_echo: vec![format!("built {fabric}"), ratio.into()],
        jobs: Vec::new(),
        notes: vec![algorithm.into()],
        counters: Counters::default(),
    }
}

fn results(records: Vec<Record>) -> Results {
    Results {
        schema: SCHEMA,
        tool: "superclos".into(),
        scenario_hash: String::new(),
        seed: 0,
        title: "A title".into(),
        question: "A question".into(),
        scenario: String::new(),
        complete: true,
        points: records.len() as u64,
        records,
        missed: Vec::new(),
    }
}

#[test]
fn a_usual_row_fits_on_one_line() {
    let names = ["cloudmatrix384", "19:16", "AllReduce", "halving-doubling", "leaf-spine"];
    let mut record = point(names, (1 << 30, 42_949_672_960, 987_654));
    record.tiers.truncate(3);
    let text = page::render(&results(vec![record]), Colour::Off);
    // 2²⁹ B in 42.950 ms: 12.5 GB/s, × 2/3 = 8.333; bound a third of the time; 2³⁰ × 10⁶ B.
    let row = [
        "cloudmatrix384",
        "19:16",
        "42.950",
        "12.50",
        "8.333",
        "1.00x",
        "33.3 %",
        "leaf-spine",
        "98.7 %",
        "1.074",
        "1.074",
        "1.074",
    ];
    let found = text.lines().any(|line| {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.eq(row)
    });
    assert!(found, "{text}");
}

/// The rows of a table that start with `name`, in cells.
fn rows<'a>(text: &'a str, name: &str) -> Vec<Vec<&'a str>> {
    let cells = |line: &'a str| -> Vec<&'a str> {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
    };
    text.lines().map(cells).filter(|cells| cells.first() == Some(&name)).collect()
}

/// 1, 1 and 2 ms: the first two ratios show the same.
#[test]
fn ratios_that_show_the_same_share_a_row() {
    let at = |ratio, time_ps| {
        let mut point =
            point(["a", ratio, "AllReduce", "direct", "leaf-spine"], (4_000_000, time_ps, 5));
        point.labels.truncate(1);
        point
    };
    let points =
        vec![at("0.5:1", 1_000_000_000), at("1:1", 1_000_000_000), at("2:1", 2_000_000_000)];
    let text = page::render(&results(points), Colour::Off);
    let rows = rows(&text, "a");
    // 2 MB in 1 ms are 2 GB/s.
    assert_eq!(rows[0][..4], ["a", "0.5:1–1:1", "1.0000", "2.000"], "{text}");
    assert_eq!(rows[1][..4], ["a", "2:1", "2.0000", "1.000"], "{text}");
    assert_eq!(rows.len(), 2);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_a_page(
        names in proptest::array::uniform5("\\PC{0,200}"),
        more in proptest::array::uniform5("[a-z超]{1,40}"),
        size in any::<u64>(),
        time_ps in any::<u64>(),
        utilisation_ppm in 0_u32..=1_000_000,
    ) {
        let names = names.each_ref().map(String::as_str);
        let more = more.each_ref().map(String::as_str);
        let figures = (size, time_ps, utilisation_ppm);
        let text = page::render(&results(vec![point(names, figures), point(more, figures)]), Colour::Off);
        for line in text.lines() {
            prop_assert!(line.width() <= COLUMNS, "{} columns: {line}", line.width());
        }
    }
}

/// A lower bound of 1.024 ms beside a completion in 2 ms of the other fabric.
#[test]
fn a_bound_alone_is_marked_wherever_it_is_told() {
    let names = |fabric| [fabric, "1:1", "All-to-All", "direct", "leaf-spine"];
    let done = point(names("simulated"), (1 << 20, 2_000_000_000, 500_000));
    let mut counted = point(names("counted"), (1 << 20, 1_024_000_000, 1_000_000));
    counted.bound_ps = counted.time_ps;
    counted.status = Status::Bounded { why: "too many transfers".into() };
    let all = results(vec![done, counted]);
    let text = page::render(&all, Colour::Off);
    let row = text.lines().find(|line| line.contains("counted")).expect("a row of its own");
    assert!(row.contains("≥ 1.024 ms") && row.contains("n/a"), "{row}");
    assert!(text.contains("simulated times. They are left out of the comparison."), "{text}");
    assert!(text.contains("bound only: too many transfers"), "{text}");
    let csv = report::csv::write(&all);
    let row = csv.lines().find(|line| line.contains("counted")).expect("a row of its own");
    assert!(row.contains(",bound only,") && row.contains("1024000000"), "{row}");
    let json = report::json::write(&all);
    assert!(json.contains(r#""status":{"Bounded":{"why":"too many transfers"}}"#), "{json}");
    assert_eq!(
        report::json::read(&json).expect("as written").records[1].status.word(),
        "bound only"
    );
}
