//! Short ways to run a world.

use collectives::{Flow, RankId, Schedule, flows};
use engine::{Conducts, Costs};
use packet::{Outcome, PacketNetwork, Settings, Simulation, World};
use topology::{CardId, Fabric, Mishap, Timeline};
use units::{Bytes, Duration, Time};

/// A flow of `bytes` from one rank to another at the beginning.
pub(crate) fn flow(src: u32, dst: u32, bytes: u64) -> Flow {
    Flow {
        src: RankId(src),
        dst: RankId(dst),
        bytes: Bytes::new(bytes),
        start: Time::ZERO,
        compute: Duration::ZERO,
    }
}

/// One rank on each card.
pub(crate) fn everyone(fabric: &Fabric) -> Vec<CardId> {
    (0..fabric.cards()).map(CardId).collect()
}

/// Runs a schedule with one rank on each card, and lets `look` see the network at its end.
pub(crate) fn run_and_look<T>(
    fabric: &Fabric,
    schedule: &Schedule,
    settings: &Settings,
    look: impl FnOnce(&Outcome, &PacketNetwork<'_>) -> T,
) -> T {
    run_and_look_in_time((fabric, None), schedule, settings, look)
}

/// The same on a fabric that changes.
fn run_and_look_in_time<T>(
    (fabric, timeline): (&Fabric, Option<&Timeline>),
    schedule: &Schedule,
    settings: &Settings,
    look: impl FnOnce(&Outcome, &PacketNetwork<'_>) -> T,
) -> T {
    let cards = &everyone(fabric)[..];
    let costs = Costs::default();
    let conducts = &Conducts::alike(costs);
    let world = World { fabric, timeline, cards, schedule, class_of_lane: &[], conducts, settings };
    let mut simulation = Simulation::new(&world).expect("a world that can be simulated");
    let outcome = simulation.run(None).expect("a run within the range of time");
    simulation.network().check_ledger().expect("every packet is somewhere");
    look(&outcome, simulation.network())
}

/// Runs a list of flows.
pub(crate) fn run(fabric: &Fabric, list: &[Flow], settings: &Settings) -> Outcome {
    let schedule = flows(fabric.cards(), list).expect("valid flows");
    run_and_look(fabric, &schedule, settings, |outcome, _| outcome.clone())
}

/// Runs a list of flows while things break; routes follow after a delay.
pub(crate) fn run_in_time(
    fabric: &Fabric,
    (mishaps, delay): (&[Mishap], Duration),
    list: &[Flow],
    settings: &Settings,
) -> Outcome {
    let schedule = flows(fabric.cards(), list).expect("valid flows");
    let (start, timeline) = fabric.in_time(mishaps, delay).expect("what breaks is there");
    let look = |outcome: &Outcome, _: &PacketNetwork<'_>| outcome.clone();
    run_and_look_in_time((&start, Some(&timeline)), &schedule, settings, look)
}

/// Picoseconds until the last byte of the only flow was delivered.
pub(crate) fn delivered(outcome: &Outcome, lane: usize) -> u64 {
    outcome.lanes[lane].expect("the flow is delivered").as_picos()
}
