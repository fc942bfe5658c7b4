//! The fields of placements.

use super::{Field, Form, Kind, Shape};

const PLACEMENTS: &[Form] = &[
    Form::word("linear", "Rank r on card r."),
    Form::word(
        "by_supernode",
        "Dealt to the supernodes in turn: neighbouring ranks sit in different ones. It fills rail \
             after rail (card index first).",
    ),
    Form::word("random", "A random card for each rank, by the seed of the scenario."),
    Form::with("strided", &STRIDED, "Cards 0, s, 2s, …, then 1, 1 + s, …"),
    Form::with(
        "fragmented",
        &FRAGMENTED,
        "Runs of neighbouring cards of a supernode, the runs in a random order by the seed.",
    ),
    Form::with("listed", &LISTED, "Rank r on the r-th card listed."),
    Form::with(
        "allocated",
        &ALLOCATED,
        "Some cards, drawn by the seed, are busy; as few supernodes as possible are taken, and how \
             many is told.",
    ),
];

/// Which card a rank runs on.
pub(crate) const PLACEMENT: Field =
    Field::required("placement", Kind::OneOf(PLACEMENTS), "random", "Which card a rank runs on.")
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

static ALLOCATED: Shape = Shape {
    title: "Allocated",
    text: "Supernodes with the most free cards first, whole; for the rest the one with the fewest free \
           cards that suffice.",
    fields: &[Field::required(
        "busy",
        Kind::Percent,
        "\"30 %\"",
        "How many of all cards are busy, rounded down to a card.",
    )],
};
