//! Which engine runs a point.

use crate::Problem;
use crate::job::JobCase;
use crate::problem::Problems;
use crate::scenario::Point;
use crate::value::Fields;

/// The engine of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Engine {
    /// The flow level.
    #[default]
    Fluid,
    /// The packet level.
    Packet,
}

/// The axis of points that run on both.
pub(crate) const AXIS: &str = "engine";

impl Engine {
    const fn word(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Packet => "packet",
        }
    }
}

/// The points with the engines that the scenario asks for; where it asks for both, each point twice, the
/// engine among its labels.
pub(crate) fn choose(points: Vec<Point>, scenario: &Fields, problems: &mut Problems) -> Vec<Point> {
    let word = scenario.form("engine").0;
    if word != "fluid"
        && let Some(why) = points.iter().find_map(only_flows)
    {
        let place = &scenario.get("engine").place;
        let problem = Problem::new(place, "engine", format!("{word}, and {why}"));
        problems.add(problem.allowed("fluid"));
    }
    let lists = |point: &&Point| !point.fabric.case.drops.is_empty();
    if word != "packet"
        && let Some(point) = points.iter().find(lists)
    {
        let place = &scenario.get("engine").place;
        let found = format!(
            "{word}, and fabric \"{}\" lists packets to lose in `drops`, which rates do not know",
            point.fabric()
        );
        problems.add(Problem::new(place, "engine", found).allowed("packet"));
    }
    match word {
        "packet" => {
            points.into_iter().map(|point| Point { engine: Engine::Packet, ..point }).collect()
        }
        "both" => points.iter().flat_map(both).collect(),
        _ => points,
    }
}

/// What of a point only the flow level knows, if anything.
fn only_flows(point: &Point) -> Option<String> {
    if point.workload.jobs().iter().any(JobCase::needs_reducing_switches) {
        return Some("switches that add up and copy are known to the flow level only".to_owned());
    }
    let error = point.fabric.case.check_recovery(point.keys).err()?;
    Some(format!("how fabric \"{}\" recovers losses does not fit: {error}", point.fabric()))
}

fn both(point: &Point) -> [Point; 2] {
    [Engine::Fluid, Engine::Packet].map(|engine| {
        let mut point = Point { engine, ..point.clone() };
        point.labels.push((AXIS.to_owned(), engine.word().to_owned()));
        point
    })
}
