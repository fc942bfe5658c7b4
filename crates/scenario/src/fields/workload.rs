//! The fields of workloads.

use super::collective::{ALGORITHMS, COLLECTIVES};
use super::placement::PLACEMENT;
use super::stragglers::STRAGGLERS;
use super::{Field, Form, Kind, Shape};

const NAME: Field = Field::required(
    "name",
    Kind::Name,
    "\"big ring\"",
    "What the workload is called in `expect` and on the command line; no two share a name.",
)
.depends("the collective, the algorithm and the size");

pub(super) const PER_STEP: Field = Field::required(
    "per_step",
    Kind::Duration,
    "\"2 us\"",
    "What a step costs a rank before its transfers start.",
)
.default("\"0 s\"");

pub(super) const PER_MESSAGE: Field = Field::required(
    "per_message",
    Kind::Duration,
    "\"500 ns\"",
    "What a message costs its sender, one after the other, before its transfer starts.",
)
.default("\"0 s\"");

pub(super) const WHAT: Field =
    Field::required("collective", Kind::OneOf(COLLECTIVES), "all_reduce", "What is done.");

pub(super) const HOW: Field =
    Field::required("algorithm", Kind::OneOf(ALGORITHMS), "ring(channels: 8)", "How it is done.");

pub(super) const SIZE: Field = Field::required(
    "size",
    Kind::Size { least: 0 },
    "\"1 GiB\"",
    "S, per rank; \"0 B\" for a barrier.",
);

pub(super) const SIZES: Field = Field::required(
    "sizes",
    Kind::OneOf(&[
        Form::word("exact", "The size asked for; chunks may differ by a byte."),
        Form::word(
            "aligned",
            "Rounded down so that all chunks are equal multiples of 16 bytes, as nccl-tests \
                     does; the size used is printed.",
        ),
    ]),
    "aligned",
    "Whether the size may be rounded.",
)
.default("exact");

pub(super) const GROUPS: Field = Field::required(
    "groups",
    Kind::Count { least: 1, most: super::fabric::CARDS },
    "20",
    "Into how many groups of equal size the ranks are cut; each does the collective on its \
             own, all at once.",
)
.default("1");

pub(super) const GROUPING: Field = Field::required(
    "grouping",
    Kind::OneOf(&[
        Form::word("consecutive", "Neighbouring ranks form a group."),
        Form::word("strided", "Group g of G has the ranks g, g + G, g + 2G, …"),
    ]),
    "strided",
    "Which ranks form a group.",
)
.default("consecutive");

pub(super) const REDUCE_BANDWIDTH: Field = Field::required(
    "reduce_bandwidth",
    Kind::Bandwidth,
    "\"1 TB/s\"",
    "How fast a rank adds up what it receives.",
)
.depends("adding up takes no time");

pub(super) const COMPUTE: Field = Field::required(
    "compute",
    Kind::Duration,
    "\"10 us\"",
    "Computation of every rank before the collective starts.",
)
.default("\"0 s\"");

pub(super) const CLASS: Field = Field::required(
    "class",
    Kind::Count { least: 0, most: 7 },
    "1",
    "The class of service of its packets, by its place among the `classes` of the fabric's `packets`; only the \
     packet engine looks at it.",
)
.default("0");

/// A collective.
pub(crate) static COLLECTIVE: Shape = Shape {
    title: "Collective",
    text: "Sizes are those of nccl-tests: S is the whole buffer of one rank.",
    fields: &[
        NAME,
        WHAT,
        HOW,
        SIZE,
        SIZES,
        Field::required(
            "ranks",
            Kind::Count { least: 1, most: super::fabric::CARDS },
            "1024",
            "How many ranks take part, at most one on each card.",
        )
        .depends("one on each card"),
        GROUPS,
        GROUPING,
        PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
        REDUCE_BANDWIDTH,
        COMPUTE,
        STRAGGLERS,
        CLASS,
    ],
};

static FLOW_KIND: Kind = Kind::Struct(&FLOW);

pub(super) const LIST: Field = Field::required(
    "list",
    Kind::List { of: &FLOW_KIND, least: 1 },
    "[(from: 0, to: 1, size: \"1 GB\")]",
    "The transfers.",
);

/// A list of transfers.
pub(crate) static FLOWS: Shape = Shape {
    title: "Flows",
    text: "Rank r runs on a card by the placement, which is card r unless said otherwise.",
    fields: &[NAME, LIST, PLACEMENT, PER_STEP, PER_MESSAGE, STRAGGLERS, CLASS],
};

/// A table of sizes.
pub(crate) static EXCHANGE: Shape = Shape {
    title: "Exchange",
    text: "An all-to-all-v: rank i sends entry j of row i to rank j, all at once. Rank r runs on a card \
           by the placement.",
    fields: &[
        NAME,
        Field::required(
            "table",
            Kind::List { of: &Kind::List { of: &Kind::Size { least: 0 }, least: 1 }, least: 1 },
            "[[\"0 B\", \"1 MB\"], [\"2 MB\", \"0 B\"]]",
            "A row for each rank, with a size for each rank; a rank sends nothing to itself, and what \
             is 0 is not sent.",
        ),
        PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
        STRAGGLERS,
        CLASS,
    ],
};

static FLOW: Shape = Shape {
    title: "Flow",
    text: "One transfer.",
    fields: &[
        Field::required(
            "from",
            Kind::Count { least: 0, most: super::fabric::CARDS - 1 },
            "0",
            "The sending rank, counted from 0.",
        ),
        Field::required(
            "to",
            Kind::Count { least: 0, most: super::fabric::CARDS - 1 },
            "1",
            "The receiving rank, another one.",
        ),
        Field::required("size", Kind::Size { least: 0 }, "\"1 GB\"", "How much."),
        Field::required("start", Kind::Duration, "\"5 ms\"", "When it starts.").default("\"0 s\""),
        Field::required(
            "compute",
            Kind::Duration,
            "\"1 ms\"",
            "Computation of the sender after `start`, before the transfer.",
        )
        .default("\"0 s\""),
    ],
};
