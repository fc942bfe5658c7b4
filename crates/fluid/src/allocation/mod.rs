//! Max-min fair rates in exact integers, kept up to date as flows come and go.
//!
//! The allocation is *defined* as water-filling: with F the free capacity of a resource (scaled by
//! the common denominator) and A the summed weights of its flows not yet fixed, its share is ⌊F/A⌋;
//! all resources with the lowest share fix their flows together; repeat.
//!
//! A change re-solves only what it can change. A small set of flows is filled with all others held
//! as they are; then the [certificate] is checked on every resource that the
//! set touches; flows outside that break it join the set, and it is filled again. The certificate
//! holds for exactly one allocation, so what passes is the water-filling of all flows.
//!
//! Source of the idea of a bottleneck for every flow: Bertsekas, Gallager: *Data Networks*, 2nd
//! edition 1992, section 6.5.2.

mod alone;
mod border;
pub mod certificate;
mod crossers;
mod fill;
mod members;
mod resource;
mod turn;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use self::border::Check;
use self::crossers::Crossers;
use self::members::Members;
use self::resource::{Part, Resource};
use crate::{Crossings, Medium};

/// So many flows that leave at one instant are fetched from memory at once.
const LOOK_AHEAD: usize = 64;

/// No resource, or no path.
const NONE: u32 = u32::MAX;

/// The rates of the active flows of a medium.
#[derive(Clone, Debug)]
pub struct Allocation<'m> {
    medium: &'m Medium,
    /// The capacity of each resource now.
    capacities: Vec<u128>,
    /// Whether some resource carries nothing, now or once.
    some_cut: bool,
    resources: Vec<Resource>,
    /// Σ weight of the flows on each resource; empty where all weights are 1, and it is their number.
    weights: Vec<u128>,
    /// What the resources that the set touches offer to it.
    parts: Vec<Part>,
    crossers: Crossers,
    flows: Vec<FlowRate>,
    /// Flows that have left and still count on what they crossed.
    leaving: Vec<u32>,
    /// Flows that came since the last solution.
    arrived: Vec<u32>,
    /// Resources that a flow has left since the last solution.
    relieved: Vec<u32>,
    set: Vec<u32>,
    /// Who of the set crosses which part, while they are few.
    members: Members,
    joining: Vec<u32>,
    /// Shares, cut at the highest rate, with the parts that have them.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The parts with the lowest share.
    lowest: Vec<u32>,
    /// (rate, weight, flow) on resources that are to be checked, one after the other.
    tight: Vec<(u64, u64, u32)>,
    checks: Vec<Check>,
    solves: u64,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct FlowRate {
    /// Its path now, or of its last time; [`NONE`] before it has one.
    path: u32,
    rate: u64,
    /// The resource that holds it back.
    holder: u32,
    is_in_set: bool,
    /// Whether it has left and still counts on what it crossed.
    is_leaving: bool,
    next_rate: u64,
    next_holder: u32,
}

impl<'m> Allocation<'m> {
    /// No flow is active.
    pub fn new(medium: &'m Medium) -> Self {
        let idle = |flow| FlowRate {
            path: medium.path(flow, 0).unwrap_or(NONE),
            rate: 0,
            holder: NONE,
            is_in_set: false,
            is_leaving: false,
            next_rate: 0,
            next_holder: NONE,
        };
        let (crossers, rows) = Crossers::new(medium);
        let resources = medium.capacities().iter().zip(rows);
        Self {
            medium,
            capacities: medium.capacities().to_vec(),
            some_cut: medium.capacities().contains(&0),
            resources: resources.map(|(&capacity, row)| Resource::new(capacity, row)).collect(),
            weights: if medium.is_whole() {
                Vec::new()
            } else {
                vec![0; medium.capacities().len()]
            },
            parts: Vec::new(),
            crossers,
            flows: (0..medium.flows()).map(idle).collect(),
            leaving: Vec::new(),
            arrived: Vec::new(),
            relieved: Vec::new(),
            set: Vec::new(),
            members: Members::default(),
            joining: Vec::new(),
            heap: BinaryHeap::new(),
            lowest: Vec::new(),
            tight: Vec::new(),
            checks: Vec::new(),
            solves: 0,
        }
    }

