//! The fields of several jobs at once.

use super::fabric::CARDS;
use super::placement::JOB_PLACEMENT;
use super::stragglers::STRAGGLERS;
use super::workload::{
    COMPUTE, GROUPING, GROUPS, HOW, PER_MESSAGE, PER_STEP, REDUCE_BANDWIDTH, SIZE, SIZES, WHAT,
};
use super::{Field, Kind, Shape};

/// The most repetitions of a job: the events of all of them are simulated.
const REPETITIONS: u64 = 100_000;

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
            Kind::List { of: &Kind::Struct(&JOB), least: 1 },
            "[(name: \"a\", ranks: 8, collective: all_to_all, algorithm: direct, size: \"1 MB\")]",
            "The jobs, at most 256, in the order in which they take their cards.",
        ),
    ],
};

static JOB: Shape = Shape {
    title: "Job",
    text: "A collective of its own ranks, once or in rounds. A rank begins a round when it has done the \
           one before; there is no barrier between ranks.",
    fields: &[
        Field::required(
            "name",
            Kind::Name,
            "\"training\"",
            "What the job is called in results and in `expect`; no two jobs share a name.",
        ),
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
        Field::required("start", Kind::Duration, "\"5 ms\"", "When the job starts.")
            .default("\"0 s\""),
        Field::required(
            "repetitions",
            Kind::Count { least: 1, most: REPETITIONS },
            "10",
            "How many rounds of `compute` and the collective.",
        )
        .default("1"),
        Field::required(
            "period",
            Kind::Duration,
            "\"20 ms\"",
            "Round k begins k periods after the start, or when the rank has done round k − 1, \
             whichever is later.",
        )
        .depends("rounds follow each other at once"),
    ],
};
