//! The fields of several jobs at once.

use super::fabric::CARDS;
use super::placement::JOB_PLACEMENT;
use super::stragglers::STRAGGLERS;
use super::workload::{
    CLASS, COMPUTE, GROUPING, GROUPS, HOW, LIST, PER_MESSAGE, PER_STEP, REDUCE_BANDWIDTH, SIZE,
    SIZES, WHAT,
};
use super::{Field, Form, Kind, Naming, Shape};

/// The most repetitions of a job: the events of all of them are simulated.
const MOST_REPETITIONS: u64 = 100_000;

/// Several jobs.
pub(crate) static JOBS: Shape = Shape {
    title: "Jobs",
    text: "Jobs that share the fabric, all at once. Each is also run alone, on the same cards of the \
           same fabric, and how much longer it takes beside the others is told as its slowdown.",
    fields: &[
        Field::required(
            "name",
            Kind::Name,
            "\"two trainings\"",
            "What the workload is called in `expect` and on the command line; no two share a name.",
        )
        .depends("`jobs`"),
        Field::required(
            "jobs",
            Kind::List { of: &Kind::OneOf(&JOB_FORMS), least: 1 },
            "[(name: \"a\", ranks: 8, collective: all_to_all, algorithm: direct, size: \"1 MB\")]",
            "The jobs, at most 256, in the order in which they take their cards.",
        ),
    ],
};

static JOB_FORMS: [Form; 2] = [
    Form {
        name: "collective",
        shape: Some(&JOB),
        naming: Naming::Optional,
        text: "A collective of the job's own ranks.",
    },
    Form::with("flows", &FLOWS_JOB, "Listed transfers, such as what is written to storage."),
];

const JOB_NAME: Field = Field::required(
    "name",
    Kind::Name,
    "\"training\"",
    "What the job is called in results and in `expect`; no two jobs share a name.",
);

const START: Field =
    Field::required("start", Kind::Duration, "\"5 ms\"", "When the job starts.").default("\"0 s\"");

const REPETITIONS: Field = Field::required(
    "repetitions",
    Kind::Count { least: 1, most: MOST_REPETITIONS },
    "10",
    "How many rounds of what the job does.",
)
.default("1");

const PERIOD: Field = Field::required(
    "period",
    Kind::Duration,
    "\"20 ms\"",
    "Round k begins k periods after the start, or when the rank has done round k − 1, \
     whichever is later.",
)
.depends("rounds follow each other at once");

static FLOWS_JOB: Shape = Shape {
    title: "Job of flows",
    text: "Transfers between the job's own ranks, as many as the list names, once or in rounds.",
    fields: &[
        JOB_NAME,
        LIST,
        JOB_PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
        STRAGGLERS,
        CLASS,
        START,
        REPETITIONS,
        PERIOD,
    ],
};

static JOB: Shape = Shape {
    title: "Job",
    text: "A collective of its own ranks, once or in rounds. A rank begins a round when it has done the \
           one before; there is no barrier between ranks.",
    fields: &[
        JOB_NAME,
        WHAT,
        HOW,
        SIZE,
        SIZES,
        Field::required(
            "ranks",
            Kind::Count { least: 1, most: CARDS },
            "1024",
            "How many ranks the job has, at most one on each card.",
        ),
        GROUPS,
        GROUPING,
        JOB_PLACEMENT,
        PER_STEP,
        PER_MESSAGE,
        REDUCE_BANDWIDTH,
        COMPUTE,
        STRAGGLERS,
        CLASS,
        START,
        REPETITIONS,
        PERIOD,
    ],
};
