//! The points of a scenario: every fabric with every workload at every combination of values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::document::{Content, Node};
use crate::fabric::{self, FabricCase};
use crate::fields::{every_path, kind_at};
use crate::path::{Root, entry, items};
use crate::problem::did_you_mean;
use crate::read::Reader;
use crate::shared::SharedFabric;
use crate::sweep::{self, POINTS};
use crate::value::Value;
use crate::workload::{self, Unfit, WorkloadCase};
use crate::{Keys, Point, Problem};

/// How many one-way links are kept built from the check to the run, all fabrics together; about
/// 50 bytes each.
const LINKS_KEPT: usize = 2_000_000;

/// A fabric or workload with its values at one combination.
struct Variant<T> {
    value: Value,
    case: Arc<T>,
}

/// Variants by their index in the file and the values of all axes that change them.
type Variants<T> = BTreeMap<Key, Option<Variant<T>>>;

/// An index in the file and the values of the axes that change what stands there.
type Key = (usize, Vec<usize>);

/// Whether a workload fits fabrics of so many cards in supernodes of so many.
type Fits = BTreeMap<(Key, u32, u32), Result<(), Unfit>>;

/// A combination of values of all axes, by index.
type Combination = Vec<usize>;

impl Reader {
    /// All points whose fabric and workload are right.
    pub(crate) fn points(&mut self) -> Vec<Point> {
        let Some(count) = self.count() else { return Vec::new() };
        let mut fabrics = Variants::new();
        let mut workloads = Variants::new();
        let mut fits = BTreeMap::new();
        let mut links = 0;
        let mut points = Vec::new();
        for fabric_index in 0..items(&self.root, Root::Fabric).len() {
            for number in 0..count {
                let combination = sweep::indexes(&self.axes, number);
                for workload_index in 0..items(&self.root, Root::Workload).len() {
                    let indexes = (fabric_index, workload_index);
                    let Some(labels) = self.labels(indexes, &combination) else { continue };
                    self.fabric(fabric_index, &combination, &mut fabrics, &mut links);
                    self.workload(workload_index, &combination, &mut workloads);
                    let keys = Keys::new(self.seed(&combination));
                    let fabric_key = self.key(Root::Fabric, fabric_index, &combination);
                    let workload_key = self.key(Root::Workload, workload_index, &combination);
                    let (Some(fabric), Some(workload)) =
                        (&fabrics[&fabric_key], &workloads[&workload_key])
                    else {
                        continue;
                    };
                    let fabric = Arc::clone(&fabric.case);
                    self.fit((&fabric, workload), &workload_key, keys, &mut fits);
                    points.push(Point {
                        fabric,
                        workload: Arc::clone(&workload.case),
                        labels,
                        keys,
                    });
                }
            }
        }
        label_workloads(&mut points);
        points
    }

    /// How many combinations of values there are, if they are not too many.
    fn count(&mut self) -> Option<usize> {
        let pairs = items(&self.root, Root::Fabric).len() * items(&self.root, Root::Workload).len();
        let count = sweep::combinations(&self.axes);
        let points = count.and_then(|count| count.checked_mul(pairs));
        if points.is_some_and(|points| points <= POINTS) {
            return count;
        }
        let place = &entry(&self.root, "sweep").unwrap_or(&self.root).place;
        let found =
            points.map_or("too many points".to_owned(), |points| format!("{points} points"));
        let problem = Problem::new(place, "sweep", found);
        self.problems.add(problem.allowed(format!("at most {POINTS}")));
        None
    }

    /// The labels of a point; `None` when the combination repeats one with other values of axes
    /// that make no difference to this fabric and workload.
    fn labels(
        &self,
        (fabric, workload): (usize, usize),
        combination: &Combination,
    ) -> Option<Vec<(String, String)>> {
        let fabric = &items(&self.root, Root::Fabric)[fabric];
        let workload = &items(&self.root, Root::Workload)[workload];
        let mut labels = Vec::new();
        for (axis, &index) in self.axes.iter().zip(combination) {
            let applies = axis.path.root == Root::Scenario
                || axis.applies(Root::Fabric, fabric)
                || axis.applies(Root::Workload, workload);
            if applies {
                labels.push((axis.label.clone(), axis.values[index].1.clone()));
            } else if index > 0 {
                return None;
            }
        }
        Some(labels)
    }

    /// What tells a variant from others: its place in the list and the values that change it.
    fn key(&self, root: Root, index: usize, combination: &Combination) -> Key {
        let node = &items(&self.root, root)[index];
        let values = self.axes.iter().zip(combination);
        let values = values.filter(|(axis, _)| axis.applies(root, node));
        (index, values.map(|(_, &value)| value).collect())
    }

