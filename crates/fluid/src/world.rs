//! What is simulated, and how.

use std::sync::atomic::AtomicBool;

use collectives::Schedule;
use engine::{Costs, Switch};
use topology::{CardId, Fabric, Routing, Timeline};

use crate::Memo;

/// A schedule on a fabric.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The fabric at the start.
    pub fabric: &'a Fabric,
    /// What happens to it then, if anything does.
    pub timeline: Option<&'a Timeline>,
    /// The card of each rank; no card holds two.
    pub cards: &'a [CardId],
    /// What the ranks do.
    pub schedule: &'a Schedule,
    /// How transfers find their way outside the supernodes; inside they are always sprayed.
    pub routing: Routing,
    /// Start-up and reduction costs.
    pub costs: Costs,
}

/// Which exact reductions are used, and what may stop the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Whether what behaves alike is simulated once.
    pub symmetry: Switch,
    /// Whether recurring states are skipped.
    pub recurrence: Switch,
    /// Problems that other runs have solved, or will want solved; `None` solves this one anyway.
    pub memo: Option<&'a Memo>,
    /// Set when the run should stop.
    pub stop: Option<&'a AtomicBool>,
}
