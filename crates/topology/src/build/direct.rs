//! A direct network: supernodes or cards on routers that are linked to each other.

use petgraph::graph::NodeIndex;
use units::{Bandwidth, Duration};

use super::dragonfly::DragonflySpec;
use super::grid::Grid;
use super::peers::Peers;
use super::{
    Cable, Efficiency, GridEnds, NicCount, NicSpec, SupernodeSpec, Wiring, border, limits,
};
use crate::{BuildError, Domain, Tier};

/// Cards in supernodes or servers whose routers are linked to each other, without switches above.
/// Routers forward; paths are the shortest, counted in links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectSpec {
    /// All cards, at least 1.
    pub cards: u32,
    /// The supernodes.
    pub supernode: SupernodeSpec,
    /// The links from cards or pools to the routers.
    pub nics: NicSpec,
    /// Which routers are linked.
    pub routers: RouterSpec,
    /// The rate of one link between routers, one direction.
    pub uplink: Bandwidth,
    /// The latency of one link between routers, the router at its end included.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
}

/// Which routers are linked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RouterSpec {
    /// A router per supernode, in a mesh or torus; one side and joined ends make a ring.
    Grid {
        /// The supernodes along each side; their product is the number of supernodes.
        sizes: Vec<u32>,
        /// Mesh or torus.
        ends: GridEnds,
        /// The cables between two neighbours, at least 1.
        cables: u32,
    },
    /// Groups of routers, each a full mesh, linked to each other.
    Dragonfly(DragonflySpec),
}

/// One pair of linked routers.
pub(super) struct RouterLink {
    /// The routers, by number.
    pub(super) ends: (u32, u32),
    /// The cables in parallel.
    pub(super) cables: u32,
    /// Their kind.
    pub(super) tier: Tier,
}

impl DirectSpec {
    /// Refuses what is too large, then builds.
    pub(super) fn wire(&self) -> Result<Wiring, BuildError> {
        let Self { cards, supernode, nics, .. } = self;
        limits::check_cards(u64::from(*cards))?;
        let mut wiring = Wiring::new(*cards, supernode.cards)?;
        let (owners, each, pools) = match nics.count {
            NicCount::PerCard(each) => (*cards, each, 0),
            NicCount::PerSupernode(each) => (wiring.supernodes(), each, 2 * u128::from(*cards)),
        };
        if each == 0 {
            return Err(BuildError::Zero { what: "the number of NICs" });
        }
        let ports = u128::from(owners) * u128::from(each);
        limits::check_links(supernode.links(*cards)? + pools + 2 * ports)?;
        let (count, links) = self.routers(&mut wiring, (owners, each))?;
        let cables: u128 = links.iter().map(|link| u128::from(link.cables)).sum();
        limits::check_links(supernode.links(*cards)? + pools + 2 * (ports + cables))?;

        supernode.wire(&mut wiring)?;
        let ends = match nics.count {
            NicCount::PerCard(_) => (0..*cards).map(|card| wiring.card(card)).collect(),
            NicCount::PerSupernode(_) => border::wire(supernode, &mut wiring)?,
        };
        let routers = wiring.add_switches((Domain::Outside, 1), 0, count);
        self.wire_nics(&mut wiring, (&ends, each), &routers)?;
        let cable = Cable::new("the links between routers", self.uplink, self.efficiency)?
            .latency(self.latency, self.latency);
        for RouterLink { ends, cables, tier } in links {
            let [from, to] = [ends.0, ends.1].map(|end| routers[end as usize]);
            wiring.add_cables(from, to, cable.count(cables), (tier, Domain::Outside));
        }
        Ok(wiring)
    }

    /// How many routers there are and which are linked.
    fn routers(
        &self,
        wiring: &mut Wiring,
        (owners, each): (u32, u32),
    ) -> Result<(u32, Vec<RouterLink>), BuildError> {
        match &self.routers {
            RouterSpec::Grid { sizes, ends, cables } => {
                if *cables == 0 {
                    return Err(BuildError::Zero { what: "the number of cables" });
                }
                let supernodes = wiring.supernodes();
                super::peers::check_sizes(
                    "the grid of supernodes",
                    sizes.iter().copied(),
                    supernodes,
                )?;
                let grid = Grid { sizes, ends: *ends };
                let links = (0..supernodes).flat_map(|router| {
                    let after = grid.after(router).into_iter();
                    after.map(move |(peer, _)| RouterLink {
                        ends: (router, peer),
                        cables: *cables,
                        tier: Tier::Trunk,
                    })
                });
                Ok((supernodes, links.collect()))
            }
            RouterSpec::Dragonfly(dragonfly) => {
                dragonfly.routers(u64::from(owners) * u64::from(each), wiring)
            }
        }
    }

    /// Plugs the NICs into the router of their supernode, or in order into those of a dragonfly.
    fn wire_nics(
        &self,
        wiring: &mut Wiring,
        (owners, each): (&[NodeIndex], u32),
        routers: &[NodeIndex],
    ) -> Result<(), BuildError> {
        let NicSpec { bandwidth, latency, efficiency, .. } = self.nics;
        let cable = Cable::new("the NICs", bandwidth, efficiency)?.latency(latency, latency);
        let group = match self.nics.count {
            NicCount::PerCard(_) => self.supernode.cards,
            NicCount::PerSupernode(_) => 1,
        };
        for (owner, &end) in (0u32..).zip(owners) {
            for nic in 0..each {
                let router = match &self.routers {
                    RouterSpec::Grid { .. } => owner / group,
                    RouterSpec::Dragonfly(dragonfly) => {
                        dragonfly.router_of(u64::from(owner) * u64::from(each) + u64::from(nic))
                    }
                };
                let router = routers[router as usize];
                wiring.add_cables(end, router, cable, (Tier::Nic, Domain::Outside));
            }
        }
        Ok(())
    }
}
