//! A point packet by packet.

use fluid::Watch;
use packet::{Outcome, PacketNetwork, Simulation, Status, World};
use report::{Record, TierRecord};
use topology::{Fabric, LinkId};

use crate::Point;
use crate::packets::{self, Links};
use crate::run::stopped;

impl Point {
    /// Simulates the point packet by packet and writes what came of it into its record.
    pub(crate) fn run_packets(
        &self,
        world: &fluid::World<'_>,
        watch: Watch<'_>,
        record: &mut Record,
    ) {
        let case = &self.fabric.case;
        let fluid::World { fabric, cards, schedule, conducts, recovery, .. } = *world;
        let links = Links::of(fabric);
        let settings = case.packets.settings(links, case.packet_paths(), self.keys);
        let settings = if fabric.losses().is_lossless() {
            settings
        } else {
            packets::recovering(settings, recovery)
        };
        let settings = &settings;
        let world = World { fabric, cards, schedule, class_of_lane: &[], conducts, settings };
        let run = Simulation::new(&world).and_then(|mut simulation| {
            let outcome = simulation.run_under(watch)?;
            tell(record, fabric, (&outcome, simulation.network()));
            Ok(())
        });
        match run {
            Ok(()) => {}
            Err(packet::Error::Run(engine::Error::Interrupted)) => {
                record.status = stopped(watch);
            }
            Err(error) => record.status = report::Status::Failed { why: error.to_string() },
        }
    }
}

/// Writes an outcome into a record.
fn tell(record: &mut Record, fabric: &Fabric, (outcome, network): (&Outcome, &PacketNetwork<'_>)) {
    record.status = status(fabric, outcome);
    record.time_ps = outcome.makespan.as_picos();
    record.tiers = tiers(fabric, network, outcome.makespan.as_picos());
    record.counters.events = outcome.events;
    record.counters.transfers = u128::from(network.flows());
    let ledger = outcome.ledger;
    let pauses = network.pauses();
    record.notes.push(format!(
        "packets: {} sent, {} sent again, {} lost, {} overflowed, {} marked, {} timeouts, {} pauses",
        ledger.data,
        ledger.repeated,
        ledger.lost,
        ledger.overflowed,
        ledger.marked,
        ledger.timeouts,
        pauses.paused,
    ));
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
            return report::Status::RetryLimit { why };
        }
        Status::Deadlock(cycle) => {
            let links: Vec<String> =
                cycle.iter().map(|blocked| fabric.link_name(blocked.link)).collect();
            format!("links wait for each other in a circle: {}", links.join("; "))
        }
        Status::Stalled => "nothing moves any more".to_owned(),
    };
    report::Status::Stalled { why }
}

/// The traffic of each tier: all bytes on its links, headers, control packets and repetitions included.
fn tiers(fabric: &Fabric, network: &PacketNetwork<'_>, makespan: u64) -> Vec<TierRecord> {
    let mut order: Vec<u32> = (0..fabric.links().len() as u32).collect();
    let tier = |link: &u32| fabric.link(LinkId(*link)).tier;
    order.sort_by_key(tier);
    let ppm = |link: u32| {
        let bytes = network.link_use(LinkId(link)).bytes;
        let rate = fabric.link(LinkId(link)).goodput.as_milli_bits_per_second();
        let could = u128::from(rate) * u128::from(makespan);
        let ppm = (bytes.as_work() * 1_000_000).checked_div(could).unwrap_or_default();
        u32::try_from(ppm.min(1_000_000)).expect("at most a million")
    };
    order
        .chunk_by(|left, right| tier(left) == tier(right))
        .map(|links| {
            let mut busiest = links[0];
            for &link in links {
                if ppm(link) > ppm(busiest) {
                    busiest = link;
                }
            }
            let bytes = links.iter().map(|&link| network.link_use(LinkId(link)).bytes.as_u64());
            TierRecord {
                tier: tier(&busiest).to_string(),
                bytes: bytes.map(u128::from).sum(),
                utilisation_ppm: ppm(busiest),
                busiest: fabric.link_name(LinkId(busiest)),
            }
        })
        .collect()
}
