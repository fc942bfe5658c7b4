//! The fields of workloads.

use super::placement::PLACEMENT;
use super::{Field, Form, Kind, Shape};

const NAME: Field = Field::required(
    "name",
    Kind::Name,
    "\"big ring\"",
    "What the workload is called in `expect` and on the command line; no two share a name.",
)
.depends("the collective, the algorithm and the size");

const PER_STEP: Field = Field::required(
    "per_step",
    Kind::Duration,
    "\"2 us\"",
    "What a step costs a rank before its transfers start.",
)
.default("\"0 s\"");

const PER_MESSAGE: Field = Field::required(
    "per_message",
    Kind::Duration,
    "\"500 ns\"",
    "What a message costs its sender, one after the other, before its transfer starts.",
)
.default("\"0 s\"");

/// A collective.
pub(crate) static COLLECTIVE: Shape = Shape {
    title: "Collective",
    text: "Sizes are those of nccl-tests: S is the whole buffer of one rank.",
    fields: &[
        NAME,
        Field::required(
            "collective",
            Kind::OneOf(COLLECTIVES),
            "all_reduce",
            "What is done.",
        ),
        Field::required("algorithm", Kind::OneOf(ALGORITHMS), "ring(channels: 8)", "How it is done."),
        Field::required(
            "size",
            Kind::Size { least: 0 },
            "\"1 GiB\"",
            "S, per rank; \"0 B\" for a barrier.",
        ),
        Field::required(
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
        .default("exact"),
        Field::required(
            "ranks",
            Kind::Count { least: 1, most: super::fabric::CARDS },
            "1024",
            "How many ranks take part, at most one on each card.",
        )
        .depends("one on each card"),
        Field::required(
            "groups",
            Kind::Count { least: 1, most: super::fabric::CARDS },
            "20",
            "Into how many groups of equal size the ranks are cut; each does the collective on its \
             own, all at once.",
        )
        .default("1"),
        Field::required(
            "grouping",
            Kind::OneOf(&[
                Form::word("consecutive", "Neighbouring ranks form a group."),
                Form::word("strided", "Group g of G has the ranks g, g + G, g + 2G, …"),
            ]),
            "strided",
            "Which ranks form a group.",
        )
        .default("consecutive"),
        PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
        Field::required(
            "reduce_bandwidth",
            Kind::Bandwidth,
            "\"1 TB/s\"",
            "How fast a rank adds up what it receives.",
        )
        .depends("adding up takes no time"),
        Field::required(
            "compute",
            Kind::Duration,
            "\"10 us\"",
            "Computation of every rank before the collective starts.",
        )
        .default("\"0 s\""),
    ],
};

static COLLECTIVES: &[Form] = &[
    Form::word("all_reduce", "Every rank ends with the sum of all vectors."),
    Form::word("all_gather", "Every rank ends with the parts of all ranks."),
    Form::word("reduce_scatter", "Every rank ends with its part of the sum."),
    Form::word("all_to_all", "Every rank sends another part to each rank."),
    Form::with("all_to_all_v", &UNEVEN, "The same with uneven parts."),
    Form::with("broadcast", &ROOTED, "Every rank ends with the vector of the root."),
    Form::with("reduce", &ROOTED, "The root ends with the sum of all vectors."),
    Form::with("gather", &ROOTED, "The root ends with the parts of all ranks."),
    Form::with("scatter", &ROOTED, "Every rank ends with its part of the root's vector."),
    Form::word("barrier", "No rank leaves before all have come; nothing is moved."),
    Form::with("send_receive", &PAIR, "One rank sends a vector to another."),
];

static ROOTED: Shape = Shape {
    title: "Root",
    text: "",
    fields: &[place("root", "3", "The place of the root in its group.").default("0")],
};

static PAIR: Shape = Shape {
    title: "Send–receive",
    text: "",
    fields: &[
        place("from", "0", "The place of the sender in its group.").default("0"),
        place("to", "8", "The place of the receiver, another one.").default("1"),
    ],
};

const fn place(name: &'static str, example: &'static str, text: &'static str) -> Field {
    let kind = Kind::Count { least: 0, most: super::fabric::CARDS - 1 };
    Field::required(name, kind, example, text)
}

static UNEVEN: Shape = Shape {
    title: "Uneven parts",
    text: "Parts rise in a straight line from (1 − x)/p of the buffer for the first rank to (1 + x)/p \
           for the last one, x being the imbalance: the last rank is a hot spot.",
    fields: &[Field::required(
        "imbalance",
        Kind::Percent,
        "\"20 %\"",
        "How much more than the mean the last rank gets, at most 100 %.",
    )],
};

const CHANNELS: Field = Field::required(
    "channels",
    Kind::Count { least: 1, most: 64 },
    "8",
    "How many rotated copies of the algorithm share the vector, so that all NICs of a server work.",
)
.depends("one per card of a supernode, up to 8");

static ALGORITHMS: &[Form] = &[
    Form::with("ring", &RING, "Around a ring, chunk by chunk."),
    Form::with("tree", &TREE, "A pair of binary trees, in a pipeline of chunks."),
    Form::with(
        "halving_doubling",
        &HALVING_DOUBLING,
        "Recursive halving and doubling; other counts than powers of two fold first.",
    ),
    Form::word("direct", "All peers at once."),
    Form::word("pairwise", "One partner at a time."),
    Form::word(
        "recursive",
        "Recursive halving (reduce-scatter) or doubling (all-gather); other counts than powers of two \
         fold first.",
    ),
    Form::word("nhr", "HCCL's non-uniform hierarchical ring: log steps for any count."),
    Form::word("bruck", "Log steps for any count: all-gather; all-to-all, with more bytes."),
    Form::word(
        "two_level",
        "All-to-all inside each supernode first, then between cards of one index.",
    ),
    Form::word("binomial", "A binomial tree from or to the root."),
    Form::with("chain", &CHAIN, "From rank to rank, in a pipeline of chunks."),
    Form::word("dissemination", "Empty messages over distances 1, 2, 4, …: a barrier."),
    Form::word("auto", "By a table of message size and group; what it chose is printed."),
    Form::with(
        "hierarchical",
        &HIERARCHICAL,
        "Reduce-scatter inside supernodes, all-reduce of each shard across, all-gather inside.",
    ),
];

static RING: Shape = Shape { title: "Ring", text: "", fields: &[CHANNELS] };

static CHAIN: Shape = Shape { title: "Chain", text: "", fields: &[CHANNELS, CHUNK] };

static TREE: Shape = Shape { title: "Tree", text: "", fields: &[CHANNELS, CHUNK] };

const CHUNK: Field = Field::required(
    "chunk",
    Kind::Size { least: 1 },
    "\"4 MiB\"",
    "The most that moves down the pipeline at a time.",
)
.default("\"4 MiB\"");

static HALVING_DOUBLING: Shape = Shape {
    title: "Halving–doubling",
    text: "",
    fields: &[Field::required(
        "order",
        Kind::OneOf(&[
            Form::word("distance_doubling", "Distances 1, 2, 4, …: most data at distance 1."),
            Form::word(
                "distance_halving",
                "Distances n/2, n/4, …, 1: most data over the longest distance.",
            ),
        ]),
        "distance_halving",
        "In which order partners meet.",
    )
    .default("distance_doubling")],
};

static OUTER_TREE: Shape = Shape { title: "Tree across supernodes", text: "", fields: &[CHUNK] };

static HIERARCHICAL: Shape = Shape {
    title: "Hierarchical",
    text: "Unequal supernodes are cut at the union of all their shard boundaries.",
    fields: &[
        Field::required(
            "inner",
            Kind::OneOf(&[
                Form::word("direct", "All peers of the supernode at once."),
                Form::word("ring", "Around a ring in the supernode."),
                Form::word("nhr", "HCCL's non-uniform hierarchical ring: log steps for any count."),
            ]),
            "direct",
            "The algorithm inside a supernode.",
        ),
        Field::required(
            "outer",
            Kind::OneOf(&[
                Form::word("ring", "Around a ring of supernodes."),
                Form::word("direct", "All supernodes at once."),
                Form::with(
                    "halving_doubling",
                    &HALVING_DOUBLING,
                    "Recursive halving and doubling.",
                ),
                Form::with("tree", &OUTER_TREE, "A pair of binary trees."),
            ]),
            "ring",
            "The algorithm across supernodes.",
        ),
    ],
};

/// A list of transfers.
pub(crate) static FLOWS: Shape = Shape {
    title: "Flows",
    text: "Rank r runs on a card by the placement, which is card r unless said otherwise.",
    fields: &[
        NAME,
        Field::required(
            "list",
            Kind::List { of: &Kind::Struct(&FLOW), least: 1 },
            "[(from: 0, to: 1, size: \"1 GB\")]",
            "The transfers.",
        ),
        PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
    ],
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
