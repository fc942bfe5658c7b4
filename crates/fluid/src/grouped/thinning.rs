//! Resources that never decide a rate because another one always decides first.
//!
//! A resource of capacity C whose weights have the greatest common divisor g behaves like one of
//! capacity ⌊C/g⌋ and weights w/g: its share is ⌊(C − g·X)/(g·A)⌋ = ⌊(⌊C/g⌋ − X)/A⌋, with X the weighted
//! sum of the fixed rates and A the weights not yet fixed. Let then every flow over a resource P cross a
//! resource Q with at least the same weight, and let P have at least the capacity of Q. At every level
//! of the water-filling P has at least as much free and at most as much weight unfixed as Q, so its
//! share is never below that of Q, and where both are lowest they fix the flows of P together. So P may
//! be dropped, exactly.

use std::borrow::Cow;

use units::gcd_u64;

use crate::medium::{Crossing, Medium};
use crate::ways::Crossings;

/// Where fewer than one crossing in so many would go, another medium takes more memory than it saves work.
const FEW_IN: usize = 16;

/// The medium in lowest terms, without resources that another one always holds back first.
pub(super) fn thin(medium: &Medium) -> Medium {
    let thinning = Thinning::new(medium);
    thinning.without(&thinning.dominated())
}

/// The same; the medium itself where there is little to drop.
pub(super) fn thin_if_worth(medium: &Medium) -> Cow<'_, Medium> {
    let thinning = Thinning::new(medium);
    let dominated = thinning.dominated();
    let resources = (0..).zip(&dominated).filter(|(_, is_dropped)| **is_dropped);
    let going: usize = resources.map(|(resource, _)| thinning.members(resource).len()).sum();
    if going * FEW_IN < thinning.members.len() {
        return Cow::Borrowed(medium);
    }
    Cow::Owned(thinning.without(&dominated))
}

struct Thinning<'m> {
    medium: &'m Medium,
    /// The greatest common divisor of each resource's weights; 0 if nothing crosses it.
    divisors: Vec<u64>,
    /// Capacities in lowest terms.
    capacities: Vec<u128>,
    start: Vec<u32>,
    /// The flows over each resource.
    members: Vec<u32>,
}

impl<'m> Thinning<'m> {
    fn new(medium: &'m Medium) -> Self {
        let count = medium.capacities().len();
        let mut divisors = vec![0_u64; count];
        let mut start = vec![0_u32; count + 1];
        for flow in 0..medium.flows() {
            for Crossing { resource, weight } in medium.crossings(medium.only_path(flow)) {
                let divisor = &mut divisors[resource as usize];
                *divisor = gcd_u64(*divisor, weight);
                start[resource as usize + 1] += 1;
            }
        }
        for resource in 0..count {
            start[resource + 1] += start[resource];
        }
        let mut next = start.clone();
        let mut members = vec![0; start[count] as usize];
        for flow in 0..medium.flows() {
            for crossing in medium.crossings(medium.only_path(flow)) {
                let place = &mut next[crossing.resource as usize];
                members[*place as usize] = flow as u32;
                *place += 1;
            }
        }
        let lowest = |(&capacity, &divisor): (&u128, &u64)| capacity / u128::from(divisor.max(1));
        let capacities = medium.capacities().iter().zip(&divisors).map(lowest).collect();
        Self { medium, divisors, capacities, start, members }
    }

    /// For each resource whether some other one always decides before it.
    fn dominated(&self) -> Vec<bool> {
        (0..self.capacities.len() as u32).map(|resource| self.is_dominated(resource)).collect()
    }

    /// The medium in lowest terms without what is dropped.
    fn without(&self, dropped: &[bool]) -> Medium {
        let medium = self.medium;
        let mut thin = Medium::new(self.capacities.clone());
        let mut crossings = Vec::new();
        for path in medium.all_paths() {
            crossings.clear();
            let kept = medium.crossings(path).iter().filter(|one| !dropped[one.resource as usize]);
            crossings.extend(kept.map(|Crossing { resource, weight }| Crossing {
                resource,
                weight: weight / self.divisors[resource as usize].max(1),
            }));
            if crossings.is_empty() {
                // No flow takes this path; a resource with a flow is dropped for one that keeps the flow.
                crossings.extend(medium.crossings(path));
            }
            thin.add_path(&crossings, medium.latency(path));
        }
        for flow in 0..medium.flows() {
            thin.add_flow(medium.only_path(flow));
        }
        thin
    }

