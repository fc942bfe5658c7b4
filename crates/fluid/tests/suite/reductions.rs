//! Symmetry and recurrence change nothing but the work: equal to the plain way, bit for bit.

use crate::choices::Choices;
use crate::common;
use crate::troubles::conducts;
use engine::Costs;
use fluid::{Locality, Options, Outcome, Status, Switch, World, simulate};
use proptest::prelude::*;
use topology::Routing;
use units::{Bandwidth, Duration};

/// What must not depend on the reductions: everything but the counters.
pub(crate) fn told(outcome: Outcome) -> impl PartialEq + std::fmt::Debug {
    let Outcome { status, makespan, lanes, ranks, traffic, lost, bound, counters } = outcome;
    (status, makespan, lanes, ranks, (traffic, lost), bound, counters.transfers)
}

pub(crate) fn options(
    symmetry: Switch,
    recurrence: Switch,
    locality: Locality,
) -> Options<'static> {
    Options { symmetry, recurrence, locality, threads: 2, memo: None, stop: None }
}

/// Every reduction alone, and all together; divided into cells from the beginning and on the way.
const REDUCED: [(Switch, Switch, Locality); 6] = [
    (Switch::Off, Switch::On, Locality::Off),
    (Switch::On, Switch::Off, Locality::Off),
    (Switch::Off, Switch::Off, Locality::DivideAfter(0)),
    (Switch::On, Switch::On, Locality::DivideAfter(90)),
    (Switch::Off, Switch::On, Locality::DivideAfter(1_000)),
    (Switch::On, Switch::On, Locality::On),
];

proptest! {
    #![proptest_config(common::at_least(5_000))]

    #[test]
    fn every_reduction_equals_the_plain_way(numbers in prop::array::uniform12(any::<u64>()), routing in 0_u32..3, costs in 0_u32..6, fault in any::<u64>(), loss in any::<u64>(), habits in any::<u64>()) {
        let choices = Choices(numbers);
        let Some(fabric) = choices.fabric() else { return Ok(()) };
        let fabric = choices.broken(choices.lossy(fabric, loss), fault);
        let recovery = choices.recovery(loss);
        let cards = choices.cards(&fabric);
        let Ok(schedule) = choices.jobs(&fabric, &cards, habits) else { return Ok(()) };
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
        let conducts = conducts(schedule.ranks, costs, habits);
        let (fabric, schedule, conducts) = (&fabric, &schedule, &conducts);
        let world = World { fabric, cards: &cards, schedule, routing, conducts, recovery };
        let plain = match simulate(&world, &options(Switch::Off, Switch::Off, Locality::Off)) {
            Ok(plain) => plain,
            // Many slow links of different kinds may leave no common denominator; it is said.
            Err(fluid::Error::TooFine) => return Ok(()),
            Err(refused) => {
                // Who cannot be reached is found either way.
                prop_assert!(matches!(refused, fluid::Error::Route(_)), "{refused}");
                let reduced = simulate(&world, &options(Switch::On, Switch::On, Locality::On));
                prop_assert!(matches!(reduced, Err(fluid::Error::Route(_))));
                return Ok(());
            }
        };
        prop_assert!(!matches!(plain.status, Status::Stalled(_)), "{:?}", plain.status);
        let plain = told(plain);
        for reductions in REDUCED {
            let (symmetry, recurrence, locality) = reductions;
            let options = options(symmetry, recurrence, locality);
            let reduced = told(simulate(&world, &options).expect("possible"));
            prop_assert!(
                plain == reduced,
                "{reductions:?}\nplain   {plain:?}\nreduced {reduced:?}"
            );
        }
    }
}
