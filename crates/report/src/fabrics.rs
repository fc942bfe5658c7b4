//! What was built: each fabric once, and what changes with the ratio.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::wrap::{words, wrap};

/// How a line of an echo starts that tells where a figure of the hardware comes from; the rest is
/// "FIELD: LABEL (SOURCE)".
const SOURCE: &str = "source: ";

/// What stands between the words of different ratios.
const APART: &str = " | ";

/// For each fabric the lines of its echo that all its ratios share, then those that change with
/// the ratio, then which fields are measured, claimed or assumed.
pub fn render(records: &[Record]) -> String {
    let mut out = String::new();
    let mut any_source = false;
    for (fabric, members) in grouped(records, |it| it.fabric.as_str()) {
        let echoes = grouped(members, |it: &Record| (it.ratio.as_str(), &it.fabric_echo));
        let (sources, _) = parted(echoes[0].0.1);
        let mut built: Vec<(&str, Vec<&str>)> =
            echoes.iter().map(|((ratio, echo), _)| (*ratio, parted(echo).1)).collect();
        built.sort_by(|left, right| ratio_order(left.0, right.0));
        let shared = |line: &str| built.iter().all(|(_, echo)| echo.contains(&line));
        let common: Vec<&str> = built[0].1.iter().copied().filter(|it| shared(it)).collect();
        wrap(&mut out, "  ", 4, &format!("{fabric}: {}", common.join("; ")));
        for (_, echo) in &mut built {
            echo.retain(|line| !common.contains(line));
        }
        own(&mut out, &built);
        if !sources.is_empty() {
            wrap(&mut out, "    ", 6, &labels(&sources));
            any_source = true;
        }
    }
    if any_source {
        out.push_str("  The sources themselves stand in the JSON form.\n");
    }
    out
}

/// The sources of an echo, and its other lines.
fn parted(echo: &[String]) -> (Vec<&str>, Vec<&str>) {
    let (sources, built): (Vec<&str>, Vec<&str>) =
        echo.iter().map(String::as_str).partition(|line| line.starts_with(SOURCE));
    (sources.iter().map(|line| &line[SOURCE.len()..]).collect(), built)
}

/// The fields under each label of their sources, e.g. "measured: nics.latency; assumption: …".
fn labels(sources: &[&str]) -> String {
    let field_and_label = |source: &&str| {
        let named = source.split_once(" (").map_or(*source, |(named, _)| named);
        let (field, label) = named.split_once(": ").unwrap_or((named, "source"));
        (label.to_owned(), field.to_owned())
    };
    let told: Vec<(String, String)> = sources.iter().map(field_and_label).collect();
    let groups = grouped(&told, |it| it.0.as_str()).into_iter().map(|(label, members)| {
        let fields: Vec<&str> = members.iter().map(|it| it.1.as_str()).collect();
        format!("{label}: {}", fields.join(", "))
    });
    groups.collect::<Vec<_>>().join("; ")
}

/// The lines that are a ratio's own: one text for all ratios when only words in it differ, else a
/// text for each ratio or set of ratios built alike.
fn own(out: &mut String, built: &[(&str, Vec<&str>)]) {
    let alike = grouped(built, |(_, echo)| echo.join("; "));
    let ratios = |members: &[&(&str, Vec<&str>)]| -> Vec<String> {
        members.iter().map(|(ratio, _)| (*ratio).to_owned()).collect()
    };
    let texts: Vec<Vec<String>> = alike.iter().map(|(text, _)| words(text)).collect();
    if texts.iter().all(Vec::is_empty) {
        return;
    }
    let same_shape = texts.iter().all(|it| it.len() == texts[0].len());
    if same_shape && alike.len() == built.len() && built.len() > 1 {
        let merged: Vec<String> = (0..texts[0].len())
            .map(|at| merged(&texts.iter().map(|it| it[at].as_str()).collect::<Vec<_>>()))
            .collect();
        let ratios: Vec<&str> = built.iter().map(|it| it.0).collect();
        wrap(out, "    ", 6, &format!("{}: {}", ratios.join(APART), merged.join(" ")));
        return;
    }
    for (text, members) in &alike {
        wrap(out, "    ", 6, &format!("{}: {text}", ratios(members).join(", ")));
    }
}

/// The words that stand at one place for each ratio: once when they agree, else one after the
/// other, what they end with in common only once.
fn merged(words: &[&str]) -> String {
    let first = words[0];
    if words.iter().all(|word| *word == first) {
        return first.to_owned();
    }
    let ends = |end: &str| words.iter().all(|word| word.ends_with(end));
    let unit = first.find(' ').map(|at| &first[at..]).filter(|end| ends(end));
    let end = unit.unwrap_or_else(|| {
        let bare = first.trim_end_matches([';', ',', ')']);
        Some(&first[bare.len()..]).filter(|end| ends(end)).unwrap_or_default()
    });
    let starts = words.iter().all(|word| word.starts_with('('));
    let start = if starts { "(" } else { "" };
    let middle: Vec<&str> =
        words.iter().map(|word| &word[start.len()..word.len() - end.len()]).collect();
    format!("{start}{}{end}", middle.join(APART))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::record;

    #[test]
    fn what_ratios_share_is_told_once() {
        let records = [record("a", "2:1", 5), record("a", "1:1", 5), record("b", "1:1", 5)];
        let expected = "  a: 16 cards in 2 supernodes of 8\n    1:1 | 2:1: ratio built 1:1 | 2:1\n  \
                        b: 16 cards in 2 supernodes of 8; ratio built 1:1\n";
        assert_eq!(render(&records), expected);
    }

    #[test]
    fn words_that_differ_stand_side_by_side() {
        assert_eq!(merged(&["leaf", "leaf"]), "leaf");
        assert_eq!(merged(&["4 Tb/s;", "2 Tb/s;"]), "4 | 2 Tb/s;");
        assert_eq!(merged(&["4 Pb/s;", "512 Tb/s;"]), "4 Pb/s | 512 Tb/s;");
        assert_eq!(merged(&["(64),", "(8),"]), "(64 | 8),");
    }

    #[test]
    fn ratios_built_in_another_shape_have_a_line_of_their_own() {
        let mut other = record("a", "4:1", 5);
        other.fabric_echo[1].push_str(" without links");
        let records = [record("a", "1:1", 5), other];
        let expected = "  a: 16 cards in 2 supernodes of 8\n    1:1: ratio built 1:1\n    4:1: ratio \
                        built 4:1 without links\n";
        assert_eq!(render(&records), expected);
    }

    #[test]
    fn sources_are_told_by_their_label() {
        let mut point = record("a", "1:1", 5);
        let source = |text: &str| format!("source: {text}");
        point.fabric_echo.extend([
            source("nics.latency: measured (a paper (2025))"),
            source("cards: assumption (ours)"),
            source("nics.bandwidth: measured (a bench)"),
        ]);
        let expected = "  a: 16 cards in 2 supernodes of 8; ratio built 1:1\n    measured: \
                        nics.latency, nics.bandwidth; assumption: cards\n  The sources themselves \
                        stand in the JSON form.\n";
        assert_eq!(render(&[point]), expected);
    }
}
