//! Why a workload cannot run, and which field is to blame.

use collectives::Refusal;

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
    /// A class of service that the fabric's packets do not have.
    Class { class: u8, classes: usize },
    /// What `collectives` says.
    Refused(Refusal),
}

impl Unfit {
    /// The same of one of several jobs.
    pub(crate) fn of_job(self, index: usize, name: &str) -> Self {
        Self::OfJob { index, name: name.to_owned(), unfit: Box::new(self) }
    }
}

impl From<Refusal> for Unfit {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The problem of a workload that cannot run (on the fabric called `fabric`, or on any), at the field
/// to blame.
pub(crate) fn refused(value: &Value, path: &str, fabric: Option<&str>, unfit: &Unfit) -> Problem {
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
        Unfit::Class { class, classes } => {
            let found = match classes {
                1 => format!("class {class}, and its packets have class 0 only"),
                _ => format!("class {class}, and its packets have {classes}, counted from 0"),
            };
            (&["class"], found)
        }
        Unfit::NoPeriod => (&["period"], "rounds cannot begin all at once".to_owned()),
        Unfit::Groups { ranks, groups } => {
            (&["groups"], format!("{ranks} ranks do not divide into {groups} groups of equal size"))
        }
        Unfit::Refused(refusal) => {
            if let Refusal::FlowToItself { flow, .. } = refusal {
                return flow_refused(value, path, *flow, refusal);
            }
            (names_of(refusal), refusal.to_string())
        }
    };
    let (place, path) = blamed(value, path, names);
    let on = fabric.map(|name| format!("on fabric \"{name}\": ")).unwrap_or_default();
    let hint = (*unfit == Unfit::NoReduction).then(|| {
        "say `switches: reduce` of the planes inside, or of `outside`, if they do".to_owned()
    });
    Problem::new(&place, &path, on + &found).hint(hint)
}

/// The field to blame for a refusal, the way to it word by word.
fn names_of(refusal: &Refusal) -> &'static [&'static str] {
    match refusal {
        Refusal::NotOffered { .. }
        | Refusal::Channels { .. }
        | Refusal::ChunkTooSmall { .. }
        | Refusal::TooManyChunks { .. }
        | Refusal::TooManyPairs { .. }
        | Refusal::TooManyPieces { .. }
        | Refusal::BeyondSwitches { .. }
        | Refusal::UnequalSupernodes { .. } => &["algorithm"],
        Refusal::UnknownPlace { .. } | Refusal::SendToItself { .. } | Refusal::Imbalance { .. } => {
            &["collective"]
        }
        Refusal::UnevenTable { .. } => &["table"],
        Refusal::UnknownCard { .. }
        | Refusal::RepeatedCard { .. }
        | Refusal::TakenCard { .. }
        | Refusal::OffRails { .. } => &["placement"],
        Refusal::TooSmallToAlign { .. } | Refusal::BarrierOfBytes { .. } => &["size"],
        Refusal::TooManyRanks { .. } | Refusal::TooFewFreeCards { .. } => &["ranks", "placement"],
        _ => &[],
    }
}

fn flow_refused(value: &Value, path: &str, flow: usize, refusal: &Refusal) -> Problem {
    let place: &Place = &value.fields().list("list")[flow].place;
    Problem::new(place, &format!("{path}.list[{flow}]"), refusal.to_string())
}
