//! A time below which no run of the schedule on the fabric can be.
//!
//! For every cut the bytes that cross it over its capacity, plus the least latency of a path that
//! crosses it, since the last byte over the cut must still arrive. Cuts: each link, the uplinks and
//! downlinks of each switch that cards or uplink pools attach to, the border of each supernode, and
//! the bisection. Source: max-flow/min-cut, e.g. Dally, Towles: *Principles and Practices of
//! Interconnection Networks*, 2004, section 3.3.

use topology::{Domain, Fabric, Node, NodeId, Tier};
use units::Duration;

use crate::model::Model;
use crate::moves::WORK_PER_BYTE;
use crate::outcome::Bound;
use crate::traffic::Loads;

/// What a schedule asks of a fabric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand<'a> {
    /// What it puts on each link.
    pub(crate) loads: &'a Loads,
    /// The most that each link ever carries, in milli-bit/s.
    pub(crate) best: &'a [u128],
    /// The time of the longest chain of steps, at least.
    pub(crate) chain: Duration,
    /// Whether routes change during the run.
    pub(crate) is_rerouted: bool,
}

impl<'a> Demand<'a> {
    /// That of a model.
    pub(crate) fn of(model: &'a Model) -> Self {
        let Model { loads, best, chain, medium, .. } = model;
        Self { loads, best, chain: *chain, is_rerouted: medium.routes() > 1 }
    }
}

/// Bytes × denominator over a set of links, and the capacity of the set.
struct Cut {
    load: u128,
    capacity: u128,
    latency: Duration,
}

impl Cut {
    const EMPTY: Self = Self { load: 0, capacity: 0, latency: Duration::MAX };

    fn add(&mut self, demand: &Demand<'_>, link: usize) {
        self.load += demand.loads.on_link[link];
        self.capacity += demand.best[link];
        self.latency = self.latency.min(demand.loads.least_latency[link]);
    }

    fn time(&self, denominator: u128) -> Duration {
        if self.capacity == 0 || self.latency == Duration::MAX {
            return Duration::ZERO;
        }
        // Bytes are rounded down first, so the product stays within 128 bits and the bound a bound.
        let work = (self.load / denominator).saturating_mul(WORK_PER_BYTE);
        let picos = u64::try_from(work.div_ceil(self.capacity)).unwrap_or(u64::MAX);
        Duration::from_picos(picos.saturating_add(self.latency.as_picos()))
    }
}

/// The largest bound of all cuts, and of the longest chain of steps.
///
/// Each link counts with the most that it ever carries. Where routes change nothing is known of single
/// links and leaves, only of what all routes of a transfer have in common: borders and bisection.
pub(crate) fn bound(fabric: &Fabric, demand: &Demand<'_>) -> Bound {
    let mut greatest = Bound { time: demand.chain, cut: "chain of steps".to_owned() };
    if demand.chain == Duration::ZERO {
        "nothing to send".clone_into(&mut greatest.cut);
    }
    let mut consider = |cut: &Cut, name: &dyn Fn() -> String| {
        let time = cut.time(demand.loads.denominator);
        if time > greatest.time {
            greatest = Bound { time, cut: name() };
        }
    };
    if !demand.is_rerouted {
        consider_paths(fabric, demand, &mut consider);
    }
    for (out, into) in borders(fabric, demand) {
        consider(&out, &|| "supernode border, out".to_owned());
        consider(&into, &|| "supernode border, in".to_owned());
    }
    // Whatever crosses the middle crosses some outer link, and takes no less time than the quickest.
    let outer = fabric.links().iter().zip(&demand.loads.least_latency);
    let outer = outer.filter(|(link, _)| link.domain == Domain::Outside);
    let latency = outer.map(|(_, &latency)| latency).min().unwrap_or(Duration::MAX);
    for across in demand.loads.across {
        let capacity = fabric.echo().bisection;
        let load = across * demand.loads.denominator;
        let cut = Cut { load, capacity, latency };
        consider(&cut, &|| "bisection".to_owned());
    }
    greatest
}

/// The cuts that depend on paths: each link, and the links above each leaf.
fn consider_paths(
    fabric: &Fabric,
    demand: &Demand<'_>,
    consider: &mut dyn FnMut(&Cut, &dyn Fn() -> String),
) {
    for (index, link) in fabric.links().iter().enumerate() {
        let mut cut = Cut::EMPTY;
        cut.add(demand, index);
        consider(&cut, &|| format!("{} link", link.tier));
    }
    for index in 0..fabric.nodes().len() {
        let node = NodeId(index as u32);
        let Node::Switch { domain: Domain::Outside, tier: 0 | 1, .. } = fabric.nodes()[index]
        else {
            continue;
        };
        let (mut up, mut down) = (Cut::EMPTY, Cut::EMPTY);
        for &link in fabric.links_from(node) {
            if is_up(fabric, link.index()) {
                up.add(demand, link.index());
            }
        }
        for &link in fabric.links_into(node) {
            if is_up(fabric, link.index()) {
                down.add(demand, link.index());
            }
        }
        consider(&up, &|| "leaf uplinks".to_owned());
        consider(&down, &|| "leaf downlinks".to_owned());
    }
}

/// Whether a link leads from switch to switch of the outer fabric.
fn is_up(fabric: &Fabric, link: usize) -> bool {
    matches!(fabric.links()[link].tier, Tier::Clos { .. } | Tier::Trunk | Tier::Global)
}

/// What leaves and what enters each supernode through the outer ports of its cards.
fn borders(fabric: &Fabric, demand: &Demand<'_>) -> Vec<(Cut, Cut)> {
    let mut cuts: Vec<(Cut, Cut)> =
        (0..fabric.supernodes()).map(|_| (Cut::EMPTY, Cut::EMPTY)).collect();
    for (index, link) in fabric.links().iter().enumerate() {
        if link.domain != Domain::Outside {
            continue;
        }
        if let Node::Card { supernode, .. } = fabric.nodes()[link.src.index()] {
            cuts[supernode.index()].0.add(demand, index);
        }
        if let Node::Card { supernode, .. } = fabric.nodes()[link.dst.index()] {
            cuts[supernode.index()].1.add(demand, index);
        }
    }
    cuts
}
