//! Reports of users of other simulators as small inputs with derived right values (flow level).
//!
//! The numbers O01 … O20 are those of the project's list of cases; each test says what is derived.

use crate::common;
use collectives::{Action, Pattern, Payload, Stage, Start};
use collectives::{Algorithm, Channels, Collective, Flow, HalvingOrder, RankId, Schedule, flows};
use engine::Costs;
use fluid::{Conducts, Locality, Options, Outcome, Recovery, Status, Switch, World, simulate};
use topology::{CardId, ExplicitLink, ExplicitSpec, Fabric, FabricSpec, Routing};
use units::{Bandwidth, Bytes, Duration, Time};

const PS_PER_S: u64 = 1_000_000_000_000;

fn gbps(rate: u64) -> Bandwidth {
    Bandwidth::from_gigabits_per_second(rate)
}

pub(crate) fn star(cards: u32, gigabits: u64, latency: Duration) -> Fabric {
    common::star_of(cards, gbps(gigabits), latency)
}

fn explicit(
    cards: &[&str],
    switches: &[&str],
    links: &[(&str, &str, u64, Duration, u32)],
) -> Fabric {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let links = links
        .iter()
        .map(|&(from, to, gigabits, latency, count)| ExplicitLink {
            from: from.to_owned(),
            to: to.to_owned(),
            bandwidth: gbps(gigabits),
            latency,
            count,
        })
        .collect();
    let spec = ExplicitSpec { cards: names(cards), switches: names(switches), links };
    Fabric::build(&FabricSpec::Explicit(spec)).expect("the listed fabric can be built")
}

fn flow(src: u32, dst: u32, bytes: u64) -> Flow {
    Flow {
        src: RankId(src),
        dst: RankId(dst),
        bytes: Bytes::new(bytes),
        start: Time::ZERO,
        compute: Duration::ZERO,
    }
}

fn run_with(fabric: &Fabric, schedule: &Schedule, routing: Routing) -> Outcome {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let world = World {
        fabric,
        timeline: None,
        cards: &cards,
        schedule,
        routing,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default()).expect("the fabric connects all");
    assert_eq!(outcome.status, Status::Finished);
    outcome
}

fn run(fabric: &Fabric, list: &[Flow]) -> Outcome {
    let schedule = flows(fabric.cards(), list).expect("the flows are possible");
    run_with(fabric, &schedule, Routing::Spray)
}

/// The finish of each flow in ps.
fn finishes(outcome: &Outcome) -> Vec<u64> {
    outcome.lanes.iter().map(|lane| lane.expect("all finished").as_picos()).collect()
}

pub(crate) fn collective(
    fabric: &Fabric,
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Outcome {
    let (_, groups) = common::everyone(fabric);
    let schedule = common::schedule(&groups, collective, algorithm, size);
    run_with(fabric, &schedule, Routing::Spray)
}

pub(crate) const RING: Algorithm = Algorithm::Ring { channels: Channels::Count(1) };
pub(crate) const HALVING: Algorithm =
    Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling };

#[test]
fn o01_a_lone_flow_gets_the_link_and_delays_do_not_change_the_split() {
    let us = Duration::from_micros;
    // a: 125 MB at 1 Gb/s is 1 s, three links of 10 µs add 30 µs.
    let chain = explicit(
        &["A", "B"],
        &["S1", "S2"],
        &[("A", "S1", 1, us(10), 1), ("S1", "S2", 1, us(10), 1), ("S2", "B", 1, us(10), 1)],
    );
    assert_eq!(finishes(&run(&chain, &[flow(0, 1, 125_000_000)])), [1_000_030_000_000]);
    // b: two flows share the middle, 5 Gb/s each: 1.25 GB in 2 s, plus 3 × 1 µs or 6 × 50 µs.
    let shared = explicit(
        &["a", "b", "c", "d"],
        &["m1", "m2", "x1", "x2", "y1", "y2"],
        &[
            ("a", "m1", 10, us(1), 1),
            ("m1", "m2", 10, us(1), 1),
            ("m2", "b", 10, us(1), 1),
            ("c", "x1", 10, us(50), 1),
            ("x1", "x2", 10, us(50), 1),
            ("x2", "m1", 10, us(50), 1),
            ("m2", "y1", 10, us(50), 1),
            ("y1", "d", 10, Duration::from_nanos(99_000), 1),
        ],
    );
    let outcome = run(&shared, &[flow(0, 1, 1_250_000_000), flow(2, 3, 1_250_000_000)]);
    // The long path: 50 + 50 + 50 + 1 + 50 + 99 = 300 µs, as six hops of 50 µs.
    assert_eq!(finishes(&outcome), [2 * PS_PER_S + 3_000_000, 2 * PS_PER_S + 300_000_000]);
    // c: both directions of one link at once: 1.25 GB at 100 Gb/s is 0.1 s.
    let pair = explicit(&["A", "B"], &[], &[("A", "B", 100, us(1), 1)]);
    let outcome = run(&pair, &[flow(0, 1, 1_250_000_000), flow(1, 0, 1_250_000_000)]);
    assert_eq!(finishes(&outcome), [100_001_000_000; 2]);
}

