//! Random trees of switches that add up: reductions change nothing.

use collectives::{
    Algorithm, Channels, Collective, Grouping, Rounds, Schedule, group_ranks, repeated, together,
};
use engine::Costs;
use fluid::{Locality, Recovery, Status, Switch, World, simulate};
use proptest::prelude::*;
use topology::{
    Attach, CardId, Fabric, Fault, InsideSpec, NicOrder, Part, RouteError, Routing, SwitchKind,
    TwoLevelSpec, mix,
};
use units::{Duration, Ratio};

use crate::common::{at_least, schedule, try_schedule};
use crate::reductions::{REDUCED, options};
use crate::switch_trees::{FIVE, Shape, in_network};
use crate::troubles::conducts;
use crate::worlds::told;

/// A random fabric some of whose switches add up.
pub(crate) fn drawn_shape(seed: u64) -> Shape {
    let draw = |purpose: u64, below: u64| (mix(seed, purpose) % below) as u32;
    let supernode = 1 + draw(0, 5);
    let levels = TwoLevelSpec {
        node_cards: 1 + draw(1, 3),
        planes: 1 + draw(2, 2),
        upper_switches: 1 + draw(3, 2),
        ratio: Ratio::ONE,
        latency: Duration::from_nanos(300),
    };
    let insides = [
        InsideSpec::Planes { planes: 2 },
        InsideSpec::ReducingTwoLevel(levels),
        InsideSpec::ReducingTwoLevel(levels),
        InsideSpec::FullMesh,
    ];
    let nics = 1 + draw(4, 2);
    let (homes, planes) = match nics {
        2 => [(1, 1), (2, 1), (1, 2)][draw(5, 3) as usize],
        _ => (1, 1),
    };
    let order = [NicOrder::InOrder, NicOrder::Rails][draw(6, 2) as usize];
    let ratios = [(1, 1), (2, 1), (1, 2)];
    let tier = |purpose| ratios[draw(purpose, 3) as usize];
    Shape {
        cards: supernode * (1 + draw(7, 5)),
        supernode,
        inside: insides[draw(8, 4) as usize].clone(),
        nics,
        leaf_ports: 1 + draw(9, 5),
        tiers: if draw(10, 3) == 0 { vec![tier(11), tier(12)] } else { vec![tier(11)] },
        tops: None,
        attach: Attach { order, homes, planes },
        switches: [SwitchKind::Reduce, SwitchKind::Reduce, SwitchKind::Forward]
            [draw(13, 3) as usize],
    }
}

/// A collective by switches, perhaps beside another job on the same cards.
pub(crate) fn drawn_schedule(
    fabric: &Fabric,
    seed: u64,
    bytes: u64,
) -> Option<(Vec<CardId>, Schedule)> {
    let draw = |purpose: u64, below: u64| mix(seed, 100 + purpose) % below;
    let mut cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    if draw(0, 3) == 0 {
        cards.sort_by_key(|card| mix(seed, u64::from(card.0)));
    }
    let ranks = fabric.cards();
    let sizes = [ranks, ranks, fabric.supernode_cards(), ranks / 2];
    let size = sizes[draw(1, 4) as usize].max(1);
    let grouping = [Grouping::Consecutive, Grouping::Strided][draw(2, 2) as usize];
    let groups = group_ranks(grouping, size, &cards, fabric).ok()?;
    let chunk = [5_000, 33_333, 1 << 20][draw(3, 3) as usize];
    let root = (draw(4, u64::from(size))) as u32;
    let of = |collective| try_schedule(&groups, collective, in_network(chunk), bytes);
    let collective = |purpose| match FIVE[draw(purpose, 5) as usize] {
        Collective::Broadcast { .. } => Collective::Broadcast { root },
        Collective::Reduce { .. } => Collective::Reduce { root },
        other => other,
    };
    let mut first = of(collective(5))?;
    if draw(6, 3) == 0 {
        let period = Duration::from_micros(draw(7, 40));
        first = repeated(first, Rounds { count: 2 + draw(8, 3), period });
    }
    let ring = Algorithm::Ring { channels: Channels::Count(2) };
    let second = match draw(9, 5) {
        0 => of(collective(10))?,
        1 => schedule(&groups, Collective::AllReduce, ring, bytes),
        2 => schedule(&groups, Collective::AllToAll, Algorithm::Direct, bytes),
        _ => return Some((cards, first)),
    };
    Some(([&cards[..], &cards].concat(), together(&[first, second])))
}

