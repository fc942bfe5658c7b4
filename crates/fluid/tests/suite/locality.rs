//! Cells: the same run on any number of threads, to the event.

use collectives::{Algorithm, Channels, Collective, Grouping, Inner, Outer, group_ranks};
use engine::Costs;
use fluid::{
    Conducts, Draw, Locality, Options, Outcome, Recovery, Scheme, Status, Switch, World, simulate,
};
use topology::{ClosTier, Fabric, LossRule, Part, Routing};
use units::{Bandwidth, Bytes, Duration, Probability, Ratio, Time};

use crate::common;
use crate::named_worlds::{CARDS, fabric, ratio, shuffled};

/// An all-reduce over all cards, so many bytes for each.
fn run(fabric: &Fabric, (algorithm, bytes): (Algorithm, u64), options: &Options<'_>) -> Outcome {
    let (cards, groups) = common::everyone(fabric);
    let size = u64::from(fabric.cards()) * bytes;
    let schedule = common::schedule(&groups, Collective::AllReduce, algorithm, size);
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

/// How many events cells count beside the run of the whole.
#[derive(Clone, Copy)]
enum Events {
    /// Every event is handled once, wherever and whenever that is.
    Same,
    /// Deliveries are none: they are known when the transfers have drained.
    Fewer,
}

fn run_alike_on_any_number_of_threads(algorithm: Algorithm, events: Events) {
    let fabric = common::cluster(8, 5);
    let algorithm = (algorithm, 99_991);
    let plain = Options {
        symmetry: Switch::Off,
        recurrence: Switch::Off,
        locality: Locality::Off,
        ..Options::default()
    };
    let whole = run(&fabric, algorithm, &plain);
    assert_eq!(whole.status, Status::Finished);
    let mut counters = Vec::new();
    for threads in [1, 2, 3, 8] {
        for divided_after in [0, 777] {
            let locality = Locality::DivideAfter(divided_after);
            let cells = run(&fabric, algorithm, &Options { locality, threads, ..plain });
            assert_eq!((cells.makespan, &cells.lanes), (whole.makespan, &whole.lanes));
            assert_eq!(cells.ranks, whole.ranks);
            let (counted, all) = (cells.counters.events, whole.counters.events);
            match events {
                Events::Same => assert_eq!(counted, all),
                Events::Fewer => assert!(all / 2 < counted && counted < all, "{counted} of {all}"),
            }
            counters.push(cells.counters);
        }
    }
    // Not even the count of solutions tells how many threads there were.
    assert!(counters.iter().step_by(2).all(|one| *one == counters[0]), "{counters:?}");
    assert!(counters.iter().skip(1).step_by(2).all(|one| *one == counters[1]), "{counters:?}");
}

/// Four rotated rings, whose channels meet at the ports, wait for each other through messages only.
#[test]
fn cells_go_step_by_step_on_any_number_of_threads() {
    let rings = Algorithm::Ring { channels: Channels::Count(4) };
    run_alike_on_any_number_of_threads(rings, Events::Fewer);
}

/// In trees the way down waits for the way up.
#[test]
fn cells_run_alike_on_any_number_of_threads() {
    let chunk = Bytes::new(10_007);
    let tree = Algorithm::Tree { channels: Channels::Count(2), chunk };
    run_alike_on_any_number_of_threads(tree, Events::Same);
}

/// One ring over cards anywhere, on hashed paths: each rank shares links with others that are neither before
/// nor behind it, so cells wait for each other at every turn and are joined. Packets that are lost are drawn
/// for each transfer, wherever and whenever it starts.
#[test]
fn rings_anywhere_run_alike_with_and_without_losses() {
    let whole = fabric(8, &[ratio(1)]);
    let rule = |&card: &u32| LossRule {
        part: Part::Node(format!("card {card}")),
        loss: Probability::from_ppm(200_000).expect("at most 1"),
        from: Time::ZERO,
        until: None,
    };
    let rules: Vec<LossRule> = [3, 17, 22, 38].iter().map(rule).collect();
    let lossy = whole.with_losses(&rules).expect("the cards are there");
    let cards = shuffled(7);
    let groups = group_ranks(Grouping::Consecutive, CARDS, &cards, &whole).expect("one group");
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let size = 99_991 * u64::from(CARDS);
    let schedule = common::schedule(&groups, Collective::AllReduce, ring, size);
    let window = Bytes::new(64 << 10);
    let recovery = Recovery {
        scheme: Scheme::SelectiveRepeat { window },
        mtu: Bytes::new(4_096),
        timeout: Duration::from_micros(500),
        retries: 20,
        draw: Draw::Sampled { key: 5 },
    };
    for fabric in [&whole, &lossy] {
        let world = World {
            fabric,
            cards: &cards,
            schedule: &schedule,
            routing: Routing::Ecmp { flows: 1, key: 3 },
            conducts: &Conducts::alike(Costs::default()),
            recovery,
            timeline: None,
        };
        let plain = Options {
            symmetry: Switch::Off,
            recurrence: Switch::Off,
            locality: Locality::Off,
            ..Options::default()
        };
        let whole = simulate(&world, &plain).expect("all are connected");
        assert_eq!(whole.status, Status::Finished);
        for threads in [1, 2, 3, 8] {
            let locality = Locality::DivideAfter(0);
            let cells = simulate(&world, &Options { locality, threads, ..plain });
            let cells = cells.expect("all are connected");
            assert!(cells.counters.events < whole.counters.events, "it went step by step");
            assert_eq!((cells.makespan, cells.lost), (whole.makespan, whole.lost));
            assert_eq!(cells.ranks, whole.ranks);
        }
    }
}

/// 64 servers of 2 cards, one on a leaf; four leaves are a pod.
fn pods_of_four() -> Fabric {
    let rate = Bandwidth::from_gigabits_per_second(400);
    let tier = |pod| ClosTier { ratio: Ratio::ONE, pod };
    let outside = common::clos(2, &[tier(4), tier(u32::MAX)], (rate, 450));
    common::clustered((128, 2), (1, rate), outside)
}

/// What recurs in one stage is waited for in the next as patiently: rings between servers reduce in 63 steps
/// and gather in 63; the path to the next pod is longer, so the state of a pod's four places comes back
/// after four steps, and of the 59 that are left then 14 × 4 are skipped at each of the four places.
#[test]
fn patience_begins_anew_with_the_stage_after_a_skip() {
    let fabric = pods_of_four();
    let ring = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
    let skipping =
        |locality| run(&fabric, (ring, 65_536), &Options { locality, ..Options::default() });
    let whole = skipping(Locality::Off);
    assert_eq!(whole.counters.skipped_steps, 2 * 4 * (14 * 4));
    // A period is 4 steps × 4 places × 2 events; all that is handled is more than twice the patience.
    let divided = skipping(Locality::DivideAfter(60));
    assert!(divided.counters.events > 2 * 60, "{:?}", divided.counters);
    assert_eq!(divided.counters, whole.counters);
    assert_eq!((divided.makespan, divided.ranks), (whole.makespan, whole.ranks));
}
