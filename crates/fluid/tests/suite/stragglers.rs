//! Ranks that start late or are slow, by hand.

use collectives::{Algorithm, Channels, Collective};
use engine::Costs;
use fluid::{Conduct, Conducts, Options, Outcome, Status, Switch, World, simulate};
use proptest::prelude::*;
use topology::{Fabric, Routing};
use units::{Bandwidth, Duration, Ratio};

use crate::common;

/// Ports of 50 GB/s: 20 ps a byte.
const PICOS_PER_BYTE: u64 = 20;
/// 1 µs of path.
const LATENCY: u64 = 1_000_000;
const RANKS: u32 = 4;
const RING: Algorithm = Algorithm::Ring { channels: Channels::Count(1) };

fn star() -> Fabric {
    common::star(RANKS, 50, Duration::from_picos(LATENCY))
}

/// An all-reduce of `size` bytes on the star, the plain way and reduced.
fn run(algorithm: Algorithm, size: u64, conducts: &[Conduct]) -> Outcome {
    let fabric = star();
    let (cards, groups) = common::everyone(&fabric);
    let schedule = common::schedule(&groups, Collective::AllReduce, algorithm, size);
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::new(conducts),
        recovery: fluid::Recovery::default(),
    };
    let plain = Options { symmetry: Switch::Off, recurrence: Switch::Off, ..Options::default() };
    let plain = simulate(&world, &plain).expect("the star connects all");
    let reduced = simulate(&world, &Options::default()).expect("the star connects all");
    assert_eq!((plain.makespan, &plain.ranks), (reduced.makespan, &reduced.ranks));
    assert_eq!(reduced.status, Status::Finished);
    reduced
}

fn time(algorithm: Algorithm, size: u64, conducts: &[Conduct]) -> u64 {
    run(algorithm, size, conducts).makespan.as_picos()
}

/// All ranks on time but rank `rank`.
fn with(costs: Costs, rank: usize, conduct: Conduct) -> Vec<Conduct> {
    let mut conducts = vec![Conduct::plain(costs); RANKS as usize];
    conducts[rank] = conduct;
    conducts
}

fn late(picos: u64) -> Conduct {
    Conduct { late: Duration::from_picos(picos), ..Conduct::plain(Costs::default()) }
}

fn ratio(over: u64, under: u64) -> Ratio {
    Ratio::new(over, under).expect("positive")
}

/// In a ring rank r enters step k + 1 when its own chunk of step k has left, t = 1,000 B · 20 ps after it
/// entered step k, and that of rank r − 1 has come, s = t + 1 µs after that one did. So the end is the
/// longest way of six steps from some rank's start: from a rank d late it is six hops, d + 6s.
#[test]
fn a_ring_with_a_late_rank_ends_as_much_later() {
    let step = 1_000 * PICOS_PER_BYTE + LATENCY;
    let on_time = vec![Conduct::plain(Costs::default()); RANKS as usize];
    assert_eq!(time(RING, 4_000, &on_time), 6 * step);
    for by in [1, step, 5 * step + 7] {
        assert_eq!(time(RING, 4_000, &with(Costs::default(), 2, late(by))), by + 6 * step);
    }
}

/// Rank 0 late by d = 10s: the ways that count begin there. To end at rank r after six steps a way makes
/// h hops, h = r modulo 4 and at most 6, and stays for the others: h = 4, 5, 6, 3 for r = 0, 1, 2, 3. Rank
/// r ends at d + h·s + (6 − h)·t.
#[test]
fn every_rank_of_the_ring_pays_for_the_late_one() {
    let stay = 1_000 * PICOS_PER_BYTE;
    let step = stay + LATENCY;
    let outcome = run(RING, 4_000, &with(Costs::default(), 0, late(10 * step)));
    let ends: Vec<u64> =
        outcome.ranks.iter().map(|end| end.expect("finished").as_picos()).collect();
    assert_eq!(ends, [4, 5, 6, 3].map(|hops| (10 + hops) * step + (6 - hops) * stay));
}

/// Direct, three chunks at once: what goes to the late rank goes on time, so that only its own share of
/// 1,000 B to each of three at a third of the port (60 ns and 1 ps of rounding) is waited for: d +
/// 60,001 + 1 µs for the reduction, as much again for the gathering.
#[test]
fn peers_wait_for_the_late_one_alone() {
    let phase = 3 * 1_000 * PICOS_PER_BYTE + 1 + LATENCY;
    let by = 50 * LATENCY;
    assert_eq!(
        time(Algorithm::Direct, 4_000, &with(Costs::default(), 1, late(by))),
        by + 2 * phase
    );
}

/// A step costs 100 ns, at the slow rank 3/2 of it, 150 ns. The longest way is six hops, as a hop costs 1
/// µs more than staying; of six ranks in a row around a ring of four two are the slow one.
#[test]
fn a_slow_rank_counts_each_time_the_way_passes_it() {
    let costs = Costs { per_step: Duration::from_nanos(100), ..Costs::default() };
    let slow = Conduct { slowness: ratio(3, 2), ..Conduct::plain(costs) };
    let step = 100_000 + 1_000 * PICOS_PER_BYTE + LATENCY;
    assert_eq!(time(RING, 4_000, &with(costs, 3, slow)), 6 * step + 2 * 50_000);
}

/// 1 ns a message × 7/3, rounded up: 2,334 ps; a ring of nothing sends one a step, and two of six hops
/// leave the slow rank.
#[test]
fn slow_messages_are_rounded_up() {
    let costs = Costs { per_message: Duration::from_nanos(1), ..Costs::default() };
    let slow = Conduct { slowness: ratio(7, 3), ..Conduct::plain(costs) };
    let expected = 6 * (LATENCY + 1_000) + 2 * (2_334 - 1_000);
    assert_eq!(time(RING, 0, &with(costs, 1, slow)), expected);
}

/// 1,000 B at 100 GB/s are 10 ns, of a rank three times as slow 30 ns. Direct: it adds three chunks, one
/// after the other, and only then gathers; the others wait for it.
#[test]
fn a_slow_rank_adds_slowly() {
    let costs =
        Costs { reduce: Some(Bandwidth::from_gigabytes_per_second(100)), ..Costs::default() };
    let slow = Conduct { slowness: ratio(3, 1), ..Conduct::plain(costs) };
    let phase = 3 * 1_000 * PICOS_PER_BYTE + 1 + LATENCY;
    let expected = 2 * phase + 3 * 30_000;
    assert_eq!(time(Algorithm::Direct, 4_000, &with(costs, 0, slow)), expected);
}

proptest! {
    #![proptest_config(common::at_least(300))]

    /// From every rank a way of six hops leads to the end, so the latest decides.
    #[test]
    fn late_ranks_cost_at_most_the_latest(delays in prop::array::uniform4(0_u64..20_000_000)) {
        let step = 1_000 * PICOS_PER_BYTE + LATENCY;
        let conducts: Vec<Conduct> = delays.iter().map(|&by| late(by)).collect();
        let latest = *delays.iter().max().expect("four");
        prop_assert_eq!(time(RING, 4_000, &conducts), latest + 6 * step);
    }
}