#[test]
fn random_trees_are_of_all_kinds() {
    // Of 300 draws: what can be built and scheduled, climbs over switches, has several trees, and runs
    // beside another job.
    let (mut possible, mut climbing, mut several, mut beside) = (0, 0, 0, 0);
    for seed in 0..300 {
        let fabric = drawn_shape(seed).build();
        let Some(fabric) = fabric else { continue };
        let Some((_, schedule)) = drawn_schedule(&fabric, seed, 1_000) else { continue };
        let lanes = &schedule.lanes;
        possible += 1;
        climbing += i32::from(lanes.iter().any(|lane| lane.seats[0].switches().is_some()));
        several += i32::from(lanes.iter().any(|lane| lane.name.channel > 0));
        beside += i32::from(lanes.iter().any(|lane| lane.name.job > 0));
    }
    let told = (possible, climbing, several, beside);
    assert!(possible >= 150 && climbing >= 75 && several >= 25 && beside >= 50, "{told:?}");
}

proptest! {
    #![proptest_config(at_least(600))]

    #[test]
    fn every_reduction_equals_the_plain_way_over_trees_of_switches(
        seed in any::<u64>(),
        bytes in prop_oneof![0_u64..40, 0_u64..400_000],
        habits in any::<u64>(),
    ) {
        let Some(whole) = drawn_shape(seed).build() else { return Ok(()) };
        let card = format!("card {}", habits % u64::from(whole.cards()));
        let slow = Fault { part: Part::Node(card), speed_ppm: 750_000 };
        let faults = if (habits >> 8).is_multiple_of(3) { vec![slow] } else { Vec::new() };
        let fabric = &whole.with_faults(&faults).expect("the card is there");
        let Some((cards, schedule)) = drawn_schedule(fabric, seed, bytes) else { return Ok(()) };
        let costs = match habits >> 16 & 3 {
            0 => Costs { per_step: Duration::from_nanos(100), ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(70), ..Costs::default() },
            _ => Costs::default(),
        };
        let conducts = &conducts(schedule.ranks, costs, mix(habits, 1));
        let routing = match habits >> 24 & 1 {
            0 => Routing::Ecmp { flows: 2, key: 5 },
            _ => Routing::Spray,
        };
        let recovery = Recovery::default();
        let (cards, schedule) = (&cards[..], &schedule);
        let world = World { fabric, cards, schedule, routing, conducts, recovery, timeline: None };
        let plain = match simulate(&world, &options(Switch::Off, Switch::Off, Locality::Off)) {
            Ok(plain) => plain,
            // Uneven wiring may leave a set without a link to some switch above.
            Err(fluid::Error::Route(RouteError::SwitchLost { .. })) => {
                let reduced = simulate(&world, &options(Switch::On, Switch::On, Locality::On));
                prop_assert!(matches!(reduced, Err(fluid::Error::Route(_))));
                return Ok(());
            }
            Err(refused) => return Err(TestCaseError::fail(refused.to_string())),
        };
        prop_assert_eq!(&plain.status, &Status::Finished);
        let plain = told(plain);
        for (symmetry, recurrence, locality) in REDUCED {
            let reduced = simulate(&world, &options(symmetry, recurrence, locality));
            let reduced = told(reduced.expect("possible"));
            prop_assert!(plain == reduced, "{symmetry:?} {recurrence:?} {locality:?}\nplain   {plain:?}\nreduced {reduced:?}");
        }
    }
}
