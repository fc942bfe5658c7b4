//! The forms of collectives and algorithms.

use super::{Field, Form, Kind, Shape};

/// What is done.
pub(super) static COLLECTIVES: &[Form] = &[
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

/// How it is done.
pub(super) static ALGORITHMS: &[Form] = &[
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
    Form::with(
        "in_network",
        &IN_NETWORK,
        "By switches that add up what comes and send one message to all: those of one supernode (as NVLS) if \
         they are `switches: reduce` and hold the group, else a tree of the outer ones (as SHARP).",
    ),
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

static IN_NETWORK: Shape = Shape {
    title: "In-network",
    text: "All-reduce, all-gather, reduce-scatter, broadcast and reduce.",
    fields: &[Field::required(
        "chunk",
        Kind::Size { least: 1 },
        "\"128 KiB\"",
        "The most that the switches add up before they send the sum on.",
    )
    .default("\"128 KiB\"")],
};

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
