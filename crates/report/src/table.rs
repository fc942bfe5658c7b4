//! The table of a scenario's points, one block a workload and algorithm, at most 120 columns wide.

use std::fmt::Write;

use comfy_table::Table;

use crate::columns::{Column, GAP, lay_out};
use crate::groups::{Workload, grouped, slowdowns};
use crate::show::{self, Fraction};
use crate::wrap::{COLUMNS, wrap};
use crate::{Record, Results, rates};

/// The least width left for the fabric's name.
const NAME_COLUMNS: usize = 12;

/// Whether text may carry colour and weight for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// ANSI sequences are welcome.
    On,
    /// Plain text.
    Off,
}

impl Colour {
    /// `text` in bold.
    pub fn bold(self, text: &str) -> String {
        match self {
            Self::On => format!("\x1b[1m{text}\x1b[0m"),
            Self::Off => text.to_owned(),
        }
    }
}

/// All points in blocks: a heading (collective, algorithm, size, ranks, channels, other labels)
/// and a row a point.
pub fn render(results: &Results, colour: Colour) -> String {
    let slowdowns = slowdowns(&results.records);
    let points: Vec<(&Record, Option<Fraction>)> = results.records.iter().zip(slowdowns).collect();
    let key = |it: &(&Record, _)| {
        let labels: Vec<(String, String)> = it.0.labels_about("algorithm").cloned().collect();
        (it.0.workload(), it.0.algorithm.clone(), Workload::of(it.0).name(), labels)
    };
    let blocks = grouped(&points, key);
    let headline =
        |members: &[&(&Record, _)]| headline(&members.iter().map(|it| it.0).collect::<Vec<_>>());
    let headlines: Vec<String> = blocks.iter().map(|(_, members)| headline(members)).collect();
    let mut out = String::new();
    for ((key, members), headline) in blocks.iter().zip(&headlines) {
        let alike = headlines.iter().filter(|it| *it == headline).count();
        let workload = if alike > 1 { format!(", workload {}", key.0) } else { String::new() };
        let mut heading = String::new();
        wrap(&mut heading, "", 4, &format!("{headline}{workload}"));
        for line in heading.lines() {
            out.push_str(&colour.bold(line));
            out.push('\n');
        }
        let (table, left_out) = block(members);
        out.push_str(&table.trim_fmt());
        out.push('\n');
        if left_out > 0 {
            let _ = writeln!(out, "{left_out} more tiers do not fit here: see the CSV form");
        }
        out.push('\n');
    }
    out
}

/// What all rows of a block have in common; what differs is told by fabric.
fn headline(records: &[&Record]) -> String {
    let first = records[0];
    let mut parts = vec![first.collective.clone(), first.algorithm.clone()];
    parts.push(show::size(first.size_asked));
    if records.iter().any(|it| it.size != it.size_asked) {
        let used = by_fabric(records, |it| format!("{} B", show::grouped(it.size.into())));
        parts.push(format!("aligned to {used}"));
    }
    let ranks = by_fabric(records, |it| show::grouped(it.ranks.into()));
    parts.push(format!("{ranks} rank{}", if ranks == "1" { "" } else { "s" }));
    let channels = by_fabric(records, |it| it.channels.to_string());
    parts.push(format!("{channels} channel{}", if channels == "1" { "" } else { "s" }));
    let labels = first.labels_about("algorithm").chain(first.other_labels());
    parts.extend(labels.map(|(axis, value)| format!("{axis}={value}")));
    parts.join(", ")
}

/// One text when all records agree, else each text with the fabrics that have it.
fn by_fabric(records: &[&Record], text: impl Fn(&Record) -> String) -> String {
    let groups = grouped(records.iter().copied(), text);
    if let [(only, _)] = &groups[..] {
        return only.clone();
    }
    let told = groups.into_iter().map(|(text, members)| {
        let names: Vec<&str> =
            grouped(members, |it: &Record| it.fabric.as_str()).into_iter().map(|it| it.0).collect();
        format!("{text} ({})", names.join(", "))
    });
    told.collect::<Vec<_>>().join(" / ")
}

