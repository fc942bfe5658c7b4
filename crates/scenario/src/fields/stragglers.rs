//! The fields of ranks that are late or slow.

use super::fabric::CARDS;
use super::{Field, Kind, Shape};

/// Who is late or slow.
pub(super) const STRAGGLERS: Field = Field::required(
    "stragglers",
    Kind::Struct(&WHO),
    "(late: [(ranks: [3], by: \"5 ms\")])",
    "Ranks that start late or are slow.",
)
.default("()");

static WHO: Shape = Shape {
    title: "Stragglers",
    text: "Ranks are counted from 0 within the workload or job. A card whose links are slow is a fault \
           of the fabric: `slow_node`.",
    fields: &[
        Field::required(
            "late",
            Kind::List { of: &Kind::Struct(&LATE), least: 0 },
            "[(ranks: [3, 4], by: \"5 ms\")]",
            "Ranks that start later than the others.",
        )
        .default("[]"),
        Field::required(
            "jitter",
            Kind::Duration,
            "\"20 us\"",
            "Every rank starts later by a random time from nothing to this, by the seed, beside what \
             `late` says.",
        )
        .default("\"0 s\""),
        Field::required(
            "slow",
            Kind::List { of: &Kind::Struct(&SLOW), least: 0 },
            "[(ranks: [7], factor: \"3:2\")]",
            "Ranks that compute, add up and start steps and messages more slowly.",
        )
        .default("[]"),
        Field::required(
            "clocks",
            Kind::List { of: &Kind::Struct(&CLOCK), least: 0 },
            "[(ranks: [7], ahead: \"1 ms\")]",
            "Ranks whose clocks are ahead of the run: it changes no result, the notes tell when they \
             end by their own clock.",
        )
        .default("[]"),
    ],
};

const RANKS: Field = Field::required(
    "ranks",
    Kind::List { of: &Kind::Count { least: 0, most: CARDS - 1 }, least: 1 },
    "[3, 4]",
    "Which ranks; none stands twice in the whole list.",
);

static LATE: Shape = Shape {
    title: "Late ranks",
    text: "",
    fields: &[
        RANKS,
        Field::required(
            "by",
            Kind::Duration,
            "\"5 ms\"",
            "How much later, in every round of a job.",
        ),
    ],
};

static SLOW: Shape = Shape {
    title: "Slow ranks",
    text: "",
    fields: &[
        RANKS,
        Field::required(
            "factor",
            Kind::Factor,
            "\"3:2\"",
            "By what `compute`, `per_step`, `per_message` and the time to add up are multiplied, each \
             rounded up to 1 ps.",
        ),
    ],
};

static CLOCK: Shape = Shape {
    title: "Clocks",
    text: "",
    fields: &[
        RANKS,
        Field::required("ahead", Kind::Duration, "\"1 ms\"", "How far the clock is ahead."),
    ],
};
