//! The fields of how packets are cut, queued and repeated; only the packet engine looks at them.

use super::queues::{BUFFER, CLASSES, LINK_RETRIES, MARKING};
use super::transport::{PACING, TRANSPORT, WINDOW};
use super::{Field, Form, Kind, Shape};

/// Which engine runs the points.
pub(super) const ENGINE: Field = Field::required(
    "engine",
    Kind::OneOf(&[
        Form::word("fluid", "Rates that share every link fairly; large clusters in seconds."),
        Form::word("packet", "Packet by packet: queues, pauses, loss and what is sent again."),
        Form::word("both", "Every point twice, once on each."),
    ]),
    "packet",
    "How the network is modelled (`--engine` on the command line).",
)
.default("fluid");

static BEHAVIOURS: [Form; 6] = [
    Form::word(
        "ideal",
        "A window of twice the product of bandwidth and delay, endless queues: the reference.",
    ),
    Form::word(
        "rocev2_pfc_dcqcn",
        "Lossless Ethernet: priority flow control, marks, DCQCN, go-back-N; needs `routing: \
         ecmp(…)`.",
    ),
    Form::word(
        "rocev2_lossy",
        "Ethernet that drops: finite queues, marks, DCQCN, selective repeat.",
    ),
    Form::word("infiniband", "Credits on every link, a window, nothing is ever dropped."),
    Form::word(
        "supernode_llr",
        "Credits on every link, and links that repeat what they lose themselves.",
    ),
    Form::with("custom", &CUSTOM, "Sizes, transport, queues and classes of service as given."),
];

/// How the packets of a fabric behave.
pub(super) const PACKETS: Field = Field::required(
    "packets",
    Kind::OneOf(&BEHAVIOURS),
    "rocev2_lossy",
    "How packets are cut, queued and repeated; only the packet engine looks at it. A packet takes the time \
     of its payload at the rate that `efficiency` leaves to payload.",
)
.default("ideal");

static LABELS: Shape = Shape {
    title: "Spray by labels",
    text: "As hosts spray over entropy values that switches hash.",
    fields: &[Field::required(
        "count",
        Kind::Count { least: 1, most: 65_536 },
        "128",
        "The labels of a flow.",
    )],
};

static CUSTOM: Shape = Shape {
    title: "Packets",
    text: "Each field as given: without any, `ideal`. Where the defaults come from is told in \
           docs/packets.md.",
    fields: &[
        Field::required("payload", Kind::Size { least: 64 }, "\"4 KiB\"", "The most payload of a packet, at most 64 KiB.")
            .default("\"4 KiB\""),
        Field::required(
            "header",
            Kind::Size { least: 0 },
            "\"64 B\"",
            "What each packet carries beside its payload and what `efficiency` counts, at most 4 KiB.",
        )
        .default("\"0 B\""),
        Field::required(
            "control",
            Kind::Size { least: 0 },
            "\"64 B\"",
            "The size of an acknowledgement, at most 4 KiB; 0 B takes no time on the wire.",
        )
        .default("\"64 B\""),
        Field::required(
            "acknowledge_every",
            Kind::Count { least: 1, most: 1_000 },
            "16",
            "One acknowledgement for so many packets, and at the end of each message.",
        )
        .default("16"),
        WINDOW,
        TRANSPORT,
        PACING,
        Field::required(
            "forwarding",
            Kind::OneOf(&[
                Form::word("store_and_forward", "A switch sends a packet on when all of it is there."),
                Form::word("cut_through", "A switch sends a packet on when its header is there."),
            ]),
            "cut_through",
            "When a switch sends a packet on.",
        )
        .default("store_and_forward"),
        Field::required(
            "spray",
            Kind::OneOf(&[
                Form::word("in_turn", "A flow's packets take the next hops in turn."),
                Form::word("at_random", "Each packet draws its next hop."),
                Form::with("labels", &LABELS, "A flow's packets carry labels in turn, each with a path of its own."),
                Form::word("shortest_queue", "Each packet takes the next hop with the shortest queue."),
            ]),
            "shortest_queue",
            "How packets choose among the shortest paths where `routing` is `spray`.",
        )
        .default("in_turn"),
        BUFFER,
        MARKING,
        CLASSES,
        LINK_RETRIES,
    ],
};