/// The table of a block, and how many tiers are left out of it for want of room.
fn block(points: &[&(&Record, Option<Fraction>)]) -> (Table, usize) {
    let mut columns = figures(points);
    columns.extend(tier_columns(points));
    let taken = |columns: &[Column]| columns.iter().map(|it| it.width() + GAP).sum::<usize>();
    let mut left_out = 0;
    while taken(&columns) + NAME_COLUMNS > COLUMNS {
        columns.pop();
        left_out += 1;
    }
    let room = COLUMNS - taken(&columns);
    let names = points.iter().map(|it| show::cut(&it.0.fabric, 3 * room)).collect();
    columns.insert(0, Column::new("fabric", names).left());
    (lay_out(&columns, room), left_out)
}

/// The columns from ratio to busiest link.
fn figures(points: &[&(&Record, Option<Fraction>)]) -> Vec<Column> {
    let each = |text: &dyn Fn(&Record) -> String| points.iter().map(|it| text(it.0)).collect();
    let none = || "n/a".to_owned();
    let rate = |rate: Option<rates::Rate>| rate.map_or_else(none, rates::Rate::gigabytes);
    let time = |it: &Record| {
        if it.is_complete() { show::time(it.time_ps) } else { it.status.word().to_owned() }
    };
    // The ratio of one tier follows the product of all where a sweep sets it.
    let ratio = |it: &Record| {
        let own: Vec<&str> = it.labels_about("ratio").map(|(_, value)| value.as_str()).collect();
        let own = if own.is_empty() { String::new() } else { format!(" ({})", own.join(", ")) };
        show::cut(&format!("{}{own}", it.ratio), 18)
    };
    let slower = points.iter().map(|it| match it.1 {
        Some(slowdown) => format!("{}x", show::cut(&slowdown.significant(3), 9)),
        None => none(),
    });
    let link = |it: &Record| it.busiest_tier().map_or_else(none, |tier| show::cut(&tier.tier, 10));
    let used = |it: &Record| {
        it.busiest_tier().map_or_else(none, |tier| show::percent(tier.utilisation_ppm))
    };
    vec![
        Column::new("ratio", each(&ratio)),
        Column::new("time", each(&time)),
        Column::new("algbw\nGB/s", each(&|it| show::cut(&rate(rates::algbw(it)), 9))),
        Column::new("busbw\nGB/s", each(&|it| show::cut(&rate(rates::busbw(it)), 9))),
        Column::new("vs\nbest", slower.collect()),
        Column::new(
            "of\nbound",
            each(&|it| rates::efficiency_ppm(it).map_or_else(none, show::percent)),
        ),
        Column::new("busiest\nlink", each(&link)).left(),
        Column::new("its\nuse", each(&used)),
    ]
}

/// A column for the bytes on each tier, in one unit a column.
fn tier_columns(points: &[&(&Record, Option<Fraction>)]) -> Vec<Column> {
    let mut names: Vec<&str> = Vec::new();
    for tier in points.iter().flat_map(|it| &it.0.tiers) {
        if !names.contains(&tier.tier.as_str()) {
            names.push(&tier.tier);
        }
    }
    let column = |name: &&str| {
        let amounts: Vec<u128> = points.iter().map(|it| it.0.tier_bytes(name)).collect();
        let (unit, size) = show::byte_unit(amounts.iter().copied().max().unwrap_or(0));
        let text = |amount| Fraction::new(amount, size).expect("a unit is not zero").significant(4);
        let cells = amounts.iter().map(|&it| if it == 0 { "0".to_owned() } else { text(it) });
        Column::new(&format!("{}\n{unit}", show::cut(name, 10)), cells.collect())
    };
    names.iter().map(column).collect()
}
