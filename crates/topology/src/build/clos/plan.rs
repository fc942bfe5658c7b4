//! How many switches and links a Clos needs, before any is built.

use units::{Bandwidth, Ratio};

use super::ClosSpec;
use crate::build::limits;
use crate::build::quotient::{Fraction, quotient, ratio_of};
use crate::{BuildError, Tier};

/// The most tiers above the leaves.
const MAX_TIERS: usize = 6;

/// The counts of a Clos.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::build) struct Plan {
    /// The link tiers that are built, from the leaves up.
    pub(super) levels: Vec<Level>,
}

/// One tier of links between switches.
///
/// The switches below stand in blocks (a leaf, a pod) of `positions` top switches each; `pod`
/// blocks share the switches above, which come in one group per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// The links up from each switch below.
    pub(super) uplinks: u32,
    /// The blocks below.
    blocks: u32,
    /// The switches of a block that have uplinks.
    positions: u32,
    /// The blocks that share the switches above.
    pod: u32,
    /// The switches above for one position of one pod.
    group: u32,
}

impl Level {
    /// The number of switches above.
    pub(super) fn switches_above(self) -> u32 {
        self.blocks.div_ceil(self.pod) * self.positions * self.group
    }

    /// The switches above that a pod of blocks shares.
    pub(super) fn switches_of_pod(self) -> u32 {
        self.positions * self.group
    }

    /// The pod of a block.
    pub(super) fn pod_of(self, block: u32) -> u32 {
        block / self.pod
    }

    /// The number of the switch above to which switch `below` runs its uplink `uplink`.
    ///
    /// Each block starts its cabling where the one before it stopped, so the ports used of a group
    /// differ by at most one; when the group divides the uplinks all blocks are wired alike.
    pub(super) fn above(self, below: u32, uplink: u32) -> u32 {
        let (block, position) = (below / self.positions, below % self.positions);
        let (pod, rank) = (block / self.pod, block % self.pod);
        let turn = u64::from(rank) * u64::from(self.uplinks) + u64::from(uplink);
        let member = (turn % u64::from(self.group)) as u32;
        (pod * self.positions + position) * self.group + member
    }

    /// What a reader must know of the wiring.
    pub(super) fn note(self, tier: Tier) -> Option<String> {
        let Self { uplinks, group, .. } = self;
        (uplinks % group != 0).then(|| {
            format!(
                "{tier} wiring is staggered: {uplinks} uplinks of a switch over {group} switches \
                 above"
            )
        })
    }
}

impl ClosSpec {
    /// Plans each plane for `leaves` leaves, beside `links` one-way links elsewhere.
    pub(in crate::build) fn plan(
        &self,
        leaves: u32,
        nic: Bandwidth,
        links: u128,
    ) -> Result<Plan, BuildError> {
        let (mut blocks, mut positions, mut links) = (leaves, 1u32, links);
        let mut levels = Vec::new();
        for (index, tier) in self.tiers.iter().enumerate() {
            let uplinks = self.uplinks(index, nic)?;
            if blocks < 2 {
                continue;
            }
            let below = u128::from(blocks) * u128::from(positions);
            links = links.saturating_add(
                (2 * below * u128::from(self.attach.planes)).saturating_mul(uplinks),
            );
            limits::check_links(links)?;
            let uplinks = u32::try_from(uplinks).expect("uplinks are limited");
            let top = index + 1 == self.tiers.len();
            let pod = if top { blocks } else { tier.pod };
            let group = if top { self.tops(blocks, uplinks, positions)? } else { uplinks };
            levels.push(Level { uplinks, blocks, positions, pod, group });
            blocks = blocks.div_ceil(pod);
            positions = positions.checked_mul(group).expect("switches are fewer than links");
        }
        Ok(Plan { levels })
    }

