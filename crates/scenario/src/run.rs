//! One point: placed, planned, simulated, recorded.

use std::cell::RefCell;

use collectives::{Collective, Placement};
use fluid::{Locality, Memo, Options, Outcome, Switch, Unreachable, Watch, World};
use report::{LossRecord, Record, TierRecord};
use topology::{Fabric, Timeline};
use units::{Bytes, Time};

use crate::Point;
use crate::drops::DropCase;
use crate::engine::Engine;
use crate::explain;
use crate::faults;
use crate::job::JobCase;
use crate::placed::{Placed, PlacedJob, Run};
use crate::slowdown::{self, Alone, JobRecords};
use crate::stopped::record_stopped;
use crate::task::Task;
use crate::workload::Work;

/// How points are run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// Whether what behaves alike is simulated once.
    pub symmetry: Switch,
    /// Whether recurring states are skipped.
    pub recurrence: Switch,
    /// Whether events are handled where they act.
    pub locality: Locality,
    /// How many threads one point may use; 0 counts as 1.
    pub threads: usize,
    /// Problems that other points have solved already.
    pub memo: Option<&'a Memo>,
    /// Who looks on.
    pub watch: Watch<'a>,
}

/// How a world is brought to its outcome at flow level.
type Simulate<'s> = dyn Fn(&World<'_>, &Options<'_>) -> Result<Outcome, fluid::Error> + 's;

impl Point {
    /// Simulates the point.
    ///
    /// What goes wrong (no path, a stall, a stop) is told in the record's status.
    pub fn run(&self, options: &RunOptions<'_>) -> Record {
        self.simulate(options, &|world, options| fluid::simulate(world, options))
    }

    /// Simulates the point, and tells how: which reductions applied, and what could not be merged, line
    /// by line. The record is that of [`run`](Self::run).
    pub fn explain(&self, options: &RunOptions<'_>) -> (Record, Vec<String>) {
        let told = RefCell::new(Vec::new());
        let record = self.simulate(options, &|world, options| {
            if !told.borrow().is_empty() {
                // Jobs run alone to tell their slowdown; what is explained is all of them together.
                return fluid::simulate(world, options);
            }
            let (outcome, explanation) = fluid::explain(world, options)?;
            told.replace(explain::lines(&explanation));
            Ok(outcome)
        });
        let lines = told.into_inner();
        if !lines.is_empty() {
            return (record, lines);
        }
        let why = match self.engine {
            Engine::Packet => "packet by packet: every packet is an event, nothing is merged",
            Engine::Fluid => "the run did not come so far",
        };
        (record, vec![why.to_owned()])
    }

    fn simulate(&self, options: &RunOptions<'_>, simulate: &Simulate<'_>) -> Record {
        let built = self.fabric.get();
        let (fabric, timeline) = (&built.start, built.timeline.as_ref());
        let placed =
            self.workload.place(built.planned(), self.keys).expect("the check has placed this");
        let case = &self.fabric.case;
        let (routing, recovery) =
            (case.routing.routing(self.keys), case.losses.recovery(self.keys));
        let RunOptions { symmetry, recurrence, locality, threads, memo, watch } = *options;
        let options = Options { symmetry, recurrence, locality, threads, memo, watch };
        if self.engine == Engine::Packet {
            let mut record = self.record(fabric, timeline, &placed);
            let world = placed.run().world(&built, routing, recovery);
            // Random and adaptive paths may share the links otherwise than the bound assumes.
            if case.shares_evenly()
                && let Ok(bound) = fluid::floor(&world, &options)
            {
                record.bound_ps = bound.time.as_picos();
                record.bound_cut = bound.cut;
            }
            self.run_packets((&built, &placed), (watch, threads), &mut record);
            self.fabric.used();
            return record;
        }
        let simulated = |run: &Run| simulate(&run.world(&built, routing, recovery), &options);
        let mut record = self.record(fabric, timeline, &placed);
        let told = simulated(placed.run()).and_then(|outcome| {
            let jobs = self.workload.jobs();
            let told = match outcome.status {
                fluid::Status::Finished => {
                    let alone =
                        |run: &Run| simulated(run).map(|outcome| Alone::new(fabric, outcome));
                    slowdown::job_records((jobs, &placed), fabric, &outcome.ranks, &alone)?
                }
                fluid::Status::Bounded(_)
                | fluid::Status::Stalled(_)
                | fluid::Status::RetryLimit(_)
                | fluid::Status::Unreachable { .. } => JobRecords::default(),
            };
            Ok((outcome, told))
        });
        match told {
            Ok((outcome, jobs)) => {
                record.jobs = jobs.records;
                record.notes.extend(jobs.notes);
                record.notes.extend(self.clocks(&placed, &outcome.ranks));
                record_outcome(&mut record, fabric, outcome);
            }
            Err(fluid::Error::Run(engine::Error::Interrupted)) => {
                record_stopped(&mut record, watch);
            }
            Err(error) => record.status = report::Status::Failed { why: error.to_string() },
        }
        self.fabric.used();
        record
    }

