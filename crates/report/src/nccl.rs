//! Results in the columns of nccl-tests, for tools that read those.
//!
//! Source of the layout: NVIDIA, nccl-tests, `src/common.cu` (the header and row of a test). The
//! simulator makes no difference between out-of-place and in-place operation, so both halves show
//! the same figures; it moves no data, so `#wrong` is N/A.

use std::fmt::Write;

use crate::groups::{Workload, grouped};
use crate::{Record, Results, rates, show};

/// Bytes of a `float`.
const FLOAT_BYTES: u64 = 4;

/// `results` as one table of nccl-tests for each fabric, ratio and algorithm.
pub fn write(results: &Results) -> String {
    let mut text = format!("# {}: {}\n", results.tool, line(&results.title));
    text.push_str("# out-of-place and in-place are not told apart: both show the same figures\n");
    if !results.complete {
        let ended = results.points - results.tally().absent;
        let _ = writeln!(text, "# PARTIAL: {ended} of {} points", results.points);
    }
    let key = |it: &Record| {
        (it.fabric.clone(), it.ratio.clone(), it.collective.clone(), it.algorithm.clone(), it.ranks)
    };
    let same = |it| (key(it), Workload::of(it).labels);
    for ((_, labels), records) in grouped(&results.records, same) {
        let labels: Vec<String> =
            labels.iter().map(|(axis, value)| format!("{axis}={value}")).collect();
        section(&mut text, &records, &labels.join(" "));
    }
    text
}

/// One table.
fn section(text: &mut String, records: &[&Record], labels: &str) {
    let first = records[0];
    let _ = writeln!(text, "#\n# Collective test starting: {}", test_name(&first.collective));
    let of = format!("fabric {} ratio {} algorithm {}", first.fabric, first.ratio, first.algorithm);
    let _ = writeln!(text, "# {} ranks {} {}", line(&of), first.ranks, line(labels));
    let halves = "  time   algbw   busbw  #wrong ";
    let _ = writeln!(text, "#\n#{:>66}{:^32}{:^32}", "", "out-of-place", "in-place");
    let columns = format!("{:>11}{:>14}{:>10}{:>8}{:>8}", "size", "count", "type", "redop", "root");
    let _ = writeln!(text, "#{columns}   {halves}  {halves}");
    let units = format!("{:>11}{:>14}{:>10}{:>8}{:>8}", "(B)", "(elements)", "", "", "");
    let half = "  (us)  (GB/s)  (GB/s)         ";
    let _ = writeln!(text, "#{units}   {half}  {half}");
    for record in records {
        row(text, record);
    }
    let rates: Vec<u128> = records
        .iter()
        .filter_map(|it| rates::busbw(it).map(rates::Rate::bytes_per_second))
        .collect();
    text.push_str("# Out of bounds values : N/A\n");
    let mean = show::Fraction::new(rates.iter().sum(), 1_000_000_000 * rates.len() as u128);
    if let Some(mean) = mean.filter(|_| rates.len() == records.len()) {
        let _ = writeln!(text, "# Avg bus bandwidth    : {}", mean.fixed(4));
    } else {
        let _ = writeln!(text, "# Avg bus bandwidth    : N/A");
    }
    let _ = writeln!(text, "#\n# Collective test concluded: {}", test_name(&first.collective));
}

fn row(text: &mut String, record: &Record) {
    if !record.is_complete() {
        let why = line(record.status.why());
        let _ = writeln!(text, "# {} B: {}: {why}", record.size, record.status.word());
        return;
    }
    // All but AllReduce count the elements of one rank's part of the buffer.
    let parts =
        if plain(&record.collective) == "allreduce" { 1 } else { record.ranks.max(1).into() };
    let part = record.size / parts;
    let floats = part.is_multiple_of(FLOAT_BYTES);
    let (name, count) = if floats { ("float", part / FLOAT_BYTES) } else { ("int8", part) };
    let reduces = plain(&record.collective).contains("reduce");
    let redop = if reduces { "sum" } else { "none" };
    let micros = show::Fraction::new(record.time_ps.into(), 1_000_000).expect("not over zero");
    let rate = |rate: Option<rates::Rate>| {
        rate.map_or_else(|| "N/A".to_owned(), |rate| rate.gigabytes_fixed(2))
    };
    let (algbw, busbw) = (rate(rates::algbw(record)), rate(rates::busbw(record)));
    let half = format!("{:>9} {algbw:>7} {busbw:>7} {:>7}", micros.fixed(2), "N/A");
    let _ =
        writeln!(text, "{:>12}{count:>14}{name:>10}{redop:>8}{:>8}{half}{half}", record.size, -1);
}

/// "`AllReduce`" → "`all_reduce_perf`", as the programs of nccl-tests are called.
fn test_name(collective: &str) -> String {
    let plain = plain(collective);
    let known = [
        ("allreduce", "all_reduce_perf"),
        ("allgather", "all_gather_perf"),
        ("reducescatter", "reduce_scatter_perf"),
        ("alltoall", "alltoall_perf"),
    ];
    let found = known.iter().find(|(name, _)| *name == plain);
    found.map_or_else(|| format!("{plain}_perf"), |(_, name)| (*name).to_owned())
}

/// Lower-case letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

/// Text kept on its comment line.
fn line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{record, results};

    /// 2³⁰ B in 10 ms: 10,000 us, 107.374 GB/s, × 30/16 = 201.33 GB/s; 2³⁰ / 4 elements.
    #[test]
    fn a_row_has_the_columns_of_nccl_tests() {
        let text = write(&results(vec![record("a", "1:1", 10_000_000_000)]));
        let row = text.lines().find(|it| !it.starts_with('#')).expect("a row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        let half = ["10000.00", "107.37", "201.33", "N/A"];
        assert_eq!(cells[..5], ["1073741824", "268435456", "float", "sum", "-1"]);
        assert_eq!((&cells[5..9], &cells[9..]), (&half[..], &half[..]));
        assert!(text.contains("# Avg bus bandwidth    : 201.3266\n"), "{text}");
        assert!(text.contains("# Collective test starting: all_reduce_perf\n"));
    }

    /// An All-to-All counts one rank's part: 2³⁰ / 16 ranks / 4 B = 16,777,216 elements.
    #[test]
    fn other_collectives_count_one_part() {
        let mut point = record("a", "1:1", 5_000_000);
        point.collective = "All-to-All".into();
        let text = write(&results(vec![point.clone()]));
        assert!(text.contains("alltoall_perf"));
        assert!(text.contains("      16777216     float    none"), "{text}");
        point.status = crate::Status::Stalled { why: "rank 1\nwaits".into() };
        let text = write(&results(vec![point]));
        assert!(text.contains("# 1073741824 B: stalled: rank 1 waits\n"), "{text}");
        assert!(text.contains("# Avg bus bandwidth    : N/A\n"), "no mean over a subset");
    }
}
