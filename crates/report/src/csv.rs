//! Results as CSV: one row a point, exact integers, one column a sweep axis and tier.

use crate::groups::slowdowns;
use crate::{JobRecord, Record, Results, packets, rates};

/// The columns that every point has, after those of the sweep.
const COLUMNS: [&str; 21] = [
    "run",
    "fabric",
    "ratio",
    "collective",
    "algorithm",
    "ranks",
    "channels",
    "size_asked_bytes",
    "size_bytes",
    "status",
    "why",
    "time_ps",
    "algbw_bytes_per_s",
    "busbw_bytes_per_s",
    "slowdown",
    "bound_ps",
    "bound_cut",
    "efficiency_ppm",
    "events",
    "transfers",
    "notes",
];

/// The columns of a job.
const JOB_COLUMNS: [&str; 9] = [
    "ranks",
    "placement",
    "start_ps",
    "finish_ps",
    "time_ps",
    "alone_ps",
    "slowdown",
    "supernodes",
    "fewest_supernodes",
];

/// `results` as CSV text with a header.
///
/// A sweep axis gives a column `sweep:AXIS`, a tier the columns `bytes:TIER`,
/// `utilisation_ppm:TIER` and `busiest:TIER`, a job the columns `ranks:JOB`, `placement:JOB`,
/// `start_ps:JOB`, `finish_ps:JOB`, `time_ps:JOB`, `alone_ps:JOB`, `slowdown:JOB` (against running
/// alone), `supernodes:JOB` and `fewest_supernodes:JOB`. Results of the packet engine have the columns
/// `packets:sent` to `packets:circle`, named as in [`crate::PacketRecord`], and for each class of service, where
/// there are several, `packets:sent:CLASS` to `packets:paused_ps:CLASS`. Rates are rounded down to bytes per second, shares
/// down to parts per million; a slowdown (see [`slowdowns`]) has six digits after the point. What
/// does not apply is empty. The column `run` says "partial" when points of the sweep are missing.
pub fn write(results: &Results) -> String {
    let axes = distinct(&results.records, |it| it.labels.iter().map(|(axis, _)| axis).collect());
    let tiers = distinct(&results.records, |it| it.tiers.iter().map(|tier| &tier.tier).collect());
    let mut header: Vec<String> = axes.iter().map(|axis| format!("sweep:{axis}")).collect();
    header.extend(COLUMNS.map(String::from));
    for tier in &tiers {
        header.extend(["bytes", "utilisation_ppm", "busiest"].map(|it| format!("{it}:{tier}")));
    }
    let jobs = distinct(&results.records, |it| it.jobs.iter().map(|job| &job.name).collect());
    for job in &jobs {
        header.extend(JOB_COLUMNS.map(|it| format!("{it}:{job}")));
    }
    let has_packets = results.records.iter().any(|it| it.packets.is_some());
    if has_packets {
        header.extend(packets::COLUMNS.map(|it| format!("packets:{it}")));
    }
    let classes = results.records.iter().filter_map(|it| it.packets.as_ref());
    let classes = classes.map(|it| it.classes.len()).max().unwrap_or_default();
    for class in 0..classes {
        header.extend(packets::CLASS_COLUMNS.map(|it| format!("packets:{it}:{class}")));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut push = |row: Vec<String>| {
        writer.write_record(row).expect("every row has the columns of the header, in memory");
    };
    push(header);
    let run = if results.complete { "complete" } else { "partial" };
    for (record, slowdown) in results.records.iter().zip(slowdowns(&results.records)) {
        let mut row: Vec<String> = axes.iter().map(|axis| label(record, axis)).collect();
        row.extend(cells(record, run, slowdown.map(|it| it.fixed(6)).unwrap_or_default()));
        for tier in &tiers {
            let found = record.tiers.iter().find(|it| it.tier == **tier);
            let text = |show: fn(&crate::TierRecord) -> String| found.map(show).unwrap_or_default();
            row.push(text(|it| it.bytes.to_string()));
            row.push(text(|it| it.utilisation_ppm.to_string()));
            row.push(text(|it| it.busiest.clone()));
        }
        for job in &jobs {
            let found = record.jobs.iter().find(|it| it.name == **job);
            row.extend(found.map(job_cells).unwrap_or_default());
        }
        if has_packets {
            row.extend(record.packets.as_ref().map(packets::cells).unwrap_or_default());
        }
        for class in 0..classes {
            let of_class = record.packets.as_ref().and_then(|it| it.classes.get(class));
            row.extend(of_class.map(packets::class_cells).unwrap_or_default());
        }
        push(row);
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("CSV of text is text")
}

fn cells(record: &Record, run: &str, slowdown: String) -> [String; 21] {
    let rate = |rate: Option<rates::Rate>| {
        rate.map(|rate| rate.bytes_per_second().to_string()).unwrap_or_default()
    };
    [
        run.to_owned(),
        record.fabric.clone(),
        record.ratio.clone(),
        record.collective.clone(),
        record.algorithm.clone(),
        record.ranks.to_string(),
        record.channels.to_string(),
        record.size_asked.to_string(),
        record.size.to_string(),
        record.status.word().to_owned(),
        record.status.why().to_owned(),
        record.time_ps.to_string(),
        rate(rates::algbw(record)),
        rate(rates::busbw(record)),
        slowdown,
        record.bound_ps.to_string(),
        record.bound_cut.clone(),
        rates::efficiency_ppm(record).map(|it| it.to_string()).unwrap_or_default(),
        record.counters.events.to_string(),
        record.counters.transfers.to_string(),
        record.notes.join("; "),
    ]
}

fn job_cells(job: &JobRecord) -> [String; 9] {
    [
        job.ranks.to_string(),
        job.placement.clone(),
        job.start_ps.to_string(),
        job.finish_ps.to_string(),
        job.time_ps().to_string(),
        job.alone_ps.to_string(),
        job.slowdown().map(|it| it.fixed(6)).unwrap_or_default(),
        job.supernodes.to_string(),
        job.fewest_supernodes.to_string(),
    ]
}

fn label(record: &Record, axis: &str) -> String {
    let found = record.labels.iter().find(|(name, _)| name == axis);
    found.map(|(_, value)| value.clone()).unwrap_or_default()
}

/// The names told by `names`, each once, in order of first appearance.
fn distinct<'a>(
    records: &'a [Record],
    names: impl Fn(&'a Record) -> Vec<&'a String>,
) -> Vec<&'a String> {
    let mut all: Vec<&String> = Vec::new();
    for name in records.iter().flat_map(names) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{record, results};

    /// 2³⁰ B in 10⁹ ps (1 ms) are 1,073,741,824,000 B/s, × 30/16 = 2,013,265,920,000 B/s; the
    /// second point takes 1.5 times as long: 715,827,882,666.7 B/s, rounded down.
    #[test]
    fn rows_are_exact() {
        let mut slow = record("b, \"wide\"", "4:1", 1_500_000_000);
        slow.tiers.pop();
        let text = write(&results(vec![record("a", "1:1", 1_000_000_000), slow]));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let header = "sweep:fabric,sweep:ratio,run,fabric,ratio,collective,algorithm";
        assert!(lines[0].starts_with(header), "{}", lines[0]);
        let first = "a,1:1,complete,a,1:1,AllReduce,ring,16,8,1073741824,1073741824,complete,,\
                     1000000000,1073741824000,2013265920000,1.000000,500000000,nic out,500000,60,\
                     480,,28000000000,120000,inside 0,4000000000,980000,nic 0,2000000000,500000,\
                     leaf-spine 0";
        assert_eq!(lines[1], first);
        assert!(lines[2].starts_with("\"b, \"\"wide\"\"\",4:1,complete,"), "{}", lines[2]);
        assert!(lines[2].contains(",1500000000,715827882666,1342177280000,1.500000,"));
        assert!(lines[2].ends_with(",,,"), "a tier that the fabric does not have stays empty");
    }

    /// 1,500 − 500 = 1,000 ps beside the others over 750 ps alone are 4/3.
    #[test]
    fn jobs_have_columns_of_their_own() {
        let mut with_jobs = record("a", "1:1", 1_500);
        with_jobs.jobs = vec![crate::example::job("left", 500, 1_500, 750)];
        let text = write(&results(vec![with_jobs, record("b", "1:1", 1_500)]));
        let lines: Vec<&str> = text.lines().collect();
        let columns = ",ranks:left,placement:left,start_ps:left,finish_ps:left,time_ps:left,\
                       alone_ps:left,slowdown:left,supernodes:left,fewest_supernodes:left";
        assert!(lines[0].ends_with(columns), "{}", lines[0]);
        assert!(lines[1].ends_with(",8,linear,500,1500,1000,750,1.333333,2,1"), "{}", lines[1]);
        assert!(lines[2].ends_with(",,,,,,,,,"), "{}", lines[2]);
    }

    #[test]
    fn a_partial_run_says_so_in_every_row() {
        let mut part = results(vec![record("a", "1:1", 5)]);
        part.complete = false;
        assert!(write(&part).lines().nth(1).expect("a row").contains(",partial,a,"));
    }
}