    /// What collective and algorithm are called in results.
    pub(crate) fn result_names(&self) -> (&'static str, String) {
        let job = match &self.workload.work {
            Work::One(job) => job,
            Work::Several(_) => return ("Jobs", "jobs".to_owned()),
        };
        match &job.task {
            Task::Collective(task) => {
                (collective_name(task.collective), task.algorithm.to_string())
            }
            Task::Flows(_) => ("Flows", "flows".to_owned()),
            Task::Exchange(_) => ("All-to-All-v", "table".to_owned()),
        }
    }

    /// By what the algorithm bandwidth of the workload is multiplied to compare it with a port.
    fn bus_factor(&self, placed: &Placed) -> (u64, u64) {
        let ranks = placed.jobs[0].group_ranks;
        let Work::One(job) = &self.workload.work else { return (1, 1) };
        match &job.task {
            Task::Collective(task) => task.collective.bus_factor(ranks),
            Task::Flows(_) => (1, 1),
            Task::Exchange(_) => Collective::AllToAllV { imbalance_ppm: 0 }.bus_factor(ranks),
        }
    }

    /// What ranks read on clocks of their own.
    pub(crate) fn clocks(&self, placed: &Placed, ranks: &[Option<Time>]) -> Vec<String> {
        let mut first = 0;
        let mut notes = Vec::new();
        for (job, placed) in self.workload.jobs().iter().zip(&placed.jobs) {
            let end = first + placed.run.ranks() as usize;
            let told = job.stragglers.clock_notes(&ranks[first..end]);
            notes.extend(told.into_iter().map(|note| self.of_job(job, note)));
            first = end;
        }
        notes
    }

    /// A note with the name of the job that it is about, where there are several.
    fn of_job(&self, job: &JobCase, note: String) -> String {
        match &self.workload.work {
            Work::One(_) => note,
            Work::Several(_) => format!("job {}: {note}", job.name),
        }
    }

    /// The record of the point before anything is known of its outcome.
    fn record(&self, fabric: &Fabric, timeline: Option<&Timeline>, placed: &Placed) -> Record {
        let case = &self.fabric.case;
        let mut fabric_echo = fabric.echo().lines();
        fabric_echo.extend(case.hardware.iter().map(|it| format!("source: {it}")));
        let (collective, algorithm) = self.result_names();
        let sizes = placed.jobs.iter().map(|job| job.size.as_u64());
        let channels = placed.jobs.iter().map(|job| job.channels).max();
        Record {
            labels: self.labels.clone(),
            fabric: case.name.clone(),
            ratio: case.ratio.clone().unwrap_or_else(|| "-".to_owned()),
            collective: collective.to_owned(),
            algorithm,
            ranks: placed.run().ranks(),
            size_asked: self.workload.size().as_u64(),
            size: sizes.fold(0, u64::saturating_add),
            channels: channels.expect("a workload has a job"),
            status: report::Status::Complete,
            time_ps: 0,
            bus_factor: self.bus_factor(placed),
            bound_ps: 0,
            bound_cut: String::new(),
            tiers: Vec::new(),
            lost: None,
            packets: None,
            fabric_echo,
            notes: {
                let mut all = faults::lines(case, timeline);
                all.extend(case.losses.lines());
                all.extend(case.drops.iter().map(DropCase::line));
                for (job, placed) in self.workload.jobs().iter().zip(&placed.jobs) {
                    let notes = notes(job, placed, fabric).into_iter();
                    all.extend(notes.map(|note| self.of_job(job, note)));
                }
                all
            },
            jobs: Vec::new(),
            counters: report::Counters::default(),
        }
    }
}

