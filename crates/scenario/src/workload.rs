//! From the checked fields of a workload to schedules.

use std::num::NonZeroU32;

use collectives::{
    Algorithm, Collective, Flow, Grouping, Placement, Plan, RankId, Request, Sizing,
};
use engine::Costs;
use topology::{CardId, Fabric};
use units::{Bytes, Duration, Time};

use crate::algorithm::{algorithm, collective};
use crate::document::Place;
use crate::fabric::blamed;
use crate::value::{Fields, Value};
use crate::{Keys, Problem, Purpose};

/// A workload of the scenario with its values.
#[derive(Clone, Debug)]
pub(crate) struct WorkloadCase {
    pub(crate) name: String,
    pub(crate) job: Job,
    pub(crate) placement: Placement,
    pub(crate) costs: Costs,
}

/// What runs.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    Collective(CollectiveJob),
    Flows(Vec<Flow>),
    Exchange(Vec<Vec<Bytes>>),
}

/// A collective with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct CollectiveJob {
    pub(crate) collective: Collective,
    pub(crate) algorithm: Algorithm,
    /// The words of the file for both.
    pub(crate) words: (String, String),
    pub(crate) size: Bytes,
    sizing: Sizing,
    /// All cards unless given.
    ranks: Option<u32>,
    groups: NonZeroU32,
    grouping: Grouping,
    compute: Duration,
}

/// A workload on a fabric: who sits where and does what.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The card of each rank.
    pub(crate) cards: Vec<CardId>,
    pub(crate) plan: Plan,
    /// How many ranks each group has.
    pub(crate) group_ranks: u32,
}

/// Why a workload cannot run on a fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The ranks do not divide among the groups.
    Groups { ranks: u32, groups: u32 },
    /// What `collectives` says.
    Refused(collectives::Refusal),
}

impl WorkloadCase {
    /// The workload that `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        let (form, _) = value.form();
        let fields = value.fields();
        let job = match form {
            "flows" => Job::Flows(fields.list("list").iter().map(flow).collect()),
            "exchange" => Job::Exchange(fields.list("table").iter().map(row).collect()),
            _ => Job::Collective(CollectiveJob::new(fields)),
        };
        Self {
            name: fields.text_if_given("name").unwrap_or_else(|| job.words()),
            placement: placement(fields.get("placement")),
            costs: Costs {
                per_step: fields.duration("per_step"),
                per_message: fields.duration("per_message"),
                reduce: match form {
                    "flows" | "exchange" => None,
                    _ => fields.bandwidth_if_given("reduce_bandwidth"),
                },
            },
            job,
        }
    }

    /// Refuses what no fabric can make right: a collective that the algorithm does not perform, a
    /// flow from a rank to itself.
    pub(crate) fn check(&self) -> Result<(), Unfit> {
        match &self.job {
            Job::Flows(flows) => {
                collectives::flows(self.job.most_rank() + 1, flows)?;
            }
            Job::Collective(job) => {
                let pair = collectives::Group {
                    ranks: vec![RankId(0), RankId(1)],
                    supernodes: vec![topology::SupernodeId(0); 2],
                };
                match collectives::plan(&job.request(2, &[pair], Bytes::ZERO)) {
                    // Larger groups may have the place.
                    Ok(_) | Err(collectives::Refusal::UnknownPlace { .. }) => {}
                    Err(refusal) => return Err(refusal.into()),
                }
            }
            Job::Exchange(table) => {
                collectives::exchange(table)?;
            }
        }
        Ok(())
    }

    /// Puts the workload on a fabric and plans it.
    pub(crate) fn place(&self, fabric: &Fabric, keys: Keys) -> Result<Placed, Unfit> {
        let ranks = match &self.job {
            Job::Collective(job) => job.ranks.unwrap_or(fabric.cards()),
            Job::Flows(_) | Job::Exchange(_) => self.job.most_rank() + 1,
        };
        let mut generator = keys.generator(Purpose::Placement, 0);
        let cards = collectives::place(&self.placement, ranks, fabric, &mut generator)?;
        match &self.job {
            Job::Flows(flows) => {
                let plan = self.job.listed(collectives::flows(ranks, flows)?);
                Ok(Placed { cards, plan, group_ranks: ranks })
            }
            Job::Exchange(table) => {
                let plan = self.job.listed(collectives::exchange(table)?);
                Ok(Placed { cards, plan, group_ranks: ranks })
            }
            Job::Collective(job) => {
                let groups = job.groups.get();
                if !ranks.is_multiple_of(groups) {
                    return Err(Unfit::Groups { ranks, groups });
                }
                let size = ranks / groups;
                let groups = collectives::group_ranks(job.grouping, size, &cards, fabric)?;
                let plan = collectives::plan(&job.request(ranks, &groups, job.size))?;
                Ok(Placed { cards, plan, group_ranks: size })
            }
        }
    }
}

