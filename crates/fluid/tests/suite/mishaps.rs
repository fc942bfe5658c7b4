//! What breaks and is repaired during a run, by hand.

use collectives::{Algorithm, Channels, Collective, Flow, RankId, flows};
use engine::{Costs, FlowId, Network, News};
use fluid::{
    Conducts, Crossing, Error, FluidNetwork, Medium, Options, Outcome, Status, Switch, Turn,
};
use fluid::{World, simulate};
use topology::{CardId, ExplicitLink, ExplicitSpec, Fabric, FabricSpec, Fault, Mishap};
use topology::{Part, Routing, SupernodeId, Tier};
use units::{Bandwidth, Bytes, Duration, Time};

use crate::common;

pub(crate) const MILLI: u64 = 1_000_000_000;
pub(crate) const MICRO: u64 = 1_000_000;

pub(crate) fn ms(millis: u64) -> Time {
    Time::from_picos(millis * MILLI)
}

pub(crate) fn link(from: &str, to: &str) -> Part {
    Part::Link { from: from.to_owned(), to: to.to_owned(), count: 1 }
}

pub(crate) fn node(name: &str) -> Part {
    Part::Node(name.to_owned())
}

/// A part that is left with so many percent of its speed from one millisecond to another.
pub(crate) fn mishap(part: Part, percent: u32, at: u64, until: Option<u64>) -> Mishap {
    let fault = Fault { part, speed_ppm: percent * 10_000 };
    Mishap { fault, at: Some(ms(at)), until: until.map(ms) }
}

/// 1.25 GB, which take 0.1 s at 100 Gb/s.
pub(crate) fn flow(src: u32, dst: u32) -> Flow {
    let (bytes, compute) = (Bytes::new(1_250_000_000), Duration::ZERO);
    Flow { src: RankId(src), dst: RankId(dst), bytes, start: Time::ZERO, compute }
}

/// Two leaves with a card each, and so many spines; 100 Gb/s and 1 µs a link, four links a path.
pub(crate) fn leaves(spines: u32) -> Fabric {
    let cable = |from: &str, to: &str| ExplicitLink {
        from: from.to_owned(),
        to: to.to_owned(),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_micros(1),
        count: 1,
    };
    let mut links = vec![cable("a", "leaf0"), cable("b", "leaf1")];
    let mut switches = vec!["leaf0".to_owned(), "leaf1".to_owned()];
    for spine in 0..spines {
        let name = format!("spine{spine}");
        links.extend([cable("leaf0", &name), cable("leaf1", &name)]);
        switches.push(name);
    }
    let cards = vec!["a".to_owned(), "b".to_owned()];
    Fabric::build(&FabricSpec::Explicit(ExplicitSpec { cards, switches, links }))
        .expect("it can be")
}

pub(crate) fn run_routed(
    fabric: &Fabric,
    mishaps: &[Mishap],
    reroute_after: u64,
    (list, routing): (&[Flow], Routing),
) -> Result<Outcome, Error> {
    let delay = Duration::from_picos(reroute_after * MILLI);
    let (start, timeline) = fabric.in_time(mishaps, delay).expect("all of it is there");
    let schedule = flows(fabric.cards(), list).expect("the flows are possible");
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &cards,
        schedule: &schedule,
        routing,
        conducts: &Conducts::alike(Costs::default()),
        recovery: fluid::Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default())?;
    let plain = Options { symmetry: Switch::Off, recurrence: Switch::Off, ..Options::default() };
    let plain = simulate(&world, &plain)?;
    assert_eq!(crate::worlds::told(outcome.clone()), crate::worlds::told(plain));
    Ok(outcome)
}

pub(crate) fn run(
    fabric: &Fabric,
    mishaps: &[Mishap],
    reroute_after: u64,
    list: &[Flow],
) -> Outcome {
    let spray = (list, Routing::Spray);
    run_routed(fabric, mishaps, reroute_after, spray).expect("all are reached at first")
}

/// The time of a run that finishes, in ps.
pub(crate) fn time(fabric: &Fabric, mishaps: &[Mishap], reroute_after: u64, list: &[Flow]) -> u64 {
    let outcome = run(fabric, mishaps, reroute_after, list);
    assert_eq!(outcome.status, Status::Finished);
    outcome.makespan.as_picos()
}

