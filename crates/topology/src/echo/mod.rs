//! What was built, counted on the fabric itself.

mod bisection;
mod merged;
mod text;

use std::collections::BTreeMap;

use units::Ratio;

use crate::build::ratio_of;
use crate::fabric::rate;
use crate::{Domain, Fabric, Node, NodeId, Tier};

/// What was built: counts, ratios and capacities, for the head of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Echo {
    /// The cards.
    pub cards: u32,
    /// The supernodes; 1-card ones included.
    pub supernodes: u32,
    /// The cards of a full supernode.
    pub supernode_cards: u32,
    /// The cards of the last supernode, which may be partly filled.
    pub last_supernode_cards: u32,
    /// The switches per domain and tier, inside first, then from the cards up.
    pub switches: Vec<SwitchCount>,
    /// The links per tier, and the ratios of a Clos.
    pub tiers: Vec<TierEcho>,
    /// The product of the ratios that were built; `None` if none was or beyond 64 bits.
    pub ratio: Option<Ratio>,
    /// What the first half of the cards (rounded down) can send to the others over the outer
    /// fabric, in milli-bit/s of wire: the maximum flow, one direction.
    pub bisection: u128,
    /// What a reader must know: dropped remainders, idealised radix, staggered wiring.
    pub notes: Vec<String>,
}

/// The switches of one domain and tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchCount {
    /// The network they belong to.
    pub domain: Domain,
    /// Their tier, as in [`Node::Switch`].
    pub tier: u8,
    /// What one is called: "leaf", "spine".
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// The most cables at one of them.
    pub ports: u32,
    /// Those of them that lead up a tier of a Clos.
    pub uplinks: u32,
}

/// The links of one tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierEcho {
    /// The tier.
    pub tier: Tier,
    /// Full-duplex cables; 0 for a Clos tier that joins nothing and was not built.
    pub cables: u64,
    /// Their wire capacity, one direction, in milli-bit/s.
    pub capacity: u128,
    /// Downlink : uplink capacity asked for at the switches below, for a Clos tier.
    pub asked: Option<Ratio>,
    /// The same as built, counted at the links of the fullest switch below: less than asked for
    /// where no leaf is full, which is told.
    pub built: Option<Ratio>,
}

impl Echo {
    /// Counts what `fabric` consists of; `asked` holds the ratios of its Clos from the leaves up.
    pub(crate) fn of(fabric: &Fabric, asked: &[Ratio], notes: Vec<String>) -> Self {
        let tiers = tiers(fabric, asked);
        let built: Vec<Ratio> = tiers.iter().filter_map(|tier| tier.built).collect();
        let last = crate::SupernodeId(fabric.supernodes() - 1);
        Self {
            cards: fabric.cards(),
            supernodes: fabric.supernodes(),
            supernode_cards: fabric.supernode_cards(),
            last_supernode_cards: fabric.cards_of(last).len() as u32,
            switches: switches(fabric),
            tiers,
            ratio: product(&built),
            bisection: bisection::bisection(fabric),
            notes,
        }
    }
}

/// The switches per domain and tier.
fn switches(fabric: &Fabric) -> Vec<SwitchCount> {
    let mut counts: BTreeMap<(Domain, u8), (u32, (u32, u32))> = BTreeMap::new();
    for (id, node) in (0..).map(NodeId).zip(fabric.nodes()) {
        if let Node::Switch { domain, tier, .. } = *node {
            let (count, ports) = counts.entry((domain, tier)).or_default();
            *count += 1;
            *ports = (*ports).max(ports_of(fabric, id, tier));
        }
    }
    let row = |((domain, tier), (count, (ports, uplinks)))| {
        let name = fabric.switch_name(domain, tier);
        SwitchCount { domain, tier, name, count, ports, uplinks }
    };
    counts.into_iter().map(row).collect()
}

/// The cables at a switch of `tier`, and those of them that lead up a tier of a Clos.
fn ports_of(fabric: &Fabric, switch: NodeId, tier: u8) -> (u32, u32) {
    let links = fabric.links_from(switch);
    let leads_up = |it: Tier| matches!(it, Tier::Clos { level, .. } if level == tier);
    let uplinks = links.iter().filter(|&&link| leads_up(fabric.link(link).tier)).count();
    (links.len() as u32, uplinks as u32)
}

/// The links per tier, with the ratios of the Clos tiers.
fn tiers(fabric: &Fabric, asked: &[Ratio]) -> Vec<TierEcho> {
    let mut counts: BTreeMap<Tier, (u64, u128)> = BTreeMap::new();
    for link in fabric.links() {
        let (links, capacity) = counts.entry(link.tier).or_default();
        *links += 1;
        *capacity += rate(link.bandwidth);
    }
    let levels = asked.len() as u8;
    for level in 1..=levels {
        counts.entry(Tier::Clos { level, levels }).or_default();
    }
    let row = |(tier, (links, capacity))| {
        let asked = match tier {
            Tier::Clos { level, .. } => Some(asked[usize::from(level) - 1]),
            _ => None,
        };
        let built = if links > 0 { built(fabric, tier) } else { None };
        if let (Some(asked), Some(built)) = (asked, built) {
            let [asked, built] =
                [asked, built].map(|ratio| [ratio.over(), ratio.under()].map(u128::from));
            assert!(
                built[0] * asked[1] <= asked[0] * built[1],
                "a ratio built is at most that asked for"
            );
        }
        TierEcho { tier, cables: links / 2, capacity: capacity / 2, asked, built }
    };
    counts.into_iter().map(row).collect()
}

/// Downlink : uplink capacity of the fullest switch below the links of `tier`.
fn built(fabric: &Fabric, tier: Tier) -> Option<Ratio> {
    let Tier::Clos { level, .. } = tier else { return None };
    let below = (0..).map(NodeId).zip(fabric.nodes()).filter(
        |(_, node)| matches!(**node, Node::Switch { domain: Domain::Outside, tier, .. } if tier == level),
    );
    let sides = below.map(|(node, _)| {
        let (mut down, mut up) = (0, 0);
        for &link in fabric.links_from(node) {
            let link = fabric.link(link);
            let side = if link.tier == tier { &mut up } else { &mut down };
            *side += rate(link.bandwidth);
        }
        (down, up)
    });
    let (down, up) = sides.max()?;
    ratio_of(down, up)
}

/// The product of ratios; `None` if there are none or it exceeds 64 bits.
fn product(ratios: &[Ratio]) -> Option<Ratio> {
    let (first, others) = ratios.split_first()?;
    others.iter().try_fold(*first, |product, ratio| {
        let over = u128::from(product.over()) * u128::from(ratio.over());
        ratio_of(over, u128::from(product.under()) * u128::from(ratio.under()))
    })
}
