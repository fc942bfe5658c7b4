//! What is simulated, and how.

use collectives::Schedule;
use engine::{Switch, Watch};
use topology::{CardId, Fabric, Routing, Timeline};

use crate::{Conducts, Memo, Recovery};

/// A schedule on a fabric.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The fabric at the start.
    pub fabric: &'a Fabric,
    /// What happens to it then, if anything does.
    pub timeline: Option<&'a Timeline>,
    /// The card of each rank.
    pub cards: &'a [CardId],
    /// What the ranks do.
    pub schedule: &'a Schedule,
    /// How transfers find their way outside the supernodes; inside they are always sprayed.
    pub routing: Routing,
    /// Who starts late, who is slow, and what steps cost.
    pub conducts: &'a Conducts,
    /// How senders recover what links lose; matters where some link of the fabric loses packets.
    pub recovery: Recovery,
}

impl World<'_> {
    /// Whether transfers draw losses of their own.
    pub(crate) fn draws_losses(&self) -> bool {
        self.recovery.is_sampled() && !self.fabric.losses().is_lossless()
    }
}

/// Whether a run uses that an event touches only what is near it: groups with a clock, and cells that
/// run apart from each other. A change of the fabric in time touches everything: such a run goes as a
/// whole, whatever is said here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locality {
    /// It does, and divides into cells when the whole has not come to an end within a share of the events
    /// that the plan takes; once states recur these are counted anew from the next stage on.
    #[default]
    On,
    /// It does, and divides after so many events, counted alike.
    DivideAfter(u64),
    /// It does not: the plain way.
    Off,
}

/// Which exact reductions are used, and what may stop the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Whether what behaves alike is simulated once.
    pub symmetry: Switch,
    /// Whether recurring states are skipped.
    pub recurrence: Switch,
    /// Whether events are handled where they act.
    pub locality: Locality,
    /// How many threads the run may use; 0 counts as 1.
    pub threads: usize,
    /// Problems that other runs have solved, or will want solved; `None` solves this one anyway.
    pub memo: Option<&'a Memo>,
    /// Who looks on.
    pub watch: Watch<'a>,
}
