//! Bundles: all that a seat sends inside its supernode in one step as one flow, like the plain way bit for
//! bit.

use collectives::{
    Algorithm, Collective, Grouping, Inner, LaneId, Outer, Rounds, Schedule, group_ranks, repeated,
};
use engine::Costs;
use fluid::{Conduct, Conducts, Explanation, Outcome, Recovery, Status, World, explain};
use topology::{CardId, ClosTier, Fabric, Fault, Mishap, Part, Routing, Timeline, mix};
use units::{Bandwidth, Duration, Ratio, Time};

use crate::common;
use crate::reductions::{options, run_all_ways};
use crate::troubles::conducts;

const HIERARCHICAL: Algorithm =
    Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };

/// Cards in supernodes of so many on planes, each with a NIC of 10 Gb/s, under leaves of six at 2:1.
fn fabric(cards: u32, of: u32, planes: u32, inside: Bandwidth) -> Fabric {
    fabric_with_nics(cards, of, (planes, inside), Bandwidth::from_gigabits_per_second(10))
}

fn fabric_with_nics(cards: u32, of: u32, planes: (u32, Bandwidth), nic: Bandwidth) -> Fabric {
    let tier = ClosTier { ratio: Ratio::new(2, 1).expect("positive"), pod: u32::MAX };
    common::clustered((cards, of), planes, common::clos(6, &[tier], (nic, 300)))
}

/// A schedule on a fabric, card by card, over hashed paths.
struct Case {
    fabric: Fabric,
    cards: Vec<CardId>,
    schedule: Schedule,
    conducts: Conducts,
    changing: Option<(Fabric, Timeline)>,
}

impl Case {
    fn new(fabric: Fabric, schedule: Schedule) -> Self {
        let cards = (0..fabric.cards()).map(CardId).collect();
        let conducts = Conducts::alike(Costs::default());
        Self { fabric, cards, schedule, conducts, changing: None }
    }

    fn world(&self) -> World<'_> {
        World {
            fabric: self.changing.as_ref().map_or(&self.fabric, |(start, _)| start),
            timeline: self.changing.as_ref().map(|(_, timeline)| timeline),
            cards: &self.cards,
            schedule: &self.schedule,
            routing: Routing::Ecmp { flows: 1, key: 5 },
            conducts: &self.conducts,
            recovery: Recovery::default(),
        }
    }

    /// Runs it all ways; its outcome, and how it came to it with all reductions.
    fn run(&self) -> (Outcome, Explanation) {
        let outcome = run_all_ways(&self.world()).expect("all ways tell the same");
        (outcome.expect("the world is possible"), self.explained())
    }

    fn explained(&self) -> Explanation {
        let on = fluid::Switch::On;
        let options = options(on, on, fluid::Locality::On);
        explain(&self.world(), &options).expect("the world is possible").1
    }
}

fn hierarchical(fabric: &Fabric, size: u64) -> Schedule {
    let (cards, _) = common::everyone(fabric);
    hierarchical_on(&cards, fabric, size)
}

fn hierarchical_on(cards: &[CardId], fabric: &Fabric, size: u64) -> Schedule {
    let groups = group_ranks(Grouping::Consecutive, fabric.cards(), cards, fabric);
    let groups = groups.expect("all ranks form a group");
    common::schedule(&groups, Collective::AllReduce, HIERARCHICAL, size)
}

/// Both, at once.
fn beside(mut first: Schedule, second: Schedule) -> Schedule {
    let before = first.lanes.len() as u32;
    for mut lane in second.lanes {
        lane.name.group += 1;
        lane.waits.iter_mut().for_each(|wait| wait.lane = LaneId(wait.lane.0 + before));
        first.lanes.push(lane);
    }
    first
}

const FAST: Bandwidth = Bandwidth::from_gigabytes_per_second(50);

