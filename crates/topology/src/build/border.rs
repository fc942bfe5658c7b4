//! Uplink pools: one border switch per supernode through which all its cards leave.

use petgraph::graph::NodeIndex;

use super::{Cable, SupernodeSpec, Wiring};
use crate::{BuildError, Domain, Tier};

/// Adds a border switch per supernode, linked to each of its cards at the card's inside bandwidth
/// and without latency; gives the border switches in supernode order.
pub(super) fn wire(
    spec: &SupernodeSpec,
    wiring: &mut Wiring,
) -> Result<Vec<NodeIndex>, BuildError> {
    let cable = Cable::new("the supernode", spec.bandwidth, spec.efficiency)?;
    let borders = wiring.add_switches((Domain::Outside, 0), 0, wiring.supernodes());
    for (supernode, &border) in (0..).zip(&borders) {
        for card in wiring.cards_of(supernode) {
            let card = wiring.card(card);
            wiring.add_cables(card, border, cable, (Tier::Border, Domain::Outside));
        }
    }
    Ok(borders)
}
