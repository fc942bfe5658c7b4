//! A star: every card on one switch.

use units::{Bandwidth, Duration};

use super::{Cable, Efficiency, Wiring, halves};
use crate::{BuildError, Domain, Node, Tier};

/// Cards on one non-blocking switch, the plainest fabric and the home of closed forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StarSpec {
    /// The number of cards, at least 1.
    pub cards: u32,
    /// The rate of one card, one direction.
    pub bandwidth: Bandwidth,
    /// From card to card: two links of half, the first half rounded up.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
}

impl StarSpec {
    /// The cards, and the one-way links that building takes.
    pub(super) fn size(&self) -> (u64, u128) {
        (u64::from(self.cards), 2 * u128::from(self.cards))
    }

    /// Builds the star; every card is its own supernode.
    pub(super) fn wire(&self) -> Result<Wiring, BuildError> {
        let (up, down) = halves(self.latency);
        let cable = Cable::new("the star", self.bandwidth, self.efficiency)?.latency(up, down);
        let mut wiring = Wiring::new(self.cards, 1)?;
        let switch = wiring.add_switch(Node::Switch { domain: Domain::Outside, tier: 1, index: 0 });
        for card in 0..self.cards {
            wiring.add_cables(wiring.card(card), switch, cable, (Tier::Nic, Domain::Outside));
        }
        Ok(wiring)
    }
}
