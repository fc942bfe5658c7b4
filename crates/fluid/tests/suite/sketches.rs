//! A memo that several fabrics share changes nothing: fabrics that differ in trunks alone are told the
//! same as each of them by the plain way, bit for bit.

use engine::Costs;
use fluid::{Conducts, Error, Locality, Memo, Options, Switch, World, simulate};
use proptest::prelude::*;
use topology::{ExplicitLink, ExplicitSpec, Fabric, FabricSpec, Routing, mix};
use units::{Bandwidth, Duration};

use crate::choices::Choices;
use crate::common;
use crate::reductions::options;
use crate::worlds::told;

/// Up to five switches in a tree with four to fifteen cards of 10 Gb/s; all trunks have that rate and
/// so many links.
fn tree(key: u64, rate: u64, links: u32) -> Fabric {
    let mut drawn = 0;
    let mut draw = |below: u64| {
        drawn += 1;
        mix(key, drawn) % below
    };
    let switches = 2 + draw(4);
    let cards = 4 + draw(12);
    let mut cables = Vec::new();
    let mut cable = |from: String, to: String, rate: u64, latency: u64, count: u32| {
        let bandwidth = Bandwidth::from_gigabits_per_second(rate);
        let latency = Duration::from_nanos(latency);
        cables.push(ExplicitLink { from, to, bandwidth, latency, count });
    };
    // Cards come first, so that their links have the same numbers whatever the trunks.
    for card in 0..cards {
        cable(format!("c{card}"), format!("s{}", draw(switches)), 10, 400 * draw(2), 1);
    }
    for switch in 1..switches {
        let above = draw(switch);
        cable(format!("s{switch}"), format!("s{above}"), rate, 700 * draw(2), links);
    }
    let names = |letter: char, count: u64| (0..count).map(move |index| format!("{letter}{index}"));
    Fabric::build(&FabricSpec::Explicit(ExplicitSpec {
        cards: names('c', cards).collect(),
        switches: names('s', switches).collect(),
        links: cables,
    }))
    .expect("a tree joins all its cards")
}

proptest! {
    #![proptest_config(common::at_least(400))]

    #[test]
    fn trunks_that_differ_are_told_as_by_the_plain_way(numbers in prop::array::uniform12(any::<u64>()), key in any::<u64>()) {
        let choices = Choices(numbers);
        let memo = Memo::new();
        // First so wide that nothing binds; then by what flows ask for, which may be enough or not.
        for (rate, links) in [(400, 1), (100, 2), (20, 2), (10, 2), (10, 1), (7, 1), (1, 3)] {
            let fabric = tree(key, rate, links);
            let cards = choices.cards(&fabric);
            let groups = choices.groups(&fabric, &cards);
            let (collective, algorithm) = choices.collective(groups[0].size());
            let size = choices.size(collective, fabric.cards());
            let Some(schedule) = common::try_schedule(&groups, collective, algorithm, size) else {
                return Ok(());
            };
            let conducts = Conducts::alike(Costs::default());
            let (routing, recovery) = (Routing::Spray, fluid::Recovery::default());
            let world = World { fabric: &fabric, timeline: None, cards: &cards, schedule: &schedule, routing, conducts: &conducts, recovery };
            let plain = match simulate(&world, &options(Switch::Off, Switch::Off, Locality::Off)) {
                Ok(plain) => told(plain),
                Err(refused) => {
                    prop_assert!(matches!(refused, Error::TooFine), "{refused}");
                    return Ok(());
                }
            };
            let shared = Options { memo: Some(&memo), ..options(Switch::On, Switch::On, Locality::On) };
            let reused = told(simulate(&world, &shared).expect("possible"));
            prop_assert!(plain == reused, "{rate} Gb/s × {links}\nplain  {plain:?}\nreused {reused:?}");
        }
    }
}
