//! Switch planes: every card of a supernode has one link to each plane switch.

use super::{Cable, SupernodeSpec, SwitchKind, Wiring, halves};
use crate::{BuildError, Domain, Node, Tier};

/// The most ports of a scale-up switch chip that is sold: fifth-generation `NVLink` has 72.
/// Source: NVIDIA, product pages of GB200 NVL72 and of the `NVLink` switch, 2024.
pub(super) const REAL_PORTS: u32 = 72;

/// The one-way links inside one supernode.
pub(super) fn links(cards: u32, planes: u32) -> u128 {
    2 * u128::from(cards) * u128::from(planes)
}

/// Adds the planes of every supernode of at least two cards.
pub(super) fn wire(
    spec: &SupernodeSpec,
    (planes, kind): (u32, SwitchKind),
    wiring: &mut Wiring,
) -> Result<(), BuildError> {
    if planes == 0 {
        return Err(BuildError::Zero { what: "the number of planes" });
    }
    if wiring.cards_of(0).len() < 2 {
        return Ok(());
    }
    let rate = spec.share(planes, wiring);
    let (up, down) = halves(spec.latency);
    let cable = Cable::new("the planes", rate, spec.efficiency)?.latency(up, down);
    let ports = wiring.cards_of(0).len();
    if ports > REAL_PORTS as usize {
        wiring.note(format!(
            "idealised: a plane switch has {ports} ports, the largest one sold has {REAL_PORTS}"
        ));
    }
    let mut index = 0;
    for supernode in 0..wiring.supernodes() {
        let cards = wiring.cards_of(supernode);
        if cards.len() < 2 {
            continue;
        }
        let mut switches = Vec::with_capacity(planes as usize);
        for _ in 0..planes {
            let switch = Node::Switch { domain: Domain::Inside, tier: 1, index };
            let switch = wiring.add_switch(switch);
            for card in cards.clone() {
                let card = wiring.card(card);
                wiring.add_cables(card, switch, cable, (Tier::Inside, Domain::Inside));
            }
            switches.push(switch);
            index += 1;
        }
        if kind == SwitchKind::Reduce {
            wiring.add_aggregator(&switches);
        }
    }
    Ok(())
}
