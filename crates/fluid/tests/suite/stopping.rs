//! Runs that are stopped tell what has been delivered.

use std::sync::atomic::AtomicBool;

use collectives::{Algorithm, Channels, Collective};
use engine::{Costs, Gauge, Progress};
use fluid::{
    Conducts, Error, Locality, Options, Outcome, Recovery, Switch, Watch, World, simulate,
};
use topology::{Fabric, Routing};
use units::Bytes;

use crate::common;

/// Runs an all-reduce of so many bytes for each card, over all cards.
fn run(
    fabric: &Fabric,
    (algorithm, size): (Algorithm, u64),
    options: &Options<'_>,
) -> Result<Outcome, Error> {
    let (cards, groups) = common::everyone(fabric);
    let bytes = u64::from(fabric.cards()) * size;
    let schedule = common::schedule(&groups, Collective::AllReduce, algorithm, bytes);
    let world = World {
        fabric,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
        timeline: None,
    };
    simulate(&world, options)
}

/// What such a run has delivered when it looks at the stop flag first.
fn progress(fabric: &Fabric, what: (Algorithm, u64), options: Options<'_>) -> Progress {
    let (stop, gauge) = (AtomicBool::new(true), Gauge::new());
    let watch = Watch { stop: Some(&stop), gauge: Some(&gauge) };
    let stopped = run(fabric, what, &Options { watch, ..options });
    assert_eq!(stopped.map(|it| it.makespan), Err(Error::Run(engine::Error::Interrupted)));
    gauge.progress().expect("it had a plan")
}

fn plain() -> Options<'static> {
    Options {
        symmetry: Switch::Off,
        recurrence: Switch::Off,
        locality: Locality::Off,
        ..Options::default()
    }
}

const RING: (Algorithm, u64) = (Algorithm::Ring { channels: Channels::Count(1) }, 1_000);

/// A ring of 32 in step: 32 agents begin, then in each of its 62 steps 32 transfers drain and, a latency
/// later, 32 are delivered. The flag is looked at after 1,024 events: 32 + 15 × 64 + 32, so that 15 × 32 =
/// 480 of 62 × 32 = 1,984 transfers of 1,000 bytes are delivered.
#[test]
fn a_ring_in_step_tells_whole_steps() {
    let told = progress(&common::cluster(32, 1), RING, plain());
    let expected =
        Progress { transfers: 480, all_transfers: 1_984, bytes: 480_000, all_bytes: 1_984_000 };
    assert_eq!(told, expected);
}

/// The same of 512 cards as one class: the agent begins, then the flow drains and is delivered 511 times and
/// drains once more. It stands for 512 transfers of 1,000 bytes in each of 1,022 steps.
#[test]
fn a_class_counts_for_all_its_members() {
    let told =
        progress(&common::cluster(512, 1), RING, Options { symmetry: Switch::On, ..plain() });
    let expected = Progress {
        transfers: 511 * 512,
        all_transfers: 1_022 * 512,
        bytes: 511 * 512_000,
        all_bytes: 1_022 * 512_000,
    };
    assert_eq!(told, expected);
}

/// A run that is divided after 1,000 events, 80 or more of them beginnings, and is stopped then has
/// delivered some, whichever cells know of it: no more than the whole 24 events later.
#[test]
fn cells_tell_what_the_whole_has_delivered() {
    let tree = Algorithm::Tree { channels: Channels::Count(2), chunk: Bytes::new(500_000) };
    let tree = (tree, 1_000_000);
    let fabric = common::cluster(8, 5);
    let whole = progress(&fabric, tree, plain());
    let locality = Locality::DivideAfter(1_000);
    for threads in [1, 3] {
        let cells = progress(&fabric, tree, Options { locality, threads, ..plain() });
        assert_eq!((cells.all_transfers, cells.all_bytes), (whole.all_transfers, whole.all_bytes));
        assert!(0 < cells.transfers && cells.transfers <= whole.transfers, "{cells:?} {whole:?}");
        assert!(whole.transfers - cells.transfers <= 24, "{cells:?} {whole:?}");
    }
}

/// Rings of 4 channels that meet at the ports are walked through step by step in cells: who looks on hears
/// of their events but for those of the last round, each once.
#[test]
fn events_are_told_while_cells_go_step_by_step() {
    let rings = (Algorithm::Ring { channels: Channels::Count(4) }, 99_991);
    let fabric = common::cluster(8, 5);
    for threads in [1, 3] {
        let gauge = Gauge::new();
        let watch = Watch { stop: None, gauge: Some(&gauge) };
        let locality = Locality::DivideAfter(0);
        let whole = run(&fabric, rings, &Options { watch, locality, threads, ..plain() });
        let (told, all) = (gauge.events(), whole.expect("all are connected").counters.events);
        assert!(all - all / 10 < told && told <= all, "{told} of {all}");
    }
}
