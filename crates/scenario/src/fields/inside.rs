//! The fields of what joins the cards of a supernode.

use super::{Field, Form, Kind, Shape};

/// The forms of `inside`.
pub(super) static INSIDES: [Form; 8] = [
    Form::with(
        "planes",
        &PLANES,
        "Planes of one switch hop; each card has a link to the switch of each plane.",
    ),
    Form::word("full_mesh", "A link between every two cards (at most 2,000 cards)."),
    Form::with(
        "two_level",
        &TWO_LEVEL,
        "Planes of two levels of switches, as in a CloudMatrix384.",
    ),
    Form::word("ring", "Each card is linked to the next and the last to the first; cards forward."),
    Form::with("half_mesh", &HALF_MESH, "Each card is linked to some others; cards forward."),
    Form::with("mesh", &MESH, "Rows and columns with open ends; cards forward."),
    Form::with("torus", &TORUS, "Rows and columns with joined ends; cards forward."),
    Form::with(
        "nd_full_mesh",
        &ND_FULL_MESH,
        "Along each dimension a link between every two cards of a line, as in UB-Mesh; cards forward.",
    ),
];

const PLANE_COUNT: Kind = Kind::Count { least: 1, most: 1_024 };

static PLANES: Shape = Shape {
    title: "Planes",
    text: "Beyond the radix of a real switch these are idealised.",
    fields: &[
        Field::required(
            "count",
            PLANE_COUNT,
            "4",
            "How many planes share the bandwidth of a card.",
        )
        .default("1"),
        Field::required(
            "switches",
            Kind::OneOf(&[
                Form::word("forward", "They forward."),
                Form::word(
                    "reduce",
                    "They also add up what all cards send and send one message to all, as NVLS does: \
                     for `in_network`.",
                ),
            ]),
            "reduce",
            "What the switches can do.",
        )
        .default("forward"),
    ],
};

static TWO_LEVEL: Shape = Shape {
    title: "Two levels of planes",
    text: "Nodes of some cards, each with one first-level switch per plane; the second-level \
           switches of a plane have one link to each of its first-level switches.",
    fields: &[
        Field::required(
            "node_cards",
            Kind::Count { least: 1, most: 65_536 },
            "8",
            "How many cards share the first-level switches of a node.",
        ),
        Field::required(
            "planes",
            PLANE_COUNT,
            "7",
            "How many planes share the bandwidth of a card; they do not touch each other.",
        ),
        Field::required(
            "upper_switches",
            PLANE_COUNT,
            "16",
            "How many second-level switches each plane has.",
        ),
        Field::required(
            "ratio",
            Kind::Ratio,
            "\"1:1\"",
            "Capacity down : up of a first-level switch of a full node.",
        )
        .default("\"1:1\""),
        Field::required(
            "latency",
            Kind::Duration,
            "\"300 ns\"",
            "Of a link between the levels, the switch included, one way.",
        ),
    ],
};

static HALF_MESH: Shape = Shape {
    title: "Half mesh",
    text: "Card i of a supernode is linked to the cards i ± offset, round the end.",
    fields: &[Field::required(
        "offsets",
        Kind::List { of: &Kind::Count { least: 1, most: 1_000_000 }, least: 1 },
        "[1, 2, 4]",
        "How far away the cards are that a card is linked to, each 1 … half of the cards, once.",
    )],
};

const SIZES: Field = Field::required(
    "sizes",
    Kind::List { of: &Kind::Count { least: 1, most: 1_000_000 }, least: 1 },
    "[8, 8]",
    "How many cards there are along each side; their product is the cards of a supernode. Cards are \
     numbered along the last side first.",
);

static MESH: Shape = Shape {
    title: "Mesh",
    text: "Each card is linked to its neighbours along each side. A link has the bandwidth of a card \
           divided by the ports of one in the middle; at an edge ports are dark.",
    fields: &[SIZES],
};

static TORUS: Shape = Shape {
    title: "Torus",
    text: "A mesh whose rows and columns are rings. A side of two has one link.",
    fields: &[SIZES],
};

static ND_FULL_MESH: Shape = Shape {
    title: "n-dimensional full mesh",
    text: "Two cards that differ in one dimension only are linked.",
    fields: &[
        SIZES,
        Field::required(
            "lanes",
            Kind::List { of: &Kind::Count { least: 1, most: 65_536 }, least: 1 },
            "[4, 4]",
            "The lanes of one link along each side: the bandwidth of a card is shared by lane.",
        )
        .depends("1 along each side"),
    ],
};
