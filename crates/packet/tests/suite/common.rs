//! Short ways to run a world.

use collectives::{Flow, RankId, Schedule, flows};
use engine::{Conducts, Costs};
use packet::{Outcome, PacketNetwork, Settings, Simulation, World};
use topology::{CardId, Fabric};
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
    let cards = everyone(fabric);
    let conducts = Conducts::alike(Costs::default());
    let world = World {
        fabric,
        cards: &cards,
        schedule,
        class_of_lane: &[],
        conducts: &conducts,
        settings,
    };
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

/// Picoseconds until the last byte of the only flow was delivered.
pub(crate) fn delivered(outcome: &Outcome, lane: usize) -> u64 {
    outcome.lanes[lane].expect("the flow is delivered").as_picos()
}