/// 128 cards in supernodes of 24, the last of 8: their scatters and gathers are bundled, the ranks are all
/// told apart by their hashed paths.
#[test]
fn ragged_supernodes_of_128_cards_are_bundled() {
    let fabric = fabric(128, 24, 1, FAST);
    let schedule = hierarchical(&fabric, 24 * 16 * 100);
    let (_, explained) = Case::new(fabric, schedule).run();
    // Both stages: 5 × 24 × 23 transfers of the whole supernodes, 8 × 7 of the last one.
    assert_eq!(explained.told.bundled, 2 * (5 * 24 * 23 + 8 * 7));
    // A bundle for each seat of both stages; pieces are cut at the 8 boundaries of the last supernode too,
    // all of which are some of the 24, and go round 6 supernodes each: in two directions of a ring.
    let bundles = 2 * 128;
    assert_eq!(explained.counters.flows - bundles, 24 * 6 * 2);
}

/// An all-gather alone: 9 ranks on one supernode of 16, each late by another time, so that none is like
/// another.
#[test]
fn an_all_gather_of_late_ranks_takes_what_the_latest_take() {
    let fabric = fabric(32, 16, 1, FAST);
    let cards: Vec<CardId> = (0..9).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, 9, &cards, &fabric).expect("one group");
    let schedule = common::schedule(&groups, Collective::AllGather, Algorithm::Direct, 9 * 7_000);
    let late = |rank: u64| Duration::from_nanos(100 * rank);
    let conduct = |rank| Conduct { late: late(rank), ..Conduct::plain(Costs::default()) };
    let conducts = Conducts::new(&(0..9).map(conduct).collect::<Vec<_>>());
    let case = Case { cards, conducts, ..Case::new(fabric, schedule) };
    let (outcome, explained) = case.run();
    assert_eq!(explained.told.bundled, 9 * 8);
    assert_eq!((explained.counters.agents, explained.counters.flows), (9, 9));
    // Each sends 8 × 7,000 bytes at 20 ps a byte: 1,120 ns, whoever else sends. They arrive 500 ns later,
    // those of rank 8, the latest, at 800 + 1,120 + 500 = 2,420 ns. Rank 8 itself has sent all at 1,920 ns
    // and has to wait for rank 7, at 700 + 1,120 + 500 = 2,320 ns.
    let nanos = |nanos: u64| Some(Time::from_picos(1_000 * nanos));
    assert_eq!(outcome.ranks, [[nanos(2_420); 8].as_slice(), &[nanos(2_320)]].concat());
}

/// A supernode is not bundled when a port that receives is slower than the others, when something else is
/// sent inside it, or where sums are paid for one by one.
#[test]
fn what_may_be_held_back_is_not_bundled() {
    let plain = fabric(16, 8, 1, FAST);
    let schedule = hierarchical(&plain, 8 * 1_600);
    let all = 2 * 2 * 8 * 7;
    let case = Case::new(plain.clone(), schedule.clone());
    assert_eq!(case.run().1.told.bundled, all);

    let slow = Part::Node("card 3".to_owned());
    let faults = [Fault { part: slow, speed_ppm: 500_000 }];
    let fabric = plain.with_faults(&faults).expect("the card is there");
    assert_eq!(Case::new(fabric, schedule.clone()).run().1.told.bundled, all / 2);

    let (_, groups) = common::everyone(&plain);
    let pair = Collective::SendReceive { from: 0, to: 1 };
    let beside_pair = common::schedule(&groups, pair, Algorithm::Direct, 5_000);
    let both = beside(schedule.clone(), beside_pair);
    assert_eq!(Case::new(plain.clone(), both).run().1.told.bundled, all / 2);

    let costs = Costs { reduce: Some(FAST), ..Costs::default() };
    let paid = Case { conducts: Conducts::alike(costs), ..Case::new(plain, schedule) };
    assert_eq!(paid.run().1.told.bundled, 0);
}