    /// The seed of a combination; what is wrong with it is told elsewhere.
    fn seed(&self, combination: &Combination) -> u64 {
        let node = sweep::at(&self.root, Root::Scenario, &self.axes, combination);
        match entry(&node, "seed").map(|node| &node.content) {
            Some(Content::Count(seed)) => *seed,
            _ => 0,
        }
    }

    /// Makes sure that a fabric at a combination is among `fabrics`, checked and built.
    fn fabric(
        &mut self,
        index: usize,
        combination: &Combination,
        fabrics: &mut Variants<SharedFabric>,
        links: &mut usize,
    ) {
        let key = self.key(Root::Fabric, index, combination);
        if fabrics.contains_key(&key) {
            return;
        }
        let node = &items(&self.root, Root::Fabric)[index];
        let node = sweep::at(node, Root::Fabric, &self.axes, combination);
        let path = format!("fabrics[{index}]");
        let variant = self.check(&node, Root::Fabric.kind(), &path).and_then(|value| {
            self.hardware_is_there(&node, &value, &path);
            let case = FabricCase::new(&value, &path, &mut self.problems)?;
            match case.build() {
                Ok(fabric) => {
                    *links += fabric.links().len();
                    let kept = (*links <= LINKS_KEPT).then(|| Arc::new(fabric));
                    Some(Variant { value, case: Arc::new(SharedFabric::new(case, kept)) })
                }
                Err(error) => {
                    self.problems.add(fabric::refused(&value, &path, &error));
                    None
                }
            }
        });
        fabrics.insert(key, variant);
    }

    /// Refuses hardware sources of fields that the fabric does not have.
    fn hardware_is_there(&mut self, node: &Node, value: &Value, path: &str) {
        for (index, item) in value.fields().list("hardware").iter().enumerate() {
            let field = item.fields().text("field");
            let names: Vec<&str> = field.split('.').collect();
            if kind_at(node, Root::Fabric.kind(), &names).is_none() {
                let place = &item.fields().get("field").place;
                let path = format!("{path}.hardware[{index}].field");
                let paths = every_path("", Root::Fabric.kind());
                let known = paths.iter().map(|path| path.trim_start_matches('.'));
                let hint = did_you_mean(&field, known);
                let found = format!("the fabric has no field `{field}`");
                self.problems.add(Problem::new(place, &path, found).hint(hint));
            }
        }
    }

    /// Makes sure that a workload at a combination is among `workloads`, checked.
    fn workload(
        &mut self,
        index: usize,
        combination: &Combination,
        workloads: &mut Variants<WorkloadCase>,
    ) {
        let key = self.key(Root::Workload, index, combination);
        if workloads.contains_key(&key) {
            return;
        }
        let node = &items(&self.root, Root::Workload)[index];
        let node = sweep::at(node, Root::Workload, &self.axes, combination);
        let path = format!("workloads[{index}]");
        let variant = self.check(&node, Root::Workload.kind(), &path).and_then(|value| {
            let case = WorkloadCase::new(&value);
            if let Err(unfit) = case.check() {
                self.problems.add(workload::refused(&value, &path, None, &unfit));
                return None;
            }
            Some(Variant { value, case: Arc::new(case) })
        });
        workloads.insert(key, variant);
    }

    /// Checks that a workload can run on a fabric, once for all fabrics that look alike to it.
    fn fit(
        &mut self,
        (fabric, workload): (&SharedFabric, &Variant<WorkloadCase>),
        key: &Key,
        keys: Keys,
        fits: &mut Fits,
    ) {
        let built = fabric.get();
        let (cards, supernode) = (built.cards(), built.supernode_cards());
        let known = fits.entry((key.clone(), cards, supernode));
        let fit = known.or_insert_with(|| workload.case.place(&built, keys).map(drop));
        if let Err(unfit) = fit {
            let path = format!("workloads[{}]", key.0);
            let name = &fabric.case.name;
            self.problems.add(workload::refused(&workload.value, &path, Some(name), unfit));
        }
    }
}

/// Adds the workload's name to the labels of workloads that results could not tell apart.
fn label_workloads(points: &mut [Point]) {
    let mut seen = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for point in points.iter() {
        let (collective, algorithm) = point.result_names();
        let size = point.workload.job.size();
        let key = (point.fabric(), point.labels(), collective, algorithm, size);
        if let Some(other) = seen.insert(key, point.workload()) {
            unclear.insert(other.to_owned());
            unclear.insert(point.workload().to_owned());
        }
    }
    for point in points {
        if unclear.contains(point.workload()) {
            let name = point.workload().to_owned();
            point.labels.push(("workload".to_owned(), name));
        }
    }
}
