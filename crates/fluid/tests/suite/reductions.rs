//! Symmetry, recurrence and locality change nothing but the work: equal to the plain way, bit for bit.

use collectives::{Algorithm, Channels, Collective, Rounds, repeated};
use engine::Costs;
use fluid::{Conducts, Locality, Options, Outcome, Status, Switch, Watch, World, simulate};
use proptest::prelude::*;
use topology::{
    Fabric, Fault, FaultError, Link, LinkId, LossRule, Mishap, Part, Routing, SupernodeId, Tier,
    TimelineError, mix,
};
use units::{Bytes, Duration, Probability, Time};

use crate::choices::Choices;
use crate::common;
use crate::worlds::{RandomWorld, told};

pub(crate) fn options(
    symmetry: Switch,
    recurrence: Switch,
    locality: Locality,
) -> Options<'static> {
    Options { symmetry, recurrence, locality, threads: 2, memo: None, watch: Watch::default() }
}

/// Every reduction alone, and all together; divided into cells from the beginning and on the way.
pub(crate) const REDUCED: [(Switch, Switch, Locality); 6] = [
    (Switch::Off, Switch::On, Locality::Off),
    (Switch::On, Switch::Off, Locality::Off),
    (Switch::Off, Switch::Off, Locality::DivideAfter(0)),
    (Switch::On, Switch::On, Locality::DivideAfter(90)),
    (Switch::Off, Switch::On, Locality::DivideAfter(1_000)),
    (Switch::On, Switch::On, Locality::On),
];

/// Runs a world the plain way and makes sure that every reduction tells the same; `None` where it is
/// refused, which every reduction must do too.
pub(crate) fn run_all_ways(world: &World<'_>) -> Result<Option<Outcome>, TestCaseError> {
    let plain = match simulate(world, &options(Switch::Off, Switch::Off, Locality::Off)) {
        Ok(plain) => plain,
        // Many slow links of different kinds may leave no common denominator; it is said.
        Err(fluid::Error::TooFine) => return Ok(None),
        Err(refused) => {
            // Who cannot be reached is found either way.
            prop_assert!(matches!(refused, fluid::Error::Route(_)), "{refused}");
            let reduced = simulate(world, &options(Switch::On, Switch::On, Locality::On));
            prop_assert!(matches!(reduced, Err(fluid::Error::Route(_))));
            return Ok(None);
        }
    };
    if world.timeline.is_none() {
        counted_transfer_by_transfer(world, &plain)?;
    }
    let expected = told(plain.clone());
    for reductions in REDUCED {
        let (symmetry, recurrence, locality) = reductions;
        let options = options(symmetry, recurrence, locality);
        let reduced = told(simulate(world, &options).expect("possible"));
        prop_assert!(
            expected == reduced,
            "{reductions:?}\nplain   {expected:?}\nreduced {reduced:?}"
        );
    }
    Ok(Some(plain))
}

/// Counting transfers one by one comes to the bound and the traffic of a run.
fn counted_transfer_by_transfer(world: &World<'_>, run: &Outcome) -> Result<(), TestCaseError> {
    let counted = fluid::bounded(world, &Options::default()).expect("possible");
    prop_assert!(matches!(counted.status, Status::Bounded(_)));
    prop_assert_eq!(&counted.bound, &run.bound);
    prop_assert_eq!(counted.makespan, run.bound.time);
    prop_assert_eq!(counted.counters.transfers, run.counters.transfers);
    let bytes = |outcome: &Outcome| -> Vec<(Tier, u128)> {
        outcome.traffic.tiers.iter().map(|tier| (tier.tier, tier.bytes)).collect()
    };
    prop_assert_eq!(bytes(&counted), bytes(run));
    Ok(())
}

