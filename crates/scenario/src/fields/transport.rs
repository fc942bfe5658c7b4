//! The fields of how senders and receivers of packets behave.

use super::{Field, Form, Kind, Shape};

static WINDOWS: [Form; 2] = [
    Form::with("packets", &PACKETS, "So many."),
    Form::with(
        "bandwidth_delay",
        &BANDWIDTH_DELAY,
        "So many times as leave the slowest link of the idle path before the first is acknowledged.",
    ),
];

/// How many packets may be under way.
pub(super) const WINDOW: Field = Field::required(
    "window",
    Kind::OneOf(&WINDOWS),
    "packets(count: 200)",
    "How many packets of a flow may be under way.",
)
.default("bandwidth_delay()");

static PACKETS: Shape = Shape {
    title: "Window of packets",
    text: "",
    fields: &[Field::required(
        "count",
        Kind::Count { least: 1, most: 1_000_000 },
        "200",
        "How many packets.",
    )],
};

static BANDWIDTH_DELAY: Shape = Shape {
    title: "Window of bandwidth × delay",
    text: "",
    fields: &[Field::required(
        "times",
        Kind::Count { least: 1, most: 1_000 },
        "1",
        "How many times. Once fills an idle path, twice bears that packets wait for each other.",
    )
    .default("2")],
};

static TRANSPORTS: [Form; 3] = [
    Form::word("ideal", "Nothing: for networks that lose nothing."),
    Form::with(
        "go_back_n",
        &GO_BACK_N,
        "A gap or a timeout sends the sender back to the first missing packet; needs \
             `routing: ecmp(…)`.",
    ),
    Form::with("selective_repeat", &SELECTIVE, "Only what is lost is sent again."),
];

/// What is sent again.
pub(super) const TRANSPORT: Field = Field::required(
    "transport",
    Kind::OneOf(&TRANSPORTS),
    "selective_repeat(timeout: \"500 us\")",
    "What is sent again when packets are lost. `ideal` gives way to the fabric's `recovery` where links \
     lose packets or die.",
)
.default("ideal");

const TIMEOUT: Field = Field::required(
    "timeout",
    Kind::Duration,
    "\"500 us\"",
    "How long nothing is acknowledged until everything unacknowledged counts as lost, above 0 s.",
)
.default("\"1 ms\"");

const BACK_OFF: Field = Field::required(
    "back_off",
    Kind::Count { least: 1, most: 16 },
    "1",
    "By what the timeout is multiplied after each one in a row.",
)
.default("2");

const RETRIES: Field = Field::required(
    "retries",
    Kind::Count { least: 0, most: 1_000 },
    "3",
    "How many timeouts in a row are borne before the sender gives up.",
)
.default("7");

static GO_BACK_N: Shape = Shape {
    title: "Go-back-N of packets",
    text: "Source: InfiniBand Architecture Specification, volume 1, section 9.7.",
    fields: &[TIMEOUT, BACK_OFF, RETRIES],
};

static SELECTIVE: Shape = Shape {
    title: "Selective repeat of packets",
    text: "Source: Mittal et al., SIGCOMM 2018, section 3.",
    fields: &[
        TIMEOUT,
        BACK_OFF,
        RETRIES,
        Field::required(
            "reordering",
            Kind::Count { least: 1, most: 1_000_000 },
            "16",
            "By how many packets others may overtake one before it counts as lost.",
        )
        .depends("1 with one path per flow, 256 under spray"),
    ],
};

static PACINGS: [Form; 2] = [
    Form::word("line_rate", "As fast as their link and their window allow."),
    Form::with("dcqcn", &DCQCN, "At a rate that marks bring down."),
];

/// How fast senders send.
pub(super) const PACING: Field = Field::required(
    "pacing",
    Kind::OneOf(&PACINGS),
    "dcqcn(rate_timer: \"55 us\")",
    "How fast senders send.",
)
.default("line_rate");

static DCQCN: Shape = Shape {
    title: "DCQCN",
    text: "Source of model and defaults: Zhu et al., SIGCOMM 2015, section 3.1 and figure 14; `hyper` and \
           `least`: `simulation/mix/config.txt` of High-Precision-Congestion-Control.",
    fields: &[
        Field::required(
            "gain",
            Kind::Count { least: 2, most: 1 << 20 },
            "256",
            "1/g: α moves by one part of so many at each update.",
        )
        .default("256"),
        Field::required(
            "alpha_timer",
            Kind::Duration,
            "\"55 us\"",
            "How long without a notification until α decays, and again; above 0 s.",
        )
        .default("\"55 us\""),
        Field::required(
            "rate_timer",
            Kind::Duration,
            "\"300 us\"",
            "How long until the rate is raised, and again; above 0 s.",
        )
        .default("\"55 us\""),
        Field::required(
            "byte_counter",
            Kind::Size { least: 1 },
            "\"10 MB\"",
            "How many bytes sent raise the rate as well.",
        )
        .default("\"10 MB\""),
        Field::required(
            "fast_recoveries",
            Kind::Count { least: 0, most: 1_000 },
            "1",
            "How often the rate is raised half-way to where it was before the target rises too.",
        )
        .default("5"),
        Field::required(
            "additive",
            Kind::Bandwidth,
            "\"50 Mb/s\"",
            "By what the target rises then.",
        )
        .default("\"40 Mb/s\""),
        Field::required(
            "hyper",
            Kind::Bandwidth,
            "\"100 Mb/s\"",
            "By what it rises when time and bytes are both past fast recovery.",
        )
        .default("\"100 Mb/s\""),
        Field::required("least", Kind::Bandwidth, "\"100 Mb/s\"", "The rate never falls below.")
            .default("\"100 Mb/s\""),
        Field::required(
            "notification_interval",
            Kind::Duration,
            "\"4 us\"",
            "A receiver notifies a sender at most once in so long.",
        )
        .default("\"50 us\""),
    ],
};
