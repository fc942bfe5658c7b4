//! The fields of placements.

use super::{Field, Form, Kind, Shape};

const LINEAR: Form = Form::word("linear", "Rank r on card r.");
const BY_SUPERNODE: Form = Form::word(
    "by_supernode",
    "Dealt to the supernodes in turn: neighbouring ranks sit in different ones. It fills rail after \
     rail (card index first).",
);
const RAIL: Form = Form::word(
    "rail",
    "Each group on one rail, the cards with one index in their supernodes, in the order of these; rails \
     are filled in their order, and what is left after the last whole group of one stays free. Flows and \
     exchanges are one group.",
);
const RANDOM: Form =
    Form::word("random", "A random card for each rank, by the seed of the scenario.");
const STRIDED_CARDS: Form = Form::with("strided", &STRIDED, "Cards 0, s, 2s, …, then 1, 1 + s, …");
const RUNS: Form = Form::with(
    "fragmented",
    &FRAGMENTED,
    "Runs of neighbouring cards of a supernode, the runs in a random order by the seed.",
);
const LISTED_CARDS: Form = Form::with("listed", &LISTED, "Rank r on the r-th card listed.");
const ALLOCATION: Form = Form::with(
    "allocated",
    &ALLOCATED,
    "Some cards, drawn by the seed, are busy; as few supernodes as possible are taken, and how many \
     is told.",
);

const PLACEMENTS: &[Form] =
    &[LINEAR, BY_SUPERNODE, RAIL, RANDOM, STRIDED_CARDS, RUNS, LISTED_CARDS, ALLOCATION];

/// Which card a rank runs on.
pub(crate) const PLACEMENT: Field =
    Field::required("placement", Kind::OneOf(PLACEMENTS), "random", "Which card a rank runs on.")
        .default("linear");

const JOB_PLACEMENTS: &[Form] = &[
    LINEAR,
    BY_SUPERNODE,
    RAIL,
    RANDOM,
    STRIDED_CARDS,
    RUNS,
    LISTED_CARDS,
    Form::with("shared", &SHARED, "As `listed`, and the cards may belong to other jobs as well."),
    ALLOCATION,
];

/// Which card a rank of a job runs on.
pub(crate) const JOB_PLACEMENT: Field = Field::required(
    "placement",
    Kind::OneOf(JOB_PLACEMENTS),
    "allocated()",
    "Which card a rank runs on, among those that no earlier job has taken, in their order.",
)
.default("linear");

static STRIDED: Shape = Shape {
    title: "Strided",
    text: "",
    fields: &[Field::required(
        "stride",
        Kind::Count { least: 1, most: super::fabric::CARDS },
        "8",
        "From card to card.",
    )],
};

static FRAGMENTED: Shape = Shape {
    title: "Fragmented",
    text: "",
    fields: &[Field::required(
        "run",
        Kind::Count { least: 1, most: super::fabric::CARDS },
        "4",
        "The cards of a run; the last run of a supernode may be shorter.",
    )],
};

static LISTED: Shape = Shape {
    title: "Listed cards",
    text: "",
    fields: &[Field::required(
        "cards",
        Kind::List { of: &Kind::Count { least: 0, most: super::fabric::CARDS - 1 }, least: 1 },
        "[0, 8, 16, 24]",
        "Cards by number, each once, at least as many as ranks.",
    )],
};

static SHARED: Shape = Shape {
    title: "Shared cards",
    text: "",
    fields: &[Field::required(
        "cards",
        Kind::List { of: &Kind::Count { least: 0, most: super::fabric::CARDS - 1 }, least: 1 },
        "[0, 8, 16, 24]",
        "Cards by number, each once, at least as many as ranks; other jobs may run there as well.",
    )],
};

static ALLOCATED: Shape = Shape {
    title: "Allocated",
    text: "Supernodes with the most free cards first, whole; for the rest the one with the fewest free \
           cards that suffice.",
    fields: &[Field::required(
        "busy",
        Kind::Percent,
        "\"30 %\"",
        "How many of all cards are busy, rounded down to a card; cards of earlier jobs are so anyway.",
    )
    .depends("none")],
};