    fn crossings(&self, flow: u32) -> Crossings<'m> {
        self.medium.crossings(self.medium.only_path(flow as usize))
    }

    fn members(&self, resource: u32) -> &[u32] {
        let resource = resource as usize;
        &self.members[self.start[resource] as usize..self.start[resource + 1] as usize]
    }

    /// The weight of a flow on a resource in lowest terms, 0 if it does not cross it.
    fn weight(&self, flow: u32, resource: u32) -> u64 {
        let mut crossings = self.crossings(flow).iter();
        let crossing = crossings.find(|crossing| crossing.resource == resource);
        crossing.map_or(0, |crossing| crossing.weight / self.divisors[resource as usize])
    }

    /// Whether some other resource always decides before `resource`.
    fn is_dominated(&self, resource: u32) -> bool {
        let members = self.members(resource);
        let Some(&first) = members.first() else { return false };
        let others = self.crossings(first).iter().map(|other| other.resource);
        others.into_iter().any(|other| other != resource && self.dominates(other, resource))
    }

    fn dominates(&self, other: u32, resource: u32) -> bool {
        let (members, others) = (self.members(resource), self.members(other));
        let capacity = |resource: u32| self.capacities[resource as usize];
        if others.len() < members.len() || capacity(resource) < capacity(other) {
            return false;
        }
        let mut is_same = others.len() == members.len() && capacity(resource) == capacity(other);
        for &flow in members {
            let (here, there) = (self.weight(flow, resource), self.weight(flow, other));
            if there < here {
                return false;
            }
            is_same &= there == here;
        }
        // Of two that are the same, the first stays.
        !is_same || other < resource
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Duration;

    fn medium(capacities: &[u128], paths: &[&[(u32, u64)]]) -> Medium {
        let mut medium = Medium::new(capacities.to_vec());
        for path in paths {
            let crossings: Vec<Crossing> =
                path.iter().map(|&(resource, weight)| Crossing { resource, weight }).collect();
            let path = medium.add_path(&crossings, Duration::ZERO);
            medium.add_flow(path);
        }
        medium
    }

    fn kept(medium: &Medium) -> Vec<Vec<(u32, u64)>> {
        let path = |flow| medium.crossings(medium.only_path(flow));
        let one = |flow| path(flow).iter().map(|c| (c.resource, c.weight)).collect();
        (0..medium.flows()).map(one).collect()
    }

    #[test]
    fn of_an_out_port_and_an_in_port_with_the_same_flows_one_is_kept() {
        let thin = thin(&medium(&[10, 10], &[&[(0, 1), (1, 1)], &[(0, 1), (1, 1)]]));
        assert_eq!(kept(&thin), [vec![(0, 1)], vec![(0, 1)]]);
    }

    #[test]
    fn a_wider_resource_with_fewer_flows_is_dropped() {
        // Resource 1 takes one of the two flows and is as wide as resource 0, which takes both.
        let thin = thin(&medium(&[10, 10], &[&[(0, 1), (1, 1)], &[(0, 1)]]));
        assert_eq!(kept(&thin), [vec![(0, 1)], vec![(0, 1)]]);
    }

    #[test]
    fn a_narrower_resource_with_fewer_flows_stays() {
        let thin = thin(&medium(&[10, 9], &[&[(0, 1), (1, 1)], &[(0, 1)]]));
        assert_eq!(kept(&thin), [vec![(0, 1), (1, 1)], vec![(0, 1)]]);
    }

    #[test]
    fn weights_are_brought_to_lowest_terms_before_they_are_compared() {
        // 43/4 is 10 in whole rates, wider than 9; both carry the one flow.
        let thin = thin(&medium(&[43, 9], &[&[(0, 4), (1, 1)]]));
        assert_eq!(kept(&thin), [vec![(1, 1)]]);
        // 39/4 is 9: they are the same, the first stays.
        let thin = super::thin(&medium(&[39, 9], &[&[(0, 4), (1, 1)]]));
        assert_eq!((kept(&thin), thin.capacities()[0]), (vec![vec![(0, 1)]], 9));
    }
}
