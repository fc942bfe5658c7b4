//! Cards, switches and links that die under switches that add up: who waits, who moves, who is told, by hand.

use collectives::{Collective, RankId};
use engine::Costs;
use fluid::{Conducts, Error, Options, Outcome, Recovery, Status, Unreachable, World, simulate};
use proptest::prelude::*;
use topology::{CardId, Domain, Fabric, InsideSpec, Mishap, Part, RouteError, Routing, Tier};
use units::{Bytes, Duration, Time};

use crate::common;
use crate::in_network::fabric;
use crate::mishaps::{MICRO, bytes, link, node};
use crate::random_trees::{drawn_schedule, drawn_shape};
use crate::reductions::{mishaps, run_all_ways};
use crate::switch_trees::{Shape, in_network};
use crate::troubles::conducts;

const MEGA: u64 = 1_000_000;

fn micros(micros: u64) -> Time {
    Time::from_picos(micros * MICRO)
}

/// A part that is dead from one microsecond, or the start, to another.
fn dead(part: Part, at: Option<u64>, until: Option<u64>) -> Mishap {
    let fault = topology::Fault { part, speed_ppm: 0 };
    Mishap { fault, at: at.map(micros), until: until.map(micros) }
}

/// Sums the vectors of all cards at all of them, in 16 pieces of so many bytes.
fn run(
    whole: &Fabric,
    piece: u64,
    mishaps: &[Mishap],
    reroute_after: u64,
) -> Result<Outcome, Error> {
    run_collective(whole, (Collective::AllReduce, piece), mishaps, reroute_after)
}

/// A collective of all cards in 16 pieces of so many bytes, all ways alike; routes follow after so many
/// microseconds.
fn run_collective(
    whole: &Fabric,
    (collective, piece): (Collective, u64),
    mishaps: &[Mishap],
    reroute_after: u64,
) -> Result<Outcome, Error> {
    let (cards, groups) = common::everyone(whole);
    let schedule = common::schedule(&groups, collective, in_network(piece), 16 * piece);
    let delay = micros(reroute_after).since(Time::ZERO);
    let (start, timeline) = whole.in_time(mishaps, delay).expect("all of it is there");
    let world = World {
        fabric: &start,
        timeline: Some(&timeline),
        cards: &cards,
        schedule: &schedule,
        routing: Routing::Spray,
        conducts: &Conducts::alike(Costs::default()),
        recovery: Recovery::default(),
    };
    let outcome = run_all_ways(&world).expect("all ways tell the same");
    outcome.map_or_else(|| simulate(&world, &Options::default()), Ok)
}

/// Four cards under two planes, 400 GB/s: a piece of 4 MB takes 10 us up and 10 us down, 250 ns a link. All
/// of it takes 170.5 us.
fn planes() -> Fabric {
    fabric(4, 1, InsideSpec::ReducingPlanes { planes: 2 })
}

/// The transfer of a piece of 4 MB between two ends, and what of it had left, lost at 55 us.
fn lost(src: RankId, dst: RankId, delivered: u64) -> Unreachable {
    let (asked, delivered) = (Bytes::new(4 * MEGA), Bytes::new(delivered));
    Unreachable { src, dst, at: micros(55), asked, delivered }
}

fn switches_over(fabric: &Fabric) -> RankId {
    let over = fabric.aggregators_over(CardId(0), Domain::Inside);
    RankId::of_switches(over[0][0])
}

fn unreachable(outcome: &Outcome) -> &[Unreachable] {
    let Status::Unreachable { transfers, .. } = &outcome.status else {
        panic!("{:?}", outcome.status)
    };
    transfers
}

