//! One point: placed, planned, simulated, recorded.

use std::sync::atomic::AtomicBool;

use collectives::{Collective, Placement};
use fluid::{Memo, Options, Outcome, Switch, Unreachable, World};
use report::{Record, TierRecord};
use topology::{Fabric, Timeline};
use units::Bytes;

use crate::Point;
use crate::faults;
use crate::workload::{Job, Placed};

/// How points are run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions<'a> {
    /// Whether what behaves alike is simulated once.
    pub symmetry: Switch,
    /// Whether recurring states are skipped.
    pub recurrence: Switch,
    /// Problems that other points have solved already.
    pub memo: Option<&'a Memo>,
    /// Set when runs should stop.
    pub stop: Option<&'a AtomicBool>,
}

impl Point {
    /// Simulates the point.
    ///
    /// What goes wrong (no path, a stall, a stop) is told in the record's status.
    pub fn run(&self, options: &RunOptions<'_>) -> Record {
        let built = self.fabric.get();
        let (fabric, timeline) = (&built.start, built.timeline.as_ref());
        let placed =
            self.workload.place(fabric, self.keys).expect("the check has placed this before");
        let world = World {
            fabric,
            timeline,
            cards: &placed.cards,
            schedule: &placed.plan.schedule,
            routing: self.fabric.case.routing.routing(self.keys),
            costs: self.workload.costs,
        };
        let RunOptions { symmetry, recurrence, memo, stop } = *options;
        let outcome = fluid::simulate(&world, &Options { symmetry, recurrence, memo, stop });
        let mut record = self.record(fabric, timeline, &placed);
        match outcome {
            Ok(outcome) => record_outcome(&mut record, outcome),
            Err(fluid::Error::Run(engine::Error::Interrupted)) => {
                record.status = report::Status::Stopped;
            }
            Err(error) => record.status = report::Status::Failed { why: error.to_string() },
        }
        self.fabric.used();
        record
    }

    /// What collective and algorithm are called in results.
    pub(crate) fn result_names(&self) -> (&'static str, String) {
        match &self.workload.job {
            Job::Collective(job) => (collective_name(job.collective), job.algorithm.to_string()),
            Job::Flows(_) => ("Flows", "flows".to_owned()),
            Job::Exchange(_) => ("All-to-All-v", "table".to_owned()),
        }
    }

    /// The record of the point before anything is known of its outcome.
    fn record(&self, fabric: &Fabric, timeline: Option<&Timeline>, placed: &Placed) -> Record {
        let case = &self.fabric.case;
        let job = &self.workload.job;
        let mut fabric_echo = fabric.echo().lines();
        fabric_echo.extend(case.hardware.iter().map(|it| format!("source: {it}")));
        let (collective, algorithm) = self.result_names();
        let bus_factor = match job {
            Job::Collective(job) => job.collective.bus_factor(placed.group_ranks),
            Job::Flows(_) => (1, 1),
            Job::Exchange(_) => {
                let uneven = Collective::AllToAllV { imbalance_ppm: 0 };
                uneven.bus_factor(placed.group_ranks)
            }
        };
        Record {
            labels: self.labels.clone(),
            fabric: case.name.clone(),
            ratio: case.ratio.clone().unwrap_or_else(|| "-".to_owned()),
            collective: collective.to_owned(),
            algorithm,
            ranks: placed.plan.schedule.ranks,
            size_asked: job.size().as_u64(),
            size: placed.plan.size.as_u64(),
            channels: placed.plan.channels,
            status: report::Status::Complete,
            time_ps: 0,
            bus_factor,
            bound_ps: 0,
            bound_cut: String::new(),
            tiers: Vec::new(),
            fabric_echo,
            notes: {
                let mut told = faults::lines(case, timeline);
                told.extend(notes(&self.workload.placement, placed, fabric));
                told
            },
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
fn notes(placement: &Placement, placed: &Placed, fabric: &Fabric) -> Vec<String> {
    let (ranks, group) = (placed.plan.schedule.ranks, placed.group_ranks);
    let mut notes = Vec::new();
    if group < ranks {
        notes.push(format!("{} groups of {group} ranks at once", ranks / group));
    }
    if let Placement::Allocated { .. } = placement {
        let told = collectives::fragmentation(&placed.cards, fabric);
        let (supernodes, fewest) = (told.supernodes, told.fewest);
        notes.push(format!(
            "allocated over {supernodes} supernodes; without busy cards {fewest} would do"
        ));
    }
    if let Some(choice) = placed.plan.choice {
        notes.push(format!("auto chose {}: {}", choice.algorithm, choice.rule));
    }
    notes
}

/// The status of a run some of whose transfers have no way left: pair by pair, then who waits.
fn unreachable_status(transfers: &[Unreachable], waits: &[String]) -> report::Status {
    /// How many pairs are told one by one.
    const TOLD: usize = 8;
    let pairs = transfers.chunk_by(|one, next| (one.src, one.dst) == (next.src, next.dst));
    let told = pairs.clone().take(TOLD).map(|pair| match pair {
        [only] => only.to_string(),
        [first, ..] => {
            let sum = |bytes: fn(&Unreachable) -> Bytes| {
                pair.iter().map(|it| u128::from(bytes(it).as_u64())).sum::<u128>()
            };
            let (asked, delivered) = (sum(|it| it.asked), sum(|it| it.delivered));
            let (src, dst, at, count) = (first.src.0, first.dst.0, first.at, pair.len());
            format!(
                "rank {src} cannot reach rank {dst} from {at} on: {delivered} of {asked} bytes in \
                 {count} transfers delivered"
            )
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

fn record_outcome(record: &mut Record, outcome: Outcome) {
    record.status = match outcome.status {
        fluid::Status::Finished => report::Status::Complete,
        fluid::Status::Stalled(waits) => report::Status::Stalled { why: waits.join("; ") },
        fluid::Status::Unreachable { transfers, waits } => unreachable_status(&transfers, &waits),
    };
    record.time_ps = outcome.makespan.as_picos();
    record.bound_ps = outcome.bound.time.as_picos();
    record.bound_cut = outcome.bound.cut;
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
