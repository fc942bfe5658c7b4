//! Symmetry where switches form a tree of unlike cables: equal to the plain way, bit for bit.

use engine::Costs;
use fluid::{Conducts, Error, Locality, Switch, World, simulate};
use proptest::prelude::*;
use topology::{ExplicitLink, ExplicitSpec, Fabric, FabricSpec, Routing, mix};
use units::{Bandwidth, Duration};

use crate::choices::Choices;
use crate::common;
use crate::reductions::options;
use crate::worlds::told;

/// A tree of up to four switches with two to thirteen cards, its cables drawn from few kinds so that
/// some are alike.
fn tree(key: u64) -> Fabric {
    let mut drawn = 0;
    let mut draw = |below: u64| {
        drawn += 1;
        mix(key, drawn) % below
    };
    let switches = 1 + draw(4);
    let cards = 2 + draw(12);
    let mut links = Vec::new();
    let mut cable = |from: String, to: String, [rate, latency, count]: [u64; 3]| {
        links.push(ExplicitLink {
            from,
            to,
            bandwidth: Bandwidth::from_gigabits_per_second([10, 25][rate as usize]),
            latency: Duration::from_nanos([0, 700][latency as usize]),
            count: 1 + count as u32,
        });
    };
    for switch in 1..switches {
        let above = draw(switch);
        cable(format!("s{switch}"), format!("s{above}"), [draw(2), draw(2), draw(2)]);
    }
    for card in 0..cards {
        let switch = draw(switches);
        cable(format!("c{card}"), format!("s{switch}"), [draw(2), draw(2), draw(2)]);
    }
    let names = |letter: char, count: u64| (0..count).map(move |index| format!("{letter}{index}"));
    Fabric::build(&FabricSpec::Explicit(ExplicitSpec {
        cards: names('c', cards).collect(),
        switches: names('s', switches).collect(),
        links,
    }))
    .expect("a tree joins all its cards")
}

proptest! {
    #![proptest_config(common::at_least(1_000))]

    #[test]
    fn symmetry_on_trees_equals_the_plain_way(numbers in prop::array::uniform12(any::<u64>()), key in any::<u64>()) {
        let choices = Choices(numbers);
        let fabric = tree(key);
        let cards = choices.cards(&fabric);
        let groups = choices.groups(&fabric, &cards);
        let (collective, algorithm) = choices.collective(groups[0].size());
        let size = choices.size(collective, fabric.cards());
        let Some(schedule) = common::try_schedule(&groups, collective, algorithm, size) else {
            return Ok(());
        };
        let (routing, costs) = (Routing::Spray, Costs::default());
        let world = World { fabric: &fabric, timeline: None, cards: &cards, schedule: &schedule, routing, conducts: &Conducts::alike(costs), recovery: fluid::Recovery::default() };
        let plain = match simulate(&world, &options(Switch::Off, Switch::Off, Locality::Off)) {
            Ok(plain) => told(plain),
            Err(refused) => {
                prop_assert!(matches!(refused, Error::TooFine), "{refused}");
                return Ok(());
            }
        };
        let reduced = told(simulate(&world, &options(Switch::On, Switch::On, Locality::On)).expect("possible"));
        prop_assert!(plain == reduced, "plain   {plain:?}\nreduced {reduced:?}");
    }
}