#[test]
fn a_card_that_dies_for_good_is_unreachable_from_both_sides() {
    // At 35 us card 2 has sent three pieces and 2 MB of the fourth. The third has come up at 30.25 us, so
    // 4.75 us of its 10 us down are over: 1.9 MB. Routes tell at 55 us that nothing leads there any more.
    let fabric = planes();
    let outcome = run(&fabric, 4 * MEGA, &[dead(node("card 2"), Some(35), None)], 20);
    let outcome = outcome.expect("possible");
    let (card, switches) = (RankId(2), switches_over(&fabric));
    let told = unreachable(&outcome);
    assert_eq!(told, [lost(card, switches, 2 * MEGA), lost(switches, card, 1_900_000)]);
    assert_eq!(
        told[0].tell(&fabric),
        "rank 2 cannot reach all of plane switch 0 and 1 more from 55 us on: 2000000 of 4000000 bytes delivered"
    );
    assert_eq!(
        told[1].tell(&fabric),
        "not all of plane switch 0 and 1 more can reach rank 2 from 55 us on: 1900000 of 4000000 bytes delivered"
    );
    // The others send all that they have: 160 us, and 250 ns to the switches.
    assert_eq!(outcome.makespan.as_picos(), 160 * MICRO + MICRO / 4);
    // Up 3 × 64 MB and 14 MB; down 2 pieces to four, the third to three, 1.9 MB.
    let moved = 3 * 64_000_000 + 14_000_000 + 4 * 8_000_000 + 3 * 4_000_000 + 1_900_000;
    assert_eq!(outcome.traffic.tiers[0].bytes, moved);
}

#[test]
fn a_switch_that_dies_for_good_is_out_of_reach_of_all() {
    // What goes up and comes down is cut over both planes: all of it stands still with one of them.
    let fabric = planes();
    let outcome = run(&fabric, 4 * MEGA, &[dead(node("plane switch 1"), Some(35), None)], 20);
    let outcome = outcome.expect("possible");
    let switches = switches_over(&fabric);
    let up = (0..4).map(|rank| lost(RankId(rank), switches, 2 * MEGA));
    let down = (0..4).map(|rank| lost(switches, RankId(rank), 1_900_000));
    assert_eq!(unreachable(&outcome), up.chain(down).collect::<Vec<_>>());
    assert_eq!(outcome.makespan.as_picos(), 55 * MICRO);
    let Status::Unreachable { waits, .. } = &outcome.status else { unreachable!() };
    assert_eq!(
        waits[1..],
        [
            "the message from rank 0 to plane switch 0 and 1 more has had no way since 55 us",
            "9 more wait"
        ],
        "five seats in each of two lanes, the first of which is told"
    );
}

#[test]
fn switches_that_serve_rank_after_rank_tell_whom_they_wait_for() {
    // Of 16 pieces the first four are for rank 3, which has two of them and 1.9 MB when it dies; what is for
    // the others comes later.
    let (fabric, scatter) = (planes(), (Collective::ReduceScatter, 4 * MEGA));
    let dead = [dead(node("card 3"), Some(35), None)];
    let outcome = run_collective(&fabric, scatter, &dead, 20).expect("possible");
    let (card, switches) = (RankId(3), switches_over(&fabric));
    let told = [lost(card, switches, 2 * MEGA), lost(switches, card, 1_900_000)];
    assert_eq!(unreachable(&outcome), told);
    // Up 3 × 64 MB and 14 MB; down 9.9 MB.
    assert_eq!(outcome.traffic.tiers[0].bytes, 3 * 64_000_000 + 14_000_000 + 9_900_000);
}

#[test]
fn what_comes_back_is_waited_for_until_routes_lead_there() {
    // Dead from 35 to 95 us. Routes that follow at once cost these 60 us; those that follow 20 us later
    // lead there again at 115 us: 80 us. Those that follow 100 us later do not know before the link is back;
    // they lead away from 135 to 195 us, another 60 us.
    for part in ["card 2", "plane switch 1"] {
        for (delay, lost) in [(0, 60), (20, 80), (100, 120)] {
            let away = [dead(node(part), Some(35), Some(95))];
            let outcome = run(&planes(), 4 * MEGA, &away, delay).expect("possible");
            assert_eq!(outcome.status, Status::Finished);
            let time = 170 * MICRO + MICRO / 2 + lost * MICRO;
            assert_eq!(outcome.makespan.as_picos(), time, "{part}, {delay} us");
        }
    }
}