#[test]
fn o02_transfers_of_nothing() {
    let fabric = star(4, 100, Duration::from_micros(2));
    // The byte shares the port of d: 8 bit at 50 Gb/s = 160 ps; the big one loses 80 ps by it.
    let outcome = run(&fabric, &[flow(0, 1, 0), flow(2, 3, 1), flow(0, 3, 125_000_000)]);
    assert_eq!(finishes(&outcome), [2_000_000, 2_000_160, 10_002_000_080]);
    let many: Vec<Flow> = (0..1_000).map(|_| flow(0, 1, 0)).collect();
    let outcome = run(&fabric, &many);
    assert!(finishes(&outcome).iter().all(|&finish| finish == 2_000_000));
    assert!(outcome.counters.events <= 10_000);
    // Collectives of nothing end after their latency steps: 2(p − 1), 2 log₂ p, 2, 1.
    for (kind, algorithm, steps) in [
        (Collective::AllReduce, RING, 6),
        (Collective::AllReduce, HALVING, 4),
        (Collective::AllReduce, Algorithm::Direct, 2),
        (Collective::AllToAll, Algorithm::Direct, 1),
        (Collective::AllToAll, Algorithm::Pairwise, 3),
        (Collective::AllGather, RING, 3),
        (Collective::ReduceScatter, RING, 3),
    ] {
        let outcome = collective(&fabric, kind, algorithm, 0);
        assert_eq!(outcome.makespan.as_picos(), steps * 2_000_000, "{kind} by {algorithm}");
    }
}

#[test]
fn o03_more_than_two_to_the_31_bytes() {
    let fabric = star(2, 100, Duration::from_micros(1));
    // 100 Gb/s: 80 ps a byte.
    let gather = collective(&fabric, Collective::AllGather, RING, 6_467_616_768);
    assert_eq!(gather.makespan.as_picos(), 3_233_808_384 * 80 + 1_000_000);
    let scatter = collective(&fabric, Collective::ReduceScatter, RING, 12_935_233_536);
    assert_eq!(scatter.makespan.as_picos(), 6_467_616_768 * 80 + 1_000_000);
    for bytes in [(1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 53) + 1] {
        assert_eq!(finishes(&run(&fabric, &[flow(0, 1, bytes)])), [bytes * 80 + 1_000_000]);
    }
    assert_eq!(((1_u64 << 53) + 1) * 80, 720_575_940_379_279_440);
    // 10¹⁸ bytes take 8 × 10¹⁹ ps, more than 2⁶⁴: said, never wrapped.
    let schedule = flows(2, &[flow(0, 1, 1_000_000_000_000_000_000)]).expect("possible");
    let cards = [CardId(0), CardId(1)];
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
    };
    let refused = simulate(&world, &Options::default());
    assert_eq!(refused, Err(fluid::Error::Run(engine::Error::TimeRange)));
}

#[test]
fn o04_long_delays_cost_no_events() {
    let fabric = star(2, 100, Duration::from_micros(2));
    let late = |start: u64, compute: u64| Flow {
        start: Time::from_picos(start),
        compute: Duration::from_nanos(compute),
        ..flow(0, 1, 1_000_000)
    };
    // 1 MB at 100 Gb/s is 80 µs.
    let took = 82_000_000;
    let mut events = Vec::new();
    for (flow, expected) in [
        (late(0, 2_147_483_648), 2_147_483_648_000 + took),
        (late(5 * PS_PER_S, 0), 5 * PS_PER_S + took),
        (late(5_000_000 * PS_PER_S, 0), 5_000_000 * PS_PER_S + took),
    ] {
        let outcome = run(&fabric, &[flow]);
        assert_eq!(finishes(&outcome), [expected]);
        events.push(outcome.counters.events);
    }
    assert!(events.iter().all(|&count| count <= 20), "{events:?}");
    assert_eq!(events[1], events[2]);
}

#[test]
fn o06_idle_hosts_and_the_order_of_the_list_change_nothing() {
    let packets = 64 * 4_096;
    let list: Vec<Flow> = (0..8).map(|src| flow(src, 8, packets + u64::from(src))).collect();
    let latency = Duration::from_micros(2);
    let plain = finishes(&run(&star(9, 100, latency), &list));
    let with_idle_hosts = finishes(&run(&star(11, 100, latency), &list));
    assert_eq!(plain, with_idle_hosts);
    let reversed: Vec<Flow> = list.iter().rev().copied().collect();
    let mut other_way = finishes(&run(&star(9, 100, latency), &reversed));
    other_way.reverse();
    assert_eq!(plain, other_way);
}

