//! Sweeps: which fields take which values, and every combination of them.

use std::collections::BTreeSet;

use crate::Problem;
use crate::check::Checker;
use crate::document::{Content, Node, Place};
use crate::fields::{Kind, SCENARIO};
use crate::path::{FieldPath, Root, entry, items, items_mut, put};
use crate::value::{Data, Value};

/// The most points of a scenario.
pub(crate) const POINTS: usize = 20_000;

/// The most axes of a scenario: more than that many with two values each are too many points.
const AXES: usize = 16;

/// Labels that stand for something else in selectors and results.
const TAKEN: [&str; 2] = ["fabric", "workload"];

/// A field and the values it takes in turn.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) path: FieldPath,
    /// Each value, and how it is told in results.
    pub(crate) values: Vec<(Node, String)>,
}

impl Axis {
    /// Whether the axis changes `node`, which stands at `root`.
    pub(crate) fn applies(&self, root: Root, node: &Node) -> bool {
        self.path.root == root && self.path.kind_in(node).is_some()
    }
}

/// The axes of a scenario; what is wrong with them is collected.
pub(crate) fn axes(scenario: &Node, checker: &mut Checker<'_>) -> Vec<Axis> {
    let field = SCENARIO.field("sweep").expect("a scenario has a sweep");
    let Some(node) = entry(scenario, field.name) else { return Vec::new() };
    let Some(value) = checker.value(node, &field.kind, field.name) else { return Vec::new() };
    let Data::List(list) = value.data else { unreachable!("a sweep is a list") };
    if list.len() > AXES {
        let problem = Problem::new(&node.place, field.name, format!("{} axes", list.len()));
        checker.problems.add(problem.allowed(format!("at most {AXES}")));
        return Vec::new();
    }
    let mut axes: Vec<Axis> = Vec::new();
    for (index, item) in list.iter().enumerate() {
        let at = format!("sweep[{index}]");
        let fields = item.fields();
        let Some(path) = path(&fields.text("field"), &fields.get("field").place, &at, checker)
        else {
            continue;
        };
        let label = fields.text_if_given("label").unwrap_or_else(|| path.last().to_owned());
        if TAKEN.contains(&label.as_str()) || axes.iter().any(|axis| axis.label == label) {
            let found = format!("label \"{label}\" is taken");
            let problem = Problem::new(&fields.get("label").place, &format!("{at}.label"), found);
            checker.problems.add(problem.allowed("a label of its own for each axis"));
            continue;
        }
        if axes.iter().any(|axis| axis.path == path) {
            let found = "this field is swept twice";
            checker.problems.add(Problem::new(&fields.get("field").place, &at, found));
            continue;
        }
        let Data::Values(values) = &fields.get("values").data else {
            unreachable!("an axis has values");
        };
        let names: Vec<String> = fields.list("names").iter().map(Value::as_text).collect();
        if !names.is_empty() && names.len() != values.len() {
            let found = format!("{} names for {} values", names.len(), values.len());
            let problem = Problem::new(&fields.get("names").place, &format!("{at}.names"), found);
            checker.problems.add(problem.allowed("one name for each value, or none"));
            continue;
        }
        let name = |(index, (node, _)): (usize, &(Node, String))| {
            let name = names.get(index).cloned().unwrap_or_else(|| checker.label_of(node));
            (node.clone(), name)
        };
        let values: Vec<(Node, String)> = values.iter().enumerate().map(name).collect();
        axes.push(Axis { label, path, values });
        let place = &fields.get("field").place;
        axis_is_right(scenario, &axes[axes.len() - 1], (place, &at), checker);
    }
    axes
}

fn path(text: &str, place: &Place, at: &str, checker: &mut Checker<'_>) -> Option<FieldPath> {
    let at = format!("{at}.field");
    match FieldPath::read(text) {
        Ok(path) if path.root != Root::Scenario || path.last() == "seed" => return Some(path),
        Ok(path) if path.last() == "engine" => {
            let found = "the engine is not swept";
            let problem = Problem::new(place, &at, found).allowed("`engine: both`");
            checker.problems.add(problem);
        }
        Ok(_) => {
            let found = format!("`{text}` makes no difference to a result");
            checker.problems.add(Problem::new(place, &at, found));
        }
        Err(no_path) => no_path.tell(place, &at, checker.problems),
    }
    None
}

/// Checks that the axis reaches a field and that each value fits it, told once.
fn axis_is_right(
    scenario: &Node,
    axis: &Axis,
    (place, at): (&Place, &str),
    checker: &mut Checker<'_>,
) {
    let kinds: Vec<Kind> =
        items(scenario, axis.path.root).iter().filter_map(|item| axis.path.kind_in(item)).collect();
    if kinds.is_empty() {
        let nowhere = axis.path.nowhere(checker.sources.slice(place).trim_matches('"'));
        nowhere.tell(place, &format!("{at}.field"), checker.problems);
    }
    if kinds.len().saturating_mul(axis.values.len()) > POINTS {
        return; // There are too many points, which is told where they are counted.
    }
    let mut known = BTreeSet::new();
    for (index, (node, label)) in axis.values.iter().enumerate() {
        if checker.problems.are_full() {
            return;
        }
        let path = format!("{at}.values[{index}]");
        for kind in &kinds {
            checker.value(node, kind, &path);
        }
        if !known.insert(label) {
            let found = format!("value \"{label}\" stands here again");
            checker.problems.add(Problem::new(&node.place, &path, found));
        }
    }
}

/// Gives fields that are swept and left out the first value of their axis.
pub(crate) fn fill_in(scenario: &mut Node, axes: &[Axis]) {
    for axis in axes {
        let names = axis.path.names();
        for item in items_mut(scenario, axis.path.root) {
            if axis.path.kind_in(item).is_some() && !has(item, &names) {
                put(item, &names, &axis.values[0].0);
            }
        }
    }
}

/// Whether the field at `names` is given below `node`.
fn has(node: &Node, names: &[&str]) -> bool {
    let Some((first, rest)) = names.split_first() else { return true };
    match &node.content {
        Content::Struct { .. } => entry(node, first).is_some_and(|inner| has(inner, rest)),
        _ => false,
    }
}

/// `node` with the values that the axes have at `indexes`.
pub(crate) fn at(node: &Node, root: Root, axes: &[Axis], indexes: &[usize]) -> Node {
    let mut node = node.clone();
    for (axis, &index) in axes.iter().zip(indexes) {
        if axis.applies(root, &node) {
            put(&mut node, &axis.path.names(), &axis.values[index].0);
        }
    }
    node
}

/// How many combinations the axes have, if that can be told.
pub(crate) fn combinations(axes: &[Axis]) -> Option<usize> {
    axes.iter().try_fold(1_usize, |product, axis| product.checked_mul(axis.values.len()))
}

/// The values of all axes at combination `number`; the first axis changes slowest.
pub(crate) fn indexes(axes: &[Axis], number: usize) -> Vec<usize> {
    let mut rest = number;
    let mut indexes: Vec<usize> = axes
        .iter()
        .rev()
        .map(|axis| {
            let index = rest % axis.values.len();
            rest /= axis.values.len();
            index
        })
        .collect();
    indexes.reverse();
    indexes
}
