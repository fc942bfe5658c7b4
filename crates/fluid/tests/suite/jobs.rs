//! Several jobs at once, and jobs in rounds, by hand.

use collectives::{
    Algorithm, Channels, Collective, Flow, Group, RankId, Rounds, Schedule, flows, repeated,
    together,
};
use engine::Costs;
use fluid::{
    Conduct, Conducts, Locality, Options, Outcome, Recovery, Status, Switch, World, simulate,
};
use topology::{CardId, Fabric, Routing};
use units::{Bytes, Duration, Time};

use crate::common;

/// Ports of 50 GB/s: 20 ps a byte.
const PICOS_PER_BYTE: u64 = 20;
/// 1 µs of path.
const LATENCY: u64 = 1_000_000;
/// 3.33 µs a link, three links.
const DUMBBELL_LATENCY: u64 = 3 * 3_330_000;

/// The plain way and all ways of reducing it.
fn run(fabric: &Fabric, cards: &[u32], schedule: &Schedule, conducts: &Conducts) -> Outcome {
    let cards: Vec<CardId> = cards.iter().copied().map(CardId).collect();
    let world = World {
        fabric,
        timeline: None,
        cards: &cards,
        schedule,
        routing: Routing::Spray,
        conducts,
        recovery: Recovery::default(),
    };
    let told = |symmetry, recurrence| {
        let options = Options { symmetry, recurrence, ..Options::default() };
        simulate(&world, &options).expect("all are connected")
    };
    let plain = told(Switch::Off, Switch::Off);
    assert_eq!(plain.status, Status::Finished);
    for (symmetry, recurrence) in
        [(Switch::Off, Switch::On), (Switch::On, Switch::Off), (Switch::On, Switch::On)]
    {
        let reduced = told(symmetry, recurrence);
        assert_eq!((plain.makespan, &plain.lanes), (reduced.makespan, &reduced.lanes));
        assert_eq!((&plain.traffic, &plain.bound), (&reduced.traffic, &reduced.bound));
        assert_eq!(plain.counters.transfers, reduced.counters.transfers);
    }
    plain
}

fn alike() -> Conducts {
    Conducts::alike(Costs::default())
}

/// When each job ends: the last of its lanes.
fn ends(schedule: &Schedule, outcome: &Outcome) -> Vec<u64> {
    let jobs = schedule.lanes.iter().map(|lane| lane.name.job).max().map_or(0, |job| job + 1);
    let mut ends = vec![0; jobs as usize];
    for (lane, end) in schedule.lanes.iter().zip(&outcome.lanes) {
        let end = end.expect("finished").as_picos();
        let last = &mut ends[lane.name.job as usize];
        *last = end.max(*last);
    }
    ends
}

/// A job of one flow from its rank 0 to its rank 1.
fn flow(bytes: u64, start: u64) -> Schedule {
    let flow = Flow {
        src: RankId(0),
        dst: RankId(1),
        bytes: Bytes::new(bytes),
        start: Time::from_picos(start),
        compute: Duration::ZERO,
    };
    flows(2, &[flow]).expect("a flow between two ranks")
}

/// The link between the switches carries 100 Gb/s: 80 ps a byte. Alone 1 MB takes 80 µs, 3 MB take 240
/// µs. Together each has half: the small job ends after 160 µs, twice its time alone; by then 1 MB of the
/// large one has left, the other 2 MB take 160 µs: 320 µs, 4/3 of its time alone.
#[test]
fn two_jobs_share_a_link() {
    let fabric = common::dumbbell(2);
    let both = together(&[flow(1_000_000, 0), flow(3_000_000, 0)]);
    let outcome = run(&fabric, &[0, 2, 1, 3], &both, &alike());
    let expected = [160_000_000, 320_000_000].map(|time| time + DUMBBELL_LATENCY);
    assert_eq!(ends(&both, &outcome), expected);
}

/// The large job starts 40 µs later: half of the small one has left by then, the rest takes 80 µs at half
/// the rate: 120 µs. The large one has sent 0.5 MB of 3 MB then, 2.5 MB take 200 µs: 320 µs.
#[test]
fn a_job_that_starts_later_meets_what_is_left() {
    let fabric = common::dumbbell(2);
    let both = together(&[flow(1_000_000, 0), flow(3_000_000, 40_000_000)]);
    let outcome = run(&fabric, &[0, 2, 1, 3], &both, &alike());
    let expected = [120_000_000, 320_000_000].map(|time| time + DUMBBELL_LATENCY);
    assert_eq!(ends(&both, &outcome), expected);
}

/// Two jobs on the same two cards share their ports: twice the time of one, 20 ps a byte each.
#[test]
fn jobs_on_the_same_cards_share_their_ports() {
    let fabric = common::star(2, 50, Duration::from_picos(LATENCY));
    let both = together(&[flow(1_000, 0), flow(1_000, 0)]);
    let outcome = run(&fabric, &[0, 1, 0, 1], &both, &alike());
    assert_eq!(ends(&both, &outcome), [2 * 1_000 * PICOS_PER_BYTE + LATENCY; 2]);
}

/// An all-reduce of 4,000 B among four ranks of a star: 6 steps of (20 ns + 1 µs).
const ALL_REDUCE: u64 = 6 * (1_000 * PICOS_PER_BYTE + LATENCY);

