//! Dragonfly: groups of routers, each a full mesh, with links between every two groups.
//!
//! Source: Kim, Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008,
//! section 3: groups of a routers with p terminals and h global links each, at most ah + 1 groups.

use super::direct::RouterLink;
use super::{Wiring, limits};
use crate::{BuildError, Tier};

/// The routers of a dragonfly; NICs fill them in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DragonflySpec {
    /// The NIC links that a router holds (p), at least 1.
    pub router_ports: u32,
    /// The routers of a group (a), at least 1, every two of them linked.
    pub group_routers: u32,
    /// The links of a router to other groups (h), at least 1.
    pub global_links: u32,
}

impl DragonflySpec {
    /// The router into which NIC link number `nic` is plugged.
    pub(super) fn router_of(self, nic: u64) -> u32 {
        (nic / u64::from(self.router_ports)) as u32
    }

    /// The routers for `nics` NIC links, in whole groups, and their links.
    ///
    /// With g groups every two are joined by ⌊ah / (g − 1)⌋ links; a group deals its global ports in
    /// turn to the groups after it, round the end, and its routers fill in order.
    pub(super) fn routers(
        self,
        nics: u64,
        wiring: &mut Wiring,
    ) -> Result<(u32, Vec<RouterLink>), BuildError> {
        let Self { router_ports, group_routers, global_links } = self;
        for (what, count) in [
            ("the number of router ports", router_ports),
            ("the number of routers in a group", group_routers),
            ("the number of global links", global_links),
        ] {
            if count == 0 {
                return Err(BuildError::Zero { what });
            }
        }
        let group_ports = u64::from(router_ports) * u64::from(group_routers);
        let groups = nics.div_ceil(group_ports);
        let globals = u64::from(group_routers) * u64::from(global_links);
        if groups > globals + 1 {
            return Err(BuildError::Groups { groups, limit: globals + 1 });
        }
        let local = u128::from(groups) * u128::from(group_routers).pow(2);
        limits::check_links(local + u128::from(groups) * u128::from(globals))?;
        let (groups, each) = (groups as u32, group_routers);
        let mut links = Vec::new();
        for group in 0..groups {
            for left in 0..each {
                for right in left + 1..each {
                    let ends = (group * each + left, group * each + right);
                    links.push(RouterLink { ends, cables: 1, tier: Tier::Trunk });
                }
            }
        }
        if groups < 2 {
            return Ok((groups * each, links));
        }
        let others = u64::from(groups) - 1;
        let copies = globals / others;
        let router = |group: u32, copy: u64, ahead: u64| {
            let port = copy * others + ahead - 1;
            group * each + (port / u64::from(global_links)) as u32
        };
        for from in 0..groups {
            for to in from + 1..groups {
                let ahead = u64::from(to - from);
                let back = u64::from(groups) - ahead;
                for copy in 0..copies {
                    let ends = (router(from, copy, ahead), router(to, copy, back));
                    links.push(RouterLink { ends, cables: 1, tier: Tier::Global });
                }
            }
        }
        if globals % others > 0 {
            wiring.note(format!(
                "{} of {globals} global ports of each group are dark: {copies} links join every two \
                 of {groups} groups",
                globals % others
            ));
        }
        Ok((groups * each, links))
    }
}