#[test]
fn o07_parallel_links_all_carry() {
    let us = Duration::from_micros(1);
    let mut links = vec![("leaf", "spine", 100, us, 4)];
    for host in ["h0", "h1", "h2", "h3"] {
        links.push((host, "leaf", 100, us, 1));
    }
    for host in ["g0", "g1", "g2", "g3"] {
        links.push(("spine", host, 100, us, 1));
    }
    let fabric =
        explicit(&["h0", "h1", "h2", "h3", "g0", "g1", "g2", "g3"], &["leaf", "spine"], &links);
    let list: Vec<Flow> = (0..4).map(|host| flow(host, host + 4, 1_250_000_000)).collect();
    assert_eq!(finishes(&run(&fabric, &list)), [100_003_000_000; 4]);
    // Hashed: each flow takes (flows on its link) × 0.1 s, when no flow gets a link freed by others
    // before: the loads (2, 1, 1, 0) give two at 0.1 s and two at 0.2 s.
    let schedule = flows(8, &list).expect("possible");
    let mut seen_loads = Vec::new();
    for key in 0..64 {
        let outcome = run_with(&fabric, &schedule, Routing::Ecmp { flows: 1, key });
        let mut tenths: Vec<u64> = finishes(&outcome)
            .iter()
            .map(|finish| (finish - 3_000_000) / 100_000_000_000)
            .collect();
        tenths.sort_unstable();
        assert!(tenths.iter().all(|tenth| (1..=4).contains(tenth)));
        seen_loads.push(tenths);
    }
    assert!(seen_loads.contains(&vec![1, 1, 2, 2]));
    assert!(seen_loads.iter().all(|loads| loads.iter().filter(|&&load| load == 2).count() != 1));
}

#[test]
fn o15_nineteen_to_sixteen() {
    // 19 flows of 1.25 GB over 4 × 40 Gb/s: 160/19 Gb/s each, 1.1875 s; shares rounded down to
    // ⌊160 × 10¹² / 19⌋ milli-bit/s may cost a few ps.
    let (names, links) = common::nineteen_hosts();
    let cards: Vec<&str> = names.iter().map(String::as_str).collect();
    let links: Vec<(&str, &str, u64, Duration, u32)> = links
        .iter()
        .map(|(from, to, rate)| (from.as_str(), to.as_str(), *rate, Duration::ZERO, 1))
        .collect();
    let fabric = explicit(&cards, &["l0", "l1", "s0", "s1", "s2", "s3"], &links);
    let list: Vec<Flow> = (0..19).map(|host| flow(host, host + 19, 1_250_000_000)).collect();
    let share = 160_000_000_000_000_u128 / 19;
    let expected = Bytes::new(1_250_000_000).as_work().div_ceil(share) as u64;
    assert_eq!(finishes(&run(&fabric, &list)), vec![expected; 19]);
    assert!(expected - 1_187_500_000_000 <= 1, "{expected}");
}

#[test]
fn o18_the_valid_extreme() {
    // 80 Tb/s: a byte takes 0.1 ps, rounded up to 1; 1 MB takes 100 ns.
    let fabric = star(2, 80_000, Duration::ZERO);
    assert_eq!(finishes(&run(&fabric, &[flow(0, 1, 1)])), [1]);
    assert_eq!(finishes(&run(&fabric, &[flow(0, 1, 1_000_000)])), [100_000]);
    // 100,000 of one byte in turn take 1 ps each, simulated or skipped; `cargo xtask extremes` runs
    // ten million and looks at the memory.
    let in_turn = Stage {
        pattern: Pattern::List(vec![(0, 1)]),
        payload: Payload::Whole(0..1),
        action: Action::Store,
        start: Start::Eager,
        steps: 100_000,
        compute: Duration::ZERO,
    };
    let mut schedule = flows(2, &[flow(0, 1, 1)]).expect("the flow is possible");
    schedule.lanes[0].stages = vec![in_turn];
    let (cards, routing, costs) = ([CardId(0), CardId(1)], Routing::Spray, Costs::default());
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        routing,
        conducts: &Conducts::alike(costs),
        recovery: Recovery::default(),
    };
    for recurrence in [Switch::Off, Switch::On] {
        let options = Options { recurrence, locality: Locality::Off, ..Options::default() };
        let outcome = simulate(&world, &options).expect("card 1 is reached");
        assert_eq!(outcome.makespan.as_picos(), 100_000);
        assert_eq!(outcome.counters.events >= 100_000, recurrence == Switch::Off);
    }
}

#[test]
fn o19_bits_and_bytes() {
    let gigabyte = 1_000_000_000;
    let lone = |gigabits, bytes| {
        finishes(&run(&star(2, gigabits, Duration::ZERO), &[flow(0, 1, bytes)]))[0]
    };
    assert_eq!(lone(400, gigabyte), 20_000_000_000);
    assert_eq!(lone(3_200, gigabyte), 2_500_000_000);
    assert_eq!(lone(400, 1 << 30), 21_474_836_480);
}

#[test]
fn o20_thousands_of_hosts_on_one_switch() {
    // 3 × 3.33 µs + 80 µs whatever the number of hosts.
    for hosts in [4_000, 16_000] {
        let fabric = common::dumbbell(hosts);
        let outcome = run(&fabric, &[flow(0, hosts, 1_000_000)]);
        assert_eq!(finishes(&outcome), [89_990_000]);
        assert!(outcome.counters.events <= 20);
    }
}
