//! What paths of the scene cross: links and, where a spray cannot tell links apart, trunks.

use topology::{CardId, Domain, Fabric, LinkId, LossId, SitePath, Spread};

use crate::paths::Share;

/// Numbers links first, then trunks.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    links: u32,
    /// The capacity of each resource in milli-bit/s.
    pub(super) capacities: Vec<u128>,
    /// How often each loses packets.
    pub(super) losses: Vec<LossId>,
}

impl Resources {
    pub(super) fn new(fabric: &Fabric, spread: &Spread<'_>) -> Self {
        let mut capacities = crate::paths::link_capacities(fabric);
        let links = capacities.len() as u32;
        capacities.extend(spread.trunks().iter().map(|trunk| trunk.capacity));
        let losses = fabric.links().iter().map(|link| link.loss);
        let losses = losses.chain(spread.trunks().iter().map(|trunk| trunk.loss)).collect();
        Self { links, capacities, losses }
    }

    /// The resource of trunk number `trunk`.
    pub(super) const fn of_trunk(&self, trunk: u32) -> u32 {
        self.links + trunk
    }

    /// The number of the trunk that a resource is, or the link.
    pub(super) fn kind(&self, resource: u32) -> Result<usize, LinkId> {
        resource.checked_sub(self.links).map(|trunk| trunk as usize).ok_or(LinkId(resource))
    }

    /// What a block crosses beside the ports of its cards.
    pub(super) fn middle(&self, path: &SitePath) -> Vec<(u32, u64)> {
        let trunks = path.trunks.iter().map(|&(trunk, weight)| (self.of_trunk(trunk.0), weight));
        let direct = path.direct.iter().map(|&(link, weight)| (link.0, weight));
        trunks.chain(direct).collect()
    }

    /// The path between two cards of the sites of `path`.
    pub(super) fn share(
        &self,
        spread: &Spread<'_>,
        path: &SitePath,
        pair: (CardId, CardId),
        domain: Domain,
    ) -> Share {
        let mut crossings = self.middle(path);
        let out = spread.ports_out(pair.0, domain);
        crossings.extend(path.up.iter().map(|&(port, weight)| (out[port as usize].0, weight)));
        let into = spread.ports_in(pair.1, domain);
        crossings.extend(path.down.iter().map(|&(port, weight)| (into[port as usize].0, weight)));
        Share { crossings, denominator: path.denominator, latency: path.latency, hazard: None }
    }
}