#[test]
fn who_has_no_way_yet_waits_and_who_never_has_one_is_refused() {
    let late = [dead(node("card 2"), None, Some(40))];
    let outcome = run(&planes(), 4 * MEGA, &late, 0).expect("possible");
    assert_eq!(outcome.makespan.as_picos(), 40 * MICRO + 170 * MICRO + MICRO / 2);
    // Whatever else changes on the way.
    let never = [dead(node("card 2"), None, None), dead(node("card 3"), Some(10), Some(20))];
    let switches_lost =
        RouteError::SwitchLost { below: "card 2".to_owned(), found: 0, switches: 2 };
    let refused = run(&planes(), 4 * MEGA, &never, 0).map(|_| ());
    assert_eq!(refused, Err(Error::Route(switches_lost)));
}

#[test]
fn a_tree_takes_the_parallel_links_that_are_left() {
    // 16 cards under four leaves with four uplinks each to one spine, 100 Gb/s: a piece of 1 MB takes 80 us at
    // a port and 20 us between leaf and spine; there the first one has passed both ways at 121.4 us, and the
    // second one comes at 160.7 us. Over the three links that are left at 150 us a piece takes 80/3 us.
    let whole = Shape::leaf_spine((1, 1), None).build().expect("it can be built");
    let cut = [dead(link("leaf 0", "spine 0"), Some(150), None)];
    let outcome = run(&whole, MEGA, &cut, 0).expect("possible");
    assert_eq!(outcome.status, Status::Finished);
    let third = (80 * MICRO).div_ceil(3);
    assert_eq!(outcome.makespan.as_picos(), 17 * 80 * MICRO + 2 * third + 2_800_000);
    // As many bytes as before: four leaves, 16 MB, up and down.
    assert_eq!(bytes(&outcome, Tier::Clos { level: 1, levels: 1 }), 2 * 4 * 16 * u128::from(MEGA));
    // Without these no way is left from leaf 0, which has the second piece at 160.7 us. The others send on
    // until the last piece has come to the spine, after 16 · 80 + 20 us and two links.
    let all = Part::Link { from: "leaf 0".to_owned(), to: "spine 0".to_owned(), count: 4 };
    let outcome = run(&whole, MEGA, &[dead(all, Some(150), None)], 0).expect("possible");
    let told: Vec<String> = unreachable(&outcome).iter().map(|it| it.tell(&whole)).collect();
    let leaf = "leaf 0 cannot reach spine 0 from 160.7 us on: 0 of 1000000 bytes delivered";
    assert_eq!(told, [leaf]);
    assert_eq!(outcome.makespan.as_picos(), (16 * 80 + 20) * MICRO + 1_400_000);
}

proptest! {
    #![proptest_config(common::at_least(600))]

    #[test]
    fn every_reduction_equals_the_plain_way_over_trees_that_break(
        seed in any::<u64>(),
        bytes in prop_oneof![0_u64..40, 0_u64..400_000],
        habits in any::<u64>(),
        draws in prop::collection::vec(any::<(u64, u8, u8)>(), 1..4),
        delay in 0_u64..3,
    ) {
        let Some(whole) = drawn_shape(seed).build() else { return Ok(()) };
        let Some((cards, schedule)) = drawn_schedule(&whole, seed, bytes) else { return Ok(()) };
        let conducts = conducts(schedule.ranks, Costs::default(), habits);
        let world = |fabric, timeline| World {
            fabric,
            timeline,
            cards: &cards,
            schedule: &schedule,
            routing: Routing::Spray,
            conducts: &conducts,
            recovery: Recovery::default(),
        };
        let Ok(calm) = simulate(&world(&whole, None), &Options::default()) else { return Ok(()) };
        let mishaps = mishaps(&whole, &draws, calm.makespan);
        let delay = Duration::from_picos(calm.makespan.as_picos() / 10 * delay);
        let Ok((start, timeline)) = whole.in_time(&mishaps, delay) else {
            prop_assert!(mishaps.iter().any(Mishap::is_lasting), "a link that is dead cannot break again");
            return Ok(());
        };
        if let Some(outcome) = run_all_ways(&world(&start, Some(&timeline)))? {
            let is_told = matches!(outcome.status, Status::Finished | Status::Unreachable { .. });
            prop_assert!(is_told, "{:?}", outcome.status);
        }
    }
}
