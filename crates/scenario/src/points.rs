//! The points of a scenario: every fabric with every workload at every combination of values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use topology::Fabric;

use crate::document::{Content, Node};
use crate::engine::Engine;
use crate::fabric::{self, FabricCase};
use crate::fields::{every_path, kind_at};
use crate::path::{Root, entry, items};
use crate::read::Reader;
use crate::shared::SharedFabric;
use crate::sweep::{self, POINTS};
use crate::unfit::{self, Unfit};
use crate::value::Value;
use crate::workload::WorkloadCase;
use crate::{Keys, Point, Problem};

/// How many one-way links are kept built from the check to the run, all fabrics together; about
/// 50 bytes each.
const LINKS_KEPT: usize = 2_000_000;

/// The most bytes of fabrics and workloads that are read, each again for all values of the axes that
/// change it; reading takes about 75 ns and 11 bytes of memory a byte.
const VARIANT_BYTES: usize = 2 << 20;

/// About how many links are built to check fabrics where something else is wrong already.
const LINKS_IN_VAIN: u64 = 20_000;

/// A fabric or workload with its values at one combination.
struct Variant<T> {
    value: Value,
    case: Arc<T>,
}

/// Variants by their index in the file and the values of all axes that change them.
type Variants<T> = BTreeMap<Key, Option<Variant<T>>>;

/// An index in the file and the values of the axes that change what stands there.
type Key = (usize, Vec<usize>);

/// Whether a workload fits fabrics of so many cards in supernodes of so many; one that needs switches which
/// add up is tried on each fabric.
type Fits = BTreeMap<(Key, u32, u32, Option<Key>), Result<(), Unfit>>;

/// A combination of values of all axes, by index.
type Combination = Vec<usize>;

/// What is known of a scenario's fabrics and workloads before any fabric is built.
#[derive(Default)]
pub(crate) struct Variety {
    fabrics: Variants<SharedFabric>,
    workloads: Variants<WorkloadCase>,
    /// For each fabric that is right, its points with the keys of their workloads.
    uses: BTreeMap<Key, Vec<(Key, Keys)>>,
}

impl Reader {
    /// All points whose fields are right, and what they are made of, which is still to be built.
    pub(crate) fn points(&mut self) -> (Vec<Point>, Variety) {
        let mut variety = Variety::default();
        let Some(count) = self.count() else { return (Vec::new(), variety) };
        // Where a field is wrong, it most likely is so at every combination.
        let count = if self.problems.is_empty() { count } else { count.min(1) };
        let changes = [Root::Fabric, Root::Workload].map(|root| self.changes(root));
        let mut points = Vec::new();
        for (fabric_index, fabric_changes) in changes[0].iter().enumerate() {
            for number in 0..count {
                let combination = sweep::indexes(&self.axes, number);
                for (workload_index, workload_changes) in changes[1].iter().enumerate() {
                    if self.problems.are_full() {
                        return (Vec::new(), variety);
                    }
                    let changes = [fabric_changes.as_slice(), workload_changes];
                    let Some(labels) = self.labels(changes, &combination) else { continue };
                    let keys = [
                        key(fabric_index, fabric_changes, &combination),
                        key(workload_index, workload_changes, &combination),
                    ];
                    points.extend(self.point(keys, labels, &combination, &mut variety));
                }
            }
        }
        label_workloads(&mut points);
        (points, variety)
    }

    /// The point of a fabric and a workload, if both are right.
    fn point(
        &mut self,
        [fabric_key, workload_key]: [Key; 2],
        labels: Vec<(String, String)>,
        combination: &Combination,
        variety: &mut Variety,
    ) -> Option<Point> {
        let Variety { fabrics, workloads, uses } = variety;
        if !fabrics.contains_key(&fabric_key) {
            fabrics.insert(fabric_key.clone(), self.fabric(fabric_key.0, combination));
        }
        if !workloads.contains_key(&workload_key) {
            workloads.insert(workload_key.clone(), self.workload(workload_key.0, combination));
        }
        let fabric = Arc::clone(&fabrics[&fabric_key].as_ref()?.case);
        let workload = Arc::clone(&workloads[&workload_key].as_ref()?.case);
        let keys = Keys::new(self.seed(combination));
        uses.entry(fabric_key).or_default().push((workload_key, keys));
        Some(Point { fabric, workload, labels, keys, engine: Engine::default() })
    }

