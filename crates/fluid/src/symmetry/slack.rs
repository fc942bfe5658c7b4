//! Trunks and links that can never hold a flow back.
//!
//! Let the flows over a resource L leave their cards by ports e of capacity C(e), whole, and let N be
//! their number. If the capacity of L is at least Σ C(e) + N, then at every level s of the water-filling
//! what is free on L is at least Σ (free on e) + N ≥ s·A + N ≥ (s + 1)·A, with A ≤ N its unfixed flows:
//! its share is above the lowest one until nothing is left. So L may be left out, exactly; its traffic
//! is counted all the same. Where capacities change, the least of L is held against the most of the
//! ports: so it is true at every moment. Without it, places that differ only in what they could but do
//! not exhaust become alike.

use std::collections::BTreeMap;

use collectives::End;
use rustc_hash::{FxHashMap, FxHashSet};
use topology::{Fabric, Node, NodeId};
use units::Duration;

use super::joined::Joined;
use super::listing::Listed;
use super::resources::Resources;
use super::routes::Paths;
use crate::paths::Share;

/// What crosses a resource that is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unhindered {
    pub(super) bytes: u128,
    pub(super) least_latency: Duration,
    /// Σ capacity of the ports behind it.
    behind: u128,
    flows: u128,
}

impl Unhindered {
    /// Whether a resource of that capacity holds nothing of it back.
    pub(super) const fn is_unhindered(&self, capacity: u128) -> bool {
        capacity >= self.behind + self.flows
    }
}

/// What is known of a candidate.
#[derive(Default)]
struct Candidate {
    ports: FxHashSet<u32>,
    /// Σ capacity of the ports.
    behind: u128,
    flows: u128,
    /// Some flow crosses it in part, or does not leave its card by one port.
    is_split: bool,
}

impl Candidate {
    /// Adds the port by which a flow leaves its card whole, if it does.
    fn leaves_by(&mut self, port: Option<u32>, resources: &Resources) {
        match port {
            Some(port) if self.ports.insert(port) => {
                self.behind += resources.best[port as usize];
            }
            Some(_) => {}
            None => self.is_split = true,
        }
    }

    /// Whether a resource of that capacity holds nothing back.
    fn is_unhindered(&self, capacity: u128) -> bool {
        !self.is_split && capacity >= self.behind + self.flows
    }
}

/// The candidates of a scene.
struct Search<'a> {
    fabric: &'a Fabric,
    resources: &'a Resources,
    is_kept: &'a dyn Fn(u32) -> bool,
    candidates: FxHashMap<u32, Candidate>,
}

/// The resources that can be left out, with their traffic; `is_kept` tells which may not be.
pub(super) fn find(
    fabric: &Fabric,
    resources: &Resources,
    (listed, paths): (&[Listed], &Paths),
    joined: &Joined,
    is_kept: &dyn Fn(u32) -> bool,
) -> BTreeMap<u32, Unhindered> {
    let mut search = Search { fabric, resources, is_kept, candidates: FxHashMap::default() };
    search.add_listed(listed, paths);
    search.add_joined(joined);
    let mut candidates = search.candidates;
    candidates.retain(|&resource, candidate| candidate.is_unhindered(resources.least(resource)));
    let mut left_out: BTreeMap<u32, Unhindered> = BTreeMap::new();
    let mut cross = |resource: u32, bytes: u128, latency: Duration| {
        if let Some(&Candidate { behind, flows, .. }) = candidates.get(&resource) {
            let none = Unhindered { bytes: 0, least_latency: Duration::MAX, behind, flows };
            let crossed = left_out.entry(resource).or_insert(none);
            crossed.bytes += bytes;
            crossed.least_latency = crossed.least_latency.min(latency);
        }
    };
    for one in listed {
        let share = paths.first(one.row);
        let bytes = one.total();
        for &(resource, _) in &share.crossings {
            cross(resource, bytes, share.latency);
        }
    }
    for side in [End::Source, End::Destination] {
        let accesses = joined.side(side);
        for access in accesses.all() {
            for &(stem, _) in accesses.stems(access) {
                cross(stem, access.bytes, access.least_latency);
            }
        }
    }
    left_out
}

impl Search<'_> {
    fn is_card(&self, node: NodeId) -> bool {
        matches!(self.fabric.node(node), Node::Card { .. })
    }

    /// What is known of a resource; `None` if it may not be left out.
    fn candidate(&mut self, resource: u32) -> Option<&mut Candidate> {
        let is_port = self.resources.kind(resource).is_err_and(|link| {
            let link = self.fabric.link(link);
            self.is_card(link.src) || self.is_card(link.dst)
        });
        if is_port || (self.is_kept)(resource) {
            return None;
        }
        Some(self.candidates.entry(resource).or_default())
    }

    /// The port by which a path leaves its card whole.
    fn only_port(&self, share: &Share) -> Option<u32> {
        let whole = share.crossings.iter().find(|&&(resource, weight)| {
            let link = self.resources.kind(resource).err().map(|link| self.fabric.link(link));
            weight == share.denominator && link.is_some_and(|link| self.is_card(link.src))
        });
        whole.map(|&(resource, _)| resource)
    }

    fn add_listed(&mut self, listed: &[Listed], paths: &Paths) {
        let resources = self.resources;
        for one in listed {
            let share = paths.first(one.row);
            let port = self.only_port(share);
            for &(resource, weight) in &share.crossings {
                let Some(candidate) = self.candidate(resource) else { continue };
                let is_whole = weight == share.denominator;
                candidate.flows += 1;
                candidate.leaves_by(port.filter(|_| is_whole), resources);
            }
        }
    }

    /// The same for joined transfers, which cross stems whole.
    fn add_joined(&mut self, joined: &Joined) {
        let resources = self.resources;
        let (out, into) = (joined.side(End::Source), joined.side(End::Destination));
        for accesses in [out, into] {
            for access in accesses.all() {
                for &(stem, _) in accesses.stems(access) {
                    if let Some(candidate) = self.candidate(stem) {
                        candidate.flows += u128::from(access.flows);
                    }
                }
            }
        }
        for access in out.all() {
            let port = out.only_port(access);
            for &(stem, _) in out.stems(access) {
                if let Some(candidate) = self.candidate(stem) {
                    candidate.leaves_by(port, resources);
                }
            }
        }
        for join in &joined.transfers {
            for &(stem, _) in into.stems(into.access(join.into)) {
                let capacity = resources.least(stem);
                let port = out.only_port(out.access(join.out));
                // Once more ports lie behind a stem than it can serve, no more need be known.
                if let Some(candidate) = self.candidate(stem)
                    && candidate.is_unhindered(capacity)
                {
                    candidate.leaves_by(port, resources);
                }
            }
        }
    }
}