    /// The rate of an active flow in milli-bit/s, as of the last solution (0 since it came).
    pub fn rate(&self, flow: usize) -> u64 {
        self.flows[flow].rate
    }

    /// Whether a flow is active.
    pub fn is_active(&self, flow: usize) -> bool {
        self.crossers.is_active(flow as u32)
    }

    /// How many times a set of flows was filled.
    pub const fn solves(&self) -> u64 {
        self.solves
    }

    /// What a flow crosses.
    fn crossings(&self, flow: usize) -> Crossings<'m> {
        self.medium.crossings(self.flows[flow].path)
    }

    /// A flow comes and takes the path of its last time, at first that of the first routes; it has no
    /// rate before the next solution.
    pub fn insert(&mut self, flow: usize) {
        assert!(!self.is_active(flow), "a flow comes once before it leaves");
        if self.flows[flow].is_leaving {
            self.release();
        }
        let state = &mut self.flows[flow];
        state.rate = 0;
        state.holder = NONE;
        self.crossers.enter(flow as u32);
        for (index, crossing) in self.crossings(flow).iter().enumerate() {
            let resource = &mut self.resources[crossing.resource as usize];
            resource.flows += 1;
            if let Some(weight) = self.weights.get_mut(crossing.resource as usize) {
                *weight += u128::from(crossing.weight);
            }
            self.crossers.list(flow as u32, index as u32, &mut resource.row);
        }
        self.arrived.push(flow as u32);
    }

    /// A flow leaves.
    pub fn remove(&mut self, flow: usize) {
        assert!(self.is_active(flow), "only an active flow leaves");
        self.crossers.leave(flow as u32);
        self.flows[flow].is_leaving = true;
        self.leaving.push(flow as u32);
    }

    /// Reads what the first of some flows cross all at once, where each would fetch it from memory by itself.
    fn look_ahead(&self, flows: &[u32]) {
        for &flow in flows.iter().take(LOOK_AHEAD) {
            black_box(self.crossings(flow as usize).at(0));
        }
    }

    /// What flows that have left took is on offer again. Of many that leave at one instant each fetches
    /// what it crossed from memory; they do so at once here, none waiting for the one before.
    pub(super) fn release(&mut self) {
        let mut leaving = std::mem::take(&mut self.leaving);
        for (place, &flow) in leaving.iter().enumerate() {
            if place.is_multiple_of(LOOK_AHEAD) {
                self.look_ahead(&leaving[place..]);
            }
            let state = &mut self.flows[flow as usize];
            state.is_leaving = false;
            let rate = u128::from(state.rate);
            let holder = std::mem::replace(&mut state.holder, NONE);
            if holder != NONE {
                self.resources[holder as usize].held -= 1;
            }
            for crossing in self.crossings(flow as usize) {
                let resource = &mut self.resources[crossing.resource as usize];
                let weight = u128::from(crossing.weight);
                resource.offered += weight * rate;
                resource.flows -= 1;
                if let Some(sum) = self.weights.get_mut(crossing.resource as usize) {
                    *sum -= weight;
                }
                if resource.held > 0 {
                    self.relieved.push(crossing.resource);
                }
                self.crossers.tidy(&mut resource.row, resource.flows);
            }
        }
        leaving.clear();
        self.leaving = leaving;
    }

    /// Brings the rates up to date; tells `changed` every active flow whose rate is another now,
    /// with its rate before.
    pub fn solve(&mut self, changed: &mut Vec<(u32, u64)>) {
        self.release();
        self.seed(changed);
        while !self.set.is_empty() {
            self.fill();
            self.solves += 1;
            self.find_joining();
            if self.joining.is_empty() {
                break;
            }
            let mut joining = std::mem::take(&mut self.joining);
            for flow in joining.drain(..) {
                self.join(flow);
            }
            self.joining = joining;
        }
        self.commit(changed);
    }

    /// The number of flows that are active.
    pub fn active_flows(&self) -> usize {
        (0..self.flows.len()).filter(|&flow| self.is_active(flow)).count()
    }

    /// Proves that the rates are the water-filling ones.
    pub fn certify(&self) -> Result<(), certificate::Violation> {
        let active = (0..self.flows.len()).filter(|&flow| self.is_active(flow));
        let rates: Vec<(u32, u64)> =
            active.map(|flow| (flow as u32, self.flows[flow].rate)).collect();
        certificate::prove(&self.capacities, &|flow| self.crossings(flow as usize), &rates)
    }

    /// The set begins with the flows that came, and those held back where something has changed.
    fn seed(&mut self, changed: &mut Vec<(u32, u64)>) {
        let mut arrived = std::mem::take(&mut self.arrived);
        let mut relieved = std::mem::take(&mut self.relieved);
        for flow in arrived.drain(..) {
            // It may have left again, or left and come once more.
            if !self.is_active(flow as usize) || self.flows[flow as usize].holder != NONE {
                continue;
            }
            if self.is_alone(flow) {
                self.give_all(flow);
                changed.push((flow, 0));
            } else {
                self.join(flow);
                let crossings = self.crossings(flow as usize);
                relieved.extend(crossings.iter().map(|crossing| crossing.resource));
            }
        }
        relieved.sort_unstable();
        relieved.dedup();
        for resource in relieved.drain(..) {
            self.join_held(resource);
        }
        self.arrived = arrived;
        self.relieved = relieved;
    }

    /// All flows that `resource` holds back join the set.
    fn join_held(&mut self, resource: u32) {
        let Resource { held, row, .. } = &self.resources[resource as usize];
        if *held == 0 {
            return;
        }
        // Who has left is held by nothing.
        let mut joining = std::mem::take(&mut self.joining);
        let entries = self.crossers.entries(row).map(|(flow, _)| flow);
        joining.extend(entries.filter(|&flow| self.flows[flow as usize].holder == resource));
        for flow in joining.drain(..) {
            self.join(flow);
        }
        self.joining = joining;
    }

    /// `flow` joins the set: its capacity is on offer again.
    fn join(&mut self, flow: u32) {
        let state = &mut self.flows[flow as usize];
        if state.is_in_set {
            return;
        }
        state.is_in_set = true;
        let rate = u128::from(state.rate);
        self.set.push(flow);
        let are_chained = Members::are_chained(self.set.len());
        for crossing in self.crossings(flow as usize) {
            let resource = &mut self.resources[crossing.resource as usize];
            if resource.part == NONE {
                resource.part = self.parts.len() as u32;
                self.parts.push(Part::new(crossing.resource));
            }
            let part = &mut self.parts[resource.part as usize];
            let weight = u128::from(crossing.weight);
            resource.offered += weight * rate;
            part.asked += weight;
            part.members += 1;
            if are_chained {
                self.members.push(flow, &mut part.first);
            }
        }
    }

    /// The set's new rates become the rates.
    fn commit(&mut self, changed: &mut Vec<(u32, u64)>) {
        self.members.clear();
        for part in self.parts.drain(..) {
            let resource = &mut self.resources[part.resource as usize];
            resource.part = NONE;
            resource.offered = part.free;
        }
        for flow in self.set.drain(..) {
            let state = &mut self.flows[flow as usize];
            state.is_in_set = false;
            if state.holder != state.next_holder {
                if state.holder != NONE {
                    self.resources[state.holder as usize].held -= 1;
                }
                self.resources[state.next_holder as usize].held += 1;
                state.holder = state.next_holder;
            }
            if state.rate != state.next_rate {
                changed.push((flow, state.rate));
                state.rate = state.next_rate;
            }
        }
    }
}
