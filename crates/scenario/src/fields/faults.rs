//! The fields of what is broken.

use super::fabric::CARDS;
use super::{Field, Form, Kind, Shape};

static FAULT: Kind = Kind::OneOf(&[
    Form::with("dead_link", &DEAD_LINK, "Links between two nodes carry nothing, either way."),
    Form::with("slow_link", &SLOW_LINK, "Links between two nodes are slower, both ways."),
    Form::with("dead_node", &DEAD_NODE, "All links of a card or switch carry nothing."),
    Form::with("slow_node", &SLOW_NODE, "All links of a card or switch are slower."),
    Form::with("cut_uplinks", &CUT_UPLINKS, "A supernode has lost its links to the outer fabric."),
]);

/// What is broken or breaks during the run.
pub(super) const FAULTS: Field = Field::required(
    "faults",
    Kind::List { of: &FAULT, least: 0 },
    "[dead_link(from: \"leaf 3\", to: \"spine 0\", at: \"20 ms\")]",
    "What is broken from the start or breaks during the run; routes avoid what is dead and spray in \
     proportion to what is left. Nodes are named as in results: card 17, leaf 3, spine 0, aggregation switch 2, core 1, \
     plane switch 0, border switch 5, or as an explicit fabric names them.",
)
.default("[]");

/// How long routes take to follow.
pub(super) const REROUTE_AFTER: Field = Field::required(
    "reroute_after",
    Kind::Duration,
    "\"10 ms\"",
    "How long after links have died or come back during the run the routes are computed anew; until \
     then what crosses a dead link stands still. `0 s`: at once, which is the best case.",
)
.depends("must be given if something dies or comes back during the run");

const AT: Field = Field::required(
    "at",
    Kind::Duration,
    "\"20 ms\"",
    "When it strikes, from the start of the run.",
)
.depends("before the start; the first routes know of it");
const UNTIL: Field =
    Field::required("until", Kind::Duration, "\"50 ms\"", "When it is repaired, after `at`.")
        .depends("never");

const FROM: Field = Field::required("from", Kind::Text, "\"leaf 3\"", "One end of the link.");
const TO: Field = Field::required("to", Kind::Text, "\"spine 0\"", "The other end.");
const COUNT: Field = Field::required(
    "count",
    Kind::Count { least: 1, most: 1_000_000 },
    "1",
    "How many of the parallel links between them.",
)
.default("1");
const SPEED: Field = Field::required(
    "speed",
    Kind::Percent,
    "\"50 %\"",
    "What is left of the bandwidth, below 100 %.",
);

static DEAD_LINK: Shape = Shape {
    title: "Dead link",
    text: "A link that is down.",
    fields: &[FROM, TO, COUNT, AT, UNTIL],
};

static SLOW_LINK: Shape = Shape {
    title: "Slow link",
    text: "A link that runs below its bandwidth.",
    fields: &[FROM, TO, COUNT, SPEED, AT, UNTIL],
};

static DEAD_NODE: Shape = Shape {
    title: "Dead card or switch",
    text: "A card or switch all of whose links are down. A dead card neither sends nor receives.",
    fields: &[Field::required("name", Kind::Text, "\"spine 0\"", "The card or switch."), AT, UNTIL],
};

static SLOW_NODE: Shape = Shape {
    title: "Slow card or switch",
    text: "A card or switch whose links all run below their bandwidth.",
    fields: &[
        Field::required("name", Kind::Text, "\"card 17\"", "The card or switch."),
        SPEED,
        AT,
        UNTIL,
    ],
};

static CUT_UPLINKS: Shape = Shape {
    title: "Cut uplinks",
    text: "A supernode that only talks within itself.",
    fields: &[
        Field::required(
            "supernode",
            Kind::Count { least: 0, most: CARDS },
            "3",
            "The supernode, counted from 0.",
        ),
        AT,
        UNTIL,
    ],
};