    /// Builds each fabric and plans its workloads on it; keeps a few of the fabrics for the run.
    ///
    /// Large fabrics are built and workloads planned only when nothing is wrong until then: that is
    /// quick to know, and building is not.
    pub(crate) fn build(&mut self, variety: &Variety) {
        let Variety { fabrics, workloads, uses } = variety;
        let mut fits = Fits::new();
        let mut links = 0;
        let is_right = self.problems.is_empty();
        let mut links_in_vain = 0;
        for (fabric_key, users) in uses {
            if self.problems.are_full() {
                return;
            }
            let Some(Variant { value, case }) = &fabrics[fabric_key] else { continue };
            if !is_right {
                links_in_vain += fabric::links_of_cards(&case.case.spec);
                if links_in_vain > LINKS_IN_VAIN {
                    return;
                }
            }
            let fabric = match case.case.build() {
                Ok(fabric) => fabric,
                Err(error) => {
                    let path = format!("fabrics[{}]", fabric_key.0);
                    self.problems.add(fabric::refused(value, &path, &error));
                    continue;
                }
            };
            if !is_right {
                continue;
            }
            if let Err(error) = case.case.check_headroom(&fabric) {
                let path = format!("fabrics[{}].packets", fabric_key.0);
                let place = &value.fields().get("packets").place;
                self.problems.add(Problem::new(place, &path, error.to_string()));
                continue;
            }
            for (workload_key, keys) in users {
                let Some(workload) = &workloads[workload_key] else { continue };
                if let Err(unfit) = workload.case.fit_classes(case.case.packets.classes()) {
                    let path = format!("workloads[{}]", workload_key.0);
                    let name = Some(case.case.name.as_str());
                    self.problems.add(unfit::refused(&workload.value, &path, name, &unfit));
                    continue;
                }
                self.fit(
                    (&case.case.name, fabric_key, fabric.planned()),
                    (workload, workload_key, *keys),
                    &mut fits,
                );
            }
            let states = fabric.timeline.as_ref().map_or(0, |timeline| timeline.changes().len());
            links += fabric.start.links().len() * (states + 1);
            if links <= LINKS_KEPT {
                case.keep(fabric);
            }
        }
    }

    /// How many combinations of values there are, if they are not too many.
    fn count(&mut self) -> Option<usize> {
        let pairs = items(&self.root, Root::Fabric).len() * items(&self.root, Root::Workload).len();
        let count = sweep::combinations(&self.axes);
        let points = count.and_then(|count| count.checked_mul(pairs));
        let (found, allowed) = match points {
            Some(points) if points <= POINTS => {
                let bytes = [Root::Fabric, Root::Workload].map(|root| self.variant_bytes(root));
                let bytes = bytes[0].saturating_add(bytes[1]);
                if bytes <= VARIANT_BYTES {
                    return count;
                }
                let found = format!("{bytes} bytes of fabrics and workloads at all values");
                (found, format!("at most {VARIANT_BYTES}"))
            }
            Some(points) => (format!("{points} points"), format!("at most {POINTS}")),
            None => ("too many points".to_owned(), format!("at most {POINTS}")),
        };
        let place = &entry(&self.root, "sweep").unwrap_or(&self.root).place;
        self.problems.add(Problem::new(place, "sweep", found).allowed(allowed));
        None
    }

    /// How long all fabrics or workloads are together, each as often as axes change it.
    fn variant_bytes(&self, root: Root) -> usize {
        let bytes = |item: &Node| {
            let axes = self.axes.iter().filter(|axis| axis.applies(root, item));
            let length = item.place.end - item.place.start;
            axes.fold(length, |bytes, axis| bytes.saturating_mul(axis.values.len()))
        };
        items(&self.root, root).iter().map(bytes).fold(0, usize::saturating_add)
    }

    /// Which axes change each of the fabrics or workloads.
    fn changes(&self, root: Root) -> Vec<Vec<bool>> {
        let items = items(&self.root, root).iter();
        items.map(|item| self.axes.iter().map(|axis| axis.applies(root, item)).collect()).collect()
    }

