//! The fields of fabrics.

use super::faults::{FAULTS, REROUTE_AFTER};
use super::inside::INSIDES;
use super::losses::{DROPS, LOSS_AS, LOSSES, RECOVERY};
use super::outside::OUTSIDES;
use super::packets::PACKETS;
use super::{Field, Form, Kind, Shape};

/// How many cards a fabric may have.
pub(crate) const CARDS: u64 = 2_000_000;

const NAME: Field = Field::required(
    "name",
    Kind::Name,
    "\"servers\"",
    "What the fabric is called in results; no two fabrics share a name.",
);

const CARD_COUNT: Field = Field::required(
    "cards",
    Kind::Count { least: 1, most: CARDS },
    "10240",
    "How many accelerator cards there are.",
);

pub(super) const EFFICIENCY: Field = Field::required(
    "efficiency",
    Kind::Efficiency,
    "\"4096:4160\"",
    "Payload : wire, that is how much of the bandwidth headers leave to the payload.",
)
.default("\"1:1\"");

static ROUTINGS: [Form; 2] = [
    Form::word(
        "spray",
        "Ideal spray: at each hop a flow splits over the shortest paths in proportion to their \
         capacity.",
    ),
    Form::with(
        "ecmp",
        &ECMP,
        "Each flow takes one shortest path, chosen at each switch by a keyed hash.",
    ),
];

const ROUTING: Field = Field::required(
    "routing",
    Kind::OneOf(&ROUTINGS),
    "ecmp(flows: 4)",
    "How flows choose among the shortest paths.",
)
.default("spray");

static SOURCES: Kind = Kind::Struct(&SOURCE);

pub(super) const HARDWARE: Field = Field::required(
    "hardware",
    Kind::List { of: &SOURCES, least: 0 },
    "[(field: \"nics.bandwidth\", label: assumption, source: \"…\")]",
    "Where the values come from; told beside the results.",
)
.default("[]");

/// Supernodes and what joins them.
pub(crate) static CLUSTER: Shape = Shape {
    title: "Cluster",
    text: "Cards in supernodes, attached to an outer fabric. `supernode`, `nics` and `outside` may each be \
           `preset(\"name\")`, or `preset(name: \"name\", field: …)` to take other values for some fields; \
           `superclos presets` lists them. A plain server is \
           a small supernode; the last one may be partly filled. Two cards of one supernode talk \
           over the supernode only, others from the source's NIC to the destination's NIC.",
    fields: &[
        NAME,
        CARD_COUNT,
        Field::required(
            "supernode",
            Kind::Struct(&SUPERNODE),
            "(cards: 8, inside: full_mesh, …)",
            "What the cards sit in.",
        ),
        Field::required(
            "nics",
            Kind::Struct(&NICS),
            "(per_card: 1, bandwidth: \"400 Gb/s\", …)",
            "What attaches them to the outer fabric.",
        ),
        Field::required(
            "outside",
            Kind::OneOf(&OUTSIDES),
            "leaf_spine(leaf_ports: 64, ratio: \"4:1\", …)",
            "The outer fabric.",
        ),
        ROUTING,
        FAULTS,
        REROUTE_AFTER,
        LOSSES,
        DROPS,
        RECOVERY,
        LOSS_AS,
        PACKETS,
        HARDWARE,
    ],
};

pub(super) static SUPERNODE: Shape = Shape {
    title: "Supernode",
    text: "A domain of high bandwidth, or a plain server. Supernodes of 1 card have nothing inside.",
    fields: &[
        Field::required(
            "cards",
            Kind::Count { least: 1, most: CARDS },
            "8",
            "How many cards a full supernode holds.",
        ),
        Field::required(
            "inside",
            Kind::OneOf(&INSIDES),
            "planes(count: 4)",
            "How the cards are joined.",
        ),
        Field::required(
            "bandwidth",
            Kind::Bandwidth,
            "\"450 GB/s\"",
            "Of one card into the supernode, all its links together, one direction. Vendors often \
             print the sum of both directions.",
        ),
        Field::required(
            "latency",
            Kind::Duration,
            "\"1 us\"",
            "From card to card over one switch or one link, one way.",
        ),
        EFFICIENCY,
    ],
};

