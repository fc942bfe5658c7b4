//! The fields of a file of presets.

use super::fabric::{HARDWARE, NICS, SUPERNODE};
use super::outside::OUTSIDES;
use super::{Field, Kind, Shape};

/// A file of presets.
pub(crate) static PRESETS: Shape = Shape {
    title: "Presets",
    text: "Named parts of fabrics.",
    fields: &[Field::required(
        "presets",
        Kind::List { of: &Kind::Struct(&PRESET), least: 1 },
        "[(name: \"mine\", …)]",
        "The presets, each with a name of its own.",
    )],
};

static PRESET: Shape = Shape {
    title: "Preset",
    text: "A supernode, NICs, an outer fabric, or several of them, as in a cluster.",
    fields: &[
        Field::required("name", Kind::Name, "\"mine\"", "What it is called."),
        Field::required("text", Kind::Text, "\"what it is\"", "What it is.").default("\"\""),
        Field::required(
            "supernode",
            Kind::Struct(&SUPERNODE),
            "(cards: 8, inside: full_mesh, …)",
            "What `supernode: preset(\"mine\")` stands for.",
        )
        .depends("none"),
        Field::required(
            "nics",
            Kind::Struct(&NICS),
            "(per_card: 1, bandwidth: \"400 Gb/s\", …)",
            "What `nics: preset(\"mine\")` stands for.",
        )
        .depends("none"),
        Field::required(
            "outside",
            Kind::OneOf(&OUTSIDES),
            "leaf_spine(leaf_ports: 64, ratio: \"4:1\", …)",
            "What `outside: preset(\"mine\")` stands for.",
        )
        .depends("none"),
        HARDWARE,
    ],
};
