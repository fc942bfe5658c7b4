//! Supernodes whose cards are linked to each other and pass traffic on.

use super::{Cable, SupernodeSpec, Wiring};
use crate::{BuildError, Domain, Tier};

/// The cards that one card of a full supernode is linked to.
pub(super) trait Peers {
    /// Of what, in an error.
    const WHAT: &'static str;

    /// The lanes of the ports of one card, all of them in use at the best placed card.
    fn lanes(&self) -> u64;

    /// The most ports of one card.
    fn ports(&self) -> u64;

    /// The peers of card `index` that come after it, ascending, each once, with their lanes.
    fn after(&self, index: u32) -> Vec<(u32, u32)>;
}

/// About the one-way links inside one supernode of `cards` cards.
pub(super) fn links(cards: u32, peers: &impl Peers) -> u128 {
    u128::from(cards) * u128::from(peers.ports())
}

/// Adds the links of every supernode; the ports to missing cards stay dark.
///
/// A lane carries bandwidth / the lanes of a card, rounded down, a link so much for each of its lanes:
/// so links share a flow in proportion to their lanes.
pub(super) fn wire<P: Peers>(
    spec: &SupernodeSpec,
    peers: &P,
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    wire_pods(spec, (peers, peers.lanes().max(1), spec.cards), wiring)
}

/// The same for supernodes that consist of pods of `pod` cards, whose cards have `lanes` lanes in all.
pub(super) fn wire_pods<P: Peers>(
    spec: &SupernodeSpec,
    (peers, lanes, pod): (&P, u64, u32),
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    wiring.cards_forward = true;
    let whole = spec.bandwidth.as_milli_bits_per_second();
    let lane = whole / lanes;
    for supernode in 0..wiring.supernodes() {
        let cards = wiring.cards_of(supernode);
        for left in cards.clone() {
            let place = (left - cards.start) % pod;
            for (peer, lanes) in peers.after(place) {
                let right = left.saturating_add(peer - place);
                if !cards.contains(&right) {
                    continue;
                }
                let share = lane.saturating_mul(u64::from(lanes));
                let rate = units::Bandwidth::from_milli_bits_per_second(share);
                let cable = Cable::new(P::WHAT, rate, spec.efficiency)?;
                let cable = cable.latency(spec.latency, spec.latency);
                let (left, right) = (wiring.card(left), wiring.card(right));
                wiring.add_cables(left, right, cable, (Tier::Inside, Domain::Inside));
            }
        }
    }
    if !whole.is_multiple_of(lanes) {
        wiring.note(format!(
            "inside bandwidth does not divide by {lanes} lanes: each lane is rounded down to a whole \
             milli-bit/s"
        ));
    }
    let missing = wiring.cards % wiring.supernode_cards;
    if missing != 0 {
        wiring.note(format!(
            "the last supernode holds {missing} of {} cards: its ports to missing cards are dark",
            spec.cards
        ));
    }
    Ok(())
}

/// Refuses sizes whose product is not the cards of a supernode.
pub(super) fn check_sizes(
    what: &'static str,
    sizes: impl Iterator<Item = u32> + Clone,
    cards: u32,
) -> Result<(), BuildError> {
    let product = sizes.clone().fold(1u128, |product, size| product.saturating_mul(size.into()));
    if product != u128::from(cards) {
        let sizes: Vec<String> = sizes.map(|size| size.to_string()).collect();
        return Err(BuildError::Sizes { what, sizes: sizes.join(" × "), product, cards });
    }
    Ok(())
}
