//! The fields of what joins the cards of a supernode.

use super::{Field, Form, Kind, Shape};

/// The forms of `inside`.
pub(super) static INSIDES: [Form; 9] = [
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
    Form::with(
        "switched_mesh",
        &SWITCHED_MESH,
        "Pods of such meshes, joined by two levels of switches, as UB-Mesh beyond a pod; cards forward.",
    ),
];

const PLANE_COUNT: Kind = Kind::Count { least: 1, most: 1_024 };

/// What switches can do.
pub(super) const SWITCHES: Field = Field::required(
    "switches",
    Kind::OneOf(&[
        Form::word("forward", "They forward."),
        Form::word(
            "reduce",
            "They also add up what is sent to them and send one message to all, as NVLS and SHARP do: for \
             `in_network`.",
        ),
    ]),
    "reduce",
    "What the switches can do.",
)
.default("forward");

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
        SWITCHES,
    ],
};

static TWO_LEVEL: Shape = Shape {
    title: "Two levels of planes",
    text: "Nodes of some cards, each with one first-level switch per plane; the second-level \
           switches of a plane have one link to each of its first-level switches.",
    fields: &[NODE_CARDS, PLANES_OF_CARD, UPPER_SWITCHES, RATIO, UPPER_LATENCY, SWITCHES],
};

const NODE_CARDS: Field = Field::required(
    "node_cards",
    Kind::Count { least: 1, most: 65_536 },
    "8",
    "How many cards share the first-level switches of a node.",
);

const PLANES_OF_CARD: Field = Field::required(
    "planes",
    PLANE_COUNT,
    "7",
    "How many planes share the bandwidth of a card; they do not touch each other.",
);

const UPPER_SWITCHES: Field = Field::required(
    "upper_switches",
    PLANE_COUNT,
    "16",
    "How many second-level switches each plane has.",
);

const RATIO: Field = Field::required(
    "ratio",
    Kind::Ratio,
    "\"1:1\"",
    "Capacity down : up of a first-level switch of a full node.",
)
.default("\"1:1\"");

const UPPER_LATENCY: Field = Field::required(
    "latency",
    Kind::Duration,
    "\"300 ns\"",
    "Of a link between the levels, the switch included, one way.",
);

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

const LANES: Field = Field::required(
    "lanes",
    Kind::List { of: &Kind::Count { least: 1, most: 65_536 }, least: 1 },
    "[4, 4]",
    "The lanes of one link along each side: the bandwidth of a card is shared by lane.",
)
.depends("1 along each side");

static ND_FULL_MESH: Shape = Shape {
    title: "n-dimensional full mesh",
    text: "Two cards that differ in one dimension only are linked.",
    fields: &[SIZES, LANES],
};

static SWITCHED_MESH: Shape = Shape {
    title: "Switched mesh",
    text: "The sides are those of a pod, whose cards divide those of a supernode. Beside its links in the \
           mesh each card has one to every plane, as in `two_level`; a node there is a rack.",
    fields: &[
        SIZES,
        LANES,
        Field::required(
            "upper_lanes",
            Kind::Count { least: 1, most: 65_536 },
            "1",
            "The lanes of the link of a card to one plane.",
        )
        .default("1"),
        NODE_CARDS,
        PLANES_OF_CARD,
        UPPER_SWITCHES,
        RATIO,
        UPPER_LATENCY,
    ],
};