pub(crate) fn bytes(outcome: &Outcome, tier: Tier) -> u128 {
    outcome.traffic.tiers.iter().find(|it| it.tier == tier).expect("the tier is there").bytes
}

#[test]
fn a_link_at_half_speed_slows_what_is_under_way() {
    // 20 ms at 100 Gb/s leave 80 ms of work, which take 160 ms at 50 Gb/s; 2 µs of latency.
    let star =
        common::star_of(4, Bandwidth::from_gigabits_per_second(100), Duration::from_micros(2));
    let slow = |until| [mishap(link("card 1", "switch 0"), 50, 20, until)];
    let name = star.node_name(topology::NodeId(4));
    assert_eq!(name, "switch 0", "{name}");
    assert_eq!(time(&star, &slow(None), 0, &[flow(0, 1)]), 180 * MILLI + 2 * MICRO);
    // Repaired at 60 ms: 20 + 40/2 = 40 ms of work are done, 60 are left.
    assert_eq!(time(&star, &slow(Some(60)), 0, &[flow(0, 1)]), 120 * MILLI + 2 * MICRO);
    // Others do not notice.
    assert_eq!(time(&star, &slow(None), 0, &[flow(2, 3)]), 100 * MILLI + 2 * MICRO);
}

#[test]
fn what_one_flow_leaves_the_other_takes_at_once() {
    // Two flows of 1.25 GB share card 2's port at 50 Gb/s; at 40 ms each has 8 Gb left. Card 0 falls to a
    // quarter, 25 Gb/s: the other takes 75 Gb/s and ends after 8/75 s. The first has then moved 25 × 8/75
    // = 8/3 Gb, and needs 16/3 Gb more at its 25 Gb/s: in all 40 ms + 8/25 s = 360 ms.
    let star = common::star_of(3, Bandwidth::from_gigabits_per_second(100), Duration::ZERO);
    let slow = [mishap(node("card 0"), 25, 40, None)];
    let outcome = run(&star, &slow, 0, &[flow(0, 2), flow(1, 2)]);
    let ends: Vec<u64> =
        outcome.lanes.iter().map(|lane| lane.expect("it ends").as_picos()).collect();
    assert_eq!(ends, [360 * MILLI, 40 * MILLI + (8 * 1_000 * MILLI).div_ceil(75)]);
}

#[test]
fn speeds_of_mishaps_that_overlap_multiply() {
    // Half from 20 ms on, half of that from 40 to 80 ms: 20 + 20/2 + 40/4 + x/2 = 100 with x = 120 ms.
    let star = common::star_of(2, Bandwidth::from_gigabits_per_second(100), Duration::ZERO);
    let slow = [
        mishap(node("card 0"), 50, 20, None),
        mishap(link("card 0", "switch 0"), 50, 40, Some(80)),
    ];
    assert_eq!(time(&star, &slow, 0, &[flow(0, 1)]), 200 * MILLI);
}

/// Case O16c of the collected cases.
#[test]
fn o16c_a_flow_takes_the_other_spine_after_the_delay() {
    // 50 ms on spine 0, 10 ms without a way, 50 ms on spine 1, four hops of 1 µs. Hashed, the flow is on
    // one of the spines: exactly one of the two dead links stops it.
    let fabric = leaves(2);
    let routing = Routing::Ecmp { flows: 1, key: 7 };
    let mut times = ["spine0", "spine1"].map(|spine| {
        let dead = [mishap(link("leaf0", spine), 0, 50, None)];
        let outcome = run_routed(&fabric, &dead, 10, (&[flow(0, 1)], routing));
        let outcome = outcome.expect("both are reached");
        assert_eq!(outcome.status, Status::Finished);
        // What has moved before the delay has crossed the one spine, the rest the other.
        assert_eq!(bytes(&outcome, Tier::Trunk), 2 * 1_250_000_000);
        outcome.makespan.as_picos()
    });
    times.sort_unstable();
    assert_eq!(times, [100 * MILLI + 4 * MICRO, 110 * MILLI + 4 * MICRO]);
    // Sprayed over both, a dead hop stops all of it until the routes are recomputed.
    let dead = [mishap(link("leaf0", "spine0"), 0, 50, None)];
    assert_eq!(time(&fabric, &dead, 10, &[flow(0, 1)]), 110 * MILLI + 4 * MICRO);
    // Routes that are recomputed at once cost nothing: one spine carries what both did.
    assert_eq!(time(&fabric, &dead, 0, &[flow(0, 1)]), 100 * MILLI + 4 * MICRO);
}

