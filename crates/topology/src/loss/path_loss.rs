//! What a path loses: the chance of a packet that takes one of its ways.

use std::collections::BTreeMap;

use units::{Duration, Probability};

use super::{LossId, Losses};
use crate::{CardId, Fabric, Hop};

/// How likely a packet survives a path, and how long a repeat on one of its links takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathLoss {
    /// That a packet arrives, by epoch; empty where no link of the path ever loses anything.
    pub survivals: Vec<Probability>,
    /// The latency of the slowest link of the path that may lose something.
    pub link_latency: Duration,
}

/// A step of a path: `weight` of the packets at `from` take it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) weight: u64,
    pub(crate) loss: LossId,
    pub(crate) latency: Duration,
}

impl Fabric {
    /// What the path over `hops` from `src` to `dst` loses.
    ///
    /// A packet takes one of the ways of a spray, at each node a next hop in proportion to its weight.
    /// From the receiver backwards: survival(receiver) = 1, survival(node) = the weighted mean over its
    /// next hops of ⌊survival of the link × survival(next node)⌋, rounded down to parts of 10¹².
    /// Merged links give the same numbers, since each mean is rounded once.
    pub fn path_loss(&self, src: CardId, dst: CardId, hops: &[Hop]) -> PathLoss {
        if self.losses.is_lossless() {
            return PathLoss::default();
        }
        let edge = |hop: &Hop| {
            let link = self.link(hop.link);
            let (from, to) = (link.src.0, link.dst.0);
            Edge { from, to, weight: hop.weight, loss: link.loss, latency: link.latency }
        };
        let edges: Vec<Edge> = hops.iter().map(edge).collect();
        path_loss(&self.losses, (src.node().0, dst.node().0), &edges)
    }
}

/// What the packets of `edges`, which lead from `src` to `dst` without a cycle, lose.
pub(crate) fn path_loss(losses: &Losses, (src, dst): (u32, u32), edges: &[Edge]) -> PathLoss {
    let lossy = edges.iter().filter(|edge| edge.loss != LossId::NEVER);
    let Some(link_latency) = lossy.map(|edge| edge.latency).max() else {
        return PathLoss::default();
    };
    let mut into: BTreeMap<u32, Vec<&Edge>> = BTreeMap::new();
    let mut places: BTreeMap<u32, Place> = BTreeMap::new();
    let epochs = losses.changes().len() + 1;
    for edge in edges {
        into.entry(edge.to).or_default().push(edge);
        places.entry(edge.from).or_insert_with(|| Place::new(epochs)).pending += 1;
    }
    let mut known = vec![(dst, vec![Probability::ONE; epochs])];
    while let Some((node, survivals)) = known.pop() {
        if node == src {
            return PathLoss { survivals, link_latency };
        }
        for edge in into.get(&node).into_iter().flatten() {
            let place = places.get_mut(&edge.from).expect("every edge leaves a place");
            let link = losses.survivals(edge.loss);
            for (sum, (&link, &rest)) in place.sums.iter_mut().zip(link.iter().zip(&survivals)) {
                *sum += u128::from(link.and(rest).parts()) * u128::from(edge.weight);
            }
            place.weight += u128::from(edge.weight);
            place.pending -= 1;
            if place.pending == 0 {
                known.push((edge.from, place.means()));
            }
        }
    }
    unreachable!("the edges lead from source to destination")
}

/// A node of a path while its survival is added up.
struct Place {
    /// Edges that leave it and are not added yet.
    pending: u32,
    /// Σ weight × survival, by epoch.
    sums: Vec<u128>,
    weight: u128,
}

impl Place {
    fn new(epochs: usize) -> Self {
        Self { pending: 0, sums: vec![0; epochs], weight: 0 }
    }

    fn means(&self) -> Vec<Probability> {
        let mean = |&sum: &u128| {
            let parts = u64::try_from(sum / self.weight).expect("a mean of parts");
            Probability::from_parts(parts).expect("a mean of probabilities")
        };
        self.sums.iter().map(mean).collect()
    }
}
