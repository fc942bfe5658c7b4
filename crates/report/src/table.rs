//! The table of a scenario's points, one block a workload and algorithm, at most 120 columns wide.

use std::fmt::Write;
use std::ops::Range;

use comfy_table::Table;

use crate::columns::{Column, GAP, lay_out};
use crate::groups::{Workload, grouped, slowdowns};
use crate::show::{self, Fraction};
use crate::wrap::{COLUMNS, listed, wrap};
use crate::{Record, Results, Status, rates};

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

/// The algorithms that share a buffer among channels, so that their number is told.
const WITH_CHANNELS: [&str; 2] = ["ring", "tree"];

/// What the columns mean.
const LEGEND: &str = "vs best: time / least time of this collective and size. of bound: lower bound \
    / time. used: what the busiest link carried / what it could. A column a tier: payload on all its \
    links, both directions.";

/// A point and its slowdown.
type Point<'a> = (&'a Record, Option<Fraction>);

/// All points in blocks: a heading (collective, algorithm, size, ranks, channels, other labels)
/// and a row a point, where neighbouring ratios that show the same share a row; after the first
/// block what the columns mean.
pub fn render(results: &Results, colour: Colour) -> String {
    let slowdowns = slowdowns(&results.records);
    let points: Vec<Point> = results.records.iter().zip(slowdowns).collect();
    let key = |it: &Point| {
        let labels: Vec<(String, String)> = it.0.labels_about("algorithm").cloned().collect();
        (it.0.workload(), it.0.algorithm.clone(), Workload::of(it.0).name(), labels)
    };
    let blocks = grouped(&points, key);
    let headline =
        |members: &[&Point]| headline(&members.iter().map(|it| it.0).collect::<Vec<_>>());
    let headlines: Vec<String> = blocks.iter().map(|(_, members)| headline(members)).collect();
    let mut out = String::new();
    for (place, ((key, members), headline)) in blocks.iter().zip(&headlines).enumerate() {
        let alike = headlines.iter().filter(|it| *it == headline).count();
        let workload = if alike > 1 { format!(", workload {}", key.0) } else { String::new() };
        let mut heading = String::new();
        wrap(&mut heading, "", 4, &format!("{headline}{workload}"));
        for line in heading.lines() {
            out.push_str(&colour.bold(line));
            out.push('\n');
        }
        let records: Vec<&Record> = members.iter().map(|it| it.0).collect();
        if let Some(sizes) = sizes(&records) {
            wrap(&mut out, "", 4, &sizes);
        }
        let (table, left_out) = block(members);
        out.push_str(&table.trim_fmt());
        out.push('\n');
        if left_out > 0 {
            let _ = writeln!(out, "{left_out} more tiers do not fit here: see the CSV form");
        }
        if place == 0 {
            wrap(&mut out, "", 0, LEGEND);
        }
        out.push('\n');
    }
    out
}

/// What all rows of a block have in common.
fn headline(records: &[&Record]) -> String {
    let first = records[0];
    let mut parts = vec![first.collective.clone(), first.algorithm.clone()];
    parts.push(show::size(first.size_asked));
    let ranks = each_once(records, |it| show::grouped(it.ranks.into()));
    parts.push(format!("{ranks} rank{}", if ranks == "1" { "" } else { "s" }));
    if records.iter().any(|it| it.channels != 1 || WITH_CHANNELS.contains(&&*it.algorithm)) {
        let channels = each_once(records, |it| it.channels.to_string());
        parts.push(format!("{channels} channel{}", if channels == "1" { "" } else { "s" }));
    }
    let labels = first.labels_about("algorithm").chain(first.other_labels());
    parts.extend(labels.map(|(axis, value)| format!("{axis}={value}")));
    parts.join(", ")
}

/// "10,240 or 10,368": each text once.
fn each_once(records: &[&Record], text: impl Fn(&Record) -> String) -> String {
    let texts: Vec<String> =
        grouped(records.iter().copied(), text).into_iter().map(|it| it.0).collect();
    listed(&texts, "or")
}