#[test]
fn a_link_that_comes_back_is_waited_for() {
    // Dead from 20 to 40 ms; routes know it 5 ms later, so there is none from 25 to 45 ms: 25 ms lost.
    let dead = [mishap(link("leaf0", "spine0"), 0, 20, Some(40))];
    assert_eq!(time(&leaves(1), &dead, 5, &[flow(0, 1)]), 125 * MILLI + 4 * MICRO);
    // With a delay longer than the outage the old routes hold on: from 40 to 50 ms it moves, from 50 to
    // 70 ms there is no route; 20 + 20 ms lost.
    assert_eq!(time(&leaves(1), &dead, 30, &[flow(0, 1)]), 140 * MILLI + 4 * MICRO);
}

#[test]
fn a_switch_dies_and_comes_back() {
    // Two flows of 1.25 GB between two leaves of four cards with two uplinks of 10 Gb/s each: sprayed,
    // 10 Gb/s a flow, 1 s. Spine 0 is dead from 0.2 s to 0.6 s and routes follow 0.1 s later: standstill
    // from 0.2 to 0.3 s, 5 Gb/s from 0.3 to 0.7 s, so that 0.2 + 0.2 of the work is done; 0.6 s are left.
    let fabric = common::two_leaves(2);
    let dead = [mishap(node("spine 0"), 0, 200, Some(600))];
    let both = [flow(0, 4), flow(1, 5)];
    assert_eq!(time(&fabric, &dead, 100, &both), 1_300 * MILLI);
    // Without repair: 0.8 s of work at half the rate after 0.3 s.
    let dead = [mishap(node("spine 0"), 0, 200, None)];
    assert_eq!(time(&fabric, &dead, 100, &both), 1_900 * MILLI);
}

#[test]
fn a_route_change_takes_slow_links_into_account_and_a_slow_link_alone_changes_none() {
    // Spine 0 at half speed: sprayed evenly over 10 Gb/s and 5 Gb/s the flow gets 2 × 5 Gb/s, 1 s for 10 Gb.
    let fabric = common::two_leaves(2);
    let slow = mishap(node("spine 0"), 50, 0, None);
    assert_eq!(time(&fabric, std::slice::from_ref(&slow), 0, &[flow(0, 4)]), 1_000 * MILLI);
    // A dead link elsewhere makes routes be computed anew, at 0.5 s: 2 : 1 over 15 Gb/s from then on. Half
    // of the 10 Gb is left, which takes 1/3 s.
    let dead = mishap(node("card 7"), 0, 500, None);
    let left = (5 * 1_000 * MILLI).div_ceil(15);
    let slow_and_dead = [slow, dead.clone()];
    assert_eq!(time(&fabric, &slow_and_dead, 0, &[flow(0, 4)]), 500 * MILLI + left);
    // Both at once: 20 Gb/s until 0.25 s, and what slows down takes the new routes at that instant.
    let slow = mishap(node("spine 0"), 50, 250, None);
    let dead = mishap(node("card 7"), 0, 250, None);
    assert_eq!(time(&fabric, &[slow, dead], 0, &[flow(0, 4)]), 250 * MILLI + left);
}

#[test]
fn cut_uplinks_of_a_supernode_stop_it_until_they_are_back() {
    // Two supernodes of two cards, NICs of 100 Gb/s and two links of 700 ns each. Cut from 20 to 40 ms, and
    // routes 1 ms later: nothing moves from 20 to 41 ms. What stays inside is not touched: 450 GB/s.
    let fabric = common::cluster(2, 2);
    let cut = [mishap(Part::Uplinks(SupernodeId(1)), 0, 20, Some(40))];
    let outcome = run(&fabric, &cut, 1, &[flow(0, 2), flow(2, 3)]);
    assert_eq!(outcome.status, Status::Finished);
    let ends: Vec<u64> =
        outcome.lanes.iter().map(|lane| lane.expect("it ends").as_picos()).collect();
    let inside = (1_250 * MILLI).div_ceil(450) + 500_000;
    assert_eq!(ends, [121 * MILLI + 1_400_000, inside]);
}

