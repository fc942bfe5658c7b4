//! Why a fabric cannot be built.

use thiserror::Error;

/// A refusal to build a fabric: each names what was found and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// A count, a rate or a list that must not be empty is.
    #[error("{what} is 0: at least 1 is needed")]
    Zero {
        /// The quantity, in words.
        what: &'static str,
    },
    /// More cards than the builder takes.
    #[error("{cards} cards: at most {limit} can be built")]
    TooManyCards {
        /// The cards asked for.
        cards: u64,
        /// The most that can be built.
        limit: u64,
    },
    /// More one-way links than the builder takes, found by estimate before building.
    #[error("about {links} one-way links: at most {limit} can be built")]
    TooManyLinks {
        /// The links estimated (saturating).
        links: u128,
        /// The most that can be built.
        limit: u64,
    },
    /// A full mesh over too many cards.
    #[error("a full mesh of {cards} cards: at most {limit} cards can be meshed")]
    MeshTooLarge {
        /// The cards of one supernode.
        cards: u32,
        /// The most that can be meshed.
        limit: u32,
    },
    /// NIC links that do not divide among leaf homes and planes.
    #[error("{nics} NICs do not divide among {homes} home(s) in each of {planes} plane(s)")]
    Homes {
        /// The NIC links of one card or supernode.
        nics: u32,
        /// The leaves that each NIC is linked to in a plane.
        homes: u32,
        /// The planes.
        planes: u32,
    },
    /// A fat-tree of switches with an odd number of ports, or none.
    #[error("a fat-tree of {ports}-port switches: the ports are an even number, at least 2")]
    OddPorts {
        /// The ports of one switch.
        ports: u32,
    },
    /// A fat-tree of too few or too many layers.
    #[error("a fat-tree of {layers} layers of switches: 2 or 3 are allowed")]
    Layers {
        /// The layers asked for.
        layers: u32,
    },
    /// More groups than the global links of a dragonfly can join.
    #[error("{groups} groups of a dragonfly: its global links join at most {limit}")]
    Groups {
        /// The groups that the cards fill.
        groups: u64,
        /// One more than the global links of a group.
        limit: u64,
    },
    /// Pods that do not divide a supernode.
    #[error("pods of {pod} cards do not divide the {cards} cards of a supernode")]
    Pods {
        /// The cards of a pod: the product of the sizes of its mesh.
        pod: u32,
        /// The cards of a supernode.
        cards: u32,
    },
    /// A mesh or torus whose sides do not make up what stands in it.
    #[error("{what} of {sizes} has {product} places for {cards}: both must be equal")]
    Sizes {
        /// The grid, in words.
        what: &'static str,
        /// The sides, such as "8 × 8".
        sizes: String,
        /// Their product (saturating).
        product: u128,
        /// What stands in it: the cards of a full supernode, or all supernodes.
        cards: u32,
    },
    /// An offset of a half mesh that is zero, too large or there twice.
    #[error("offset {offset} in a half mesh of {cards} cards: offsets are 1 … {limit}, each once")]
    Offset {
        /// The offset.
        offset: u32,
        /// The cards of a full supernode.
        cards: u32,
        /// The largest offset.
        limit: u32,
    },
    /// An efficiency that is not a share of the wire.
    #[error("efficiency {payload}/{wire} of {what}: payload must be 1 … wire")]
    Efficiency {
        /// The links it belongs to.
        what: &'static str,
        /// The payload part.
        payload: u64,
        /// The wire part.
        wire: u64,
    },
    /// A bandwidth that becomes zero when it is shared among links or cut by the efficiency.
    #[error("bandwidth of {what} is below 1 milli-bit/s for one link")]
    NoBandwidth {
        /// The links it belongs to.
        what: &'static str,
    },
    /// An oversubscription ratio that needs a fraction of an uplink.
    #[error(
        "ratio {asked} at the {tier} cannot be built: {down_ports} down-ports would need \
         {up_ports} uplinks{nearest}"
    )]
    Ratio {
        /// The tier of switches.
        tier: &'static str,
        /// The ratio asked for, such as "19:7".
        asked: String,
        /// The down-ports of one switch.
        down_ports: u64,
        /// The uplinks it would need, a fraction such as "133/19".
        up_ports: String,
        /// The nearest ratios that can be built, such as "; nearest: 19:8 with 8, 19:6 with 6".
        nearest: String,
    },
    /// A Clos without a tier above the leaves, or with too many.
    #[error("a Clos of {found} tiers above the leaves: 1 … {limit} are allowed")]
    Tiers {
        /// The tiers found.
        found: usize,
        /// The most allowed.
        limit: usize,
    },
    /// The top switches have too few ports.
    #[error(
        "{switches} top switches of {limit} ports cannot take {uplinks} uplinks: the fullest would \
         need {needed} ports"
    )]
    TopPorts {
        /// The number of top switches that share those uplinks.
        switches: u64,
        /// The uplinks they must take.
        uplinks: u64,
        /// The ports that the fullest would need.
        needed: u64,
        /// The ports of one.
        limit: u32,
    },
    /// Too many top switches for every pair of switches below to share one.
    #[error(
        "{switches} top switches for {uplinks} uplinks per switch below: two of {below} switches \
         below might share none; at most {limit}, more top ports or one more tier"
    )]
    NoCommonTop {
        /// The top switches needed or asked for, in one group.
        switches: u64,
        /// The uplinks of one switch below.
        uplinks: u64,
        /// The switches below that share them.
        below: u64,
        /// The most top switches with which any two switches below share one.
        limit: u64,
    },
    /// The number of top switches asked for does not divide among the groups.
    #[error("{switches} top switches do not divide among {groups} groups of equal size")]
    TopGroups {
        /// The top switches asked for.
        switches: u32,
        /// The groups: one per aggregation switch of a pod.
        groups: u64,
    },
    /// Two nodes of an explicit fabric with one name.
    #[error("node \"{name}\" is listed twice")]
    NodeTwice {
        /// The name.
        name: String,
    },
    /// A link to a node that is not listed.
    #[error("link \"{from}\" – \"{to}\" names \"{name}\", which is no card and no switch")]
    NoSuchNode {
        /// The first end of the link.
        from: String,
        /// The second end of the link.
        to: String,
        /// The unknown name.
        name: String,
    },
    /// A link from a node to itself.
    #[error("link \"{name}\" – \"{name}\" ends where it starts")]
    Loop {
        /// The node.
        name: String,
    },
    /// Two links between the same nodes.
    #[error(
        "the pair \"{from}\" – \"{to}\" is listed twice (links {first} and {second}): say count \
         for parallel links"
    )]
    LinkTwice {
        /// The first end.
        from: String,
        /// The second end.
        to: String,
        /// The place of the first in the list, from 0.
        first: usize,
        /// The place of the second in the list, from 0.
        second: usize,
    },
    /// Cards that cannot reach each other.
    #[error(
        "no path from {src} to {dst} in the {domain}, where cards do not forward: {components} \
         component(s) of {sizes} cards"
    )]
    Disconnected {
        /// The network, in words.
        domain: String,
        /// The number of components that hold cards.
        components: u64,
        /// The cards in each, largest first, such as "4 and 4".
        sizes: String,
        /// A card that cannot reach `dst`.
        src: String,
        /// A card that cannot be reached from `src`.
        dst: String,
    },
}
