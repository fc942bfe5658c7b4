//! Symmetry and recurrence change nothing but the work: equal to the plain way, bit for bit.

use crate::choices::Choices;
use crate::common;
use collectives::Algorithm;
use engine::Costs;
use fluid::{Options, Outcome, Status, Switch, World, simulate};
use proptest::prelude::*;
use topology::Routing;
use units::{Bandwidth, Duration};

/// What must not depend on the reductions: everything but the counters.
fn told(outcome: Outcome) -> impl PartialEq + std::fmt::Debug {
    let Outcome { status, makespan, lanes, traffic, lost, bound, counters } = outcome;
    (status, makespan, lanes, (traffic, lost), bound, counters.transfers)
}

fn options(symmetry: Switch, recurrence: Switch) -> Options<'static> {
    Options { symmetry, recurrence, memo: None, stop: None }
}

proptest! {
    #![proptest_config(common::at_least(5_000))]

    #[test]
    fn every_reduction_equals_the_plain_way(numbers in prop::array::uniform12(any::<u64>()), routing in 0_u32..3, costs in 0_u32..6, fault in any::<u64>(), loss in any::<u64>()) {
        let choices = Choices(numbers);
        let Some(fabric) = choices.fabric() else { return Ok(()) };
        let fabric = choices.broken(choices.lossy(fabric, loss), fault);
        let recovery = choices.recovery(loss);
        let cards = choices.cards(&fabric);
        let groups = choices.groups(&fabric, &cards);
        let (collective, algorithm) = choices.collective(groups[0].size());
        let size = choices.size(collective, fabric.cards());
        let Some(schedule) = common::try_schedule(&groups, collective, algorithm, size) else {
            prop_assert_eq!(algorithm, Algorithm::TwoLevel, "supernodes may differ in size");
            return Ok(());
        };
        let routing = match routing {
            0 => Routing::Ecmp { flows: 1 + (numbers[5] % 2) as u32, key: numbers[6] },
            _ => Routing::Spray,
        };
        let costs = match costs {
            0 => Costs { per_step: Duration::from_nanos(100), ..Costs::default() },
            1 => Costs { per_message: Duration::from_nanos(70), ..Costs::default() },
            2 => Costs { reduce: Some(Bandwidth::from_gigabytes_per_second(100)), ..Costs::default() },
            _ => Costs::default(),
        };
        let world = World { fabric: &fabric, cards: &cards, schedule: &schedule, routing, costs, recovery };
        let plain = match simulate(&world, &options(Switch::Off, Switch::Off)) {
            Ok(plain) => plain,
            // Many slow links of different kinds may leave no common denominator; it is said.
            Err(fluid::Error::TooFine) => return Ok(()),
            Err(refused) => {
                // Who cannot be reached is found either way.
                prop_assert!(matches!(refused, fluid::Error::Route(_)), "{refused}");
                let reduced = simulate(&world, &options(Switch::On, Switch::On));
                prop_assert!(matches!(reduced, Err(fluid::Error::Route(_))));
                return Ok(());
            }
        };
        prop_assert!(!matches!(plain.status, Status::Stalled(_)), "{:?}", plain.status);
        let plain = told(plain);
        for (symmetry, recurrence) in
            [(Switch::Off, Switch::On), (Switch::On, Switch::Off), (Switch::On, Switch::On)]
        {
            let reduced = told(simulate(&world, &options(symmetry, recurrence)).expect("possible"));
            prop_assert!(
                plain == reduced,
                "symmetry {symmetry:?}, recurrence {recurrence:?}\nplain   {plain:?}\nreduced {reduced:?}"
            );
        }
    }
}
