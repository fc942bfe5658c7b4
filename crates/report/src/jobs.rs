//! The jobs that ran at once, one line each, and what they lost to each other.

use crate::columns::{Column, lay_out};
use crate::show::{self, Fraction};
use crate::{JobRecord, Record, Results};

/// The columns that the name of a point may take.
const NAME_COLUMNS: usize = 34;

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
    let room = NAME_COLUMNS;
    let names = lines.iter().map(|(record, _)| show::cut(&point(record), 3 * room)).collect();
    let columns = [
        Column::new("point", names).left(),
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
    let legend = "slowdown: time beside the others / time alone on the same cards. supernodes: held / \
                  fewest that would do.";
    format!("{}\n{legend}\n", lay_out(&columns, room).trim_fmt())
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
    let slow: Vec<(&JobRecord, Fraction)> = record
        .jobs
        .iter()
        .filter_map(|job| Some((job, job.slowdown()?)))
        .filter(|(job, _)| job.time_ps() != job.alone_ps)
        .collect();
    let told = slow.iter().map(|(job, slowdown)| {
        let far = show::change(job.alone_ps, job.time_ps());
        if slowdown.fixed(2) == "1.00" {
            return format!("{} takes {far} against alone", job.name);
        }
        let (time, alone) = (show::time(job.time_ps()), show::time(job.alone_ps));
        format!(
            "{} takes {} times as long as alone ({time} for {alone})",
            job.name,
            slowdown.fixed(2)
        )
    });
    let told: Vec<String> = told.collect();
    let rest = record.jobs.len() - told.len();
    match (told.is_empty(), rest) {
        (true, _) => "no job loses anything to the others.".to_owned(),
        (false, 0) => format!("{}.", told.join("; ")),
        (false, 1) => format!("{}; the other one loses nothing.", told.join("; ")),
        (false, more) => format!("{}; the other {more} lose nothing.", told.join("; ")),
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