pub(super) static NICS: Shape = Shape {
    title: "NICs",
    text: "The links from cards or supernodes to the leaves; exactly one of `per_card` and \
           `per_supernode` is given.",
    fields: &[
        Field::required(
            "per_card",
            Kind::Count { least: 1, most: 64 },
            "1",
            "How many NICs each card has of its own.",
        )
        .depends("none"),
        Field::required(
            "per_supernode",
            Kind::Count { least: 1, most: 1_000_000 },
            "32",
            "How many NICs the cards of a supernode share.",
        )
        .depends("none"),
        Field::required("bandwidth", Kind::Bandwidth, "\"400 Gb/s\"", "Of one NIC, one direction."),
        Field::required(
            "latency",
            Kind::Duration,
            "\"600 ns\"",
            "Of the link between NIC and leaf, the switch included, one way.",
        ),
        EFFICIENCY,
    ],
};

static ECMP: Shape = Shape {
    title: "ECMP",
    text: "Equal-cost multipath by hashing.",
    fields: &[Field::required(
        "flows",
        Kind::Count { least: 1, most: 1_024 },
        "4",
        "Over how many hashed flows the bytes between two cards are spread.",
    )
    .default("1")],
};

/// One switch.
pub(crate) static STAR: Shape = Shape {
    title: "Star",
    text: "All cards on one switch that never blocks: the fabric of closed formulas.",
    fields: &[
        NAME,
        CARD_COUNT,
        Field::required(
            "bandwidth",
            Kind::Bandwidth,
            "\"50 GB/s\"",
            "Of one card's port, one direction.",
        ),
        Field::required("latency", Kind::Duration, "\"1 us\"", "From card to card, one way."),
        EFFICIENCY,
        FAULTS,
        REROUTE_AFTER,
        LOSSES,
        DROPS,
        RECOVERY,
        LOSS_AS,
        PACKETS,
        HARDWARE,
    ],
};

/// Everything listed.
pub(crate) static EXPLICIT: Shape = Shape {
    title: "Explicit",
    text: "Cards, switches and full-duplex links, listed. Rank r sits on the r-th card.",
    fields: &[
        NAME,
        Field::required(
            "cards",
            Kind::List { of: &Kind::Name, least: 1 },
            "[\"a\", \"b\"]",
            "The names of the cards.",
        ),
        Field::required(
            "switches",
            Kind::List { of: &Kind::Name, least: 0 },
            "[\"s\"]",
            "The names of the switches.",
        )
        .default("[]"),
        Field::required(
            "links",
            Kind::List { of: &Kind::Struct(&LINK), least: 0 },
            "[(from: \"a\", to: \"s\", …)]",
            "The links, each pair once.",
        ),
        ROUTING,
        FAULTS,
        REROUTE_AFTER,
        LOSSES,
        DROPS,
        RECOVERY,
        LOSS_AS,
        PACKETS,
        HARDWARE,
    ],
};

static LINK: Shape = Shape {
    title: "Link",
    text: "A full-duplex link: both directions have the whole bandwidth.",
    fields: &[
        Field::required("from", Kind::Name, "\"a\"", "The card or switch at one end."),
        Field::required("to", Kind::Name, "\"s\"", "The card or switch at the other end."),
        Field::required(
            "bandwidth",
            Kind::Bandwidth,
            "\"100 Gb/s\"",
            "Of one such link, one direction.",
        ),
        Field::required("latency", Kind::Duration, "\"1 us\"", "One way."),
        Field::required(
            "count",
            Kind::Count { least: 1, most: 65_536 },
            "4",
            "How many such links run in parallel.",
        )
        .default("1"),
    ],
};

static SOURCE: Shape = Shape {
    title: "Hardware value",
    text: "Where a value of the fabric comes from.",
    fields: &[
        Field::required(
            "field",
            Kind::Text,
            "\"supernode.bandwidth\"",
            "The field within the fabric.",
        ),
        Field::required(
            "label",
            Kind::OneOf(&[
                Form::word("measured", "Measured and published with its conditions."),
                Form::word("vendor_claim", "A specification or claim of the vendor."),
                Form::word("roadmap", "Announced, not shipping."),
                Form::word("assumption", "Not published: assumed here."),
            ]),
            "vendor_claim",
            "How well it is known.",
        ),
        Field::required("source", Kind::Text, "\"data sheet, 2023\"", "Who says so, or why."),
    ],
};