/// Up to four mishaps within a run that takes about `span`.
pub(crate) fn mishaps(fabric: &Fabric, draws: &[(u64, u8, u8)], span: Duration) -> Vec<Mishap> {
    let instant = |part: u8| Time::from_picos(span.as_picos() / 16 * u64::from(part));
    let mishap = |&(what, from, length): &(u64, u8, u8)| {
        let links = fabric.links().len() as u64;
        let part = match what % 8 {
            0 => Part::Node(
                fabric.node_name(topology::NodeId((what / 8 % fabric.nodes().len() as u64) as u32)),
            ),
            1 => Part::Uplinks(SupernodeId((what / 8 % u64::from(fabric.supernodes())) as u32)),
            _ => {
                let Link { src, dst, .. } = *fabric.link(LinkId((what / 8 % links) as u32));
                let (from, to) = (fabric.node_name(src), fabric.node_name(dst));
                Part::Link { from, to, count: 1 }
            }
        };
        let speed_ppm = [0, 0, 500_000, 500_000, 750_000, 100_000][(what / 64 % 6) as usize];
        let fault = Fault { part, speed_ppm };
        let at = (from > 0).then(|| instant(from % 16));
        let until = (length % 3 > 0).then(|| instant(from % 16 + 1 + length % 16));
        Mishap { fault, at, until }
    };
    draws.iter().map(mishap).collect()
}

fn bytes_of_nics(outcome: &Outcome) -> Option<u128> {
    outcome.traffic.tiers.iter().find(|tier| tier.tier == Tier::Nic).map(|tier| tier.bytes)
}

proptest! {
    #![proptest_config(common::at_least(5_000))]

    #[test]
    fn every_reduction_equals_the_plain_way(numbers in prop::array::uniform12(any::<u64>()), routing in 0_u32..3, costs in 0_u32..6, fault in any::<u64>(), loss in any::<u64>(), habits in any::<u64>()) {
        let choices = Choices(numbers);
        let break_some = |fabric| choices.broken(choices.lossy(fabric, loss), fault);
        let Some(drawn) = RandomWorld::new(&choices, (routing, costs, habits), break_some) else {
            return Ok(());
        };
        let drawn = drawn.recovering(choices.recovery(loss));
        if let Some(Outcome { status, .. }) = run_all_ways(&drawn.world(None))? {
            prop_assert!(matches!(status, Status::Finished | Status::RetryLimit(_)), "{status:?}");
        }
    }
}

proptest! {
    #![proptest_config(common::at_least(2_000))]

    #[test]
    fn every_reduction_equals_the_plain_way_while_things_break(numbers in prop::array::uniform12(any::<u64>()), routing in 0_u32..3, costs in 0_u32..6, habits in any::<u64>(), draws in prop::collection::vec(any::<(u64, u8, u8)>(), 1..5), delay in 0_u64..3, loss in any::<u64>()) {
        let choices = Choices(numbers);
        let lossy = |fabric| if loss.is_multiple_of(2) { fabric } else { choices.lossy(fabric, loss) };
        let Some(drawn) = RandomWorld::new(&choices, (routing, costs, habits), lossy) else {
            return Ok(());
        };
        let drawn = drawn.recovering(choices.recovery(loss));
        if drawn.fabric.links().is_empty() {
            return Ok(());
        }
        let calm = simulate(&drawn.world(None), &Options::default());
        let Ok(calm) = calm else { return Ok(()) };
        let mishaps = mishaps(&drawn.fabric, &draws, calm.makespan);
        let delay = Duration::from_picos(calm.makespan.as_picos() / 10 * delay);
        let changing = match drawn.fabric.in_time(&mishaps, delay) {
            Ok(changing) => changing,
            Err(refused) => {
                // A link that is dead for good cannot break once more.
                let is_dead = matches!(
                    refused,
                    TimelineError::Fault { error: FaultError::TooFewLinks { .. }, .. }
                );
                prop_assert!(is_dead && mishaps.iter().any(Mishap::is_lasting), "{refused}");
                return Ok(());
            }
        };
        let reach = changing.1.changes().iter().all(|it| it.reach == topology::Reach::Same);
        if let Some(outcome) = run_all_ways(&drawn.world(Some(&changing)))? {
            match &outcome.status {
                Status::Finished => prop_assert_eq!(bytes_of_nics(&outcome), bytes_of_nics(&calm)),
                Status::RetryLimit(_) => prop_assert!(!drawn.fabric.losses().is_lossless()),
                status @ (Status::Stalled(_) | Status::Bounded(_)) => prop_assert!(false, "{status:?}"),
                Status::Unreachable { transfers, .. } => {
                    prop_assert!(!reach, "who is reached stays reached");
                    prop_assert!(transfers.iter().all(|it| it.delivered <= it.asked));
                    prop_assert!(bytes_of_nics(&outcome) <= bytes_of_nics(&calm));
                }
            }
        }
    }
}