/// The name of a collective in results.
fn collective_name(collective: Collective) -> &'static str {
    match collective {
        Collective::AllReduce => "AllReduce",
        Collective::AllGather => "AllGather",
        Collective::ReduceScatter => "ReduceScatter",
        Collective::AllToAll => "All-to-All",
        Collective::AllToAllV { .. } => "All-to-All-v",
        Collective::Broadcast { .. } => "Broadcast",
        Collective::Reduce { .. } => "Reduce",
        Collective::Gather { .. } => "Gather",
        Collective::Scatter { .. } => "Scatter",
        Collective::Barrier => "Barrier",
        Collective::SendReceive { .. } => "Send-Receive",
    }
}

/// What a reader should know about how the workload was placed.
fn notes(job: &JobCase, placed: &PlacedJob, fabric: &Fabric) -> Vec<String> {
    let (ranks, group) = (placed.run.ranks(), placed.group_ranks);
    let mut notes = Vec::new();
    if group < ranks {
        notes.push(format!("{} groups of {group} ranks at once", ranks / group));
    }
    if let Placement::Allocated { .. } = job.placement {
        let told = collectives::fragmentation(&placed.run.cards, fabric);
        let (supernodes, fewest) = (told.supernodes, told.fewest);
        notes.push(format!(
            "allocated over {supernodes} supernodes; without busy cards {fewest} would do"
        ));
    }
    notes.extend(job.stragglers.notes());
    if let Some(choice) = placed.choice {
        notes.push(format!("auto chose {}: {}", choice.algorithm, choice.rule));
    }
    notes
}

/// The status of a run some of whose transfers have no way left: pair by pair, then who waits.
pub(crate) fn unreachable_status(
    fabric: &Fabric,
    transfers: &[Unreachable],
    waits: &[String],
) -> report::Status {
    /// How many pairs are told one by one.
    const TOLD: usize = 8;
    let pairs = transfers.chunk_by(|one, next| (one.src, one.dst) == (next.src, next.dst));
    let told = pairs.clone().take(TOLD).map(|pair| match pair {
        [only] => only.tell(fabric),
        [first, ..] => {
            let sum = |bytes: fn(&Unreachable) -> Bytes| {
                pair.iter().map(|it| u128::from(bytes(it).as_u64())).sum::<u128>()
            };
            let (asked, delivered) = (sum(|it| it.asked), sum(|it| it.delivered));
            let (first, count) = (first.tell_pair(fabric), pair.len());
            format!("{first}: {delivered} of {asked} bytes in {count} transfers delivered")
        }
        [] => unreachable!("a pair has a transfer"),
    });
    let mut told: Vec<String> = told.collect();
    let more = pairs.count().saturating_sub(TOLD);
    if more > 0 {
        told.push(format!("{more} more pairs"));
    }
    told.extend_from_slice(waits);
    report::Status::Unreachable { why: told.join("; ") }
}

fn record_outcome(record: &mut Record, fabric: &Fabric, outcome: Outcome) {
    record.status = match outcome.status {
        fluid::Status::Finished => report::Status::Complete,
        fluid::Status::Bounded(why) => report::Status::Bounded { why },
        fluid::Status::Stalled(waits) => report::Status::Stalled { why: waits.join("; ") },
        fluid::Status::RetryLimit(why) => report::Status::RetryLimit { why },
        fluid::Status::Unreachable { transfers, waits } => {
            unreachable_status(fabric, &transfers, &waits)
        }
    };
    record.time_ps = outcome.makespan.as_picos();
    record.bound_ps = outcome.bound.time.as_picos();
    record.bound_cut = outcome.bound.cut;
    record.lost = outcome.lost.map(|lost| LossRecord {
        payload_bytes: lost.payload_bytes,
        repeated_bytes: lost.repeated_bytes,
        timeouts: lost.timeouts,
        hit: lost.hit,
    });
    record.tiers = outcome
        .traffic
        .tiers
        .into_iter()
        .map(|tier| TierRecord {
            tier: tier.tier.to_string(),
            bytes: tier.bytes,
            utilisation_ppm: tier.utilisation_ppm,
            busiest: tier.busiest,
        })
        .collect();
    let counters = outcome.counters;
    record.counters = report::Counters {
        events: counters.events,
        flow_classes: counters.flows,
        transfers: counters.transfers,
        solves: counters.solves,
        skipped_steps: counters.skipped_steps,
    };
}