/// Which fabrics have how many ranks, and how many bytes of the size asked are used, where that is
/// not the same for all.
fn sizes(records: &[&Record]) -> Option<String> {
    let aligned = records.iter().any(|it| it.size != it.size_asked);
    let groups = grouped(records.iter().copied(), |it: &Record| (it.ranks, it.size, it.channels));
    if !aligned && groups.len() == 1 {
        return None;
    }
    let several_channels = groups.iter().any(|it| it.0.2 != groups[0].0.2);
    let told = groups.iter().map(|((ranks, size, channels), members)| {
        let mut parts = vec![format!("{} ranks", show::grouped((*ranks).into()))];
        if aligned {
            parts.insert(0, format!("{} B", show::grouped((*size).into())));
        }
        if several_channels {
            parts.push(format!("{channels} channels"));
        }
        let names = grouped(members.iter().copied(), |it: &Record| it.fabric.as_str());
        let names: Vec<&str> = names.into_iter().map(|it| it.0).collect();
        let on = if groups.len() > 1 { format!(" ({})", names.join(", ")) } else { String::new() };
        format!("{}{on}", parts.join(", "))
    });
    let told = told.collect::<Vec<_>>().join("; ");
    Some(if aligned { format!("aligned: {told}") } else { told })
}

/// The table of a block, and how many tiers are left out of it for want of room.
fn block(points: &[&Point]) -> (Table, usize) {
    let mut columns = figures(points);
    columns.extend(tier_columns(points));
    let rows = rows(points, &columns);
    let mut columns: Vec<Column> = columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let all = |rows: Range<usize>| match rows.len() {
                _ if place > 0 => column.cell(rows.start).to_owned(),
                1 => column.cell(rows.start).to_owned(),
                _ => format!("{}–{}", column.cell(rows.start), column.cell(rows.end - 1)),
            };
            column.merged(&rows, all)
        })
        .collect();
    let taken = |columns: &[Column]| columns.iter().map(|it| it.width() + GAP).sum::<usize>();
    let mut left_out = 0;
    while taken(&columns) + NAME_COLUMNS > COLUMNS {
        columns.pop();
        left_out += 1;
    }
    let room = COLUMNS - taken(&columns);
    let names = rows.iter().map(|it| show::cut(&points[it.start].0.fabric, 3 * room)).collect();
    columns.insert(0, Column::new("fabric", names).left());
    (lay_out(&columns, room), left_out)
}

/// The rows of a block: neighbouring points of one fabric and different plain ratios that show the
/// same in all columns but the first share one.
fn rows(points: &[&Point], columns: &[Column]) -> Vec<Range<usize>> {
    let plain = |it: &Record| it.labels_about("ratio").next().is_none();
    let mut rows: Vec<Range<usize>> = Vec::new();
    for (at, (point, _)) in points.iter().enumerate() {
        let joins = rows.last().is_some_and(|row| {
            let before = points[row.end - 1].0;
            before.fabric == point.fabric
                && before.ratio != point.ratio
                && plain(before)
                && plain(point)
                && columns[1..].iter().all(|it| it.shows_alike(row.start, at))
        });
        match rows.last_mut().filter(|_| joins) {
            Some(row) => row.end = at + 1,
            None => rows.push(at..at + 1),
        }
    }
    rows
}

