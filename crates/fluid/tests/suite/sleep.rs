//! Local recurrence: who walks alone sleeps while its steps are alike, and wakes for the waves.

use collectives::{Algorithm, Channels, Collective, Grouping, Schedule, group_ranks};
use engine::Costs;
use fluid::{
    Conduct, Conducts, Locality, Options, Recovery, Switch, Way, World, explain, simulate,
};
use topology::{CardId, Fabric, Routing, mix};
use units::{Bandwidth, Duration, Ratio};

use crate::common;
use crate::named_worlds::{clos, ratio};
use crate::reductions::{options, run_all_ways};
use crate::troubles::conducts;

const RING: Algorithm = Algorithm::Ring { channels: Channels::Count(1) };

/// So many cards in supernodes of `supernode` under leaves of 16, at `over`:1.
fn fabric(cards: u32, supernode: u32, over: u64) -> Fabric {
    clos((cards, supernode), (16, 64), &[ratio(over)])
}

fn ring(fabric: &Fabric, cards: &[CardId], size: u64) -> Schedule {
    let ranks = cards.len() as u32;
    let groups = group_ranks(Grouping::Consecutive, ranks, cards, fabric).expect("one group");
    common::schedule(&groups, Collective::AllReduce, RING, size)
}

pub(crate) fn world<'a>(
    (fabric, cards, schedule): (&'a Fabric, &'a [CardId], &'a Schedule),
    conducts: &'a Conducts,
    routing: Routing,
) -> World<'a> {
    let recovery = Recovery::default();
    World { fabric, cards, schedule, routing, conducts, recovery, timeline: None }
}

/// Every seat for itself, in cells from the beginning.
pub(crate) fn apart(recurrence: Switch) -> Options<'static> {
    options(Switch::Off, recurrence, Locality::DivideAfter(0))
}

/// Of n ranks one takes longer for its steps. Before the wave of it reaches a rank this goes at its own pace,
/// after it at that of the slow one: a change of pace for each of n ranks, where there are 2n(n − 1) steps.
#[test]
fn one_slow_rank_keeps_each_other_rank_awake_for_some_steps_only() {
    let ranks = 96;
    let fabric = common::star(ranks, 1, Duration::from_nanos(300));
    let (cards, _) = common::everyone(&fabric);
    // Chunks of 1,000 bytes take 1 us at 1 GB/s, and are delivered 300 ns later.
    let schedule = ring(&fabric, &cards, 1_000 * u64::from(ranks));
    let slow = |rank: u32| Conduct {
        slowness: Ratio::new(if rank == 40 { 2 } else { 1 }, 1).expect("positive"),
        ..Conduct::plain(Costs { per_step: Duration::from_nanos(2_000), ..Costs::default() })
    };
    let conducts = Conducts::new(&(0..ranks).map(slow).collect::<Vec<_>>());
    let world = world((&fabric, &cards, &schedule), &conducts, Routing::Spray);
    let run = |recurrence| explain(&world, &apart(recurrence)).expect("all are connected");
    let (slept, told) = run(Switch::On);
    let (walked, _) = run(Switch::Off);
    assert_eq!((slept.makespan, &slept.ranks), (walked.makespan, &walked.ranks));
    assert!(matches!(told.way, Way::Steps));
    // The slow rank computes 4 us before each message of 1 us, and hears in time of all but the first:
    // 2 · 95 steps of 5 us, and the last message takes 0.3 us more.
    let steps = 2 * (u64::from(ranks) - 1);
    let slow = slept.ranks[41].expect("it has finished").as_picos();
    assert_eq!(slow, steps * 5_000_000 + 300_000);
    let all = steps * u64::from(ranks);
    assert_eq!(walked.counters.skipped_steps, 0);
    let awake = all - slept.counters.skipped_steps;
    assert!(awake < 12 * u64::from(ranks), "{awake} of {all} steps");
}

/// Ragged supernodes, fragments of an allocation, hashed paths that meet here and there, ranks that are late
/// or slow, chunks of one or of two sizes: equal to the plain way, and both ways of walking are taken.
#[test]
fn rings_with_few_meetings_equal_the_plain_way() {
    let (mut alone, mut mixed, mut slept) = (0, 0, 0);
    let worlds = u64::from(common::at_least(200).cases);
    for seed in 0..worlds {
        let draw = |purpose: u64, below: u64| mix(mix(0x51ee, seed), purpose) % below;
        let cards = 17 + draw(0, 40) as u32;
        let supernode = [4, 5, 8][draw(1, 3) as usize];
        let fabric = fabric(cards, supernode, [1, 2, 4, 8][draw(2, 4) as usize]);
        let mut placed: Vec<CardId> = (0..cards).map(CardId).collect();
        let run = supernode / [1, 2][draw(3, 2) as usize];
        placed.sort_by_key(|card| (mix(seed, u64::from(card.0 / run)), *card));
        let chunk = 100 + draw(4, 40_000);
        let ragged = [0, 3][draw(5, 2) as usize];
        let schedule = ring(&fabric, &placed, chunk * u64::from(cards) + ragged);
        let reduce = Some(Bandwidth::from_gigabytes_per_second(100));
        let costs = match draw(6, 4) {
            0 => Costs { per_step: Duration::from_nanos(900), reduce, ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(170), ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = conducts(cards, costs, draw(7, u64::MAX));
        let routing = match draw(8, 4) {
            0 => Routing::Spray,
            _ => Routing::Ecmp { flows: 1, key: seed },
        };
        let world = world((&fabric, &placed, &schedule), &conducts, routing);
        run_all_ways(&world).expect("every reduction tells the same");
        let (outcome, told) = explain(&world, &apart(Switch::On)).expect("all are connected");
        alone += u64::from(matches!(told.way, Way::Steps));
        mixed += u64::from(matches!(told.way, Way::MixedSteps(_)));
        slept += u64::from(outcome.counters.skipped_steps > 0);
    }
    assert!(8 * alone > worlds, "{alone} of {worlds} shared nothing");
    assert!(8 * mixed > worlds, "{mixed} of {worlds} had meetings");
    assert!(4 * slept > worlds, "in {slept} of {worlds} somebody slept");
}

/// The same bytes for any number of threads where some share, and told to be so.
#[test]
fn few_meetings_are_the_same_on_any_number_of_threads() {
    let fabric = fabric(48, 8, 8);
    let mut cards: Vec<CardId> = (0..48).map(CardId).collect();
    cards.sort_by_key(|card| (mix(5, u64::from(card.0 / 4)), *card));
    let schedule = ring(&fabric, &cards, 48 * 20_011);
    let conducts = Conducts::alike(Costs::default());
    let world = world((&fabric, &cards, &schedule), &conducts, Routing::Ecmp { flows: 1, key: 1 });
    on_any_number_of_threads(&world);
}

/// Some walk alone, and the bytes are the same for any number of threads.
pub(crate) fn on_any_number_of_threads(world: &World<'_>) {
    let one = simulate(world, &Options { threads: 1, ..apart(Switch::On) }).expect("connected");
    for threads in [2, 3, 8] {
        let options = Options { threads, ..apart(Switch::On) };
        let (several, told) = explain(world, &options).expect("connected");
        assert!(matches!(told.way, Way::MixedSteps(_)), "{:?}", told.way);
        assert_eq!(several, one);
    }
}
