//! Which engine runs a point.

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
pub(crate) fn choose(points: Vec<Point>, scenario: &Fields) -> Vec<Point> {
    match scenario.form("engine").0 {
        "packet" => {
            points.into_iter().map(|point| Point { engine: Engine::Packet, ..point }).collect()
        }
        "both" => points.iter().flat_map(both).collect(),
        _ => points,
    }
}

fn both(point: &Point) -> [Point; 2] {
    [Engine::Fluid, Engine::Packet].map(|engine| {
        let mut point = Point { engine, ..point.clone() };
        point.labels.push(("engine".to_owned(), engine.word().to_owned()));
        point
    })
}
