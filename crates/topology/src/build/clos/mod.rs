//! A Clos of one or more tiers above the leaves, with an oversubscription ratio per tier.

mod plan;

use petgraph::graph::NodeIndex;
use units::{Bandwidth, Duration, Ratio};

use self::plan::Level;
pub(super) use self::plan::Plan;
use super::{Attach, Cable, Efficiency, SwitchKind, Wiring};
use crate::{AggregatorId, BuildError, Domain, Tier};

/// The outer switches of a cluster.
///
/// NIC links fill the leaves in order, or as [`Attach`] says. A leaf has
/// leaf ports × NIC bandwidth / (ratio × uplink bandwidth) uplinks, which must be a whole number.
/// The switches above are shared by a pod of leaves (all of them below the top): `uplinks`
/// aggregation switches with one link to each leaf. The i-th aggregation switches of all pods share
/// the i-th group of cores. At the top the fewest switches are taken that hold all uplinks and
/// divide the uplinks of a switch below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosSpec {
    /// The NIC links that a leaf holds, at least 1.
    pub leaf_ports: u32,
    /// The tiers from the leaves up: one is leaf–spine, two leaf–aggregation–core; 1 … 6.
    pub tiers: Vec<ClosTier>,
    /// The most ports of a top switch, at least 1.
    pub top_ports: u32,
    /// The number of top switches, if not the fewest that fit.
    pub top_switches: Option<u32>,
    /// The rate of one switch-to-switch link, one direction.
    pub uplink: Bandwidth,
    /// The latency of one switch-to-switch link, switch included.
    pub latency: Duration,
    /// The share of payload on the wire.
    pub efficiency: Efficiency,
    /// How NICs are dealt to the leaves, and how many such Clos stand side by side.
    pub attach: Attach,
    /// What its switches can do.
    pub switches: SwitchKind,
}

/// One tier of switches with uplinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClosTier {
    /// Downlink : uplink capacity of one switch of this tier.
    pub ratio: Ratio,
    /// How many switches of this tier share the switches above, at least 1; below the top tier all
    /// of them do and the number is not used.
    pub pod: u32,
}

impl ClosSpec {
    /// Adds the switches above the `leaves` of each plane and their links.
    pub(super) fn wire(
        &self,
        plan: &Plan,
        leaves: &[Vec<NodeIndex>],
        wiring: &mut Wiring,
    ) -> Result<(), BuildError> {
        let cable = Cable::new("the uplinks", self.uplink, self.efficiency)?
            .latency(self.latency, self.latency);
        for (plane, leaves) in (0..).zip(leaves) {
            self.wire_plane((plan, plane), leaves.clone(), cable, wiring);
        }
        let levels = self.tiers.len() as u8;
        if leaves.len() > 1 {
            wiring.note(format!("{} planes outside that do not touch each other", leaves.len()));
        }
        let missing = self.tiers.len() - plan.levels.len();
        if missing > 0 {
            let tier = Tier::Clos { level: plan.levels.len() as u8 + 1, levels };
            wiring.note(format!("nothing to join above: no {tier} links are built"));
        }
        wiring.asked = self.tiers.iter().map(|tier| tier.ratio).collect();
        Ok(())
    }

    /// Adds the switches and links above the leaves of one plane.
    fn wire_plane(
        &self,
        (plan, plane): (&Plan, u32),
        leaves: Vec<NodeIndex>,
        cable: Cable,
        wiring: &mut Wiring,
    ) {
        let levels = self.tiers.len() as u8;
        let reduces = self.switches == SwitchKind::Reduce;
        let mut sets: Vec<AggregatorId> = match self.switches {
            SwitchKind::Forward => Vec::new(),
            SwitchKind::Reduce => {
                leaves.iter().map(|leaf| wiring.add_aggregator(&[*leaf])).collect()
            }
        };
        let mut below = leaves;
        for (number, level) in (1u8..).zip(&plan.levels) {
            let count = level.switches_above();
            let above = wiring.add_switches((Domain::Outside, number + 1), plane * count, count);
            let tier = Tier::Clos { level: number, levels };
            for (index, &switch) in (0..).zip(&below) {
                for uplink in 0..level.uplinks {
                    let top = above[level.above(index, uplink) as usize];
                    wiring.add_cables(switch, top, cable, (tier, Domain::Outside));
                }
            }
            if reduces {
                sets = aggregate(*level, (&sets, &above), wiring);
            }
            if let Some(note) = level.note(tier).filter(|_| plane == 0) {
                wiring.note(note);
            }
            below = above;
        }
    }
}

/// Lets the switches above add up, pod by pod, for the sets below.
fn aggregate(
    level: Level,
    (below, above): (&[AggregatorId], &[NodeIndex]),
    wiring: &mut Wiring,
) -> Vec<AggregatorId> {
    let pods = above.chunks(level.switches_of_pod() as usize);
    let sets: Vec<AggregatorId> = pods.map(|switches| wiring.add_aggregator(switches)).collect();
    for (block, &below) in (0..).zip(below) {
        wiring.aggregators.hang(below, sets[level.pod_of(block) as usize]);
    }
    sets
}