    /// The labels of a point; `None` when the combination repeats one with other values of axes
    /// that make no difference to this fabric and workload.
    fn labels(
        &self,
        [fabric, workload]: [&[bool]; 2],
        combination: &Combination,
    ) -> Option<Vec<(String, String)>> {
        let mut labels = Vec::new();
        for (number, (axis, &index)) in self.axes.iter().zip(combination).enumerate() {
            if axis.path.root == Root::Scenario || fabric[number] || workload[number] {
                labels.push((axis.label.clone(), axis.values[index].1.clone()));
            } else if index > 0 {
                return None;
            }
        }
        Some(labels)
    }

    /// The seed of a combination; what is wrong with it is told elsewhere.
    fn seed(&self, combination: &Combination) -> u64 {
        // Of the scenario's own fields only the seed can be swept.
        let mut axes = self.axes.iter().zip(combination);
        let swept = axes.find(|(axis, _)| axis.path.root == Root::Scenario);
        let node = match swept {
            Some((axis, &index)) => Some(&axis.values[index].0),
            None => entry(&self.root, "seed"),
        };
        match node.map(|node| &node.content) {
            Some(Content::Count(seed)) => *seed,
            _ => 0,
        }
    }

    /// A fabric at a combination, checked but not built.
    fn fabric(&mut self, index: usize, combination: &Combination) -> Option<Variant<SharedFabric>> {
        let node = &items(&self.root, Root::Fabric)[index];
        let node = sweep::at(node, Root::Fabric, &self.axes, combination);
        let path = format!("fabrics[{index}]");
        let value = self.check(&node, Root::Fabric.kind(), &path)?;
        self.hardware_is_there(&node, &value, &path);
        let case = FabricCase::new(&value, &path, &mut self.problems)?;
        Some(Variant { value, case: Arc::new(SharedFabric::new(case)) })
    }

    /// Refuses hardware sources of fields that the fabric does not have.
    fn hardware_is_there(&mut self, node: &Node, value: &Value, path: &str) {
        let paths = every_path("", Root::Fabric.kind());
        for (index, item) in value.fields().list("hardware").iter().enumerate() {
            if self.problems.are_full() {
                return;
            }
            let field = item.fields().text("field");
            let names: Vec<&str> = field.split('.').collect();
            if kind_at(node, Root::Fabric.kind(), &names).is_none() {
                let place = &item.fields().get("field").place;
                let path = format!("{path}.hardware[{index}].field");
                let found = format!("the fabric has no field `{field}`");
                let known = paths.iter().map(|path| path.trim_start_matches('.'));
                self.problems.add_misspelt(Problem::new(place, &path, found), &field, known);
            }
        }
    }

    /// A workload at a combination, checked.
    fn workload(
        &mut self,
        index: usize,
        combination: &Combination,
    ) -> Option<Variant<WorkloadCase>> {
        let node = &items(&self.root, Root::Workload)[index];
        let node = sweep::at(node, Root::Workload, &self.axes, combination);
        let path = format!("workloads[{index}]");
        let value = self.check(&node, Root::Workload.kind(), &path)?;
        let case = WorkloadCase::new(&value);
        if let Err(unfit) = case.check() {
            self.problems.add(unfit::refused(&value, &path, None, &unfit));
            return None;
        }
        Some(Variant { value, case: Arc::new(case) })
    }

    /// Checks that a workload can run on a fabric, once for all fabrics that look alike to it.
    fn fit(
        &mut self,
        (name, fabric_key, fabric): (&str, &Key, &Fabric),
        (workload, key, keys): (&Variant<WorkloadCase>, &Key, Keys),
        fits: &mut Fits,
    ) {
        let own = workload.case.needs_reducing_switches().then(|| fabric_key.clone());
        let known = fits.entry((key.clone(), fabric.cards(), fabric.supernode_cards(), own));
        let fit = known.or_insert_with(|| workload.case.place(fabric, keys).map(drop));
        if let Err(unfit) = fit {
            let path = format!("workloads[{}]", key.0);
            self.problems.add(unfit::refused(&workload.value, &path, Some(name), unfit));
        }
    }
}

/// What tells a variant from others: its place in the list and the values that change it.
fn key(index: usize, changes: &[bool], combination: &Combination) -> Key {
    let values = changes.iter().zip(combination).filter(|(changes, _)| **changes);
    (index, values.map(|(_, &value)| value).collect())
}

/// Adds the workload's name to the labels of workloads that results could not tell apart.
fn label_workloads(points: &mut [Point]) {
    let mut seen = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for point in points.iter() {
        let (collective, algorithm) = point.result_names();
        let size = point.workload.size();
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
