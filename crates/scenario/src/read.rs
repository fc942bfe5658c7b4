//! From the text of a scenario to its points, collecting every problem on the way.

use std::collections::BTreeSet;

use crate::check::Checker;
use crate::document::{Content, Node, Place, Sources, parse};
use crate::engine;
use crate::expect::{self, Across, Expectation, Known, Limit};
use crate::fields::{Kind, SCENARIO};
use crate::overrides::{self, Override};
use crate::path::{Root, entry, items};
use crate::problem::Problems;
use crate::sweep::{self, Axis};
use crate::value::{Data, Value};
use crate::{Point, Problem, Refusal, Scenario, presets};

/// The most bytes of a scenario: what is read, or refused, within a fifth of a second and 64 MB.
const BYTES: usize = 192 << 10;

/// The text of a scenario and what it is called in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Reads a scenario from the bytes of a file.
///
/// # Errors
/// As [`read`]; also for bytes that are no UTF-8.
pub fn read_bytes(
    name: &str,
    bytes: &[u8],
    overrides: &[Override],
    presets: &[Source<'_>],
) -> Result<Scenario, Refusal> {
    let whole = bytes.len().min(BYTES + 1);
    match std::str::from_utf8(bytes) {
        Ok(text) => read_with(Source { name, text }, overrides, presets),
        // Longer files are refused for their length, whatever they hold.
        Err(_) if bytes.len() > BYTES => Err(too_long(name, bytes.len())),
        Err(error) => {
            let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
            let found = format!("byte {} is not UTF-8", bytes[error.valid_up_to()]);
            // Up to the bad byte the text is as it was.
            Err(refuse_text(name, text, error.valid_up_to(), &found, "UTF-8 text"))
        }
    }
}

/// Reads and checks a scenario, with `overrides` in place of what stands in it.
///
/// # Errors
/// A [`Refusal`] with every problem that was found. A text that is not RON has just one.
pub fn read(source: Source<'_>, overrides: &[Override]) -> Result<Scenario, Refusal> {
    read_with(source, overrides, &[])
}

/// The same, with files of presets beside those that come with the program.
///
/// # Errors
/// As [`read`]; also what is wrong with the presets, if the scenario uses any.
pub fn read_with(
    source: Source<'_>,
    overrides: &[Override],
    presets: &[Source<'_>],
) -> Result<Scenario, Refusal> {
    let Source { name, text } = source;
    if text.len() > BYTES {
        return Err(too_long(name, text.len()));
    }
    if let Some(offset) = text.find('\0') {
        return Err(refuse_text(name, text.to_owned(), offset, "a NUL byte", "text"));
    }
    let root = parse(text, 0).map_err(|error| {
        let offset = error.offset.min(text.len());
        refuse_text(name, text.to_owned(), offset, &error.message, "")
    })?;
    let mut sources = Sources::default();
    sources.add(name, text.to_owned());
    Reader { sources, problems: Problems::default(), root, axes: Vec::new() }
        .read(overrides, presets)
}

fn too_long(name: &str, length: usize) -> Refusal {
    let found = format!("the scenario has {length} bytes");
    refuse_text(name, String::new(), 0, &found, &format!("at most {BYTES} bytes"))
}

/// A refusal for one thing at one byte.
fn refuse_text(name: &str, text: String, offset: usize, found: &str, allowed: &str) -> Refusal {
    let end = text[offset..].chars().next().map_or(offset, |next| offset + next.len_utf8());
    let mut sources = Sources::default();
    let source = sources.add(name, text);
    let problem = Problem::new(&Place::new(source, offset..end), "", found).allowed(allowed);
    Refusal::new(vec![problem], sources)
}

/// A scenario on its way from the text.
pub(crate) struct Reader {
    pub(crate) sources: Sources,
    pub(crate) problems: Problems,
    pub(crate) root: Node,
    pub(crate) axes: Vec<Axis>,
}

impl Reader {
    fn read(mut self, overrides: &[Override], own: &[Source<'_>]) -> Result<Scenario, Refusal> {
        presets::expand(&mut self.root, own, &mut self.sources, &mut self.problems);
        overrides::apply(&mut self.root, overrides, &mut self.sources, &mut self.problems);
        // An override may name a preset as well.
        presets::expand(&mut self.root, own, &mut self.sources, &mut self.problems);
        self.axes = {
            let mut checker = Checker { sources: &self.sources, problems: &mut self.problems };
            sweep::axes(&self.root, &mut checker)
        };
        sweep::fill_in(&mut self.root, &self.axes);
        let value = Checker { sources: &self.sources, problems: &mut self.problems }.value(
            &self.root,
            &Kind::Struct(&SCENARIO),
            "",
        );
        for root in [Root::Fabric, Root::Workload] {
            self.names_differ(root);
        }
        let (points, variety) = self.points();
        let points = match &value {
            Some(value) => engine::choose(points, value.fields(), &mut self.problems),
            None => points,
        };
        let expectations = value.as_ref().map(|value| self.expectations(value, &points));
        self.build(&variety);
        drop(variety);
        match (value, expectations) {
            (Some(value), Some(expectations)) if self.problems.is_empty() => {
                for point in &points {
                    point.fabric.expect_use();
                }
                let fields = value.fields();
                Ok(Scenario {
                    title: fields.text("title"),
                    question: fields.text("question"),
                    seed: fields.count("seed"),
                    resolved: value.to_ron(0) + "\n",
                    points,
                    expectations,
                })
            }
            _ => Err(Refusal::new(self.problems.into_sorted(), self.sources)),
        }
    }

    /// Checks a node against the table of fields.
    pub(crate) fn check(&mut self, node: &Node, kind: &Kind, path: &str) -> Option<Value> {
        Checker { sources: &self.sources, problems: &mut self.problems }.value(node, kind, path)
    }

    /// Refuses two fabrics or two workloads that give themselves one name.
    fn names_differ(&mut self, root: Root) {
        let list = root.list().expect("fabrics and workloads are lists");
        let mut known = BTreeSet::new();
        for (index, item) in items(&self.root, root).iter().enumerate() {
            let Some(node) = entry(item, "name") else { continue };
            let Content::Text(name) = &node.content else { continue };
            if !known.insert(name) {
                let found = format!("the name \"{name}\" is taken");
                let path = format!("{list}[{index}].name");
                let problem = Problem::new(&node.place, &path, found);
                self.problems.add(problem.allowed("a name of its own for each"));
            }
        }
    }

    /// The expectations, if they are about points that there are.
    fn expectations(&mut self, value: &Value, points: &[Point]) -> Vec<Expectation> {
        let Data::List(list) = &value.fields().get("expect").data else {
            unreachable!("expectations are a list");
        };
        let mut expectations = Vec::new();
        let known = (!list.is_empty() && !points.is_empty()).then(|| Known::new(points));
        for (index, item) in list.iter().enumerate() {
            if self.problems.are_full() {
                break;
            }
            let expectation = Expectation::new(item);
            let path = format!("expect[{index}]");
            if let Some(known) = &known {
                for (field, selector) in expectation.selectors() {
                    selector.check(known, &format!("{path}.{field}"), &mut self.problems);
                }
                self.axis_is_there(&expectation, &path);
                self.has_counterparts(&expectation, item, points, &path);
                self.job_is_there(&expectation, item, points, &path);
            }
            expectations.push(expectation);
        }
        expectations
    }

    /// Refuses to compare points that have nothing to be compared with.
    fn has_counterparts(
        &mut self,
        expectation: &Expectation,
        value: &Value,
        points: &[Point],
        path: &str,
    ) {
        let Limit::Faster { than } = &expectation.limit else { return };
        let selectors = (&expectation.of, than);
        let of: Vec<&Point> = points.iter().filter(|point| expectation.of.means(point)).collect();
        let than: Vec<&Point> = points.iter().filter(|point| than.means(point)).collect();
        if of.is_empty() || than.is_empty() {
            return;
        }
        let lonely = of.iter().all(|point| {
            than.iter().all(|other| !expect::are_counterparts(selectors, point, other))
        });
        if lonely {
            let found = "no point of the one kind has the swept values of one of the other";
            self.problems.add(Problem::new(&value.place, path, found));
        }
    }

    /// Refuses limits of the slowdown of a job that no point has, and no limits at all.
    fn job_is_there(
        &mut self,
        expectation: &Expectation,
        value: &Value,
        points: &[Point],
        path: &str,
    ) {
        let Limit::Slowdown(limit) = &expectation.limit else { return };
        if limit.at_least.is_none() && limit.at_most.is_none() {
            let problem = Problem::new(&value.place, path, "neither limit is given");
            self.problems.add(problem.allowed("`at_least`, `at_most`, or both"));
        }
        let meant = points.iter().filter(|point| expectation.of.means(point));
        let mut names: Vec<&str> = meant.flat_map(|point| point.workload.several()).collect();
        if names.contains(&limit.job.as_str()) {
            return;
        }
        names.sort_unstable();
        names.dedup();
        let found = format!("no point meant has a job called \"{}\"", limit.job);
        let allowed = match names.as_slice() {
            [] => "a job of a workload of several `jobs`".to_owned(),
            names => format!("one of {}", names.join(", ")),
        };
        let problem = Problem::new(&limit.place, &format!("{path}.job"), found).allowed(allowed);
        self.problems.add_misspelt(problem, &limit.job, names);
    }

    /// Refuses to compare along an axis that is not there.
    fn axis_is_there(&mut self, expectation: &Expectation, path: &str) {
        let Limit::Equal { across: Across::Axis(axis), place, .. } = &expectation.limit else {
            return;
        };
        let mut labels: Vec<&str> = self.axes.iter().map(|axis| axis.label.as_str()).collect();
        // Of a scenario for both engines each may be run alone.
        labels.push(engine::AXIS);
        if !labels.contains(&axis.as_str()) {
            let found = format!("no axis is called \"{axis}\"");
            labels.extend(["fabric", "workload"]);
            let problem = Problem::new(place, &format!("{path}.across"), found)
                .allowed(format!("one of {}", labels.join(", ")));
            self.problems.add_misspelt(problem, axis, labels);
        }
    }
}
