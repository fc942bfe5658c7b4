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
mod flow;
mod members;
mod resource;
mod set;
mod turn;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use self::border::Check;
use self::crossers::Crossers;
use self::flow::FlowRate;
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
    /// Flows that may be held back, each with the resource that does it then.
    candidates: Vec<(u32, u32)>,
    set: Vec<u32>,
    /// Who of the set crosses which part, while they are few.
    members: Members,
    joining: Vec<u32>,
    /// The share of each part, kept up to date while parts are few.
    shares: Vec<u64>,
    /// Shares, cut at the highest rate, with the parts that have them.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The parts with the lowest share.
    lowest: Vec<u32>,
    /// Flows on resources that are to be checked, one after the other, and some that have left; each with
    /// the index of the crossing.
    listed: Vec<(u32, u32)>,
    /// (rate, weight, flow) on resources that are to be checked, one after the other.
    tight: Vec<(u64, u64, u32)>,
    checks: Vec<Check>,
    solves: u64,
}

impl<'m> Allocation<'m> {
    /// No flow is active.
    pub fn new(medium: &'m Medium) -> Self {
        let idle = |flow| FlowRate::new(medium.path(flow, 0).unwrap_or(NONE));
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
            candidates: Vec::new(),
            set: Vec::new(),
            members: Members::default(),
            joining: Vec::new(),
            shares: Vec::new(),
            heap: BinaryHeap::new(),
            lowest: Vec::new(),
            listed: Vec::new(),
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

    /// Reads what some of many flows cross all at once, from that at a place on, where each would fetch it
    /// from memory by itself.
    fn look_ahead(&self, flows: &[u32], place: usize) {
        if flows.len() >= LOOK_AHEAD && place.is_multiple_of(LOOK_AHEAD) {
            for &flow in flows[place..].iter().take(LOOK_AHEAD) {
                black_box(self.crossings(flow as usize).at(0));
            }
        }
    }

    /// What flows that have left took is on offer again. Of many that leave at one instant each fetches
    /// what it crossed from memory; they do so at once here, none waiting for the one before.
    pub(super) fn release(&mut self) {
        let mut leaving = std::mem::take(&mut self.leaving);
        for (place, &flow) in leaving.iter().enumerate() {
            self.look_ahead(&leaving, place);
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
            self.join(&joining);
            joining.clear();
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