    /// Refuses numbers of which no Clos can be made.
    pub(in crate::build) fn check(&self, nic: Bandwidth) -> Result<(), BuildError> {
        if self.tiers.is_empty() || self.tiers.len() > MAX_TIERS {
            return Err(BuildError::Tiers { found: self.tiers.len(), limit: MAX_TIERS });
        }
        let lower = &self.tiers[..self.tiers.len() - 1];
        for (what, zero) in [
            ("the number of leaf ports", self.leaf_ports == 0),
            ("the number of top ports", self.top_ports == 0),
            ("the number of top switches", self.top_switches == Some(0)),
            ("the number of switches in a pod", lower.iter().any(|tier| tier.pod == 0)),
        ] {
            if zero {
                return Err(BuildError::Zero { what });
            }
        }
        for (what, rate) in [("the NICs", nic), ("the uplinks", self.uplink)] {
            if rate.as_milli_bits_per_second() == 0 {
                return Err(BuildError::NoBandwidth { what });
            }
        }
        Ok(())
    }

    /// The uplinks of one switch of tier `index` (0 is the leaf): down capacity / (ratio × uplink).
    fn uplinks(&self, index: usize, nic: Bandwidth) -> Result<u128, BuildError> {
        let ratio = self.tiers[index].ratio;
        let uplink = self.uplink.as_milli_bits_per_second();
        let (ports, port) = match index {
            0 => (self.leaf_ports, nic.as_milli_bits_per_second()),
            _ => (self.tiers[index - 1].pod, uplink),
        };
        let ports = u64::from(ports);
        let Fraction { over, under } =
            quotient([ports, port, ratio.under()], [ratio.over(), uplink]);
        match over {
            Some(uplinks) if under == 1 => Ok(uplinks),
            None => limits::check_links(u128::MAX).map(|()| 0),
            Some(over) => Err(BuildError::Ratio {
                tier: if index == 0 { "leaf" } else { "aggregation switch" },
                asked: text(ratio),
                down_ports: ports,
                up_ports: format!("{over}/{under}"),
                nearest: nearest(over / under, u128::from(ports) * u128::from(port), uplink),
            }),
        }
    }

    /// The top switches for one position: those asked for, or the fewest that hold the uplinks of
    /// `blocks` switches below and divide the uplinks of one.
    fn tops(&self, blocks: u32, uplinks: u32, positions: u32) -> Result<u32, BuildError> {
        let all = u64::from(blocks) * u64::from(uplinks);
        let fewest = all.div_ceil(u64::from(self.top_ports));
        let each = u64::from(uplinks);
        let switches = match self.top_switches {
            Some(asked) if asked % positions != 0 => {
                let groups = u64::from(positions);
                return Err(BuildError::TopGroups { switches: asked, groups });
            }
            Some(asked) => u64::from(asked / positions),
            None if fewest <= each => {
                (fewest..=each).find(|count| each % count == 0).expect("a number divides itself")
            }
            None => fewest,
        };
        if switches >= 2 * each {
            return Err(BuildError::NoCommonTop {
                switches,
                uplinks: each,
                below: u64::from(blocks),
                limit: 2 * each - 1,
            });
        }
        let needed = all.div_ceil(switches);
        if needed > u64::from(self.top_ports) {
            let limit = self.top_ports;
            return Err(BuildError::TopPorts { switches, uplinks: all, needed, limit });
        }
        Ok(switches as u32)
    }
}

/// The ratios with `floor` and `floor + 1` uplinks, as the end of a sentence.
fn nearest(floor: u128, down: u128, uplink: u64) -> String {
    let mut found = Vec::new();
    for uplinks in [floor, floor + 1] {
        let up = uplinks.checked_mul(u128::from(uplink)).unwrap_or(0);
        if let Some(ratio) = ratio_of(down, up) {
            found.push(format!("{} with {uplinks}", text(ratio)));
        }
    }
    if found.is_empty() { String::new() } else { format!("; nearest: {}", found.join(", ")) }
}

/// A ratio as "19:16".
fn text(ratio: Ratio) -> String {
    format!("{}:{}", ratio.over(), ratio.under())
}
