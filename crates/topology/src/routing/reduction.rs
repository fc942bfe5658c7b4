//! Ways between a card and the switches of its supernode that add up and copy.
//!
//! The switch of each plane does so for its own part of a vector, the same part for all cards. So what a
//! card sends to the switches is cut evenly over its planes, whatever its links can carry: it is not
//! a spray, and a card that has lost a plane cannot take part.

use super::{Hop, Path, RouteError};
use crate::{CardId, Domain, Fabric, LinkId, LossId};

impl Fabric {
    /// The way from a card to the switches of its supernode that add up.
    ///
    /// # Errors
    /// Switches that only forward, a plane without a link, and links that lose packets.
    pub fn way_to_switches(&self, card: CardId) -> Result<Path, RouteError> {
        self.way_over(card, self.links_from(card.node()))
    }

    /// The way back: what the switches copy to all cards of a supernode takes this way to each.
    ///
    /// # Errors
    /// As for [`way_to_switches`](Self::way_to_switches).
    pub fn way_from_switches(&self, card: CardId) -> Result<Path, RouteError> {
        self.way_over(card, self.links_into(card.node()))
    }

    /// An even part over each of `links` that leads to a plane.
    fn way_over(&self, card: CardId, links: &[LinkId]) -> Result<Path, RouteError> {
        let planes = self.reducing_planes();
        if planes == 0 {
            return Err(RouteError::NoReduction { card });
        }
        let inside = links.iter().filter(|&&link| self.link(link).domain == Domain::Inside);
        let hops: Vec<Hop> = inside.map(|&link| Hop { link, weight: 1 }).collect();
        if hops.iter().any(|hop| self.link(hop.link).loss != LossId::NEVER) {
            return Err(RouteError::LossyReduction { card });
        }
        let latency = hops.iter().map(|hop| self.link(hop.link).latency).max();
        match latency {
            Some(latency) if hops.len() == planes as usize => {
                Ok(Path { hops, denominator: u64::from(planes), latency })
            }
            _ => Err(RouteError::PlaneLost { card, found: hops.len(), planes }),
        }
    }
}
