//! Bad scenarios: each is refused, at its place, with what was found; none panics.

mod bytes;
mod combinations;
mod hostile;
mod overriding;
mod packets;
mod quantities;
mod structure;

use scenario::{Colour, Override, Refusal, Source, read};

/// A scenario with every kind of field.
pub(crate) const BASE: &str = include_str!("base.ron");

/// A bad scenario: the base with one thing replaced.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// What is replaced; it stands in the base once.
    pub(crate) old: String,
    pub(crate) new: String,
    /// The path of the field to blame.
    pub(crate) path: String,
    /// What the message must say.
    pub(crate) says: String,
    /// The text that must be underlined; nothing is asked of it when empty.
    pub(crate) underlined: String,
}

/// A table row: old text, new text, path, message, underlined text.
pub(crate) fn case(row: [&str; 5]) -> Case {
    let [old, new, path, says, underlined] = row.map(str::to_owned);
    Case { old, new, path, says, underlined }
}

impl Case {
    /// The base with the replacement.
    pub(crate) fn text(&self) -> String {
        assert_eq!(BASE.matches(&self.old).count(), 1, "`{}` stands once in the base", self.old);
        BASE.replace(&self.old, &self.new)
    }

    /// What is wrong with how the scenario is refused, if anything.
    pub(crate) fn check(&self) -> Option<String> {
        let text = self.text();
        let refusal = refusal(&text, &[]);
        let told = refusal.render(Colour::Plain);
        let met = refusal.problems().iter().any(|problem| {
            let underlined = refusal.text_at(problem);
            problem.path == self.path
                && problem.found.contains(&self.says)
                && (self.underlined.is_empty() || underlined == self.underlined)
        });
        if !met {
            return Some(format!("{self:?} is not among\n{told}"));
        }
        for problem in refusal.problems() {
            let (line, column) = refusal.line_and_column(problem);
            let place = format!("bad.ron:{line}:{column}");
            assert!(told.contains(&place), "{place} is not told in\n{told}");
        }
        None
    }
}

/// Checks every row of a table.
pub(crate) fn check_all(cases: &[Case]) {
    let wrong: Vec<String> = cases.iter().filter_map(Case::check).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The refusal of a text that must be refused.
pub(crate) fn refusal(text: &str, overrides: &[Override]) -> Refusal {
    match read(Source { name: "bad.ron", text }, overrides) {
        Ok(scenario) => panic!("read as {} points:\n{text}", scenario.points().len()),
        Err(refusal) => refusal,
    }
}

#[test]
fn the_base_is_right() {
    // servers: 2 ratios × (2 sizes of the first workload + 3 others) = 10; the other three fabrics
    // have no ratio to sweep: 3 × (2 + 3) = 15.
    let scenario = read(Source { name: "base.ron", text: BASE }, &[]);
    let scenario = scenario.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(scenario.points().len(), 25);
}

#[test]
fn there_are_enough_bad_scenarios() {
    let tables = [quantities::cases(), structure::cases(), combinations::cases(), packets::cases()];
    let count: usize = tables.iter().map(Vec::len).sum();
    assert!(count + hostile::TEXTS >= 200, "{count}");
}

#[test]
fn all_problems_are_told_together() {
    let text = BASE
        .replace("seed: 42", "sede: 42")
        .replace("\"450 GB/s\"", "\"450\"")
        .replace("ratio: \"3:1\"", "ratio: \"5:1\"")
        .replace("algorithm: pairwise", "algorithm: ring")
        .replace("time: \"20 s\"", "time: 20");
    let refusal = refusal(&text, &[]);
    let paths: Vec<&str> = refusal.problems().iter().map(|it| it.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "",
            "fabrics[0].supernode.bandwidth",
            "fabrics[1].outside.ratio",
            "workloads[1].algorithm",
            "expect[0].time"
        ]
    );
    assert_eq!(refusal.count(), 5);
}

#[test]
fn a_problem_shows_its_place_and_a_hint() {
    let text = BASE.replace("placement: random", "placment: random");
    let told = refusal(&text, &[]).render(Colour::Plain);
    let expected = "\
error: workloads[0]: unknown field `placment`
  --> bad.ron:69:7
   |
69 |       placment: random,
   |       ^^^^^^^^
   |
   = allowed: the fields name, collective, algorithm, size, sizes, ranks, groups, grouping, \
placement, per_step, per_message, reduce_bandwidth, compute, stragglers, class
   = hint: did you mean `placement`?

1 problem: the scenario is not run
";
    assert_eq!(told, expected);
    let coloured = refusal(&text, &[]).render(Colour::Ansi);
    assert!(coloured.contains("\u{1b}["), "{coloured}");
}
