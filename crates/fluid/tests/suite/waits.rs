//! Agents that wait for each other, of whom some walk alone: the outer rings of a hierarchical all-reduce.

use collectives::{
    Algorithm, Channels, Collective, Grouping, Inner, LaneId, Outer, Pace, Schedule, Wait,
    group_ranks,
};
use engine::Costs;
use fluid::{Conducts, Locality, Status, Switch, Way, explain, simulate};
use topology::{CardId, Fabric, Routing, mix};
use units::{Bandwidth, Bytes, Duration};

use crate::common;
use crate::named_worlds::{clos, ratio};
use crate::reductions::{options, run_all_ways};
use crate::sleep::{apart, on_any_number_of_threads, world};
use crate::troubles::conducts;

fn hierarchical(fabric: &Fabric, cards: &[CardId], of: (Inner, Outer), size: u64) -> Schedule {
    let ranks = cards.len() as u32;
    let groups = group_ranks(Grouping::Consecutive, ranks, cards, fabric).expect("one group");
    let algorithm = Algorithm::Hierarchical { inner: of.0, outer: of.1 };
    common::schedule(&groups, Collective::AllReduce, algorithm, size)
}

/// One hashed path for each flow.
const fn hashed(key: u64) -> Routing {
    Routing::Ecmp { flows: 1, key }
}

/// Supernodes of one size and ragged ones, three ways inside and three across, ranks that are late or slow,
/// hashed paths that meet: equal to the plain way; and rings across are walked alone.
#[test]
fn hierarchical_reductions_equal_the_plain_way() {
    let (mut mixed, mut slept) = (0, 0);
    let worlds = u64::from(common::at_least(256).cases) / 4;
    for seed in 0..worlds {
        let draw = |purpose: u64, below: u64| mix(mix(0x0ea1_10e0, seed), purpose) % below;
        let supernode = 2 + draw(0, 3) as u32;
        let ragged = draw(1, 4) as u32 / 3;
        let cards = supernode * (9 + draw(2, 6) as u32) + ragged;
        let over = [1, 1, 2, 4][draw(3, 4) as usize];
        let fabric = clos((cards, supernode), (16, 64), &[ratio(over)]);
        let placed: Vec<CardId> = (0..cards).map(CardId).collect();
        let inner = [Inner::Direct, Inner::Ring, Inner::Nhr][draw(4, 3) as usize];
        let outer = match draw(5, 6) {
            0 => Outer::Direct,
            1 => Outer::Tree { chunk: Bytes::new(4_000) },
            _ => Outer::Ring,
        };
        let size = u64::from(cards) * (500 + draw(6, 20_000));
        let schedule = hierarchical(&fabric, &placed, (inner, outer), size);
        let reduce = Some(Bandwidth::from_gigabytes_per_second(100));
        let costs = match draw(7, 4) {
            0 => Costs { per_step: Duration::from_nanos(900), reduce, ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(170), ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = conducts(cards, costs, draw(8, u64::MAX));
        let world = world((&fabric, &placed, &schedule), &conducts, hashed(seed));
        run_all_ways(&world).expect("every reduction tells the same");
        let (outcome, told) = explain(&world, &apart(Switch::On)).expect("all are connected");
        mixed += u64::from(matches!(told.way, Way::MixedSteps(_)));
        slept += u64::from(outcome.counters.skipped_steps > 0);
    }
    assert!(5 * mixed > worlds, "in {mixed} of {worlds} some walked alone");
    assert!(8 * slept > worlds, "in {slept} of {worlds} somebody slept");
}

/// The same bytes for any number of threads.
#[test]
fn waits_across_are_the_same_on_any_number_of_threads() {
    let fabric = clos((48, 4), (16, 64), &[ratio(2)]);
    let cards: Vec<CardId> = (0..48).map(CardId).collect();
    let schedule = hierarchical(&fabric, &cards, (Inner::Direct, Outer::Ring), 48 * 20_011);
    let conducts = Conducts::alike(Costs::default());
    let world = world((&fabric, &cards, &schedule), &conducts, hashed(1));
    on_any_number_of_threads(&world);
}

/// A ring whose ranks wait for their own end before they begin: nobody ever begins, and every way says so.
/// Its 9 ranks take 2 · 8 steps, as many as one who walks alone.
#[test]
fn a_ring_that_waits_for_itself_stands_still() {
    let ranks = 9;
    let fabric = common::star(ranks, 1, Duration::from_nanos(300));
    let (cards, groups) = common::everyone(&fabric);
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let mut schedule = common::schedule(&groups, Collective::AllReduce, ring, 18_000);
    let wait = |seat| Wait { seat, step: 0, lane: LaneId(0), completed: 16, pace: Pace::Once };
    schedule.lanes[0].waits = (0..ranks).map(wait).collect();
    let conducts = Conducts::alike(Costs::default());
    let world = world((&fabric, &cards, &schedule), &conducts, hashed(1));
    let plain = options(Switch::Off, Switch::Off, Locality::Off);
    for options in [plain, apart(Switch::Off), apart(Switch::On)] {
        let outcome = simulate(&world, &options).expect("the world is possible");
        let Status::Stalled(waits) = &outcome.status else { panic!("{:?}", outcome.status) };
        assert_eq!(
            waits[..],
            [
                "rank 0 (ring, group 0, channel 0) waits before step 0 for rank 0 (ring, group 0, \
                 channel 0)",
                "so they wait for each other in a circle",
                "8 more wait",
            ]
        );
    }
}