impl From<collectives::Refusal> for Unfit {
    fn from(refusal: collectives::Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Job {
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
    fn listed(&self, schedule: collectives::Schedule) -> Plan {
        Plan { schedule, size: self.size(), channels: 1, choice: None }
    }

    /// The highest rank that a list or table names; 0 for a collective.
    fn most_rank(&self) -> u32 {
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

impl CollectiveJob {
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

impl CollectiveJob {
    /// What `collectives` is asked to plan.
    fn request<'a>(
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

fn placement(value: &Value) -> Placement {
    match value.form() {
        ("by_supernode", _) => Placement::BySupernode,
        ("random", _) => Placement::Random,
        ("strided", Some(fields)) => Placement::Strided { stride: fields.count32("stride") },
        ("fragmented", Some(fields)) => Placement::Fragmented { run: fields.count32("run") },
        ("listed", Some(fields)) => {
            let cards = fields.list("cards").iter().map(|card| CardId(card.count32()));
            Placement::Listed { cards: cards.collect() }
        }
        ("allocated", Some(fields)) => {
            let busy_ppm = u32::try_from(fields.percent("busy")).unwrap_or(u32::MAX);
            Placement::Allocated { busy_ppm }
        }
        _ => Placement::Linear,
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

/// The problem of a workload that cannot run (on the fabric called `fabric`, or on any), at the field
/// to blame.
pub(crate) fn refused(value: &Value, path: &str, fabric: Option<&str>, unfit: &Unfit) -> Problem {
    use collectives::Refusal;
    let (names, found): (&[&str], String) = match unfit {
        Unfit::Groups { ranks, groups } => {
            (&["groups"], format!("{ranks} ranks do not divide into {groups} groups of equal size"))
        }
        Unfit::Refused(refusal) => {
            if let Refusal::FlowToItself { flow, .. } = refusal {
                return flow_refused(value, path, *flow, refusal);
            }
            let names: &[&str] = match refusal {
                Refusal::NotOffered { .. }
                | Refusal::Channels { .. }
                | Refusal::ChunkTooSmall { .. }
                | Refusal::TooManyChunks { .. }
                | Refusal::TooManyPairs { .. }
                | Refusal::TooManyPieces { .. }
                | Refusal::UnequalSupernodes { .. } => &["algorithm"],
                Refusal::UnknownPlace { .. }
                | Refusal::SendToItself { .. }
                | Refusal::Imbalance { .. } => &["collective"],
                Refusal::UnevenTable { .. } => &["table"],
                Refusal::UnknownCard { .. } | Refusal::RepeatedCard { .. } => &["placement"],
                Refusal::TooSmallToAlign { .. } | Refusal::BarrierOfBytes { .. } => &["size"],
                Refusal::TooManyRanks { .. } => &["ranks", "placement"],
                _ => &[],
            };
            (names, refusal.to_string())
        }
    };
    let (place, path) = blamed(value, path, names);
    let on = fabric.map(|name| format!("on fabric \"{name}\": ")).unwrap_or_default();
    Problem::new(&place, &path, on + &found)
}

fn flow_refused(value: &Value, path: &str, flow: usize, refusal: &collectives::Refusal) -> Problem {
    let place: &Place = &value.fields().list("list")[flow].place;
    Problem::new(place, &format!("{path}.list[{flow}]"), refusal.to_string())
}
