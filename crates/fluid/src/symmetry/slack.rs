//! Trunks and links that can never hold a flow back.
//!
//! Let the flows over a resource L leave their cards by ports e of capacity C(e), whole, and let N be
//! their number. If the capacity of L is at least Σ C(e) + N, then at every level s of the water-filling
//! what is free on L is at least Σ (free on e) + N ≥ s·A + N ≥ (s + 1)·A, with A ≤ N its unfixed flows:
//! its share is above the lowest one until nothing is left. So L may be left out, exactly; its traffic
//! is counted all the same. Where capacities change, the least of L is held against the most of the ports:
//! so it is true at every moment. Without it, places that differ only in what they could but do not exhaust
//! become alike.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use topology::{Fabric, Node, NodeId};
use units::Duration;

use super::listing::Listed;
use super::resources::Resources;
use super::routes::Paths;
use crate::paths::Share;
use crate::traffic::flow_total;

/// Bytes and least latency of what crosses a resource that is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unhindered {
    pub(super) bytes: u128,
    pub(super) least_latency: Duration,
}

/// What is known of a candidate.
#[derive(Default)]
struct Candidate {
    ports: FxHashSet<u32>,
    flows: u128,
    /// Some flow crosses it in part, or does not leave its card by one port.
    is_split: bool,
}

/// The resources that can be left out, with their traffic; `is_kept` tells which may not be.
pub(super) fn find(
    fabric: &Fabric,
    resources: &Resources,
    (listed, paths): (&[Listed], &Paths),
    is_kept: &dyn Fn(u32) -> bool,
) -> BTreeMap<u32, Unhindered> {
    let is_card = |node: NodeId| matches!(fabric.node(node), Node::Card { .. });
    let is_port = |resource: u32| {
        resources.kind(resource).is_err_and(|link| {
            let link = fabric.link(link);
            is_card(link.src) || is_card(link.dst)
        })
    };
    let leaves_by = |share: &Share| {
        let whole = share.crossings.iter().find(|&&(resource, weight)| {
            let link = resources.kind(resource).err().map(|link| fabric.link(link));
            weight == share.denominator && link.is_some_and(|link| is_card(link.src))
        });
        whole.map(|&(resource, _)| resource)
    };
    let mut candidates: FxHashMap<u32, Candidate> = FxHashMap::default();
    for one in listed {
        let share = paths.first(one.row);
        let port = leaves_by(share);
        for &(resource, weight) in &share.crossings {
            if is_port(resource) || is_kept(resource) {
                continue;
            }
            let candidate = candidates.entry(resource).or_default();
            candidate.flows += 1;
            match port {
                Some(port) if weight == share.denominator => {
                    candidate.ports.insert(port);
                }
                _ => candidate.is_split = true,
            }
        }
    }
    candidates.retain(|&resource, candidate| {
        let capacity = |port: &u32| resources.best[*port as usize];
        let most = candidate.ports.iter().map(capacity).sum::<u128>() + candidate.flows;
        !candidate.is_split && resources.least(resource) >= most
    });
    let mut left_out: BTreeMap<u32, Unhindered> = BTreeMap::new();
    for one in listed {
        let share = paths.first(one.row);
        let mut bytes = None;
        for &(resource, _) in &share.crossings {
            if candidates.contains_key(&resource) {
                let bytes = *bytes.get_or_insert_with(|| flow_total(&one.flow()));
                let none = Unhindered { bytes: 0, least_latency: Duration::MAX };
                let crossed = left_out.entry(resource).or_insert(none);
                crossed.bytes += bytes;
                crossed.least_latency = crossed.least_latency.min(share.latency);
            }
        }
    }
    left_out
}
