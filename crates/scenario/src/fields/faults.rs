//! The fields of what is broken.

use super::fabric::CARDS;
use super::{Field, Form, Kind, Shape};

static FAULT: Kind = Kind::OneOf(&[
    Form::with("dead_link", &DEAD_LINK, "Links between two nodes carry nothing, either way."),
    Form::with("slow_link", &SLOW_LINK, "Links between two nodes are slower, both ways."),
    Form::with("dead_switch", &DEAD_NODE, "All links of a switch carry nothing."),
    Form::with("slow_node", &SLOW_NODE, "All links of a card or switch are slower."),
    Form::with("cut_uplinks", &CUT_UPLINKS, "A supernode has lost its links to the outer fabric."),
]);

/// What is broken from the start of the run.
pub(super) const FAULTS: Field = Field::required(
    "faults",
    Kind::List { of: &FAULT, least: 0 },
    "[dead_link(from: \"leaf 3\", to: \"spine 0\")]",
    "What is broken from the start; routes avoid what is dead and spray in proportion to what is \
     left. Nodes are named as in results: card 17, leaf 3, spine 0, aggregation switch 2, core 1, \
     plane switch 0, border switch 5, or as an explicit fabric names them.",
)
.default("[]");

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

static DEAD_LINK: Shape =
    Shape { title: "Dead link", text: "A link that is down.", fields: &[FROM, TO, COUNT] };

static SLOW_LINK: Shape = Shape {
    title: "Slow link",
    text: "A link that runs below its bandwidth.",
    fields: &[FROM, TO, COUNT, SPEED],
};

static DEAD_NODE: Shape = Shape {
    title: "Dead switch",
    text: "A switch that is down.",
    fields: &[Field::required("name", Kind::Text, "\"spine 0\"", "The switch.")],
};

static SLOW_NODE: Shape = Shape {
    title: "Slow card or switch",
    text: "A card or switch whose links all run below their bandwidth.",
    fields: &[Field::required("name", Kind::Text, "\"card 17\"", "The card or switch."), SPEED],
};

static CUT_UPLINKS: Shape = Shape {
    title: "Cut uplinks",
    text: "A supernode that only talks within itself.",
    fields: &[Field::required(
        "supernode",
        Kind::Count { least: 0, most: CARDS },
        "3",
        "The supernode, counted from 0.",
    )],
};
