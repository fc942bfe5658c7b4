//! Why a workload cannot run, and which field is to blame.

use crate::Problem;
use crate::document::Place;
use crate::fabric::blamed;
use crate::value::Value;

/// Why a workload cannot run on a fabric, or on any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The ranks do not divide among the groups.
    Groups { ranks: u32, groups: u32 },
    /// A period of no time.
    NoPeriod,
    /// A rank in an entry of a list of stragglers that does not exist, or stands twice.
    Straggler { list: &'static str, entry: usize, found: String },
    /// More jobs than are taken at once.
    TooManyJobs { jobs: usize, limit: usize },
    /// The name of a job that an earlier one has.
    JobName { index: usize, name: String },
    /// One of several jobs cannot run.
    OfJob { index: usize, name: String, unfit: Box<Self> },
    /// Switches that should add up, and only forward.
    NoReduction,
    /// What `collectives` says.
    Refused(collectives::Refusal),
}

impl Unfit {
    /// The same of one of several jobs.
    pub(crate) fn of_job(self, index: usize, name: &str) -> Self {
        Self::OfJob { index, name: name.to_owned(), unfit: Box::new(self) }
    }
}

impl From<collectives::Refusal> for Unfit {
    fn from(refusal: collectives::Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The problem of a workload that cannot run (on the fabric called `fabric`, or on any), at the field
/// to blame.
pub(crate) fn refused(value: &Value, path: &str, fabric: Option<&str>, unfit: &Unfit) -> Problem {
    use collectives::Refusal;
    let (names, found): (&[&str], String) = match unfit {
        Unfit::OfJob { index, name, unfit } => {
            let job = &value.fields().list("jobs")[*index];
            let mut problem = refused(job, &format!("{path}.jobs[{index}]"), fabric, unfit);
            problem.found = format!("job \"{name}\": {}", problem.found);
            return problem;
        }
        Unfit::JobName { index, name } => {
            let job = value.fields().list("jobs")[*index].fields();
            let path = format!("{path}.jobs[{index}].name");
            let found = format!("the name \"{name}\" is taken");
            let problem = Problem::new(&job.get("name").place, &path, found);
            return problem.allowed("a name of its own for each");
        }
        Unfit::Straggler { list, entry, found } => {
            let entries = value.fields().fields("stragglers").list(list);
            let path = format!("{path}.stragglers.{list}[{entry}].ranks");
            return Problem::new(
                &entries[*entry].fields().get("ranks").place,
                &path,
                found.clone(),
            );
        }
        Unfit::TooManyJobs { jobs, limit } => {
            (&["jobs"], format!("{jobs} jobs; at most {limit} run at once"))
        }
        Unfit::NoReduction => {
            (&["algorithm"], "its switches do not add up, as `in_network` needs".to_owned())
        }
        Unfit::NoPeriod => (&["period"], "rounds cannot begin all at once".to_owned()),
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
                | Refusal::BeyondSwitches { .. }
                | Refusal::UnequalSupernodes { .. } => &["algorithm"],
                Refusal::UnknownPlace { .. }
                | Refusal::SendToItself { .. }
                | Refusal::Imbalance { .. } => &["collective"],
                Refusal::UnevenTable { .. } => &["table"],
                Refusal::UnknownCard { .. }
                | Refusal::RepeatedCard { .. }
                | Refusal::TakenCard { .. }
                | Refusal::OffRails { .. } => &["placement"],
                Refusal::TooSmallToAlign { .. } | Refusal::BarrierOfBytes { .. } => &["size"],
                Refusal::TooManyRanks { .. } | Refusal::TooFewFreeCards { .. } => {
                    &["ranks", "placement"]
                }
                _ => &[],
            };
            (names, refusal.to_string())
        }
    };
    let (place, path) = blamed(value, path, names);
    let on = fabric.map(|name| format!("on fabric \"{name}\": ")).unwrap_or_default();
    let hint = (*unfit == Unfit::NoReduction).then(|| {
        "say `switches: reduce` of the planes inside, or of `outside`, if they do".to_owned()
    });
    Problem::new(&place, &path, on + &found).hint(hint)
}

fn flow_refused(value: &Value, path: &str, flow: usize, refusal: &collectives::Refusal) -> Problem {
    let place: &Place = &value.fields().list("list")[flow].place;
    Problem::new(place, &format!("{path}.list[{flow}]"), refusal.to_string())
}
