//! The incremental allocation against a naive one, exact fractions and the certificate.

use fluid::allocation::{Allocation, certificate};
use fluid::{Crossing, Medium};
use num_rational::Ratio;
use proptest::prelude::*;
use units::Duration;

/// A small instance: capacities, and for each flow what it crosses.
#[derive(Clone, Debug)]
struct Instance {
    capacities: Vec<u128>,
    flows: Vec<Vec<(u32, u64)>>,
}

impl Instance {
    fn medium(&self) -> Medium {
        let mut medium = Medium::new(self.capacities.clone());
        for flow in &self.flows {
            let crossings: Vec<Crossing> =
                flow.iter().map(|&(resource, weight)| Crossing { resource, weight }).collect();
            let path = medium.add_path(&crossings, Duration::ZERO);
            medium.add_flow(path);
        }
        medium
    }
}

/// Water-filling by its definition: the lowest share of all links, fix, repeat.
fn naive(instance: &Instance, active: &[usize]) -> Vec<u64> {
    let mut rates: Vec<Option<u64>> = vec![None; instance.flows.len()];
    loop {
        let mut lowest: Option<u128> = None;
        let mut shares = Vec::new();
        for (link, &capacity) in instance.capacities.iter().enumerate() {
            let mut free = capacity;
            let mut unfixed = 0;
            for &flow in active {
                for &(resource, weight) in &instance.flows[flow] {
                    if resource as usize == link {
                        match rates[flow] {
                            Some(rate) => free -= u128::from(weight) * u128::from(rate),
                            None => unfixed += u128::from(weight),
                        }
                    }
                }
            }
            if let Some(share) = free.checked_div(unfixed) {
                shares.push((link as u32, share));
                lowest = Some(lowest.map_or(share, |least| least.min(share)));
            }
        }
        let Some(lowest) = lowest else { break };
        for &flow in active {
            let is_fixed_now = rates[flow].is_none()
                && instance.flows[flow]
                    .iter()
                    .any(|&(resource, _)| shares.contains(&(resource, lowest)));
            if is_fixed_now {
                rates[flow] = Some(lowest as u64);
            }
        }
    }
    rates.into_iter().map(|rate| rate.unwrap_or(0)).collect()
}

/// The same in exact fractions.
fn exact(instance: &Instance) -> (Vec<Ratio<i128>>, usize) {
    let mut rates: Vec<Option<Ratio<i128>>> = vec![None; instance.flows.len()];
    let mut levels = 0;
    loop {
        let mut best: Option<Ratio<i128>> = None;
        let mut shares = Vec::new();
        for (link, &capacity) in instance.capacities.iter().enumerate() {
            let mut free = Ratio::from_integer(i128::try_from(capacity).expect("small"));
            let mut unfixed = Ratio::from_integer(0);
            for (flow, crossings) in instance.flows.iter().enumerate() {
                for &(resource, weight) in crossings {
                    if resource as usize == link {
                        let weight = Ratio::from_integer(i128::from(weight));
                        match rates[flow] {
                            Some(rate) => free -= weight * rate,
                            None => unfixed += weight,
                        }
                    }
                }
            }
            if unfixed > Ratio::from_integer(0) {
                let share = free / unfixed;
                shares.push((link as u32, share));
                best = Some(best.map_or(share, |least| least.min(share)));
            }
        }
        let Some(lowest) = best else { break };
        levels += 1;
        for (flow, crossings) in instance.flows.iter().enumerate() {
            let hit = crossings.iter().any(|&(r, _)| shares.contains(&(r, lowest)));
            if rates[flow].is_none() && hit {
                rates[flow] = Some(lowest);
            }
        }
    }
    (rates.into_iter().map(|rate| rate.expect("every flow is fixed")).collect(), levels)
}

fn instances(most_links: usize, most_flows: usize) -> impl Strategy<Value = Instance> {
    // Capacities over nine orders of magnitude, many of them equal, so that shares tie.
    let capacity = prop_oneof![
        prop_oneof![Just(1_u128), Just(12), Just(60), Just(1_000_000_000)],
        1_u128..2_000_000_000,
    ];
    (prop::collection::vec(capacity, 1..=most_links)).prop_flat_map(move |capacities| {
        let links = capacities.len() as u32;
        let crossing = (0..links, prop_oneof![3 => Just(1_u64), 1 => 1_u64..5]);
        let flow = prop::collection::vec(crossing, 1..=4).prop_map(|mut crossings| {
            crossings.sort_unstable();
            crossings.dedup_by_key(|crossing| crossing.0);
            crossings
        });
        let flows = prop::collection::vec(flow, 1..=most_flows);
        flows.prop_map(move |flows| Instance { capacities: capacities.clone(), flows })
    })
}

fn rates_of(allocation: &Allocation<'_>, flows: usize) -> Vec<u64> {
    (0..flows)
        .map(|flow| if allocation.is_active(flow) { allocation.rate(flow) } else { 0 })
        .collect()
}

fn assert_certified(medium: &Medium, allocation: &Allocation<'_>) {
    let rates: Vec<(u32, u64)> = (0..medium.flows())
        .filter(|&flow| allocation.is_active(flow))
        .map(|flow| (flow as u32, allocation.rate(flow)))
        .collect();
    assert_eq!(certificate::check(medium, &rates), Ok(()));
}

