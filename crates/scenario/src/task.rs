//! What the ranks of a job do.

use std::num::NonZeroU32;

use collectives::{Algorithm, Collective, Flow, Grouping, Plan, RankId, Request, Sizing};
use units::{Bytes, Duration, Time};

use crate::algorithm::{algorithm, collective};
use crate::value::{Fields, Value};

/// What runs.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Collective(CollectiveTask),
    Flows(Vec<Flow>),
    Exchange(Vec<Vec<Bytes>>),
}

/// A collective with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct CollectiveTask {
    pub(crate) collective: Collective,
    pub(crate) algorithm: Algorithm,
    /// The words of the file for both.
    pub(crate) words: (String, String),
    pub(crate) size: Bytes,
    pub(crate) sizing: Sizing,
    /// All cards unless given.
    pub(crate) ranks: Option<u32>,
    pub(crate) groups: NonZeroU32,
    pub(crate) grouping: Grouping,
    pub(crate) compute: Duration,
}

impl Task {
    /// The task that a workload of a form describes.
    pub(crate) fn new(form: &str, fields: &Fields) -> Self {
        match form {
            "flows" => Self::Flows(fields.list("list").iter().map(flow).collect()),
            "exchange" => Self::Exchange(fields.list("table").iter().map(row).collect()),
            _ => Self::Collective(CollectiveTask::new(fields)),
        }
    }

    /// The collective and the algorithm in the words of the file.
    pub(crate) fn both_words(&self) -> (&str, &str) {
        match self {
            Self::Collective(job) => (&job.words.0, &job.words.1),
            Self::Flows(_) => ("flows", "flows"),
            Self::Exchange(_) => ("exchange", "exchange"),
        }
    }

    /// The same as one text.
    pub(crate) fn words(&self) -> String {
        match self.both_words() {
            (collective, algorithm) if collective == algorithm => collective.to_owned(),
            (collective, algorithm) => format!("{collective} {algorithm}"),
        }
    }

    /// The plan of a schedule that the file lists.
    pub(crate) fn listed(&self, schedule: collectives::Schedule) -> Plan {
        Plan { schedule, size: self.size(), channels: 1, choice: None }
    }

    /// How many groups the ranks form, and which belong together: all of them where the file lists flows.
    pub(crate) const fn groups(&self) -> (u32, Grouping) {
        match self {
            Self::Collective(task) => (task.groups.get(), task.grouping),
            Self::Flows(_) | Self::Exchange(_) => (1, Grouping::Consecutive),
        }
    }

    /// The highest rank that a list or table names; 0 for a collective.
    pub(crate) fn most_rank(&self) -> u32 {
        match self {
            Self::Collective(_) => 0,
            Self::Flows(flows) => {
                flows.iter().map(|flow| flow.src.0.max(flow.dst.0)).max().unwrap_or(0)
            }
            Self::Exchange(table) => table.len() as u32 - 1,
        }
    }

    /// The size asked for: of one rank's buffer (the largest of a table), or of all flows together.
    pub(crate) fn size(&self) -> Bytes {
        let sum = |sizes: &mut dyn Iterator<Item = Bytes>| {
            Bytes::new(sizes.fold(0_u64, |sum, size| sum.saturating_add(size.as_u64())))
        };
        match self {
            Self::Collective(job) => job.size,
            Self::Flows(flows) => sum(&mut flows.iter().map(|flow| flow.bytes)),
            Self::Exchange(table) => {
                let rows = table.iter().map(|row| sum(&mut row.iter().copied()));
                rows.max().unwrap_or(Bytes::ZERO)
            }
        }
    }
}

impl CollectiveTask {
    fn new(fields: &Fields) -> Self {
        let words = (fields.form("collective").0.to_owned(), fields.form("algorithm").0.to_owned());
        let groups = NonZeroU32::new(fields.count32("groups"));
        Self {
            collective: collective(fields.get("collective")),
            algorithm: algorithm(fields.get("algorithm")),
            words,
            size: fields.size("size"),
            sizing: match fields.form("sizes").0 {
                "aligned" => Sizing::Aligned,
                _ => Sizing::Exact,
            },
            ranks: fields.count32_if_given("ranks"),
            groups: groups.expect("the table wants at least one group"),
            grouping: match fields.form("grouping").0 {
                "strided" => Grouping::Strided,
                _ => Grouping::Consecutive,
            },
            compute: fields.duration("compute"),
        }
    }
}

impl CollectiveTask {
    /// What `collectives` is asked to plan.
    pub(crate) fn request<'a>(
        &self,
        ranks: u32,
        groups: &'a [collectives::Group],
        size: Bytes,
    ) -> Request<'a> {
        Request {
            ranks,
            groups,
            collective: self.collective,
            algorithm: self.algorithm,
            size,
            sizing: self.sizing,
            start: Time::ZERO,
            compute: self.compute,
        }
    }
}

fn row(value: &Value) -> Vec<Bytes> {
    value.items().iter().map(Value::size).collect()
}

fn flow(value: &Value) -> Flow {
    let fields = value.fields();
    Flow {
        src: RankId(fields.count32("from")),
        dst: RankId(fields.count32("to")),
        bytes: fields.size("size"),
        start: Time::from_picos(fields.duration("start").as_picos()),
        compute: fields.duration("compute"),
    }
}
