//! What jobs lose to each other: each is run alone as well.

use fluid::{Outcome, Status};
use report::JobRecord;
use topology::Fabric;
use units::Time;

use crate::job::JobCase;
use crate::placed::{Placed, Run};

/// What is known of the jobs of a run.
#[derive(Debug, Default)]
pub(crate) struct JobRecords {
    /// The jobs that finish alone as well.
    pub(crate) records: Vec<JobRecord>,
    /// What is to be said of the others.
    pub(crate) notes: Vec<String>,
}

/// How a job came out alone.
#[derive(Debug)]
pub(crate) enum Alone {
    /// When each of its ranks finished.
    Finished(Vec<Option<Time>>),
    /// Why it did not finish.
    Stuck(String),
}

/// The records of the jobs of a run that has finished, whose ranks did at `ranks`; none for a workload
/// that is no list of jobs.
///
/// `simulated` runs a job alone, on the same cards. A job that does not finish alone has no slowdown: it
/// has no record then, but a note that says so. Alone, a job is elsewhere in its steps when something
/// breaks or begins to lose packets.
pub(crate) fn job_records<E>(
    (jobs, placed): (&[JobCase], &Placed),
    fabric: &Fabric,
    ranks: &[Option<Time>],
    simulated: &dyn Fn(&Run) -> Result<Alone, E>,
) -> Result<JobRecords, E> {
    let mut told = JobRecords::default();
    if placed.together.is_none() {
        return Ok(told);
    }
    let mut first = 0;
    for (job, placed) in jobs.iter().zip(&placed.jobs) {
        let end = first + placed.run.ranks() as usize;
        let together = &ranks[first..end];
        first = end;
        let alone = match simulated(&placed.run)? {
            Alone::Finished(ranks) => ranks,
            Alone::Stuck(why) => {
                told.notes.push(format!("job {}: alone it does not finish: {why}", job.name));
                continue;
            }
        };
        let cards = collectives::fragmentation(&placed.run.cards, fabric);
        let start_ps = job.start.as_picos();
        told.records.push(JobRecord {
            name: job.name.clone(),
            ranks: placed.run.ranks(),
            placement: job.placement_word.to_owned(),
            start_ps,
            finish_ps: start_ps.max(last(together)),
            alone_ps: start_ps.max(last(&alone)) - start_ps,
            supernodes: cards.supernodes,
            fewest_supernodes: cards.fewest,
        });
    }
    Ok(told)
}

impl Alone {
    /// How a job came out whose run on a fabric had this outcome.
    pub(crate) fn new(fabric: &Fabric, outcome: Outcome) -> Self {
        match outcome.status {
            Status::Finished => Self::Finished(outcome.ranks),
            Status::Bounded(why) | Status::RetryLimit(why) => Self::Stuck(why),
            Status::Unreachable { transfers, .. } => {
                Self::Stuck(transfers.first().map(|first| first.tell(fabric)).unwrap_or_default())
            }
            Status::Stalled(waits) => Self::Stuck(waits.join("; ")),
        }
    }
}

/// When the last of some ranks finished, which all did.
fn last(ranks: &[Option<Time>]) -> u64 {
    let ends = ranks.iter().map(|end| end.expect("all ranks of a finished run are done"));
    ends.max().unwrap_or_default().as_picos()
}