/// NICs of 1 milli-bit/s: of two rings that share a cable neither moves. Bundles have arrived by then;
/// who waits for whom is told as without them.
#[test]
fn who_waits_for_whom_is_told_rank_by_rank() {
    let nic = Bandwidth::from_milli_bits_per_second(1);
    let fabric = fabric_with_nics(16, 8, (1, FAST), nic);
    let schedule = hierarchical(&fabric, 8 * 1_600);
    let (outcome, explained) = Case::new(fabric, schedule).run();
    assert_eq!(explained.told.bundled, 2 * 2 * 8 * 7);
    assert!(matches!(outcome.status, Status::Stalled(_)), "{:?}", outcome.status);
}

/// Random supernodes, late and slow ranks, rounds, and two of them at once on the same cards, so that
/// ports that send carry up to four bundles; some inside networks are so slow that rates of some bits a
/// second, rounded down, matter.
#[test]
fn random_bundles_equal_the_plain_way() {
    let (mut bundled, mut twice) = (0, 0);
    let cases = 400;
    for seed in 0..cases {
        let draw = |purpose: u64, below: u64| mix(seed, purpose) % below;
        let of = 4 + draw(0, 6) as u32;
        let cards = of + 1 + draw(1, 2 * u64::from(of)) as u32;
        // K = 2 or 4 lanes share the ports of n ≤ 9 cards, and each of the q = n − 1 others must get q × K³
        // milli-bit/s of one, at most 8 × 64: 4,096 are always enough, 200 hardly ever.
        let inside = match draw(2, 4) {
            0 => FAST,
            1 => Bandwidth::from_gigabits_per_second(2 + draw(3, 9)),
            2 => Bandwidth::from_milli_bits_per_second(20 + draw(3, 180)),
            _ => Bandwidth::from_milli_bits_per_second(1_000 + draw(3, 9_000)),
        };
        let is_slow = inside < Bandwidth::from_gigabits_per_second(1);
        let fabric = fabric(cards, of, 1 + draw(4, 3) as u32, inside);
        // Divided by 4 … 9 and by what is left.
        let size = |draw: u64| match (is_slow, draw % 4) {
            (true, some) => 2_520 * some,
            (false, 0) => 0,
            (false, some) => 2_520 * 11 * 13 * some,
        };
        let mut cards: Vec<CardId> = (0..cards).map(CardId).collect();
        if draw(14, 3) == 0 {
            cards.sort_by_key(|card| mix(seed, u64::from(card.0)));
        }
        let first = hierarchical_on(&cards, &fabric, size(draw(5, 100)));
        let is_twice = draw(6, 2) == 0;
        let schedule = if is_twice {
            beside(first, hierarchical_on(&cards, &fabric, size(draw(7, 100))))
        } else {
            first
        };
        let period = Duration::from_picos(draw(9, 3) * 1_000_000);
        let schedule = repeated(schedule, Rounds { count: 1 + draw(8, 2), period });
        let costs = match draw(10, 4) {
            0 => Costs { per_step: Duration::from_nanos(100), ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = conducts(schedule.ranks, costs, draw(11, u64::MAX));
        // A NIC at half its speed for a while.
        let nic = Part::Link { from: "card 0".to_owned(), to: "leaf 0".to_owned(), count: 1 };
        let instant = |number: u64| Some(Time::from_picos(number * 1_000_000));
        let fault = Fault { part: nic, speed_ppm: 500_000 };
        let mishap = Mishap { fault, at: instant(1 + draw(12, 50)), until: instant(60) };
        let changing = fabric.in_time(&[mishap], Duration::ZERO).expect("the link is there");
        let changing = (draw(13, 4) == 0).then_some(changing);
        let case = Case { cards, conducts, changing, ..Case::new(fabric, schedule) };
        let (outcome, explained) = case.run();
        assert_eq!(outcome.status, Status::Finished, "{seed}");
        let is_bundled = explained.told.bundled > 0;
        bundled += u64::from(is_bundled);
        twice += u64::from(is_bundled && is_twice);
    }
    assert!(2 * bundled >= cases && 4 * twice >= cases, "{bundled}, {twice} of {cases}");
}
