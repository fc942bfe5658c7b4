//! The proof that an allocation is the water-filling one.
//!
//! For a resource and a rate s let F(s) be its capacity less the flows slower than s, and n(s) the
//! weighted number of its flows at s or faster. An allocation is the water-filling one exactly when
//!
//! 1. no resource is over capacity;
//! 2. every flow of rate s has a resource whose fastest flow has rate s and ⌊F(s)/n(s)⌋ = s;
//! 3. on every resource and for every rate s present there below its fastest, ⌊F(s)/n(s)⌋ > s.

use crate::{Crossings, Medium};

/// How an allocation differs from water-filling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A resource is over capacity.
    OverCapacity {
        /// The resource.
        resource: u32,
    },
    /// No resource holds a flow back at its rate.
    NotHeld {
        /// The flow.
        flow: u32,
    },
    /// A resource gives some flows more than their part, at the cost of slower ones.
    Unfair {
        /// The resource.
        resource: u32,
        /// The rate of the slower flows.
        rate: u64,
    },
}

/// Checks the rates of the active flows, told as (flow, rate), at the start and on the first routes.
///
/// # Panics
/// If a flow has no path there.
pub fn check(medium: &Medium, rates: &[(u32, u64)]) -> Result<(), Violation> {
    let crossings = |flow| {
        let path = medium.path(flow as usize, 0).expect("an active flow has a path");
        medium.crossings(path)
    };
    prove(medium.capacities(), &crossings, rates)
}

/// The same with these capacities and what flows cross.
pub(super) fn prove<'m>(
    capacities: &[u128],
    crossings: &dyn Fn(u32) -> Crossings<'m>,
    rates: &[(u32, u64)],
) -> Result<(), Violation> {
    let mut on_resource: Vec<Vec<(u64, u64, usize)>> = vec![Vec::new(); capacities.len()];
    for (index, &(flow, rate)) in rates.iter().enumerate() {
        for crossing in crossings(flow) {
            on_resource[crossing.resource as usize].push((rate, crossing.weight, index));
        }
    }
    let mut is_held = vec![false; rates.len()];
    for (resource, flows) in on_resource.iter_mut().enumerate() {
        flows.sort_unstable();
        let resource_id = resource as u32;
        let mut left = capacities[resource];
        let mut weight: u128 = flows.iter().map(|&(_, weight, _)| u128::from(weight)).sum();
        let fastest = flows.last().map_or(0, |&(rate, _, _)| rate);
        for same in flows.chunk_by(|one, other| one.0 == other.0) {
            let rate = same[0].0;
            let share = left / weight;
            if rate == fastest {
                if share == u128::from(rate) {
                    for &(_, _, index) in same {
                        is_held[index] = true;
                    }
                }
            } else if share <= u128::from(rate) {
                return Err(Violation::Unfair { resource: resource_id, rate });
            }
            let of_these: u128 = same.iter().map(|&(_, weight, _)| u128::from(weight)).sum();
            left = left
                .checked_sub(of_these * u128::from(rate))
                .ok_or(Violation::OverCapacity { resource: resource_id })?;
            weight -= of_these;
        }
    }
    match is_held.iter().position(|&held| !held) {
        Some(index) => Err(Violation::NotHeld { flow: rates[index].0 }),
        None => Ok(()),
    }
}