/// Pipelines of hundreds of steps in up to three rounds, which are skipped between what breaks and what is repaired.
#[test]
fn long_runs_are_skipped_between_mishaps() {
    let (mut skipped, mut skipped_in_calm) = (0, 0);
    for seed in 0..200_u64 {
        let draw = |purpose: u64, below: u64| mix(seed, purpose) % below;
        let fabric = match draw(0, 3) {
            0 => common::star(3 + draw(1, 4) as u32, 50, Duration::from_nanos(draw(2, 3) * 300)),
            1 => common::two_leaves(2),
            _ => common::cluster(2, 2 + draw(1, 2) as u32),
        };
        // In every fourth run some packets are lost: counted one by one until routes change last.
        let loses = seed.is_multiple_of(4);
        let rule = LossRule {
            part: Part::Tier("nic".to_owned()),
            loss: Probability::from_ppm(1_000).expect("at most 1"),
            from: Time::ZERO,
            until: None,
        };
        let fabric = if loses { fabric.with_losses(&[rule]).expect("NICs") } else { fabric };
        let (cards, groups) = common::everyone(&fabric);
        let chunk = Bytes::new(1_000);
        let channels = Channels::Count(1 + draw(3, 2) as u32);
        let (collective, algorithm) = match draw(4, 3) {
            0 => (Collective::Broadcast { root: 0 }, Algorithm::Chain { channels, chunk }),
            1 => (Collective::Reduce { root: 1 }, Algorithm::Chain { channels, chunk }),
            _ => (Collective::AllReduce, Algorithm::Tree { channels, chunk }),
        };
        let schedule = common::schedule(&groups, collective, algorithm, 300_000 + draw(5, 1_000));
        let (count, period) = (1 + draw(40, 3), Duration::from_micros(draw(41, 3) * 20));
        let schedule = repeated(schedule, Rounds { count, period });
        let conducts = Conducts::alike(Costs::default());
        let world = |fabric, timeline| World {
            fabric,
            timeline,
            cards: &cards,
            schedule: &schedule,
            routing: Routing::Spray,
            conducts: &conducts,
            recovery: fluid::Recovery::default(),
        };
        // As a whole, like a run in which something changes: steps can be walked through otherwise.
        let whole = options(Switch::On, Switch::On, Locality::Off);
        let calm = simulate(&world(&fabric, None), &whole).expect("all are reached");
        let count = 1 + draw(6, 2);
        let draws: Vec<(u64, u8, u8)> = (0..count)
            .map(|index| (draw(7 + index, u64::MAX), 1 + draw(20 + index, 15) as u8, 1))
            .collect();
        let mishaps = mishaps(&fabric, &draws, calm.makespan);
        let delay = Duration::from_picos(calm.makespan.as_picos() / 20 * draw(30, 3));
        let (start, timeline) = fabric.in_time(&mishaps, delay).expect("all of it is there");
        let changing = world(&start, Some(&timeline));
        run_all_ways(&changing).expect("every reduction tells the same");
        let reduced = simulate(&changing, &whole).expect("as all ways before");
        if !loses {
            skipped += u64::from(reduced.counters.skipped_steps > 0);
            skipped_in_calm += u64::from(calm.counters.skipped_steps > 0);
        }
    }
    // Where states recur at all they recur between mishaps.
    assert!(skipped_in_calm >= 50, "{skipped_in_calm} of 150 runs skip steps when nothing happens");
    assert!(
        10 * skipped >= 9 * skipped_in_calm,
        "{skipped}, {skipped_in_calm} when nothing happens"
    );
}
