//! The fields of the outer fabric of a cluster.

use super::fabric::EFFICIENCY;
use super::{Field, Kind, Shape};

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
pub(super) static LEAF_SPINE: Shape = Shape {
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
            "How many spines there are.",
        )
        .depends("as few as their ports allow with even wiring"),
        EFFICIENCY,
    ],
};

/// Three tiers of switches.
pub(super) static THREE_TIER: Shape = Shape {
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
            "How many core switches there are; they divide among the aggregation switches of a pod.",
        )
        .depends("as few as their ports allow with even wiring"),
        EFFICIENCY,
    ],
};