/// The columns from ratio to busiest tier.
fn figures(points: &[&Point]) -> Vec<Column> {
    let each = |text: &dyn Fn(&Record) -> String| points.iter().map(|it| text(it.0)).collect();
    let none = || "n/a".to_owned();
    // The ratio of one tier follows the product of all where a sweep sets it.
    let ratio = |it: &Record| {
        let own: Vec<&str> = it.labels_about("ratio").map(|(_, value)| value.as_str()).collect();
        let own = if own.is_empty() { String::new() } else { format!(" ({})", own.join(", ")) };
        show::cut(&format!("{}{own}", it.ratio), 18)
    };
    let slower = points.iter().map(|it| match it.1 {
        Some(slowdown) => format!("{}x", show::cut(&slowdown.fixed(2), 9)),
        None => none(),
    });
    let tier = |it: &Record| it.busiest_tier().map_or_else(none, |tier| show::cut(&tier.tier, 10));
    let used = |it: &Record| {
        it.busiest_tier().map_or_else(none, |tier| show::percent(tier.utilisation_ppm))
    };
    vec![
        Column::new("ratio", each(&ratio)),
        times(points),
        rates_column("algbw", points, rates::algbw),
        rates_column("busbw", points, rates::busbw),
        Column::new("vs\nbest", slower.collect()),
        Column::new(
            "of\nbound",
            each(&|it| rates::efficiency_ppm(it).map_or_else(none, show::percent)),
        ),
        Column::new("busiest\ntier", each(&tier)).left(),
        Column::new("used", each(&used)),
    ]
}

/// Completion times in one unit; the bound of a point of which no more is known, and the status of any
/// other that did not complete.
fn times(points: &[&Point]) -> Column {
    let complete = |it: &&Point| it.0.is_complete().then_some(it.0.time_ps);
    let word = |it: &Point| match it.0.status {
        Status::Bounded { .. } => format!("≥ {}", show::time(it.0.time_ps)),
        _ => it.0.status.word().to_owned(),
    };
    let Some(most) = points.iter().filter_map(complete).max() else {
        return Column::new("time", points.iter().map(|it| word(it)).collect());
    };
    let (unit, size) = show::time_unit(most);
    let digits = if size == 1 { 1 } else { 5 };
    let in_unit = |picos: u64| Fraction::new(picos.into(), size);
    let values: Vec<Option<Fraction>> =
        points.iter().map(|it| complete(it).and_then(in_unit)).collect();
    let Some(cells) = show::alike(&values, digits) else {
        let each = points.iter().map(|it| complete(it).map_or_else(|| word(it), show::time));
        return Column::new("time", each.collect());
    };
    let told = cells.into_iter().zip(points);
    let told = told.map(|(cell, it)| cell.unwrap_or_else(|| word(it)));
    Column::new(&format!("time\n{unit}"), told.collect())
}

/// Rates in GB/s.
fn rates_column(name: &str, points: &[&Point], rate: fn(&Record) -> Option<rates::Rate>) -> Column {
    let values: Vec<Option<Fraction>> =
        points.iter().map(|it| rate(it.0).and_then(rates::Rate::in_gigabytes)).collect();
    let cells = in_column(&values).into_iter().map(|it| show::cut(&it, 9));
    Column::new(&format!("{name}\nGB/s"), cells.collect())
}

/// Values with the same number of decimals, or where they lie too far apart with the same number
/// of digits; "n/a" where there is none.
fn in_column(values: &[Option<Fraction>]) -> Vec<String> {
    let each = || values.iter().map(|it| it.map(|it| it.significant(4))).collect();
    let cells = show::alike(values, 4).unwrap_or_else(each);
    cells.into_iter().map(|it| it.unwrap_or_else(|| "n/a".to_owned())).collect()
}

/// A column for the bytes on each tier, in one unit a column.
fn tier_columns(points: &[&Point]) -> Vec<Column> {
    let mut names: Vec<&str> = Vec::new();
    for tier in points.iter().flat_map(|it| &it.0.tiers) {
        if !names.contains(&tier.tier.as_str()) {
            names.push(&tier.tier);
        }
    }
    let column = |name: &&str| {
        let amounts: Vec<u128> = points.iter().map(|it| it.0.tier_bytes(name)).collect();
        let (unit, size) = show::common_byte_unit(&amounts);
        let values: Vec<Option<Fraction>> =
            amounts.iter().map(|&amount| Fraction::new(amount, size)).collect();
        let cells = in_column(&values).into_iter().zip(&amounts);
        let cells = cells.map(|(cell, &amount)| if amount == 0 { "0".to_owned() } else { cell });
        Column::new(&format!("{}\n{unit}", show::cut(name, 10)), cells.collect())
    };
    names.iter().map(column).collect()
}
