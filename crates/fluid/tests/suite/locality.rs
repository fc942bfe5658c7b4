//! Cells: the same run on any number of threads, to the event.

use collectives::{Algorithm, Channels, Collective};
use engine::Costs;
use fluid::{Conducts, Locality, Options, Outcome, Recovery, Status, Switch, World, simulate};
use topology::{Fabric, Routing};

use crate::common;

/// An all-reduce by four rotated rings over 5 supernodes of 8 cards, whose channels meet at the ports.
fn rings(fabric: &Fabric, options: &Options<'_>) -> Outcome {
    let (cards, groups) = common::everyone(fabric);
    let rings = Algorithm::Ring { channels: Channels::Count(4) };
    let schedule = common::schedule(&groups, Collective::AllReduce, rings, 40 * 99_991);
    let world = World {
        fabric,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
        timeline: None,
    };
    simulate(&world, options).expect("all are connected")
}

#[test]
fn cells_run_alike_on_any_number_of_threads() {
    let fabric = common::cluster(8, 5);
    let plain = Options {
        symmetry: Switch::Off,
        recurrence: Switch::Off,
        locality: Locality::Off,
        ..Options::default()
    };
    let whole = rings(&fabric, &plain);
    assert_eq!(whole.status, Status::Finished);
    let mut counters = Vec::new();
    for threads in [1, 2, 3, 8] {
        for events in [0, 777] {
            let locality = Locality::DivideAfter(events);
            let cells = rings(&fabric, &Options { locality, threads, ..plain });
            assert_eq!((cells.makespan, &cells.lanes), (whole.makespan, &whole.lanes));
            assert_eq!(cells.ranks, whole.ranks);
            // Every event is handled once, wherever and whenever that is.
            assert_eq!(cells.counters.events, whole.counters.events);
            counters.push(cells.counters);
        }
    }
    // Not even the count of solutions tells how many threads there were.
    assert!(counters.iter().step_by(2).all(|one| *one == counters[0]), "{counters:?}");
    assert!(counters.iter().skip(1).step_by(2).all(|one| *one == counters[1]), "{counters:?}");
}
