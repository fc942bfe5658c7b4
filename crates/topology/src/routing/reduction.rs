//! Ways between what hangs on switches that add up and copy, and these.
//!
//! A set of switches holds a vector between them, an even part each, the same part for all that hang on
//! them. So what goes up to a set is cut evenly over its switches, whatever the links can carry, and evenly
//! over the links to one of them: it is not a spray, and who has lost all links to one of them cannot
//! take part.

use units::gcd_u64;

use super::{Hop, Path, RouteError};
use crate::{AggregatorId, Fabric, Hanging, Link, LinkId, LossId, NodeId};

impl Fabric {
    /// The way from what hangs on a set of switches to these.
    ///
    /// # Errors
    /// A switch of the set without a link, and links that lose packets.
    pub fn way_up(&self, from: Hanging, to: AggregatorId) -> Result<Path, RouteError> {
        self.way((from, to), Self::links_from, |link| link.dst)
    }

    /// The way back: what the switches copy to all that hang on them takes this way to each.
    ///
    /// # Errors
    /// As for [`way_up`](Self::way_up).
    pub fn way_down(&self, from: AggregatorId, to: Hanging) -> Result<Path, RouteError> {
        self.way((to, from), Self::links_into, |link| link.src)
    }

    /// An even part over each switch of `above`, over the links that `links_of` tells at `below`.
    fn way(
        &self,
        (below, above): (Hanging, AggregatorId),
        links_of: fn(&Self, NodeId) -> &[LinkId],
        upper_end: fn(&Link) -> NodeId,
    ) -> Result<Path, RouteError> {
        let single;
        let nodes = match below {
            Hanging::Card(card) => {
                single = [card.node()];
                &single[..]
            }
            Hanging::Switches(set) => self.switches_of(set),
        };
        let switches = self.switches_of(above);
        let place = |link: LinkId| switches.binary_search(&upper_end(self.link(link))).ok();
        let links = nodes.iter().flat_map(|&node| links_of(self, node).iter().copied());
        let mut links: Vec<(usize, LinkId)> =
            links.filter_map(|link| Some((place(link)?, link))).collect();
        links.sort_unstable_by_key(|&(_, link)| link);
        let mut cables = vec![0_u64; switches.len()];
        for &(place, _) in &links {
            cables[place] += 1;
        }
        let found = cables.iter().filter(|&&cables| cables > 0).count();
        if found < switches.len() {
            let (below, switches) = (self.hanging_name(below), switches.len());
            return Err(RouteError::SwitchLost { below, found, switches });
        }
        if links.iter().any(|&(_, link)| self.link(link).loss != LossId::NEVER) {
            return Err(RouteError::LossyReduction { below: self.hanging_name(below) });
        }
        let least_common = |all: u64, &one: &u64| all / gcd_u64(all, one) * one;
        let common = cables.iter().fold(1, least_common);
        let hop = |&(place, link): &(usize, LinkId)| Hop { link, weight: common / cables[place] };
        let latency = links.iter().map(|&(_, link)| self.link(link).latency).max();
        Ok(Path {
            hops: links.iter().map(hop).collect(),
            denominator: common * switches.len() as u64,
            latency: latency.expect("a set has a switch, and a link leads to it"),
        })
    }

    fn hanging_name(&self, hanging: Hanging) -> String {
        match hanging {
            Hanging::Card(card) => self.node_name(card.node()),
            Hanging::Switches(set) => self.aggregator_name(set),
        }
    }
}
