//! Switches that add up and copy: closed forms, and reductions that change nothing.

use collectives::{
    Algorithm, Channels, Collective, Grouping, Rounds, Schedule, group_ranks, repeated, together,
};
use engine::Costs;
use fluid::{Conducts, Locality, Outcome, Recovery, Status, Switch, World, simulate};
use proptest::prelude::*;
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, Fault,
    InsideSpec, LossRule, NicCount, NicSpec, Part, RouteError, Routing, SupernodeSpec, SwitchKind,
    mix,
};
use units::{Bandwidth, Bytes, Duration, Probability, Ratio, Time};

use crate::common::{at_least, schedule, try_schedule};
use crate::reductions::{REDUCED, options};
use crate::troubles::conducts;
use crate::worlds::told;

/// `supernodes` supernodes of `cards` cards with ports of 400 GB/s in all and 500 ns from card to card.
pub(crate) fn fabric(cards: u32, supernodes: u32, inside: InsideSpec) -> Fabric {
    let supernode = SupernodeSpec {
        cards,
        inside,
        bandwidth: Bandwidth::from_gigabytes_per_second(400),
        latency: Duration::from_nanos(500),
        efficiency: Efficiency::ONE,
    };
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
    };
    let outside = ClosSpec {
        leaf_ports: cards * supernodes,
        tiers: vec![ClosTier { ratio: Ratio::ONE, pod: 1 }],
        top_ports: 64,
        top_switches: None,
        uplink: Bandwidth::from_gigabits_per_second(100),
        latency: Duration::from_nanos(700),
        efficiency: Efficiency::ONE,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    };
    let cards = cards * supernodes;
    let spec = ClusterSpec { cards, supernode, nics, outside };
    Fabric::build(&FabricSpec::Cluster(spec)).expect("the cluster can be built")
}

