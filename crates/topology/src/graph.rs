//! What a fabric consists of: cards, switches and one-way links.

use std::fmt;

use units::{Bandwidth, Duration};

use crate::{CardId, LossId, NodeId, SupernodeId};

/// Which of the two networks of a cluster a switch or a link belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Domain {
    /// Inside the supernodes (scale-up).
    Inside,
    /// The outer fabric between supernodes (scale-out).
    Outside,
}

/// A node of the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An accelerator card; cards send and receive, and forward only where
    /// [`Fabric::cards_forward`](crate::Fabric::cards_forward) says so.
    Card {
        /// Its number.
        card: CardId,
        /// The supernode that holds it.
        supernode: SupernodeId,
    },
    /// A switch; it forwards and is never an end of a transfer.
    Switch {
        /// The network it belongs to.
        domain: Domain,
        /// 1 is the first switch above the cards (plane switch, leaf), 2 the next (spine,
        /// aggregation), 3 the core. 0 is the border switch that pools the uplinks of a supernode:
        /// it carries only the traffic of its own cards.
        tier: u8,
        /// Its number among the switches of the same domain and tier.
        index: u32,
    },
}

/// The kind of a link, by which reports add up traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// In a supernode, at a card.
    Inside,
    /// In a supernode, between two levels of switches.
    InsideUpper,
    /// From a card to the uplink pool of its supernode.
    Border,
    /// From a card or an uplink pool to the first outer switch.
    Nic,
    /// Between two tiers of a Clos of `levels` link tiers: level 1 is above the leaves.
    Clos {
        /// 1 … `levels`, counted from below.
        level: u8,
        /// The number of switch-to-switch link tiers: 1 is leaf–spine, 2 leaf–aggregation–core.
        levels: u8,
    },
    /// Between two switches of an explicit fabric, or two routers of a grid or a group.
    Trunk,
    /// Between two groups of a dragonfly.
    Global,
}

impl fmt::Display for Tier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inside => formatter.write_str("inside"),
            Self::InsideUpper => formatter.write_str("upper"),
            Self::Border => formatter.write_str("border"),
            Self::Nic => formatter.write_str("nic"),
            Self::Clos { level: 1, levels: 1 } => formatter.write_str("leaf-spine"),
            Self::Clos { level: 1, .. } => formatter.write_str("leaf-agg"),
            Self::Clos { level: 2, levels: 2 } => formatter.write_str("agg-core"),
            Self::Clos { level, .. } => write!(formatter, "tier{level}-tier{}", level + 1),
            Self::Trunk => formatter.write_str("trunk"),
            Self::Global => formatter.write_str("global"),
        }
    }
}

/// A one-way link; a full-duplex cable is two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node that sends.
    pub src: NodeId,
    /// The node that receives.
    pub dst: NodeId,
    /// The rate of the wire, at least 1 milli-bit/s.
    pub bandwidth: Bandwidth,
    /// What payload may use of it: ⌊wire × efficiency⌋, at least 1 milli-bit/s.
    pub goodput: Bandwidth,
    /// The time from the last bit in to the last bit out, the switch at its end included.
    pub latency: Duration,
    /// Its kind.
    pub tier: Tier,
    /// The network it belongs to.
    pub domain: Domain,
    /// How often it loses packets: a schedule of [`Fabric::losses`](crate::Fabric::losses).
    pub loss: LossId,
}
