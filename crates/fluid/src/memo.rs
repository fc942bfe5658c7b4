//! Problems that are solved already.
//!
//! Points of a sweep often become the same smaller problem: a ring that never fills the links above
//! the leaves is the same whatever their number. A problem is known by the fingerprint of its plan and
//! its medium; who meets it first solves it, the others take the completion, which is the
//! one they would have computed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Completion, Digest, DigestPart};

use crate::loss::LossEnd;
use crate::model::Model;
use crate::symmetry::Sketch;
use crate::turning::Stranded;
use crate::{Error, Medium};

/// What one problem came to; locked while it is being solved.
type Entry = Arc<Mutex<Option<Arc<Solved>>>>;

/// How a problem was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// With the whole network in view: something changes in time, packets are lost, or it was asked for.
    Whole,
    /// In groups of flows that share something, all agents together.
    Groups,
    /// In so many cells that run apart.
    Cells(u64),
    /// Step by step, since nobody shares anything.
    Steps,
    /// In so many cells, step by step between the instants at which transfers have drained, since agents
    /// wait for each other through messages only.
    SharedSteps(u64),
    /// So between instants in so many cells alone; the other agents share nothing and walk step by step.
    MixedSteps(u64),
    /// Not at all: what each transfer puts on links was counted, and the bound told.
    Counted,
}

/// A completion and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// How it was run.
    pub(crate) way: Way,
    pub(crate) completion: Completion,
    pub(crate) solves: u64,
    /// What packets were lost.
    pub(crate) losses: LossEnd,
    /// Transfers that no way was left for.
    pub(crate) stranded: Vec<Stranded>,
    /// Bytes of each flow by set of routes, where these change.
    pub(crate) moved: Vec<Vec<u128>>,
}

impl Solved {
    /// The completion of a run without losses during which the medium stayed as it is.
    pub(crate) fn unchanging(completion: Completion, solves: u64, way: Way) -> Self {
        let (losses, stranded, moved) = (LossEnd::default(), Vec::new(), Vec::new());
        Self { way, completion, solves, losses, stranded, moved }
    }
}

/// Completions by problem, and quotients by what worlds have in common but for their trunks, shared by
/// the threads that run the points of a sweep.
///
/// Memory: one instant for each simulated agent of each distinct problem; four bytes for each seat of
/// each distinct outline, beside its quotient.
#[derive(Debug, Default)]
pub struct Memo {
    known: Mutex<BTreeMap<Digest, Entry>>,
    sketches: Mutex<BTreeMap<u128, Arc<Sketch>>>,
}

impl Memo {
    /// Nothing is solved yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sketch of that outline, if somebody has left one.
    pub(crate) fn sketch(&self, outline: u128) -> Option<Arc<Sketch>> {
        let sketches = self.sketches.lock().unwrap_or_else(PoisonError::into_inner);
        sketches.get(&outline).map(Arc::clone)
    }

    /// Keeps the first sketch of an outline.
    pub(crate) fn keep(&self, outline: u128, sketch: Sketch) {
        let mut sketches = self.sketches.lock().unwrap_or_else(PoisonError::into_inner);
        sketches.entry(outline).or_insert_with(|| Arc::new(sketch));
    }

    /// What a problem comes to, solved by `solve` if nobody has; who comes while it is being
    /// solved waits. Tells whether somebody had. A run that ends in an error leaves the problem unsolved.
    pub(crate) fn solved(
        &self,
        problem: Digest,
        solve: impl FnOnce() -> Result<Solved, Error>,
    ) -> Result<(Arc<Solved>, bool), Error> {
        let entry = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(problem).or_default())
        };
        let mut solved = entry.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*solved {
            return Ok((Arc::clone(known), true));
        }
        let fresh = Arc::new(solve()?);
        *solved = Some(Arc::clone(&fresh));
        Ok((fresh, false))
    }
}

/// The fingerprint of everything that the course of a run depends on.
pub(crate) fn problem(model: &Model) -> Digest {
    let mut digest = Digest::default();
    model.plan.digest(&mut digest);
    digest_medium(&model.medium, &mut digest);
    if let Some(lossy) = &model.lossy {
        lossy.digest(&mut digest);
    }
    digest
}

/// Adds resources, paths and turns.
fn digest_medium(medium: &Medium, digest: &mut Digest) {
    for (resource, &capacity) in medium.capacities().iter().enumerate() {
        digest.add(0x50, [resource as u64, capacity as u64, (capacity >> 64) as u64]);
    }
    for flow in 0..medium.flows() {
        for (routes, path) in (0_u64..).zip(medium.paths(flow)) {
            let name = flow as u64 | routes << 32;
            let Some(path) = path else {
                digest.add(0x53, [name, 0, 0]);
                continue;
            };
            let mut part = DigestPart::new(0x51);
            part.push(name);
            part.push(medium.latency(path).as_picos());
            let crossings = medium.crossings(path);
            part.push(crossings.len() as u64);
            for crossing in crossings {
                let is_shared = crossing.weight != 1;
                part.push(u64::from(crossing.resource) << 1 | u64::from(is_shared));
                if is_shared {
                    part.push(crossing.weight);
                }
            }
            digest.add_part(part);
        }
    }
    for (index, turn) in (0_u64..).zip(medium.turns()) {
        let routes = turn.routes.map_or(0, |routes| u64::from(routes) + 1);
        digest.add(0x5c, [index, turn.at.as_picos(), routes]);
        for &(resource, capacity) in &turn.capacities {
            let words = [u64::from(resource), capacity as u64, (capacity >> 64) as u64];
            digest.add(0x5d | index << 8, words);
        }
    }
}
