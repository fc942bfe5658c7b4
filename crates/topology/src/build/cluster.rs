//! A cluster: supernodes or servers whose NICs meet in a Clos.

use petgraph::graph::NodeIndex;
use units::{Bandwidth, Duration};

use super::attach::Deal;
use super::{Cable, ClosSpec, Efficiency, SupernodeSpec, Wiring, border, limits};
use crate::{BuildError, Domain, Tier};

/// Cards in supernodes under an outer Clos; supernode clusters and server clusters differ only in
/// these numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSpec {
    /// All cards, at least 1; need not be a multiple of the supernode.
    pub cards: u32,
    /// The supernodes.
    pub supernode: SupernodeSpec,
    /// The links from cards or supernodes to the leaves.
    pub nics: NicSpec,
    /// The switches outside.
    pub outside: ClosSpec,
}

/// The links from cards or supernodes to the leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NicSpec {
    /// How many, and whose.
    pub count: NicCount,
    /// The rate of one NIC, one direction.
    pub bandwidth: Bandwidth,
    /// The latency of one NIC link, switch included.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
}

/// Whose the NIC links are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NicCount {
    /// So many at every card, at least 1.
    PerCard(u32),
    /// So many at every supernode, at least 1, shared by its cards through a border switch.
    PerSupernode(u32),
}

impl ClusterSpec {
    /// Refuses what is too large, then builds.
    pub(super) fn wire(&self) -> Result<Wiring, BuildError> {
        let Self { cards, supernode, nics, outside } = self;
        limits::check_cards(u64::from(*cards))?;
        let mut wiring = Wiring::new(*cards, supernode.cards)?;
        let (owners, each) = match nics.count {
            NicCount::PerCard(each) => (*cards, each),
            NicCount::PerSupernode(each) => (wiring.supernodes(), each),
        };
        if each == 0 {
            return Err(BuildError::Zero { what: "the number of NICs" });
        }
        let cables = u64::from(owners) * u64::from(each);
        let borders = match nics.count {
            NicCount::PerCard(_) => 0,
            NicCount::PerSupernode(_) => 2 * u128::from(*cards),
        };
        let links = supernode.links(*cards)? + borders + 2 * u128::from(cables);
        limits::check_links(links)?;
        outside.check(nics.bandwidth)?;
        let group = match nics.count {
            NicCount::PerCard(_) => supernode.cards,
            NicCount::PerSupernode(_) => 1,
        };
        let deal = outside.attach.deal(each, (owners, group), outside.leaf_ports)?;
        let plan = outside.plan(deal.leaves, nics.bandwidth, links)?;

        supernode.wire(&mut wiring)?;
        let owners = match nics.count {
            NicCount::PerCard(_) => (0..*cards).map(|card| wiring.card(card)).collect(),
            NicCount::PerSupernode(_) => border::wire(supernode, &mut wiring)?,
        };
        let leaves: Vec<Vec<NodeIndex>> = (0..outside.attach.planes)
            .map(|plane| {
                wiring.add_switches((Domain::Outside, 1), plane * deal.leaves, deal.leaves)
            })
            .collect();
        self.wire_nics(&mut wiring, (&owners, each, deal), &leaves)?;
        outside.wire(&plan, &leaves, &mut wiring)?;
        Ok(wiring)
    }

    /// Plugs the NICs of the owners into the leaves.
    fn wire_nics(
        &self,
        wiring: &mut Wiring,
        (owners, each, deal): (&[NodeIndex], u32, Deal),
        leaves: &[Vec<NodeIndex>],
    ) -> Result<(), BuildError> {
        let NicSpec { bandwidth, latency, efficiency, .. } = self.nics;
        let cable = Cable::new("the NICs", bandwidth, efficiency)?.latency(latency, latency);
        let mut straddling = 0u64;
        for (number, &owner) in (0..).zip(owners) {
            for link in 0..each {
                let (plane, leaf) = deal.place(number, link);
                let leaf = leaves[plane as usize][leaf as usize];
                wiring.add_cables(owner, leaf, cable, (Tier::Nic, Domain::Outside));
            }
            straddling += u64::from(deal.straddles(number));
        }
        if let Some(note) = deal.note() {
            wiring.note(note);
        }
        if straddling > 0 {
            let owner = match self.nics.count {
                NicCount::PerCard(_) => "cards",
                NicCount::PerSupernode(_) => "supernodes",
            };
            wiring.note(format!(
                "the NICs of {straddling} {owner} lie on more than one leaf: shortest paths to a \
                 neighbour on a shared leaf use only the NICs on that leaf"
            ));
        }
        Ok(())
    }
}