fn ring(channels: u32) -> Schedule {
    let group = Group {
        ranks: (0..4).map(RankId).collect(),
        supernodes: (0..4).map(topology::SupernodeId).collect(),
        trees: Vec::new(),
    };
    let algorithm = Algorithm::Ring { channels: Channels::Count(channels) };
    common::schedule(&[group], Collective::AllReduce, algorithm, 4_000)
}

fn rounds(count: u64, period: u64) -> Rounds {
    Rounds { count, period: Duration::from_picos(period) }
}

/// Rounds follow each other at once when the period is shorter than a round, else by the clock; in
/// between a period of exactly one round changes nothing.
#[test]
fn rounds_begin_by_the_clock_or_when_the_one_before_is_done() {
    let fabric = common::star(4, 50, Duration::from_picos(LATENCY));
    for channels in [1, 2] {
        for (period, expected) in [
            (0, 5 * ALL_REDUCE),
            (ALL_REDUCE / 2, 5 * ALL_REDUCE),
            (ALL_REDUCE, 5 * ALL_REDUCE),
            (3 * ALL_REDUCE, 4 * 3 * ALL_REDUCE + ALL_REDUCE),
        ] {
            let schedule = repeated(ring(channels), rounds(5, period));
            let outcome = run(&fabric, &[0, 1, 2, 3], &schedule, &alike());
            // Two channels of half the size share the ports: the same time.
            assert_eq!(outcome.makespan.as_picos(), expected, "{channels} channels, {period} ps");
            assert!(outcome.bound.time <= outcome.makespan);
        }
    }
}

/// 2 rounds × 4 ranks × 6 steps × 1,000 B, out of a card and into another.
#[test]
fn all_rounds_are_counted() {
    let fabric = common::star(4, 50, Duration::from_picos(LATENCY));
    let schedule = repeated(ring(1), rounds(2, 0));
    let outcome = run(&fabric, &[0, 1, 2, 3], &schedule, &alike());
    assert_eq!(outcome.counters.transfers, 2 * 4 * 6);
    let bytes: u128 = outcome.traffic.tiers.iter().map(|tier| tier.bytes).sum();
    assert_eq!(bytes, 2 * 2 * 4 * 6 * 1_000);
}

/// A rank 7 µs late is late in every round that begins by the clock: the last one begins at 4 periods.
#[test]
fn a_late_rank_is_late_in_every_round() {
    let fabric = common::star(4, 50, Duration::from_picos(LATENCY));
    let mut conducts = vec![Conduct::plain(Costs::default()); 4];
    conducts[1].late = Duration::from_micros(7);
    let schedule = repeated(ring(1), rounds(5, 20 * ALL_REDUCE));
    let outcome = run(&fabric, &[0, 1, 2, 3], &schedule, &Conducts::new(&conducts));
    let expected = 4 * 20 * ALL_REDUCE + 7_000_000 + ALL_REDUCE;
    assert_eq!(outcome.makespan.as_picos(), expected);
}

/// A root that only sends is not held up by those who receive: rounds of a broadcast overlap. Three
/// rounds of a message of 1,000 B (20 ns) to the one other rank: 3 × 20 ns + 1 µs.
#[test]
fn there_is_no_barrier_between_rounds() {
    let fabric = common::star(2, 50, Duration::from_picos(LATENCY));
    let schedule = repeated(flow(1_000, 0), rounds(3, 0));
    let outcome = run(&fabric, &[0, 1], &schedule, &alike());
    assert_eq!(outcome.makespan.as_picos(), 3 * 1_000 * PICOS_PER_BYTE + LATENCY);
}

/// A long ring beside a job that starts after it has gone through thousands of steps: recurrence goes on
/// up to the instant at which the other begins, and again after it.
#[test]
fn recurrence_goes_on_beside_a_job_that_has_not_begun() {
    let fabric = common::star(6, 50, Duration::from_picos(LATENCY));
    let chunks = 20_000;
    let chain = Algorithm::Chain { channels: Channels::Count(1), chunk: Bytes::new(1_000) };
    let group = Group {
        ranks: (0..4).map(RankId).collect(),
        supernodes: (0..4).map(topology::SupernodeId).collect(),
        trees: Vec::new(),
    };
    let size = chunks * 1_000;
    let long = common::schedule(&[group], Collective::Broadcast { root: 0 }, chain, size);
    let both = together(&[long, flow(1_000, 10_000 * LATENCY)]);
    let cards: Vec<CardId> = (0..6).map(CardId).collect();
    let conducts = alike();
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &both,
        routing: Routing::Spray,
        conducts: &conducts,
        recovery: Recovery::default(),
    };
    // By events: nothing is shared here, so that the steps could be walked through without them.
    let by_events = Options { locality: Locality::Off, ..Options::default() };
    let plain = Options { recurrence: Switch::Off, ..by_events };
    let plain = simulate(&world, &plain).expect("connected");
    let quick = simulate(&world, &by_events).expect("connected");
    assert_eq!((plain.makespan, &plain.lanes), (quick.makespan, &quick.lanes));
    // Less than one event in ten of the long way is left.
    assert!(quick.counters.events * 10 < plain.counters.events, "{:?}", quick.counters);
}
