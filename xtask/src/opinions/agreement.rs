//! Where nothing is lost, flows have a thousand packets and are sprayed, both engines come to the same.

use std::path::Path;

use super::{Asked, FOLDER, Opinion, Table, ask_all, percent};
use crate::table::markdown;

/// The most by which they may differ, in parts per million: 1 %.
const MOST: u64 = 10_000;

/// A thousand packets of 4,096 bytes: what a card brings, so that no message is smaller.
const EACH: u64 = 4_096_000;

/// The workloads of the scenario.
const WORKLOADS: [&str; 4] = ["ring", "halving_doubling", "direct", "all_to_all"];

/// Fabrics of one size.
struct Size {
    cards: u64,
    /// The ports of a leaf towards its cards.
    leaf_ports: u32,
    /// Fabrics of the scenario with their ratios.
    fabrics: &'static [(&'static str, &'static str)],
}

const SIZES: [Size; 5] = [
    Size { cards: 16, leaf_ports: 8, fabrics: &ALL },
    Size { cards: 32, leaf_ports: 8, fabrics: &ALL },
    Size { cards: 64, leaf_ports: 8, fabrics: &ALL },
    Size {
        cards: 128,
        leaf_ports: 16,
        fabrics: &[("cards", "1:1"), ("cards", "4:1"), ("servers", "1:1"), ("servers", "4:1")],
    },
    Size { cards: 256, leaf_ports: 16, fabrics: &[("cards", "4:1"), ("servers", "1:1")] },
];

const ALL: [(&str, &str); 6] = [
    ("cards", "1:1"),
    ("cards", "2:1"),
    ("cards", "4:1"),
    ("servers", "1:1"),
    ("servers", "2:1"),
    ("servers", "4:1"),
];

/// A row a fabric, a column an algorithm; then how far apart the farthest are.
pub(super) fn table(program: &Path) -> Table {
    let file = format!("{FOLDER}/packets/second_opinion.ron");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    let mut all = Vec::new();
    let mut names = Vec::new();
    // The largest first, so that no processor is left with one at the end.
    for size in SIZES.iter().rev() {
        for &(fabric, ratio) in size.fabrics.iter().rev() {
            all.push(asked(size, (fabric, ratio), &text));
            names.push([size.cards.to_string(), fabric.to_owned(), ratio.to_owned()]);
        }
    }
    let answers = ask_all(program, &all);
    let mut rows = Vec::new();
    let mut farthest = (0, String::new());
    let mut misses = 0;
    for (name, answer) in names.into_iter().zip(answers).rev() {
        let mut row = vec![name.join(" ")];
        for off in deviations(&answer?)? {
            misses += usize::from(off.unsigned_abs() > MOST);
            if off.unsigned_abs() > farthest.0 {
                farthest = (off.unsigned_abs(), format!("{}: {} %", row[0], percent(off)));
            }
            row.push(percent(off));
        }
        rows.push(row);
    }
    let header = ["cards, fabric, ratio"].into_iter().chain(WORKLOADS).map(str::to_owned);
    let table = markdown(&header.collect::<Vec<_>>(), &rows);
    Ok((
        format!("By packets against by rates, in %:\n\n{table}\nFarthest: {}\n", farthest.1),
        misses,
    ))
}

/// The scenario at a size.
fn asked(size: &Size, (fabric, ratio): (&str, &str), text: &str) -> Asked {
    let Size { cards, leaf_ports, .. } = size;
    let mut lines = Vec::new();
    // The fabric that is not meant must fit as well.
    for each in ["cards", "servers"] {
        lines.push(format!("set fabric[{each}].cards={cards}"));
        lines.push(format!("set fabric[{each}].outside.leaf_ports={leaf_ports}"));
    }
    for workload in WORKLOADS {
        lines.push(format!("set workload[{workload}].size=\"{} B\"", cards * EACH));
    }
    lines.push(format!("only {fabric}"));
    lines.push(format!("only ratio={ratio}"));
    Asked { name: format!("{cards} {fabric} {ratio}"), lines, text: text.to_owned() }
}

/// By how much packets take longer, by workload.
fn deviations(opinions: &[Opinion]) -> Result<Vec<i64>, String> {
    let of = |workload: &str| {
        let opinion = opinions.iter().find(|it| it.workload == workload);
        let opinion = opinion.ok_or_else(|| format!("{workload} has not run"))?;
        opinion.off().ok_or_else(|| format!("did not come to its end: {opinion:?}"))
    };
    WORKLOADS.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_fabrics_and_more() {
        assert_eq!(SIZES.iter().map(|size| size.fabrics.len()).sum::<usize>(), 24);
        let text = std::fs::read_to_string(format!("{FOLDER}/packets/second_opinion.ron")).unwrap();
        for name in WORKLOADS.into_iter().chain(["cards", "servers"]) {
            assert!(text.contains(&format!("name: \"{name}\"")), "{name}");
        }
        assert!(text.contains("values: [\"1:1\", \"2:1\", \"4:1\"]"));
    }
}
