//! Workloads: one job, or several at once.

use collectives::{Room, Schedule};
use topology::Fabric;
use units::Bytes;

use crate::Keys;
use crate::job::JobCase;
use crate::placed::{Placed, PlacedJob, Run};
use crate::unfit::Unfit;
use crate::value::Value;

/// The most jobs of a workload: each looks through all cards for its own, and runs alone as well.
const MOST_JOBS: usize = 256;

/// A workload of the scenario with its values.
#[derive(Clone, Debug)]
pub(crate) struct WorkloadCase {
    pub(crate) name: String,
    pub(crate) work: Work,
}

/// What runs.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// One job, on its own.
    One(Box<JobCase>),
    /// Several, each compared with itself alone.
    Several(Vec<JobCase>),
}

impl WorkloadCase {
    /// The workload that `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        let (form, _) = value.form();
        let fields = value.fields();
        if form == "jobs" {
            let jobs = fields.list("jobs").iter().map(JobCase::of_several).collect();
            let name = fields.text_if_given("name").unwrap_or_else(|| "jobs".to_owned());
            return Self { name, work: Work::Several(jobs) };
        }
        let job = JobCase::only(form, fields);
        Self { name: job.name.clone(), work: Work::One(Box::new(job)) }
    }

    /// Refuses what no fabric can make right.
    pub(crate) fn check(&self) -> Result<(), Unfit> {
        let jobs = match &self.work {
            Work::One(job) => return job.check(),
            Work::Several(jobs) => jobs,
        };
        if jobs.len() > MOST_JOBS {
            return Err(Unfit::TooManyJobs { jobs: jobs.len(), limit: MOST_JOBS });
        }
        for (index, job) in jobs.iter().enumerate() {
            if jobs[..index].iter().any(|other| other.name == job.name) {
                return Err(Unfit::JobName { index, name: job.name.clone() });
            }
            job.check().map_err(|unfit| unfit.of_job(index, &job.name))?;
        }
        Ok(())
    }

    /// Refuses jobs of a class of service beyond the first so many.
    pub(crate) fn fit_classes(&self, classes: usize) -> Result<(), Unfit> {
        for (index, job) in self.jobs().iter().enumerate() {
            if usize::from(job.class) >= classes {
                let unfit = Unfit::Class { class: job.class, classes };
                return Err(match self.work {
                    Work::One(_) => unfit,
                    Work::Several(_) => unfit.of_job(index, &job.name),
                });
            }
        }
        Ok(())
    }

    /// Puts the workload on a fabric and plans it; jobs take their cards in turn.
    pub(crate) fn place(&self, fabric: &Fabric, keys: Keys) -> Result<Placed, Unfit> {
        let mut room = Room::new(fabric);
        let jobs = match &self.work {
            Work::One(job) => {
                let jobs = vec![job.place((&room, fabric), 0, keys)?];
                return Ok(Placed { jobs, together: None });
            }
            Work::Several(jobs) => jobs,
        };
        let mut placed: Vec<PlacedJob> = Vec::new();
        for (index, job) in jobs.iter().enumerate() {
            let one = job.place((&room, fabric), index as u32, keys);
            let one = one.map_err(|unfit| unfit.of_job(index, &job.name))?;
            room.take(&one.run.cards);
            placed.push(one);
        }
        let runs: Vec<&Run> = placed.iter().map(|job| &job.run).collect();
        let together = Some(Run::together(&runs));
        Ok(Placed { jobs: placed, together })
    }

    /// Whether some job needs switches that add up and copy.
    pub(crate) fn needs_reducing_switches(&self) -> bool {
        self.jobs().iter().any(JobCase::needs_reducing_switches)
    }

    /// The class of service of each lane of a schedule.
    pub(crate) fn class_of_lane(&self, schedule: &Schedule) -> Vec<u8> {
        let jobs = self.jobs();
        schedule.lanes.iter().map(|lane| jobs[lane.name.job as usize].class).collect()
    }

    /// All jobs.
    pub(crate) fn jobs(&self) -> &[JobCase] {
        match &self.work {
            Work::One(job) => std::slice::from_ref(&**job),
            Work::Several(jobs) => jobs,
        }
    }

    /// The names of the jobs of a list of jobs.
    pub(crate) fn several(&self) -> impl Iterator<Item = &str> {
        let jobs = match &self.work {
            Work::One(_) => &[],
            Work::Several(jobs) => jobs.as_slice(),
        };
        jobs.iter().map(|job| job.name.as_str())
    }

    /// The collective and the algorithm in the words of the file.
    pub(crate) fn both_words(&self) -> (&str, &str) {
        match &self.work {
            Work::One(job) => job.task.both_words(),
            Work::Several(_) => ("jobs", "jobs"),
        }
    }

    /// The same as one text.
    pub(crate) fn words(&self) -> String {
        match &self.work {
            Work::One(job) => job.task.words(),
            Work::Several(_) => "jobs".to_owned(),
        }
    }

    /// The size asked for: of one rank's buffer (the largest of a table), of all flows together, or of
    /// all jobs added up.
    pub(crate) fn size(&self) -> Bytes {
        let sizes = self.jobs().iter().map(|job| job.task.size().as_u64());
        Bytes::new(sizes.fold(0, u64::saturating_add))
    }
}
