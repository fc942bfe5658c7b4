//! Texts that are no scenario at all, and texts made to hurt (CASES O18).

use super::{BASE, refusal};

/// How many texts are tried here.
pub(crate) const TEXTS: usize = 30;

/// The text and where reading must stop.
fn texts() -> Vec<(String, (usize, usize))> {
    let nested = |open: &str, count: usize| open.repeat(count);
    let mut texts: Vec<(String, (usize, usize))> = vec![
        (String::new(), (1, 1)),
        (" \n ".into(), (1, 1)),
        ("// nothing".into(), (1, 11)),
        ("(".into(), (1, 2)),
        (")".into(), (1, 1)),
        ("(schema: 1".into(), (1, 11)),
        ("(schema 1)".into(), (1, 9)),
        ("(schema: )".into(), (1, 9)),
        ("(schema:: 1)".into(), (1, 9)),
        ("(schema: 1) x".into(), (1, 13)),
        ("(schema: 1)(title: \"x\")".into(), (1, 12)),
        ("(schema: 1,, title: \"x\")".into(), (1, 12)),
        ("(title: \"x)".into(), (1, 9)),
        ("(title: \"\\q\")".into(), (1, 10)),
        ("(fabrics: [(])".into(), (1, 13)),
        ("(fabrics: {1: 2})".into(), (1, 12)),
        ("/* no end".into(), (1, 3)),
        ("\0".into(), (1, 1)),
        ("(title: \"a\0b\")".into(), (1, 11)),
        ("\u{feff}(schema: 1)".into(), (1, 1)),
        ("include \"other.ron\"".into(), (1, 9)),
    ];
    // Text after the end of a good scenario: on the line after the last.
    let lines = BASE.lines().count();
    texts.push((format!("{BASE}x"), (lines + 1, 1)));
    for open in ["[", "(", "{", "(a:", "[(a:", "Some(", "{\"a\":", "a("] {
        texts.push((nested(open, 10_000), (1, 0)));
    }
    texts
}

#[test]
fn texts_that_are_no_ron_are_refused_where_reading_stops() {
    let texts = texts();
    assert_eq!(texts.len(), TEXTS);
    let mut wrong = Vec::new();
    for (text, place) in texts {
        let refusal = refusal(&text, &[]);
        assert_eq!(refusal.count(), 1, "{refusal}");
        let found = refusal.line_and_column(&refusal.problems()[0]);
        if place.1 == 0 {
            // Nested brackets are refused near the depth limit of 40 levels.
            assert!(found.0 == 1 && found.1 <= 40 * 6, "{found:?}");
        } else if found != place {
            wrong.push(format!("{text:.40?}: {found:?}, not {place:?}\n{refusal}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_texts_are_refused_for_their_length() {
    let text = " ".repeat(64 << 20);
    let refusal = refusal(&text, &[]);
    assert!(refusal.to_string().contains("67108864 bytes"), "{refusal}");
    let bytes = vec![0xff; 2 << 20];
    assert!(scenario::read_bytes("bad.ron", &bytes, &[], &[]).is_err());
}

#[test]
fn values_that_are_no_scenario_are_refused() {
    for text in ["1", "\"x\"", "x", "[]", "{}", "()", "(1, 2)", "true", "scenario(schema: 1)"] {
        let refusal = refusal(text, &[]);
        assert_eq!(refusal.line_and_column(&refusal.problems()[0]), (1, 1), "{text}");
    }
}

#[test]
fn a_flood_of_problems_is_cut_short() {
    let fields: Vec<String> = (0..15_000).map(|index| format!("f{index}: 1,")).collect();
    let fields = fields.join("\n");
    let refusal = refusal(&format!("({fields})"), &[]);
    assert_eq!(refusal.count(), 200);
    let told = refusal.render(scenario::Colour::Plain);
    assert!(told.contains("… and 170 more"), "{told}");
    assert!(told.len() < 100_000, "{}", told.len());
}

#[test]
fn a_flood_of_points_is_refused_before_it_comes() {
    let values = (0..1_000).map(|value| format!("{value}")).collect::<Vec<_>>().join(", ");
    let axis = format!("(field: \"seed\", values: [{values}]),");
    let more =
        format!("(field: \"fabric[servers].cards\", values: [{}]),", values.replace("0, 1,", "1,"));
    let text = BASE.replace("sweep: [", &format!("sweep: [{axis}{more}"));
    let refusal = refusal(&text, &[]);
    assert!(refusal.problems().iter().any(|it| it.allowed == "at most 20000"), "{refusal}");
}

#[test]
fn a_long_fabric_is_not_read_for_each_of_many_values() {
    let switches: Vec<String> = (0..2_000).map(|index| format!("\"s{index}\"")).collect();
    let flows: Vec<String> = (1..1_000).map(|flows| format!("ecmp(flows: {flows})")).collect();
    let (switches, flows) = (switches.join(","), flows.join(","));
    let text = format!(
        "(schema: 1, title: \"t\", question: \"?\", seed: 1, fabrics: [explicit(name: \"e\", \
         cards: [\"a\"], switches: [{switches}], links: [])], workloads: [(collective: all_reduce, \
         algorithm: ring(channels: 1), size: \"1 MiB\")], \
         sweep: [(field: \"fabric.routing\", values: [{flows}])])"
    );
    let refusal = refusal(&text, &[]);
    assert!(refusal.problems().iter().any(|it| it.allowed == "at most 2097152"), "{refusal}");
}

#[test]
fn a_flood_of_commas_is_refused_where_it_gets_too_much() {
    let refusal = refusal(&",".repeat(32_001), &[]);
    assert_eq!(refusal.line_and_column(&refusal.problems()[0]), (1, 32_001), "{refusal}");
}

#[test]
fn a_long_line_is_not_drawn() {
    let text = format!("(title: {}", "x".repeat(190_000));
    let told = refusal(&text, &[]).render(scenario::Colour::Plain);
    assert!(told.len() < 1_000 && told.contains("bad.ron:1:"), "{}", told.len());
}
