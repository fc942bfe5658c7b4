//! Colours and labels of the scene, numbered by what they mean.

use std::hash::Hash;
use std::rc::Rc;

use collectives::{Action, End, Pace, Sizes, Start};
use engine::{Program, Terms};
use rustc_hash::FxHashMap;
use topology::{Domain, LossId};
use units::{Bytes, Duration};

use crate::loss::Hazard;

/// What a vertex is, as far as its own properties tell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Colour {
    /// A seat: its program, and the size of its chunk in each all-to-all stage.
    Seat(Program, Vec<Sizes>),
    /// A listed transfer.
    Transfer(TransferColour),
    /// A link or trunk, by its capacity at the start, the history of what follows, and how often it
    /// loses packets.
    Resource(u128, u32, LossId),
    /// The members of one supernode on one site.
    Cell,
    /// A site of the outer fabric.
    Site,
    /// All transfers from one site to another.
    Block(PathColour),
    /// Switches of the outer fabric that sites hang on, directly or not.
    Switch,
    /// The pairs of one supernode within a block, which do not talk over it.
    Hole,
    /// The members of one supernode on one site of its inside.
    InnerCell,
    /// All transfers from one site of a supernode to another.
    InnerBlock(PathColour),
}

/// The properties of a listed transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TransferColour {
    pub(super) stage: u32,
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) sizes: Sizes,
    pub(super) part: u32,
    pub(super) parts: u32,
    pub(super) ordinal: u32,
    pub(super) action: Action,
    pub(super) start: Start,
    /// The number of the latencies of its paths; 0 if it is joined, when its kind tells them.
    pub(super) latencies: u64,
    /// The number of the hazards of its paths, 0 if they have none.
    pub(super) hazard: u64,
    /// What its losses are drawn by, if they are.
    pub(super) draw: u64,
}

impl TransferColour {
    /// The terms of the flow that it is.
    pub(super) const fn terms(&self) -> Terms {
        let Self { stage, first, end, sizes, part, parts, ordinal, action, start, .. } = *self;
        Terms { stage, first, end, sizes, part, parts, ordinal, fan_in: 1, action, start }
    }
}

/// The properties of a path between two sites: which ports it uses, and how long it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PathColour {
    pub(super) up: Vec<(u32, u64)>,
    pub(super) down: Vec<(u32, u64)>,
    pub(super) denominator: u64,
    pub(super) latency: Duration,
    pub(super) hazard: Option<Rc<Hazard>>,
}

/// What an edge means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    /// From a transfer or block to what sends.
    Source,
    /// From a transfer or block to what receives.
    Destination,
    /// From a transfer or block to a resource that carries weight/denominator of it on a set of routes.
    Crosses { weight: u64, denominator: u64, routes: u32 },
    /// From the sender to the receiver of a joined transfer, by its kind.
    Joined(u32),
    /// From a seat to what its joined transfers of one shape cross at that end, by the place therein.
    Access(End, u32, u32),
    /// From a seat to the resource behind its port of that number, by the latency of the port.
    PortOut(Domain, u32, Duration),
    /// The same, towards the seat.
    PortIn(Domain, u32, Duration),
    /// From a part to its whole: seat to cell, cell to site, site to switch, hole to block.
    PartOf,
    /// From a switch to the trunk that leads from it to the one above, by the latency of its links.
    StemUp(Duration),
    /// The same, from the one above.
    StemDown(Duration),
    /// From a waiting seat to the one waited for.
    Wait(u64, u64, Pace),
}

/// Numbers what it is shown, in the order of first appearance.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    known: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { known: FxHashMap::default() }
    }
}

impl<T: Hash + Eq + Copy> Interner<T> {
    /// All values, by number.
    pub(super) fn in_order(&self) -> Vec<T> {
        let mut values: Vec<(u32, T)> =
            self.known.iter().map(|(&it, &number)| (number, it)).collect();
        values.sort_unstable_by_key(|&(number, _)| number);
        values.into_iter().map(|(_, value)| value).collect()
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The number of `value`.
    pub(super) fn number(&mut self, value: T) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(value).or_insert(next)
    }
}

/// The chunk of one seat when it has none: stages that are not all-to-all.
pub(super) const NO_CHUNK: Sizes = Sizes::Constant(Bytes::ZERO);
