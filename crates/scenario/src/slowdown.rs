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

/// The records of the jobs of a run that has finished; none for a workload that is no list of jobs.
///
/// `simulated` runs a job alone, on the same cards. A job that does not finish alone has no slowdown: it
/// has no record then, but a note that says so. Alone, a job is elsewhere in its steps when something
/// breaks or begins to lose packets.
pub(crate) fn job_records(
    (jobs, placed): (&[JobCase], &Placed),
    fabric: &Fabric,
    outcome: &Outcome,
    simulated: &dyn Fn(&Run) -> Result<Outcome, fluid::Error>,
) -> Result<JobRecords, fluid::Error> {
    let mut told = JobRecords::default();
    if placed.together.is_none() {
        return Ok(told);
    }
    let mut first = 0;
    for (job, placed) in jobs.iter().zip(&placed.jobs) {
        let ranks = placed.run.ranks();
        let end = first + ranks as usize;
        let alone = simulated(&placed.run)?;
        if let Some(why) = obstacle(alone.status) {
            told.notes.push(format!("job {}: alone it does not finish: {why}", job.name));
            first = end;
            continue;
        }
        let cards = collectives::fragmentation(&placed.run.cards, fabric);
        let start_ps = job.start.as_picos();
        told.records.push(JobRecord {
            name: job.name.clone(),
            ranks,
            placement: job.placement_word.to_owned(),
            start_ps,
            finish_ps: start_ps.max(last(&outcome.ranks[first..end])),
            alone_ps: start_ps.max(last(&alone.ranks)) - start_ps,
            supernodes: cards.supernodes,
            fewest_supernodes: cards.fewest,
        });
        first = end;
    }
    Ok(told)
}

/// Why a run did not finish; `None` if it did.
fn obstacle(status: Status) -> Option<String> {
    match status {
        Status::Finished => None,
        Status::RetryLimit(why) => Some(why),
        Status::Unreachable { transfers, .. } => transfers.first().map(ToString::to_string),
        Status::Stalled(waits) => Some(waits.join("; ")),
    }
}

/// When the last of some ranks finished, which all did.
fn last(ranks: &[Option<Time>]) -> u64 {
    let ends = ranks.iter().map(|end| end.expect("all ranks of a finished run are done"));
    ends.max().unwrap_or_default().as_picos()
}
