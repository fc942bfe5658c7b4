//! The fields of the queues, buffers and classes of packets.

use super::{Field, Form, Kind, Shape};

static BUFFERS: [Form; 3] = [
    Form::word("endless", "Everything."),
    Form::with("per_queue", &PER_QUEUE, "So much in each class of each port."),
    Form::with("shared", &SHARED, "So much in a whole switch, with dynamic thresholds."),
];

/// What the queues of switches hold.
pub(super) const BUFFER: Field = Field::required(
    "buffer",
    Kind::OneOf(&BUFFERS),
    "shared(size: \"32 MB\", alpha: \"1:1\")",
    "What the queues of switches hold; a packet that finds no room is dropped. Lossless classes have \
     room of their own.",
)
.default("endless");

const ROOM: Field =
    Field::required("size", Kind::Size { least: 64 }, "\"32 MB\"", "At least a full packet.");

static PER_QUEUE: Shape = Shape { title: "Buffer of a queue", text: "", fields: &[ROOM] };

static SHARED: Shape = Shape {
    title: "Shared buffer",
    text: "Source: Choudhury, Hahne, IEEE/ACM Transactions on Networking 6 (2), 1998, section III.",
    fields: &[
        ROOM,
        Field::required(
            "alpha",
            Kind::Ratio,
            "\"1:8\"",
            "A queue takes a packet while it is shorter than so many times what is free.",
        )
        .default("\"1:1\""),
    ],
};

static MARKINGS: [Form; 2] = [
    Form::word("never", "No packet is marked."),
    Form::with("queue", &MARKS, "By the length of the queue that a packet finds."),
];

/// When packets are marked.
pub(super) const MARKING: Field = Field::required(
    "marking",
    Kind::OneOf(&MARKINGS),
    "queue(least: \"100 KB\", most: \"400 KB\")",
    "When switches mark data packets of classes that do not say so themselves; `pacing: dcqcn(…)` heeds the marks.",
)
.default("never");

static MARKS: Shape = Shape {
    title: "Marks",
    text: "ECN: none up to `least`, all beyond `most`, between them in proportion. Source: Zhu et al., \
           SIGCOMM 2015, figure 5.",
    fields: &[
        Field::required(
            "least",
            Kind::Size { least: 0 },
            "\"100 KB\"",
            "No packet is marked that finds no longer queue.",
        ),
        Field::required(
            "most",
            Kind::Size { least: 0 },
            "\"400 KB\"",
            "Every packet is marked that finds a longer queue; at least `least`.",
        ),
        Field::required(
            "probability",
            Kind::Percent,
            "\"80 %\"",
            "How many are marked just below `most`.",
        )
        .default("\"20 %\""),
    ],
};

static CLASS_MARKINGS: [Form; 3] = [
    Form::word("common", "As the `marking` of the packets says."),
    Form::word("never", "No packet is marked."),
    Form::with("queue", &MARKS, "By the length of the queue that a packet finds."),
];

static CLASS_KIND: Kind = Kind::Struct(&CLASS);

/// The classes of service.
pub(super) const CLASSES: Field = Field::required(
    "classes",
    Kind::List { of: &CLASS_KIND, least: 0 },
    "[(), (service: weighted(weight: 1))]",
    "The classes of service, the most urgent first, at most 8; the `class` of a workload or job is its place \
     here. Control packets are of class 0. Without any, all packets share one queue.",
)
.default("[]");

static CLASS: Shape = Shape {
    title: "Class of service",
    text: "",
    fields: &[
        Field::required(
            "service",
            Kind::OneOf(&[
                Form::word("strict", "Before all classes after it, and before all weighted ones."),
                Form::with("weighted", &WEIGHTED, "In turn, in proportion to a weight."),
            ]),
            "weighted(weight: 3)",
            "When it is served.",
        )
        .default("strict"),
        Field::required(
            "backpressure",
            Kind::OneOf(&[
                Form::word("none", "Not at all: what finds no room is dropped."),
                Form::with("pauses", &PAUSES, "Priority flow control (IEEE 802.1Qbb)."),
                Form::with("credits", &CREDITS, "Only what has room at the far end is sent."),
            ]),
            "pauses(stop: \"400 KB\")",
            "How a switch stops those that send to it.",
        )
        .default("none"),
        Field::required(
            "marking",
            Kind::OneOf(&CLASS_MARKINGS),
            "queue(least: \"100 KB\", most: \"400 KB\")",
            "When its packets are marked, by the length of its own queue.",
        )
        .default("common"),
    ],
};

static WEIGHTED: Shape = Shape {
    title: "Weighted service",
    text: "Deficit round robin (Shreedhar, Varghese, 1996).",
    fields: &[Field::required(
        "weight",
        Kind::Count { least: 1, most: 1_000 },
        "3",
        "Its share over those of the other weighted classes.",
    )],
};

static PAUSES: Shape = Shape {
    title: "Pauses",
    text: "Counted for each link at its far end.",
    fields: &[
        Field::required(
            "stop",
            Kind::Size { least: 0 },
            "\"400 KB\"",
            "A sender is paused when more than that came by its link and waits.",
        ),
        Field::required(
            "go",
            Kind::Size { least: 0 },
            "\"300 KB\"",
            "It is resumed when less than that waits; at most `stop`.",
        )
        .depends("two packets below `stop`"),
        Field::required(
            "headroom",
            Kind::Size { least: 0 },
            "\"100 KB\"",
            "What may still come until the pause takes effect; too little for a link is refused.",
        )
        .depends("what the fastest and the longest links need"),
    ],
};

static CREDITS: Shape = Shape {
    title: "Credits",
    text: "",
    fields: &[Field::required(
        "room",
        Kind::Size { least: 64 },
        "\"128 KiB\"",
        "The room of a link at its far end; at least a full packet.",
    )],
};

/// How often links repeat.
pub(super) const LINK_RETRIES: Field = Field::required(
    "link_retries",
    Kind::Count { least: 0, most: 1_000 },
    "16",
    "How often a link repeats a packet that it loses before it counts as lost.",
)
.default("0");
