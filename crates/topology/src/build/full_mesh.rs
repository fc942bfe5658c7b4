//! Full mesh: a link between every two cards of a supernode.

use super::{Cable, SupernodeSpec, Wiring};
use crate::{BuildError, Domain, Tier};

/// The most cards of one full mesh; beyond it the links grow out of hand (4 × 10⁶ one-way links).
pub const MAX_MESH: u32 = 2_000;

/// The one-way links inside one supernode.
pub(super) fn links(cards: u32) -> u128 {
    u128::from(cards) * u128::from(cards.saturating_sub(1))
}

/// Adds the mesh of every supernode.
///
/// A link carries bandwidth / (cards of a full supernode − 1): in a partly filled supernode the
/// ports to missing cards stay dark.
pub(super) fn wire(spec: &SupernodeSpec, wiring: &mut Wiring) -> Result<(), BuildError> {
    if spec.cards > MAX_MESH {
        return Err(BuildError::MeshTooLarge { cards: spec.cards, limit: MAX_MESH });
    }
    if wiring.cards_of(0).len() < 2 {
        return Ok(());
    }
    let rate = spec.share(spec.cards - 1, wiring);
    let cable = Cable::new("the full mesh", rate, spec.efficiency)?;
    let cable = cable.latency(spec.latency, spec.latency);
    for supernode in 0..wiring.supernodes() {
        let cards = wiring.cards_of(supernode);
        for left in cards.clone() {
            for right in left + 1..cards.end {
                let (left, right) = (wiring.card(left), wiring.card(right));
                wiring.add_cables(left, right, cable, (Tier::Inside, Domain::Inside));
            }
        }
    }
    let missing = wiring.cards % wiring.supernode_cards;
    if missing != 0 {
        wiring.note(format!(
            "the last supernode holds {missing} of {} cards: its mesh ports to missing cards are \
             dark",
            spec.cards
        ));
    }
    Ok(())
}
