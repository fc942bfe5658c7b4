//! Start-up and reduction costs, each alone, on a star of four cards.

use collectives::{Algorithm, Channels, Collective};
use engine::Costs;
use fluid::{Conducts, Locality, Options, Recovery, Switch, World, simulate};
use topology::Routing;
use units::{Bandwidth, Duration};

use crate::common;

/// Ports of 50 GB/s: 20 ps a byte.
const PICOS_PER_BYTE: u64 = 20;
/// 1 µs of path.
const LATENCY: u64 = 1_000_000;

fn time(algorithm: Algorithm, size: u64, costs: Costs) -> u64 {
    let fabric = common::star(4, 50, Duration::from_picos(LATENCY));
    let (cards, groups) = common::everyone(&fabric);
    let schedule = common::schedule(&groups, Collective::AllReduce, algorithm, size);
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(costs),
        recovery: Recovery::default(),
    };
    let plain = Options {
        symmetry: Switch::Off,
        recurrence: Switch::Off,
        locality: Locality::Off,
        ..Options::default()
    };
    let plain = simulate(&world, &plain).expect("the star connects all");
    let reduced = simulate(&world, &Options::default()).expect("the star connects all");
    assert_eq!(plain.makespan, reduced.makespan);
    plain.makespan.as_picos()
}

const RING: Algorithm = Algorithm::Ring { channels: Channels::Count(1) };

#[test]
fn a_step_costs_its_start_up_once() {
    // 6 steps of (100 ns + 1,000 B + 1 µs).
    let costs = Costs { per_step: Duration::from_nanos(100), ..Costs::default() };
    assert_eq!(time(RING, 4_000, costs), 6 * (100_000 + 1_000 * PICOS_PER_BYTE + LATENCY));
}

#[test]
fn messages_leave_their_sender_one_after_the_other() {
    // Direct: three messages of nothing leave after 70, 140 and 210 ns; each seat gets its last one
    // 210 ns + 1 µs after the start, twice.
    let costs = Costs { per_message: Duration::from_nanos(70), ..Costs::default() };
    assert_eq!(time(Algorithm::Direct, 0, costs), 2 * (210_000 + LATENCY));
    // A ring sends one message a step.
    assert_eq!(time(RING, 0, costs), 6 * (70_000 + LATENCY));
}

#[test]
fn sums_take_their_time_where_something_is_added() {
    // Direct: three chunks of 1,000 B share the port (60 ns) and are added one after the other at
    // 100 GB/s (10 ns each); the gathering adds nothing.
    let costs =
        Costs { reduce: Some(Bandwidth::from_gigabytes_per_second(100)), ..Costs::default() };
    let transfer = 3 * 1_000 * PICOS_PER_BYTE;
    // ⌊50 GB/s / 3⌋ is rounded down by a third of a milli-bit/s: 1 ps.
    let expected = (transfer + 1 + LATENCY + 3 * 10_000) + (transfer + 1 + LATENCY);
    assert_eq!(time(Algorithm::Direct, 4_000, costs), expected);
    // Ring: 3 steps add 1,000 B each, 3 do not.
    assert_eq!(time(RING, 4_000, costs), 6 * (1_000 * PICOS_PER_BYTE + LATENCY) + 3 * 10_000);
}
