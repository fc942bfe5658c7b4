//! The jobs that ran at once, one line each, and what they lost to each other.

use crate::columns::{Column, GAP, lay_out};
use crate::groups::grouped;
use crate::show;
use crate::wrap::{COLUMNS, listed, wrap};
use crate::{JobRecord, Record, Results};

/// The least width left for the name of a point.
const NAME_COLUMNS: usize = 12;

/// What the columns mean.
const LEGEND: &str = "slowdown: time beside the others / time alone on the same cards. supernodes: held \
    / fewest that would do.";

/// A table of all jobs of all points; empty without jobs.
pub fn render(results: &Results) -> String {
    let lines: Vec<(&Record, &JobRecord)> = results
        .records
        .iter()
        .flat_map(|record| record.jobs.iter().map(move |job| (record, job)))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let each = |text: &dyn Fn(&JobRecord) -> String| lines.iter().map(|it| text(it.1)).collect();
    let mut columns = vec![
        Column::new("job", each(&|job| show::cut(&job.name, 16))).left(),
        Column::new("ranks", each(&|job| show::grouped(job.ranks.into()))),
        Column::new("placement", each(&|job| job.placement.clone())).left(),
        Column::new("super-\nnodes", each(&|job| spread(job))),
        Column::new("start", each(&|job| show::time(job.start_ps))),
        Column::new("finish", each(&|job| show::time(job.finish_ps))),
        Column::new("time", each(&|job| show::time(job.time_ps()))),
        Column::new("alone", each(&|job| show::time(job.alone_ps))),
        Column::new("slow-\ndown", each(&|job| slowdown(job))),
    ];
    let taken: usize = columns.iter().map(|it| it.width() + GAP).sum();
    let room = COLUMNS.saturating_sub(taken).max(NAME_COLUMNS);
    let names = lines.iter().map(|(record, _)| show::cut(&point(record), 3 * room)).collect();
    columns.insert(0, Column::new("point", names).left());
    let mut out = format!("{}\n", lay_out(&columns, room).trim_fmt());
    wrap(&mut out, "", 0, LEGEND);
    out
}

/// The fabric, the swept values and, where jobs differ by it, the workload of a point.
fn point(record: &Record) -> String {
    let told = |(axis, value): &(String, String)| match axis.as_str() {
        "fabric" => None,
        "workload" => Some(value.clone()),
        _ => Some(format!("{axis}={value}")),
    };
    let labels = record.labels.iter().filter_map(told);
    std::iter::once(record.fabric.clone()).chain(labels).collect::<Vec<_>>().join(" ")
}

/// "2 / 1": the supernodes that a job holds and the fewest that would do.
fn spread(job: &JobRecord) -> String {
    format!("{} / {}", job.supernodes, job.fewest_supernodes)
}

/// "1.33x"; "n/a" where the job takes no time alone.
fn slowdown(job: &JobRecord) -> String {
    job.slowdown().map_or_else(|| "n/a".to_owned(), |it| format!("{}x", it.fixed(2)))
}

/// A sentence a point: who loses most, or that nobody does.
pub(crate) fn lines(records: &[&Record]) -> Vec<String> {
    let told = |record: &&&Record| !record.jobs.is_empty();
    records
        .iter()
        .filter(told)
        .map(|record| format!("{}: {}", point(record), line(record)))
        .collect()
}

fn line(record: &Record) -> String {
    let slow = record.jobs.iter().filter(|job| job.time_ps() != job.alone_ps);
    // Jobs that lose the same are told together.
    let alike = grouped(slow, |job| (job.time_ps(), job.alone_ps));
    let slow = alike.iter().map(|(_, jobs)| jobs.len()).sum::<usize>();
    let told: Vec<String> = alike.into_iter().map(|(_, jobs)| loss(&jobs)).collect();
    match (slow, record.jobs.len() - slow) {
        (0, _) => "no job loses anything to the others.".to_owned(),
        (_, 0) => format!("{}.", told.join("; ")),
        (_, 1) => format!("{}; the other one loses nothing.", told.join("; ")),
        (_, more) => format!("{}; the other {more} lose nothing.", told.join("; ")),
    }
}

/// What jobs lose that lose the same.
fn loss(jobs: &[&JobRecord]) -> String {
    let names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
    let take = if jobs.len() == 1 { "takes" } else { "take" };
    let names = listed(&names, "and");
    let (time, alone) = (show::time(jobs[0].time_ps()), show::time(jobs[0].alone_ps));
    match jobs[0].slowdown().map(|slowdown| slowdown.fixed(2)) {
        Some(slowdown) if slowdown != "1.00" => {
            format!("{names} {take} {slowdown} times as long as alone ({time} for {alone})")
        }
        _ => {
            let change = show::change(jobs[0].alone_ps, jobs[0].time_ps());
            format!("{names} {take} {time} ({change} against alone)")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{job, record, results};

    /// 2.82 ms over 2 ms are 1.41.
    #[test]
    fn jobs_are_told_with_what_they_lose() {
        let mut point = record("a", "1:1", 3_000_000_000);
        point.jobs = vec![
            job("left", 0, 2_820_000_000, 2_000_000_000),
            job("right", 1_000_000_000, 2_000_000_000, 1_000_000_000),
        ];
        let said = lines(&[&point]);
        let line = "a ratio=1:1: left takes 1.41 times as long as alone (2.8200 ms for 2.0000 ms); the \
                    other one loses nothing.";
        assert_eq!(said, [line]);
        let text = render(&results(vec![point.clone()]));
        assert!(text.lines().all(|line| show::width(line) <= 120), "{text}");
        assert!(
            text.contains("left") && text.contains("1.41x") && text.contains("2 / 1"),
            "{text}"
        );
        point.jobs.remove(0);
        assert_eq!(lines(&[&point]), ["a ratio=1:1: no job loses anything to the others."]);
        point.jobs.clear();
        assert_eq!(render(&results(vec![point])), "");
    }
}
