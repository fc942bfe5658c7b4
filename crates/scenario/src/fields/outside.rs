//! The fields of the outer fabric of a cluster.

use super::fabric::EFFICIENCY;
use super::inside::SWITCHES;
use super::{Field, Form, Kind, Shape};

/// The forms of `outside`.
pub(super) static OUTSIDES: [Form; 7] = [
    Form::with("leaf_spine", &LEAF_SPINE, "A Clos of two tiers of switches."),
    Form::with("three_tier", &THREE_TIER, "A Clos of three tiers of switches."),
    Form::with(
        "fat_tree",
        &FAT_TREE,
        "A Clos of equal switches with k ports, without oversubscription.",
    ),
    Form::with("ring", &RING, "A router for each supernode, in a ring."),
    Form::with("mesh", &MESH, "A router for each supernode, in rows and columns."),
    Form::with("torus", &TORUS, "A mesh of routers whose rows and columns are rings."),
    Form::with(
        "dragonfly",
        &DRAGONFLY,
        "Groups of routers, each a full mesh, linked to each other.",
    ),
];

static ORDERS: [Form; 2] = [
    Form::word("in_order", "NICs of cards in a row fill one leaf after the other."),
    Form::word(
        "rails",
        "NICs of the same number in their supernodes share a leaf, a rail; rows of such leaves fill one after the other.",
    ),
];

const NIC_ORDER: Field =
    Field::required("nic_order", Kind::OneOf(&ORDERS), "rails", "Which NICs share a leaf.")
        .default("in_order");

const HOMES: Field = Field::required(
    "homes",
    Kind::Count { least: 1, most: 64 },
    "2",
    "To how many leaves a NIC is linked in each plane, with one of the `per_card` or \
     `per_supernode` links each: 2 are dual-homed leaf pairs.",
)
.default("1");

const PLANES: Field = Field::required(
    "planes",
    Kind::Count { least: 1, most: 64 },
    "2",
    "How many such Clos stand side by side without touching, with one of the `per_card` or \
     `per_supernode` links in each.",
)
.default("1");

const LEAF_PORTS: Field = Field::required(
    "leaf_ports",
    Kind::Count { least: 1, most: 65_536 },
    "64",
    "How many ports of a leaf go down to NICs. NICs are attached in order.",
);

const LEAF_RATIO: Field = Field::required(
    "ratio",
    Kind::Ratio,
    "\"4:1\"",
    "Oversubscription of the leaves: capacity down : up. It is built exactly or refused.",
);

const UPLINK: Field = Field::required(
    "uplink",
    Kind::Bandwidth,
    "\"400 Gb/s\"",
    "Of one link between switches, one direction.",
);

const HOP: Field = Field::required(
    "latency",
    Kind::Duration,
    "\"600 ns\"",
    "Of one link between switches, the switch included, one way.",
);

/// Two tiers of switches.
static LEAF_SPINE: Shape = Shape {
    title: "Leaf–spine",
    text: "Every leaf is joined to every spine.",
    fields: &[
        LEAF_PORTS,
        LEAF_RATIO,
        UPLINK,
        HOP,
        Field::required(
            "spine_ports",
            Kind::Count { least: 1, most: 1_000_000 },
            "256",
            "The most ports that a spine has.",
        ),
        Field::required(
            "spines",
            Kind::Count { least: 1, most: 1_000_000 },
            "32",
            "How many spines each plane has.",
        )
        .depends("as few as their ports allow with even wiring"),
        EFFICIENCY,
        NIC_ORDER,
        HOMES,
        PLANES,
        SWITCHES,
    ],
};

/// Three tiers of switches.
static THREE_TIER: Shape = Shape {
    title: "Three tiers",
    text: "Leaves in pods, each pod with its aggregation switches, and core switches above.",
    fields: &[
        LEAF_PORTS,
        LEAF_RATIO,
        Field::required(
            "pod_leaves",
            Kind::Count { least: 1, most: 65_536 },
            "16",
            "How many leaves share the aggregation switches of a pod.",
        ),
        Field::required(
            "core_ratio",
            Kind::Ratio,
            "\"7:1\"",
            "Oversubscription of the aggregation switches: capacity down : up.",
        ),
        UPLINK,
        HOP,
        Field::required(
            "core_ports",
            Kind::Count { least: 1, most: 1_000_000 },
            "64",
            "The most ports that a core switch has.",
        ),
        Field::required(
            "cores",
            Kind::Count { least: 1, most: 1_000_000 },
            "64",
            "How many core switches each plane has; they divide among the aggregation switches of a pod.",
        )
        .depends("as few as their ports allow with even wiring"),
        EFFICIENCY,
        NIC_ORDER,
        HOMES,
        PLANES,
        SWITCHES,
    ],
};

/// All switches alike.
static FAT_TREE: Shape = Shape {
    title: "Fat-tree",
    text: "Switches of k ports, half of them down but at the top, as many at the top as k allows; all \
           links have the bandwidth of a NIC.",
    fields: &[
        Field::required(
            "ports",
            Kind::Count { least: 2, most: 1_024 },
            "64",
            "How many ports each switch has, an even number.",
        ),
        Field::required(
            "layers",
            Kind::Count { least: 2, most: 3 },
            "2",
            "How many layers of switches: 2 hold k²/2 NICs, 3 hold k³/4.",
        ),
        HOP,
        EFFICIENCY,
        NIC_ORDER,
        HOMES,
        PLANES,
        SWITCHES,
    ],
};

const CABLES: Field = Field::required(
    "cables",
    Kind::Count { least: 1, most: 65_536 },
    "4",
    "How many links join two neighbours.",
)
.default("1");

const SIZES: Field = Field::required(
    "sizes",
    Kind::List { of: &Kind::Count { least: 1, most: 1_000_000 }, least: 1 },
    "[4, 4]",
    "How many supernodes there are along each side; their product is the number of supernodes. They \
     are numbered along the last side first.",
);

static RING: Shape = Shape {
    title: "Ring of supernodes",
    text: "All NICs of a supernode end at its router, which forwards; the last is linked to the first.",
    fields: &[CABLES, UPLINK, HOP, EFFICIENCY],
};

static MESH: Shape = Shape {
    title: "Mesh of supernodes",
    text: "All NICs of a supernode end at its router, which forwards.",
    fields: &[SIZES, CABLES, UPLINK, HOP, EFFICIENCY],
};

static TORUS: Shape = Shape {
    title: "Torus of supernodes",
    text: "All NICs of a supernode end at its router, which forwards. A side of two is joined once.",
    fields: &[SIZES, CABLES, UPLINK, HOP, EFFICIENCY],
};

static DRAGONFLY: Shape = Shape {
    title: "Dragonfly",
    text: "NICs fill the routers in order. Every two groups are joined by as many links as the global \
           ports allow. Paths are the shortest ones, without detours over other groups.",
    fields: &[
        Field::required(
            "router_ports",
            Kind::Count { least: 1, most: 65_536 },
            "4",
            "How many NICs a router holds.",
        ),
        Field::required(
            "group_routers",
            Kind::Count { least: 1, most: 4_096 },
            "8",
            "How many routers a group has.",
        ),
        Field::required(
            "global_links",
            Kind::Count { least: 1, most: 65_536 },
            "4",
            "How many links to other groups a router has.",
        ),
        UPLINK,
        HOP,
        EFFICIENCY,
    ],
};