proptest! {
    #![proptest_config(crate::common::at_least(100_000))]

    #[test]
    fn equals_the_naive_water_filling(instance in instances(6, 8)) {
        let medium = instance.medium();
        let mut allocation = Allocation::new(&medium);
        (0..instance.flows.len()).for_each(|flow| allocation.insert(flow));
        allocation.solve(&mut Vec::new());
        let all: Vec<usize> = (0..instance.flows.len()).collect();
        prop_assert_eq!(rates_of(&allocation, all.len()), naive(&instance, &all));
        assert_certified(&medium, &allocation);
    }
}

proptest! {
    #![proptest_config(crate::common::at_least(20_000))]

    #[test]
    fn incremental_equals_from_scratch(
        instance in instances(8, 16),
        toggles in prop::collection::vec((0_usize..16, any::<bool>()), 1..40),
    ) {
        let medium = instance.medium();
        let mut allocation = Allocation::new(&medium);
        for (flow, is_solved_now) in toggles {
            let flow = flow % instance.flows.len();
            if allocation.is_active(flow) {
                allocation.remove(flow);
            } else {
                allocation.insert(flow);
            }
            if is_solved_now {
                allocation.solve(&mut Vec::new());
                let active: Vec<usize> =
                    (0..instance.flows.len()).filter(|&f| allocation.is_active(f)).collect();
                let expected = naive(&instance, &active);
                prop_assert_eq!(rates_of(&allocation, instance.flows.len()), expected);
                assert_certified(&medium, &allocation);
            }
        }
    }

    /// Every floor loses less than one unit, which at the next level is spread over the flows that
    /// are left: a rate is off by at most one unit for each flow and level before it.
    #[test]
    fn is_close_to_exact_fractions(instance in instances(4, 6)) {
        let medium = instance.medium();
        let mut allocation = Allocation::new(&medium);
        (0..instance.flows.len()).for_each(|flow| allocation.insert(flow));
        allocation.solve(&mut Vec::new());
        let (rates, levels) = exact(&instance);
        let weights: u64 = instance.flows.iter().flatten().map(|&(_, weight)| weight).sum();
        let bound = Ratio::from_integer(i128::from(weights) * levels as i128);
        for (flow, rate) in rates.into_iter().enumerate() {
            let mine = Ratio::from_integer(i128::from(allocation.rate(flow)));
            let off = if mine > rate { mine - rate } else { rate - mine };
            prop_assert!(off <= bound, "flow {flow}: {mine} is {off} from {rate}");
        }
    }
}

#[test]
fn the_worked_example_of_three_links() {
    // Links of 10, 12, 20 Gb/s; a on 1 and 2, b on 1, c on 2, d on 2 and 3, e on 3.
    // Link 2: 12/3 = 4 is lowest and fixes a, c, d; b = 10 − 4 = 6; e = 20 − 4 = 16.
    let gbps = 1_000_000_000_000_u128;
    let instance = Instance {
        capacities: vec![10 * gbps, 12 * gbps, 20 * gbps],
        flows: vec![
            vec![(0, 1), (1, 1)],
            vec![(0, 1)],
            vec![(1, 1)],
            vec![(1, 1), (2, 1)],
            vec![(2, 1)],
        ],
    };
    let medium = instance.medium();
    let mut allocation = Allocation::new(&medium);
    (0..5).for_each(|flow| allocation.insert(flow));
    allocation.solve(&mut Vec::new());
    let in_gbps: Vec<u64> = (0..5).map(|flow| allocation.rate(flow) / gbps as u64).collect();
    assert_eq!(in_gbps, [4, 6, 4, 4, 16]);
}

#[test]
fn the_certificate_sees_what_the_first_two_conditions_miss() {
    // Capacities 3 and 5, flows a and b on both links, c on the second: (1,1,1) is water-filling.
    let instance = Instance {
        capacities: vec![3, 5],
        flows: vec![vec![(0, 1), (1, 1)], vec![(0, 1), (1, 1)], vec![(1, 1)]],
    };
    let medium = instance.medium();
    assert_eq!(certificate::check(&medium, &[(0, 1), (1, 1), (2, 1)]), Ok(()));
    let unfair = certificate::check(&medium, &[(0, 1), (1, 1), (2, 3)]);
    assert_eq!(unfair, Err(certificate::Violation::Unfair { resource: 1, rate: 1 }));
}

#[test]
fn a_thousand_flows_on_one_link_and_one_flow_on_a_thousand() {
    let mut flows: Vec<Vec<(u32, u64)>> = vec![vec![(0, 1)]; 1_000];
    flows.push((0..1_000).map(|link| (link, 1)).collect());
    let instance = Instance { capacities: (0..1_000).map(|link| 5_000 + link).collect(), flows };
    let medium = instance.medium();
    let mut allocation = Allocation::new(&medium);
    (0..1_001).for_each(|flow| allocation.insert(flow));
    allocation.solve(&mut Vec::new());
    // Link 0: ⌊5,000 / 1,001⌋ = 4 for all.
    assert!((0..1_001).all(|flow| allocation.rate(flow) == 4));
    assert_certified(&medium, &allocation);
}
