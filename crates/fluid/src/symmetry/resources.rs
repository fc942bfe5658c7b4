//! What paths of the scene cross: links and, where a spray cannot tell links apart, trunks.

use topology::{CardId, Domain, LinkId, LossId, SitePath, Spread};

use super::intern::{Colour, Interner};
use crate::course::{Course, best};
use crate::paths::Share;

/// Numbers links first, then trunks.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    links: u32,
    /// The capacity of each resource in each state of the course, in milli-bit/s.
    pub(super) by_state: Vec<Vec<u128>>,
    /// The most that each has in any state.
    pub(super) best: Vec<u128>,
    /// Which history of capacities each resource has.
    histories: Vec<u32>,
    /// How often each loses packets.
    losses: Vec<LossId>,
}

impl Resources {
    pub(super) fn new(course: &Course<'_>, spread: &Spread<'_>) -> Self {
        let mut by_state = course.link_capacities();
        let links = by_state[0].len() as u32;
        for capacities in &mut by_state {
            for trunk in spread.trunks() {
                let rates = trunk.links.iter().map(|link| capacities[link.index()]);
                capacities.push(rates.sum());
            }
        }
        let mut known = Interner::default();
        let mut history = |resource: usize| {
            let rates: Vec<u128> = by_state.iter().map(|capacities| capacities[resource]).collect();
            known.number(rates)
        };
        let histories = match by_state.len() {
            1 => vec![0; by_state[0].len()],
            _ => (0..by_state[0].len()).map(&mut history).collect(),
        };
        let losses = course.states[0].links().iter().map(|link| link.loss);
        let losses = losses.chain(spread.trunks().iter().map(|trunk| trunk.loss)).collect();
        Self { links, best: best(&by_state), by_state, histories, losses }
    }

    /// What a resource is by its capacities and losses.
    pub(super) fn colour(&self, resource: u32) -> Colour {
        let resource = resource as usize;
        let (rate, history) = (self.by_state[0][resource], self.histories[resource]);
        Colour::Resource(rate, history, self.losses[resource])
    }

    /// The least that a resource has in any state.
    pub(super) fn least(&self, resource: u32) -> u128 {
        let capacities = self.by_state.iter().map(|state| state[resource as usize]);
        capacities.min().expect("a course has a first state")
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