/// A collective in every supernode at once.
fn everywhere(
    fabric: &Fabric,
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> (Vec<CardId>, Schedule) {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let groups =
        group_ranks(Grouping::Consecutive, fabric.supernode_cards(), &cards, fabric).expect("even");
    let schedule = schedule(&groups, collective, algorithm, size);
    (cards, schedule)
}

fn run(
    fabric: &Fabric,
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Result<Outcome, fluid::Error> {
    let (cards, schedule) = everywhere(fabric, collective, algorithm, size);
    let conducts = Conducts::alike(Costs::default());
    let (schedule, conducts, cards) = (&schedule, &conducts, &cards[..]);
    let world = World {
        fabric,
        cards,
        schedule,
        routing: Routing::Spray,
        conducts,
        recovery: Recovery::default(),
        timeline: None,
    };
    simulate(&world, &options(Switch::On, Switch::On, Locality::On))
}

fn in_network(chunk: u64) -> Algorithm {
    Algorithm::InNetwork { chunk: Bytes::new(chunk) }
}

const FIVE: [Collective; 5] = [
    Collective::AllReduce,
    Collective::ReduceScatter,
    Collective::AllGather,
    Collective::Broadcast { root: 3 },
    Collective::Reduce { root: 3 },
];

#[test]
fn a_vector_goes_up_and_down_once_whatever_the_planes_and_cards() {
    // 64 MB at 400 GB/s: 160 us. Cut in 16 pieces of 4 MB the last piece goes down 10 us after it has
    // come up. And 500 ns from card to card: 170.5 us.
    for (cards, planes) in [(4, 1), (8, 4), (16, 2)] {
        let fabric = fabric(cards, 3, InsideSpec::ReducingPlanes { planes });
        for collective in FIVE {
            let outcome = run(&fabric, collective, in_network(4_000_000), 64_000_000);
            let outcome = outcome.expect("possible");
            assert_eq!(outcome.makespan, Duration::from_nanos(170_500), "{collective} of {cards}");
        }
    }
}

#[test]
fn one_piece_goes_up_whole_before_it_goes_down() {
    // 4 MB in one piece: 10 us up, 10 us down, 500 ns. Nothing: the latency alone.
    let fabric = fabric(8, 1, InsideSpec::ReducingPlanes { planes: 2 });
    let time = |size| {
        let outcome = run(&fabric, Collective::AllReduce, in_network(4_000_000), size);
        outcome.expect("possible").makespan
    };
    assert_eq!(time(4_000_000), Duration::from_nanos(20_500));
    assert_eq!(time(0), Duration::from_nanos(500));
}

#[test]
fn the_bus_bandwidth_passes_the_port_and_the_wire_does_not() {
    // 8 cards, 64 MB, 170.5 us: busbw = S/T × 2 × 7/8 = 656.9 GB/s on ports of 400 GB/s, of which
    // 160/170.5 = 93.8 % are used; 8 × 64 MB go up and as many down.
    let fabric = fabric(8, 1, InsideSpec::ReducingPlanes { planes: 4 });
    let outcome = run(&fabric, Collective::AllReduce, in_network(4_000_000), 64_000_000);
    let outcome = outcome.expect("possible");
    // In kB/s: 64,000 kB × 14/8 / 170.5 us.
    assert_eq!(64_000 * 14 * 10_000_000 / 8 / 1_705_u64, 656_891_495);
    let inside = &outcome.traffic.tiers[0];
    assert_eq!((inside.bytes, inside.utilisation_ppm), (2 * 8 * 64_000_000, 938_416));
    // The bound: 64 MB over a port, and the quicker half of the latency.
    assert_eq!(outcome.bound.time, Duration::from_nanos(160_250));
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let ring = run(&fabric, Collective::AllReduce, ring, 64_000_000).expect("possible");
    // 14 steps of 8 MB: 14 × (20 us + 500 ns) = 287 us.
    assert_eq!(ring.makespan, Duration::from_nanos(287_000));
}

#[test]
fn a_slow_card_holds_the_sum_back() {
    // One card sends at half speed: 320 us up, then the last of 16 pieces takes 20 us more down to it:
    // its own port, slow both ways, is the last to be done.
    let whole = fabric(8, 1, InsideSpec::ReducingPlanes { planes: 4 });
    let fault = Fault { part: Part::Node("card 5".to_owned()), speed_ppm: 500_000 };
    let fabric = whole.with_faults(&[fault]).expect("card 5 is there");
    let outcome = run(&fabric, Collective::AllReduce, in_network(4_000_000), 64_000_000);
    assert_eq!(outcome.expect("possible").makespan, Duration::from_nanos(340_500));
}

#[test]
fn a_lost_plane_and_switches_that_only_forward_are_told() {
    let part = Part::Link { from: "card 5".to_owned(), to: "plane switch 2".to_owned(), count: 1 };
    let whole = fabric(8, 1, InsideSpec::ReducingPlanes { planes: 4 });
    let broken = whole.with_faults(&[Fault { part, speed_ppm: 0 }]).expect("the link is there");
    let refused = run(&broken, Collective::AllReduce, in_network(4_000), 64_000);
    let lost = RouteError::SwitchLost { below: "card 5".to_owned(), found: 3, switches: 4 };
    assert_eq!(refused.map(|_| ()), Err(fluid::Error::Route(lost)));
    // Over switches that only forward there is no tree, and so no schedule.
    let plain = fabric(8, 1, InsideSpec::Planes { planes: 4 });
    let cards: Vec<CardId> = (0..8).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, 8, &cards, &plain).expect("even");
    assert!(try_schedule(&groups, Collective::AllReduce, in_network(4_000), 64_000).is_none());
}

#[test]
fn a_period_that_holds_the_opening_of_a_round_is_not_repeated() {
    // 12 pieces, every third a byte longer, at 100 ns for the step of each and some 80 ns on the wire: the
    // state in the middle of a round is that at the end of the last one, but a wait lies between.
    let fabric = fabric(2, 1, InsideSpec::ReducingPlanes { planes: 1 });
    let broadcast = Collective::Broadcast { root: 0 };
    let (cards, schedule) = everywhere(&fabric, broadcast, in_network(33_333), 382_576);
    let schedule = repeated(schedule, Rounds { count: 4, period: Duration::from_micros(4) });
    let costs = Costs { per_step: Duration::from_nanos(100), ..Costs::default() };
    let (schedule, conducts) = (&schedule, &Conducts::alike(costs));
    let world = World {
        fabric: &fabric,
        cards: &cards,
        schedule,
        routing: Routing::Spray,
        conducts,
        recovery: Recovery::default(),
        timeline: None,
    };
    for recurrence in [Switch::Off, Switch::On] {
        let outcome = simulate(&world, &options(Switch::Off, recurrence, Locality::Off));
        // The last round opens at 12 us. 382,576 B × 2.5 ps/B is 956,440 ps; 12 steps, 500 ns of latency
        // and the last piece of 31,881 B once more, 79,702.5 ps; pieces round up to whole picoseconds.
        let exact = 12_000_000 + 12 * 100_000 + 956_440 + 500_000 + 79_703;
        let makespan = outcome.expect("possible").makespan.as_picos();
        assert!((exact..exact + 12).contains(&makespan), "{recurrence:?}: {makespan}");
    }
}

#[test]
fn switches_do_not_add_up_what_may_be_lost() {
    let whole = fabric(8, 1, InsideSpec::ReducingPlanes { planes: 4 });
    let rule = LossRule {
        part: Part::Node("card 5".to_owned()),
        loss: Probability::from_ppm(1).expect("at most 1"),
        from: Time::ZERO,
        until: None,
    };
    let lossy = whole.with_losses(&[rule]).expect("card 5 is there");
    let refused = run(&lossy, Collective::AllReduce, in_network(4_000), 64_000);
    let loses = RouteError::LossyReduction { below: "card 5".to_owned() };
    assert_eq!(refused.map(|_| ()), Err(fluid::Error::Route(loses)));
}

/// A collective of every supernode by its switches, perhaps beside another job on the same cards.
fn random_schedule(fabric: &Fabric, numbers: [u64; 4], size: u64) -> (Vec<CardId>, Schedule) {
    let pick = |number: u64| FIVE[(number % 5) as usize];
    let root = |collective| match collective {
        Collective::Broadcast { .. } => Collective::Broadcast { root: 0 },
        Collective::Reduce { .. } => Collective::Reduce { root: fabric.supernode_cards() - 1 },
        other => other,
    };
    let chunk = [5_000, 33_333, 1 << 20][(numbers[1] % 3) as usize];
    let of = |collective| everywhere(fabric, root(collective), in_network(chunk), size);
    let (cards, mut first) = of(pick(numbers[0]));
    if numbers[2].is_multiple_of(3) {
        let period = Duration::from_micros(numbers[3] % 40);
        first = repeated(first, Rounds { count: 2 + numbers[3] % 3, period });
    }
    if !numbers[2].is_multiple_of(2) {
        return (cards, first);
    }
    let ring = Algorithm::Ring { channels: Channels::Count(1) };
    let second = match numbers[3] % 3 {
        0 => of(pick(numbers[1])).1,
        1 => everywhere(fabric, Collective::AllReduce, ring, size).1,
        _ => everywhere(fabric, Collective::AllToAll, Algorithm::Direct, size).1,
    };
    ([&cards[..], &cards].concat(), together(&[first, second]))
}

proptest! {
    #![proptest_config(at_least(600))]

    #[test]
    fn every_reduction_equals_the_plain_way_over_switches_that_add_up(
        cards in 2_u32..9,
        supernodes in 1_u32..4,
        planes in 1_u32..4,
        size in prop_oneof![0_u64..40, 0_u64..400_000],
        numbers in prop::array::uniform4(any::<u64>()),
        habits in any::<u64>(),
    ) {
        let whole = fabric(cards, supernodes, InsideSpec::ReducingPlanes { planes });
        let card = format!("card {}", habits % u64::from(whole.cards()));
        let slow = Fault { part: Part::Node(card), speed_ppm: 750_000 };
        let faults = if (habits >> 8).is_multiple_of(3) { vec![slow] } else { Vec::new() };
        let fabric = whole.with_faults(&faults).expect("the card is there");
        let (cards, schedule) = random_schedule(&fabric, numbers, size);
        let costs = match habits >> 16 & 3 {
            0 => Costs { per_step: Duration::from_nanos(100), ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(70), ..Costs::default() },
            2 => Costs { reduce: Some(Bandwidth::from_gigabytes_per_second(100)), ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = conducts(schedule.ranks, costs, mix(habits, 1));
        let (fabric, schedule, conducts) = (&fabric, &schedule, &conducts);
        let routing = Routing::Ecmp { flows: 2, key: 5 };
        let world = World { fabric, cards: &cards, schedule, routing, conducts, recovery: Recovery::default(), timeline: None };
        let plain = simulate(&world, &options(Switch::Off, Switch::Off, Locality::Off));
        let plain = plain.expect("possible");
        prop_assert_eq!(&plain.status, &Status::Finished);
        let plain = told(plain);
        for (symmetry, recurrence, locality) in REDUCED {
            let reduced = simulate(&world, &options(symmetry, recurrence, locality));
            let reduced = told(reduced.expect("possible"));
            prop_assert!(plain == reduced, "{symmetry:?} {recurrence:?} {locality:?}\nplain   {plain:?}\nreduced {reduced:?}\n{schedule:?}");
        }
    }
}