#[test]
fn what_starts_later_takes_the_routes_of_its_time() {
    // Spine 0 dies at 20 ms and routes follow at 30 ms. A flow that starts at 25 ms stands for 5 ms; one
    // that starts at 35 ms goes its way at once. Both then have 0.1 s to go, alone on their cards.
    let fabric = common::two_leaves(2);
    let dead = [mishap(node("spine 0"), 0, 20, None)];
    let at = |src, dst, start| Flow { start: ms(start), ..flow(src, dst) };
    // 10 Gb over the one uplink of 10 Gb/s: 1 s.
    assert_eq!(time(&fabric, &dead, 10, &[at(0, 4, 25)]), 1_030 * MILLI);
    assert_eq!(time(&fabric, &dead, 10, &[at(0, 4, 35)]), 1_035 * MILLI);
}

#[test]
fn messages_of_nothing_do_not_cross_a_dead_link() {
    // A barrier between two cards: one exchange of nothing, over a link that is dead until 20 ms.
    let fabric = leaves(1);
    let (cards, groups) = common::everyone(&fabric);
    let schedule = common::schedule(&groups, Collective::Barrier, Algorithm::Dissemination, 0);
    let dead = [mishap(link("leaf0", "spine0"), 0, 0, Some(20))];
    let delay = Duration::from_picos(30 * MILLI);
    let (start, timeline) = fabric.in_time(&dead, delay).expect("the link is there");
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: fluid::Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default()).expect("both are reached");
    assert_eq!(outcome.makespan.as_picos(), 20 * MILLI + 4 * MICRO);
}

#[test]
fn recurring_steps_are_skipped_up_to_a_mishap_and_after_it() {
    // 16 cards, 30 steps of 1/16 of 16 × 12.5 MB at 100 Gb/s: 1 ms each. Card 3 falls to half speed at
    // 10.5 ms: 10 steps are done, the 11th takes 1.5 ms, and the 19 after it 2 ms each.
    let star = common::star_of(16, Bandwidth::from_gigabits_per_second(100), Duration::ZERO);
    let (cards, groups) = common::everyone(&star);
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let schedule = common::schedule(&groups, Collective::AllReduce, ring, 16 * 12_500_000);
    let fault = Fault { part: node("card 3"), speed_ppm: 500_000 };
    let at = Some(Time::from_picos(21 * MILLI / 2));
    let (start, timeline) =
        star.in_time(&[Mishap { fault, at, until: None }], Duration::ZERO).expect("it is there");
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: fluid::Recovery::default(),
    };
    let outcome = simulate(&world, &Options::default()).expect("all are reached");
    assert!(outcome.counters.skipped_steps > 0, "{:?}", outcome.counters);
    assert_eq!(outcome.makespan.as_picos(), 10 * MILLI + 3 * MILLI / 2 + 19 * 2 * MILLI);
}

#[test]
fn a_shorter_way_does_not_overtake_what_is_under_way() {
    // One resource of 8 milli-bit/s ... two paths over it, of 100 and 10 ps. A transfer leaves at once over
    // the long one and arrives at 100 ps; at 1 ps the routes change, and the next one waits for it.
    let crossing = |resource| [Crossing { resource, weight: 1 }];
    let turns = vec![Turn { at: Time::from_picos(1), capacities: Vec::new(), routes: Some(1) }];
    let mut medium = Medium::in_time(vec![1_000], 2, turns);
    let long = medium.add_path(&crossing(0), Duration::from_picos(100));
    let short = medium.add_path(&crossing(0), Duration::from_picos(10));
    medium.add_rerouted_flow([Some(long), Some(short)]);
    let mut network = FluidNetwork::new(&medium);
    let mut news = Vec::new();
    for start in [0, 2] {
        let now = Time::from_picos(start);
        network.start(now, FlowId(0), Bytes::ZERO).expect("in range");
        assert_eq!(network.poll(now), Ok(Some(News::Drained(FlowId(0)))));
        assert_eq!(network.poll(now), Ok(None));
        network.settle(now).expect("in range");
    }
    while let Some(now) = network.next_time() {
        while let Some(told) = network.poll(now).expect("in range") {
            news.push((now.as_picos(), told));
        }
        network.settle(now).expect("in range");
    }
    let delivered = News::Delivered(FlowId(0));
    assert_eq!(news, [(100, delivered), (100, delivered)]);
}
