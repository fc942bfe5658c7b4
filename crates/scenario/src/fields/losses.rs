//! The fields of lost packets and their recovery.

use super::fabric::CARDS;
use super::{Field, Form, Kind, Shape};

static LOSS: Kind = Kind::OneOf(&[
    Form::with("link", &LINK, "Links between two nodes, both ways."),
    Form::with("node", &NODE, "All links of a card or switch."),
    Form::with("tier", &TIER, "All links of one kind."),
    Form::with("uplinks", &UPLINKS, "The links of a supernode to the outer fabric."),
]);

/// Which links lose packets.
pub(super) const LOSSES: Field = Field::required(
    "losses",
    Kind::List { of: &LOSS, least: 0 },
    "[link(from: \"leaf 3\", to: \"spine 0\", loss: \"0.001 %\")]",
    "Which links lose packets, at most 100 entries. Several that meet on a link are independent; a \
     module that ages is one entry after the other, each with `at` and `until`. What counts for a \
     transfer is the instant at which it starts, and what is left of it when it moves to another path.",
)
.default("[]");

static PACKET: Kind = Kind::Count { least: 0, most: 1_000_000_000 };
static DROP_KIND: Kind = Kind::Struct(&DROP);

/// Which packets are lost.
pub(super) const DROPS: Field = Field::required(
    "drops",
    Kind::List { of: &DROP_KIND, least: 0 },
    "[(from: \"card 0\", to: \"leaf 0\", sender: \"card 0\", receiver: \"card 9\", packets: [3, 17])]",
    "Single packets that links lose, for tests of recovery; for `engine: packet` only.",
)
.default("[]");

static DROP: Shape = Shape {
    title: "Lost packets",
    text: "Data packets that the links from one node to another lose, of every flow from one card to another.",
    fields: &[
        Field::required("from", Kind::Text, "\"card 0\"", "Where the links begin."),
        Field::required("to", Kind::Text, "\"leaf 0\"", "Where they end."),
        Field::required("sender", Kind::Text, "\"card 0\"", "The card that sends the packets."),
        Field::required("receiver", Kind::Text, "\"card 9\"", "The card to which they go."),
        Field::required(
            "packets",
            Kind::List { of: &PACKET, least: 1 },
            "[3, 17]",
            "The packets, counted from 0 over all messages of a flow.",
        ),
        Field::required(
            "sending",
            Kind::Count { least: 0, most: 255 },
            "1",
            "Which sending of them is lost: 0 is the first, 1 the first repetition.",
        )
        .default("0"),
    ],
};

static RECOVERIES: [Form; 3] = [
    Form::with(
        "go_back_n",
        &GO_BACK_N,
        "The sender repeats the lost packet and all that were in flight behind it.",
    ),
    Form::with("selective_repeat", &SELECTIVE, "The sender repeats the lost packet only."),
    Form::with("link_retry", &LINK_RETRY, "The link that lost a packet repeats it."),
];

/// How senders recover.
pub(super) const RECOVERY: Field = Field::required(
    "recovery",
    Kind::OneOf(&RECOVERIES),
    "selective_repeat(timeout: \"1 ms\")",
    "How lost packets are recovered.",
)
.default("go_back_n()");

static DRAWS: [Form; 2] = [
    Form::word(
        "sampled",
        "Drawn from the seed, transfer by transfer. Nothing that draws losses is merged or \
             skipped.",
    ),
    Form::word(
        "expected",
        "Every transfer costs what it costs on average. Of a collective this is optimistic: it \
             waits for the slowest of many.",
    ),
];

/// Whether losses are drawn.
pub(super) const LOSS_AS: Field = Field::required(
    "loss_as",
    Kind::OneOf(&DRAWS),
    "expected",
    "Whether losses are drawn or averaged.",
)
.default("sampled");

const PROBABILITY: Field = Field::required(
    "loss",
    Kind::Probability,
    "\"0.001 %\"",
    "How many of the packets that cross one of the links it loses.",
);
const AT: Field =
    Field::required("at", Kind::Duration, "\"2 ms\"", "The instant from which it loses packets.")
        .default("\"0 s\"");
const UNTIL: Field =
    Field::required("until", Kind::Duration, "\"5 ms\"", "The instant at which it is repaired.")
        .depends("it is not repaired");

static LINK: Shape = Shape {
    title: "Lossy link",
    text: "",
    fields: &[
        Field::required("from", Kind::Text, "\"leaf 3\"", "One end of the link."),
        Field::required("to", Kind::Text, "\"spine 0\"", "The other end."),
        Field::required(
            "count",
            Kind::Count { least: 1, most: 1_000_000 },
            "1",
            "How many of the parallel links between them.",
        )
        .default("1"),
        PROBABILITY,
        AT,
        UNTIL,
    ],
};

static NODE: Shape = Shape {
    title: "Lossy card or switch",
    text: "",
    fields: &[
        Field::required("name", Kind::Text, "\"card 17\"", "The card or switch."),
        PROBABILITY,
        AT,
        UNTIL,
    ],
};

static TIER: Shape = Shape {
    title: "Lossy tier",
    text: "",
    fields: &[
        Field::required(
            "name",
            Kind::Text,
            "\"leaf-spine\"",
            "The tier as results name it: inside, upper, border, nic, leaf-spine, leaf-agg, agg-core, \
             trunk, global.",
        ),
        PROBABILITY,
        AT,
        UNTIL,
    ],
};

static UPLINKS: Shape = Shape {
    title: "Lossy uplinks",
    text: "",
    fields: &[
        Field::required(
            "supernode",
            Kind::Count { least: 0, most: CARDS },
            "3",
            "The supernode, counted from 0.",
        ),
        PROBABILITY,
        AT,
        UNTIL,
    ],
};

const MTU: Field = Field::required(
    "mtu",
    Kind::Size { least: 1 },
    "\"1 KiB\"",
    "The payload of a packet; 4 KiB is the largest of InfiniBand and RoCE.",
)
.default("\"4 KiB\"");
const WINDOW: Field = Field::required(
    "window",
    Kind::Size { least: 1 },
    "\"256 KiB\"",
    "The most bytes in flight, as far as they matter to a repeat; it does not limit the rate.",
)
.depends("the bandwidth of the path times its round trip");
const TIMEOUT: Field = Field::required(
    "timeout",
    Kind::Duration,
    "\"1 ms\"",
    "After which a sender repeats on its own what nothing reveals as lost, above 0 s. The default is \
     2¹⁴ × 4.096 us.",
)
.default("\"67108864 ns\"");
const RETRIES: Field = Field::required(
    "retries",
    Kind::Count { least: 1, most: 255 },
    "7",
    "How often one packet is repeated before the sender gives up.",
)
.default("7");

static GO_BACK_N: Shape =
    Shape { title: "Go-back-N", text: "", fields: &[MTU, WINDOW, TIMEOUT, RETRIES] };

static SELECTIVE: Shape =
    Shape { title: "Selective repeat", text: "", fields: &[MTU, WINDOW, TIMEOUT, RETRIES] };

static LINK_RETRY: Shape = Shape { title: "Link-level retry", text: "", fields: &[MTU, RETRIES] };
