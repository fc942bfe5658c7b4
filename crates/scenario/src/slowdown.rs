//! What jobs lose to each other: each is run alone as well.

use fluid::{Outcome, Status};
use report::JobRecord;
use topology::Fabric;
use units::Time;

use crate::job::JobCase;
use crate::placed::{Placed, Run};

/// The records of the jobs of a run that has finished; none for a workload that is no list of jobs.
///
/// `simulated` runs a job alone, on the same cards. A job that does not finish alone, where packets are
/// lost, has no slowdown: then there are no records, and a note that says so.
pub(crate) fn job_records(
    (jobs, placed): (&[JobCase], &Placed),
    fabric: &Fabric,
    outcome: &Outcome,
    simulated: &dyn Fn(&Run) -> Result<Outcome, fluid::Error>,
) -> Result<(Vec<JobRecord>, Option<String>), fluid::Error> {
    let mut records = Vec::new();
    if placed.together.is_none() {
        return Ok((records, None));
    }
    let mut first = 0;
    for (job, placed) in jobs.iter().zip(&placed.jobs) {
        let ranks = placed.run.ranks();
        let end = first + ranks as usize;
        let alone = simulated(&placed.run)?;
        if let Status::RetryLimit(why) = alone.status {
            let note = format!("no slowdown of jobs: alone, {} does not finish: {why}", job.name);
            return Ok((Vec::new(), Some(note)));
        }
        let told = collectives::fragmentation(&placed.run.cards, fabric);
        let start_ps = job.start.as_picos();
        records.push(JobRecord {
            name: job.name.clone(),
            ranks,
            placement: job.placement_word.to_owned(),
            start_ps,
            finish_ps: start_ps.max(last(&outcome.ranks[first..end])),
            alone_ps: start_ps.max(last(&alone.ranks)) - start_ps,
            supernodes: told.supernodes,
            fewest_supernodes: told.fewest,
        });
        first = end;
    }
    Ok((records, None))
}

/// When the last of some ranks finished, which all did.
fn last(ranks: &[Option<Time>]) -> u64 {
    let ends = ranks.iter().map(|end| end.expect("all ranks of a finished run are done"));
    ends.max().unwrap_or_default().as_picos()
}
