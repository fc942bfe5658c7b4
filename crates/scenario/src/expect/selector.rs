//! Which points an expectation is about.

use super::known::Known;
use crate::document::Place;
use crate::problem::{Problems, shorten};
use crate::value::{Data, Label, Value};
use crate::{Point, Problem};

/// Means the points that meet all that is given.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    fabric: Option<String>,
    workload: Option<String>,
    collective: Option<String>,
    algorithm: Option<String>,
    at: Vec<Label>,
    /// Where each of the first four stands, and the selector as a whole.
    places: [Place; 4],
    place: Place,
}

/// The names of the first four, in their order.
const NAMES: [&str; 4] = ["fabric", "workload", "collective", "algorithm"];

impl Selector {
    /// The selector that `value` describes.
    pub(crate) fn new(value: &Value) -> Self {
        let fields = value.fields();
        let Data::Labels(at) = &fields.get("at").data else {
            unreachable!("the table wants labels");
        };
        Self {
            fabric: fields.text_if_given("fabric"),
            workload: fields.text_if_given("workload"),
            collective: fields.text_if_given("collective"),
            algorithm: fields.text_if_given("algorithm"),
            at: at.clone(),
            places: NAMES.map(|name| fields.get(name).place.clone()),
            place: value.place.clone(),
        }
    }

    /// Whether `point` is meant.
    pub(crate) fn means(&self, point: &Point) -> bool {
        let wanted = self.wanted();
        NAMES
            .iter()
            .enumerate()
            .all(|(index, _)| wanted[index].is_none_or(|wanted| told(point)[index] == *wanted))
            && self.at.iter().all(|label| {
                let value = point.labels().iter().find(|(axis, _)| *axis == label.axis);
                value.is_some_and(|(_, value)| label.values.contains(value))
            })
    }

    /// Whether the selector asks for values of the axis.
    pub(crate) fn fixes(&self, axis: &str) -> bool {
        self.at.iter().any(|label| label.axis == axis)
    }

    fn wanted(&self) -> [Option<&String>; 4] {
        [&self.fabric, &self.workload, &self.collective, &self.algorithm].map(Option::as_ref)
    }

    /// Refuses names and values that no point has, and a selector that means no point.
    pub(crate) fn check(&self, known: &Known<'_>, path: &str, problems: &mut Problems) {
        let before = problems.len();
        let mut all = Vec::new();
        for (column, name) in self.wanted().into_iter().enumerate() {
            let Some(name) = name else { continue };
            if !known.has(column, name) {
                let path = format!("{path}.{}", NAMES[column]);
                no_point(&self.places[column], &path, name, known.names(column), problems);
            }
            all.push(known.wanted(column, [name]));
        }
        for label in &self.at {
            let Some(column) = known.axis(&label.axis) else {
                no_point(&label.place, &format!("{path}.at"), &label.axis, known.axes(), problems);
                continue;
            };
            for value in label.values.iter().filter(|value| !known.has(column, value)) {
                let path = format!("{path}.at.{}", label.axis);
                no_point(&label.place, &path, value, known.names(column), problems);
            }
            all.push(known.wanted(column, &label.values));
        }
        if problems.len() == before && !known.any(&all) {
            problems.add(Problem::new(&self.place, path, "no point is meant by all of this"));
        }
    }
}

/// What a point is called by each of the names.
pub(super) fn told(point: &Point) -> [&str; 4] {
    let (collective, algorithm) = point.workload.both_words();
    [point.fabric(), point.workload(), collective, algorithm]
}

fn no_point<'a>(
    place: &Place,
    path: &str,
    wanted: &str,
    known: impl Iterator<Item = &'a str>,
    problems: &mut Problems,
) {
    let known: Vec<&str> = known.collect();
    let found = format!("no point has \"{}\" here", shorten(wanted));
    let allowed = format!("one of {}", known[..known.len().min(10)].join(", "));
    problems.add_misspelt(Problem::new(place, path, found).allowed(allowed), wanted, known);
}
