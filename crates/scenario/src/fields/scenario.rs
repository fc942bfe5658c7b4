//! The fields of a scenario as a whole, and of its sweep.

use super::expect::EXPECTATIONS;
use super::fabric::{CLUSTER, EXPLICIT, STAR};
use super::jobs::JOBS;
use super::packets::ENGINE;
use super::workload::{COLLECTIVE, EXCHANGE, FLOWS};
use super::{Field, Form, Kind, Naming, Shape};

/// The whole file.
pub(crate) static SCENARIO: Shape = Shape {
    title: "The scenario",
    text: "The file holds one value in parentheses with these fields.",
    fields: &[
        Field::required(
            "schema",
            Kind::Count { least: 1, most: 1 },
            "1",
            "The version of this language.",
        ),
        Field::required("title", Kind::Text, "\"Do supernodes pay?\"", "What is compared."),
        Field::required(
            "question",
            Kind::Text,
            "\"How much slower is 4:1 than 1:1?\"",
            "The question that the results answer; they are printed under it.",
        )
        .default("\"\""),
        Field::required(
            "seed",
            Kind::Count { least: 0, most: u64::MAX },
            "42",
            "Where all random choices start (random placement, hashed paths). The same seed gives \
             the same results, byte for byte.",
        )
        .default("0"),
        ENGINE,
        Field::required(
            "fabrics",
            Kind::List { of: &FABRICS, least: 1 },
            "[(name: \"servers\", cards: 64, …)]",
            "The networks that are compared.",
        ),
        Field::required(
            "workloads",
            Kind::List { of: &WORKLOADS, least: 1 },
            "[(collective: all_reduce, …)]",
            "What runs on each of them, one at a time.",
        ),
        Field::required(
            "sweep",
            Kind::List { of: &Kind::Struct(&AXIS), least: 0 },
            "[(field: \"fabric.outside.ratio\", values: [\"1:1\", \"4:1\"])]",
            "Fields that take several values; every combination is a point.",
        )
        .default("[]"),
        Field::required(
            "expect",
            Kind::List { of: &Kind::OneOf(EXPECTATIONS), least: 0 },
            "[at_most(time: \"20 ms\")]",
            "Limits on the results; exit code 3 when one is missed.",
        )
        .default("[]"),
    ],
};

/// A fabric.
pub(crate) static FABRICS: Kind = Kind::OneOf(&[
    Form {
        name: "cluster",
        shape: Some(&CLUSTER),
        naming: Naming::Optional,
        text: "Supernodes (or servers, or single cards) under an outer Clos.",
    },
    Form::with("star", &STAR, "All cards on one switch that never blocks."),
    Form::with("explicit", &EXPLICIT, "Cards, switches and links, one by one."),
]);

/// A workload.
pub(crate) static WORKLOADS: Kind = Kind::OneOf(&[
    Form {
        name: "collective",
        shape: Some(&COLLECTIVE),
        naming: Naming::Optional,
        text: "A collective by a named algorithm.",
    },
    Form::with("flows", &FLOWS, "Listed transfers with their start times."),
    Form::with("exchange", &EXCHANGE, "An all-to-all-v by a table of sizes."),
    Form::with("jobs", &JOBS, "Several jobs at once, each against itself alone."),
]);

static AXIS: Shape = Shape {
    title: "Sweep axis",
    text: "Gives a field several values in turn. The value that stands in the fabric or workload is \
           replaced and may be left out there.",
    fields: &[
        Field::required(
            "field",
            Kind::Text,
            "\"fabric.outside.ratio\"",
            "The field: `seed`, or a field of every `fabric` or `workload` that has it, or of the \
             one named in brackets: `fabric[servers].cards`. Names of forms are not part of it.",
        ),
        Field::required(
            "label",
            Kind::Name,
            "\"ratio\"",
            "What the axis is called in results and in `expect`.",
        )
        .depends("the last word of the field"),
        Field::required(
            "values",
            Kind::Values,
            "[\"0.5:1\", \"1:1\", \"4:1\"]",
            "The values in the order of the results, each as the field takes it.",
        ),
        Field::required(
            "names",
            Kind::List { of: &Kind::Name, least: 0 },
            "[\"whole\", \"one dead spine\"]",
            "What the values are called in results and selectors, one name each.",
        )
        .default("[]"),
    ],
};
