//! A scenario that has been read and checked: its points and what is expected of them.

use std::sync::Arc;

use crate::engine::Engine;
use crate::expect::Expectation;
use crate::keys::Keys;
use crate::shared::SharedFabric;
use crate::workload::WorkloadCase;

/// A scenario, ready to run.
#[derive(Debug)]
pub struct Scenario {
    pub(crate) title: String,
    pub(crate) question: String,
    pub(crate) seed: u64,
    pub(crate) resolved: String,
    pub(crate) points: Vec<Point>,
    pub(crate) expectations: Vec<Expectation>,
}

/// One fabric with one workload at one combination of the swept values.
#[derive(Clone, Debug)]
pub struct Point {
    pub(crate) fabric: Arc<SharedFabric>,
    pub(crate) workload: Arc<WorkloadCase>,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) keys: Keys,
    pub(crate) engine: Engine,
}

impl Scenario {
    /// What is compared.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The question that the results answer; may be empty.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Where all random choices start.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The scenario as RON with overrides applied and defaults filled in; it reads back to the same
    /// points.
    pub fn resolved(&self) -> &str {
        &self.resolved
    }

    /// SHA-256 of [`resolved`](Self::resolved) as 64 hexadecimal digits.
    pub fn hash(&self) -> String {
        use sha2::{Digest as _, Sha256};
        use std::fmt::Write as _;
        Sha256::digest(&self.resolved).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a text takes all that is written");
            text
        })
    }

    /// All points: by fabric, then by swept values (the first axis changes slowest), then by
    /// workload.
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

impl Point {
    /// What points of a scenario share that differ in swept values of their fabric alone: its name, and
    /// a number of the workload that holds while the scenario is there.
    pub fn family(&self) -> (&str, usize) {
        (&self.fabric.case.name, Arc::as_ptr(&self.workload).addr())
    }

    /// A name that tells the point from the others: "servers ratio=4:1 `all_reduce` ring 1 GiB".
    pub fn name(&self) -> String {
        let labels = self.labels.iter().map(|(axis, value)| format!("{axis}={value} "));
        format!(
            "{} {}{} {}",
            self.fabric.case.name,
            labels.collect::<String>(),
            self.workload.words(),
            self.workload.size()
        )
    }

    /// The name of the fabric.
    pub fn fabric(&self) -> &str {
        &self.fabric.case.name
    }

    /// The name of the workload.
    pub fn workload(&self) -> &str {
        &self.workload.name
    }

    /// The sweep axes and their values in the order of the scenario; with ("workload", name) where
    /// nothing else in a result tells two workloads apart.
    pub fn labels(&self) -> &[(String, String)] {
        &self.labels
    }

    /// Whether `label` names the point's fabric, workload, collective or algorithm, or one of its
    /// swept values, alone ("4:1") or with its axis ("ratio=4:1").
    pub fn has_label(&self, label: &str) -> bool {
        let words = self.workload.words();
        self.fabric() == label
            || self.workload() == label
            || words == label
            || words.split(' ').any(|word| word == label)
            || self.labels.iter().any(|(axis, value)| {
                value == label
                    || label
                        .split_once('=')
                        .is_some_and(|(name, wanted)| name == axis && wanted == value)
            })
    }
}
