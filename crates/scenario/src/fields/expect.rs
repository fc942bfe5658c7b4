//! The fields of expectations.

use super::{Field, Form, Kind, Shape};

const OF: Field = Field::required(
    "of",
    Kind::Struct(&SELECTOR),
    "(fabric: \"servers\", at: {\"ratio\": \"1:1\"})",
    "Which points are meant.",
)
.default("()");

const TIME: Field = Field::required("time", Kind::Duration, "\"20 ms\"", "The completion time.");

/// What may be expected.
pub(crate) static EXPECTATIONS: &[Form] = &[
    Form::with("at_most", &AT_MOST, "Each point takes at most a time."),
    Form::with("at_least", &AT_LEAST, "Each point takes at least a time."),
    Form::with("within", &WITHIN, "Each point takes a time, give or take."),
    Form::with("equal", &EQUAL, "An axis makes no difference, or a small one."),
    Form::with("faster", &FASTER, "Each point is faster than its counterparts."),
    Form::with("slowdown", &SLOWDOWN, "How much longer a job takes beside the others than alone."),
];

static AT_MOST: Shape = Shape {
    title: "At most",
    text: "Each point meant takes at most this time.",
    fields: &[OF, TIME],
};

static AT_LEAST: Shape = Shape {
    title: "At least",
    text: "Each point meant takes at least this time.",
    fields: &[OF, TIME],
};

static WITHIN: Shape = Shape {
    title: "Within",
    text: "Each point meant takes this time, give or take a part of it.",
    fields: &[
        OF,
        TIME,
        Field::required("tolerance", Kind::Percent, "\"0.5 %\"", "The part, up to 100 %."),
    ],
};

static EQUAL: Shape = Shape {
    title: "Equal",
    text: "Of the points meant, those that differ only along an axis take the same time.",
    fields: &[
        OF,
        Field::required(
            "across",
            Kind::Name,
            "\"ratio\"",
            "The axis by its label, or `fabric`, or `workload`; where `engine` is `both`, `engine` is one.",
        ),
        Field::required(
            "tolerance",
            Kind::Percent,
            "\"1 %\"",
            "By which part of the time of the first of them the others may differ.",
        )
        .depends("not by a picosecond"),
    ],
};

static FASTER: Shape = Shape {
    title: "Faster",
    text: "Each point meant takes less time than its counterparts: the points of the second kind \
           with the same swept values, but for axes that one of the two selectors names.",
    fields: &[
        OF,
        Field::required(
            "than",
            Kind::Struct(&SELECTOR),
            "(fabric: \"servers\")",
            "The points that take longer.",
        ),
    ],
};

static SLOWDOWN: Shape = Shape {
    title: "Slowdown",
    text: "The job's time beside the others over its time alone, in each point meant that has the job.",
    fields: &[
        OF,
        Field::required("job", Kind::Name, "\"training\"", "The job by its name."),
        Field::required("at_least", Kind::Ratio, "\"1.2:1\"", "The least slowdown.")
            .depends("no limit"),
        Field::required("at_most", Kind::Ratio, "\"3:2\"", "The largest slowdown.")
            .depends("no limit"),
    ],
};

/// Which points an expectation is about.
static SELECTOR: Shape = Shape {
    title: "Selector",
    text: "Means the points that meet all that is given; `()` means all points.",
    fields: &[
        Field::required("fabric", Kind::Name, "\"servers\"", "The fabric by its name.")
            .depends("any"),
        Field::required("workload", Kind::Name, "\"ring\"", "The workload by its name.")
            .depends("any"),
        Field::required("collective", Kind::Name, "\"all_reduce\"", "The collective, or `flows`.")
            .depends("any"),
        Field::required("algorithm", Kind::Name, "\"ring\"", "The algorithm by its first word.")
            .depends("any"),
        Field::required(
            "at",
            Kind::Labels,
            "{\"ratio\": [\"0.5:1\", \"1:1\"]}",
            "Values of sweep axes by label, as they are written in the sweep.",
        )
        .default("{}"),
    ],
};
