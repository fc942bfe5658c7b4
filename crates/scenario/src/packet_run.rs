//! A point packet by packet.

use fluid::Watch;
use packet::{Order, Outcome, Settings, Simulation, Status, World};
use report::Record;
use topology::{Fabric, Reach, Timeline};

use crate::Point;
use crate::faults::BuiltFabric;
use crate::packet_record::{Ended, packet_record, tiers};
use crate::packets::{self, Links};
use crate::placed::{Placed, Run};
use crate::run::unreachable_status;
use crate::slowdown::{self, Alone, JobRecords};
use crate::stopped::record_stopped;

impl Point {
    /// Simulates the point packet by packet and writes what came of it into its record.
    pub(crate) fn run_packets(
        &self,
        (built, placed): (&BuiltFabric, &Placed),
        (watch, threads): (Watch<'_>, usize),
        record: &mut Record,
    ) {
        let fabric = &built.start;
        let settings = self.packet_settings(built);
        let told =
            self.simulate_packets((built, placed.run()), (&settings, watch, threads), |ended| {
                tell(record, fabric, ended);
                ended.outcome.clone()
            });
        let told = told.and_then(|outcome| {
            record.notes.extend(self.clocks(placed, &outcome.ranks));
            if outcome.status != Status::Finished {
                return Ok(JobRecords::default());
            }
            let alone = |run: &Run| {
                let look = |ended: &Ended<'_>| alone(fabric, ended.outcome);
                self.simulate_packets((built, run), (&settings, watch, threads), look)
            };
            let jobs = self.workload.jobs();
            slowdown::job_records((jobs, placed), fabric, &outcome.ranks, &alone)
        });
        match told {
            Ok(jobs) => {
                record.jobs = jobs.records;
                record.notes.extend(jobs.notes);
            }
            Err(packet::Error::Run(engine::Error::Interrupted)) => {
                record_stopped(record, watch);
            }
            Err(error) => record.status = report::Status::Failed { why: error.to_string() },
        }
    }

    /// How packets behave on the built fabric.
    fn packet_settings(&self, built: &BuiltFabric) -> Settings {
        let case = &self.fabric.case;
        let links = Links::of(&built.start);
        let settings = case.packets.settings(links, case.packet_paths(), self.keys);
        let settings = Settings { dropped: built.drops.clone(), ..settings };
        let loses = !built.start.losses().is_lossless() || !built.drops.is_empty();
        if !loses && !is_rerouted(built.timeline.as_ref()) {
            return settings;
        }
        packets::recovering(settings, case.losses.recovery(self.keys))
    }

    /// Runs a workload, or a job of it, and lets `look` see how it ended.
    fn simulate_packets<T>(
        &self,
        (built, run): (&BuiltFabric, &Run),
        (settings, watch, threads): (&Settings, Watch<'_>, usize),
        look: impl FnOnce(&Ended<'_>) -> T,
    ) -> Result<T, packet::Error> {
        let Run { cards, schedule, conducts } = run;
        let world = World {
            fabric: &built.start,
            timeline: built.timeline.as_ref(),
            cards,
            schedule,
            class_of_lane: &self.workload.class_of_lane(schedule),
            conducts,
            settings,
        };
        let mut simulation = Simulation::in_order(&world, Order::fit(&world, threads))?;
        simulation.watch();
        let circle = simulation.network().dependency_circle();
        let circle = circle.as_ref();
        let outcome = &simulation.run_under(watch)?;
        Ok(look(&Ended { outcome, network: simulation.network(), circle }))
    }
}

/// How a job came out alone.
fn alone(fabric: &Fabric, outcome: &Outcome) -> Alone {
    match status(fabric, outcome) {
        report::Status::Complete => Alone::Finished(outcome.ranks.clone()),
        other => Alone::Stuck(other.why().to_owned()),
    }
}

/// Whether links die or come back during the run.
fn is_rerouted(timeline: Option<&Timeline>) -> bool {
    let changes = timeline.map_or(&[][..], Timeline::changes);
    changes.iter().any(|change| change.reach == Reach::Other)
}

/// Writes an outcome into a record.
fn tell(record: &mut Record, fabric: &Fabric, ended: &Ended<'_>) {
    let Ended { outcome, network, .. } = *ended;
    record.status = status(fabric, outcome);
    record.time_ps = outcome.makespan.as_picos();
    record.tiers = tiers(fabric, network, outcome.makespan.as_picos());
    record.counters.events = outcome.events;
    record.counters.transfers = u128::from(network.flows());
    record.packets = Some(packet_record(fabric, ended));
    record.notes.push(format!("packet events: {}, hash {:016x}", outcome.events, outcome.hash));
}

fn status(fabric: &Fabric, outcome: &Outcome) -> report::Status {
    let why = match &outcome.status {
        Status::Finished => return report::Status::Complete,
        Status::GaveUp(given_up) => {
            let first = given_up.first().expect("someone gave up");
            let why = format!(
                "{} flows gave up, the first at {} with {} of {} packets acknowledged",
                given_up.len(),
                first.at,
                first.acknowledged,
                first.packets
            );
            return report::Status::RetryLimit { why: and_waits(&why, outcome) };
        }
        Status::Unreachable(all) => {
            let told = all.iter().map(|&it| {
                let packet::Unreachable { src, dst, at, asked, delivered } = it;
                fluid::Unreachable { src, dst, at, asked, delivered }
            });
            return unreachable_status(fabric, &told.collect::<Vec<_>>(), &outcome.waits);
        }
        Status::Deadlock(cycle) => {
            let links: Vec<String> =
                cycle.iter().map(|blocked| fabric.link_name(blocked.link)).collect();
            let class = cycle.first().map_or(0, |blocked| blocked.class);
            let links = links.join("; ");
            format!("links wait for each other in a circle, in class {class}: {links}")
        }
        Status::Stalled => "nothing moves any more".to_owned(),
    };
    report::Status::Stalled { why: and_waits(&why, outcome) }
}

/// A reason, and who waits for whom.
fn and_waits(why: &str, outcome: &Outcome) -> String {
    let told = std::iter::once(why).chain(outcome.waits.iter().map(String::as_str));
    told.collect::<Vec<_>>().join("; ")
}
