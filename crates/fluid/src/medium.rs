//! What flows share: resources with capacities, the paths over them, and what of it changes in time.

use std::ops::Range;

use units::{Duration, Time};

use crate::ways::{Crossings, Ways};

/// No path.
const NONE: u32 = u32::MAX;

/// A share of one resource that a path takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The resource (a link, a trunk, or a class of them).
    pub resource: u32,
    /// How much of the flow's rate crosses it, over the common denominator; a class of flows counts
    /// every member that crosses one member of a class of links.
    pub weight: u64,
}

/// An instant at which a medium changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The instant.
    pub at: Time,
    /// Resources with their capacities from then on, scaled like the others; 0 for what is dead.
    pub capacities: Vec<(u32, u128)>,
    /// Which set of routes flows take from then on; `None`: as before.
    pub routes: Option<u32>,
}

/// Resources and paths, all weights over one common denominator.
///
/// A flow of rate r takes `weight` × r of a resource whose capacity is scaled by the denominator. Flows
/// have a path, or none, in each set of routes; at the start the first set holds.
#[derive(Clone, Debug, Default)]
pub struct Medium {
    capacities: Vec<u128>,
    ways: Ways,
    /// The path of each flow in each set of routes, flow by flow.
    path_of: Vec<u32>,
    routes: u32,
    turns: Vec<Turn>,
}

impl Medium {
    /// A medium of resources with these capacities (milli-bit/s × common denominator), which stays as
    /// it is.
    pub fn new(capacities: Vec<u128>) -> Self {
        Self::in_time(capacities, 1, Vec::new())
    }

    /// A medium that changes: so many sets of routes, and what turns when, ascending in time.
    ///
    /// # Panics
    /// If there is no set of routes, a turn takes one that there is not, or turns are out of order.
    pub fn in_time(capacities: Vec<u128>, routes: u32, turns: Vec<Turn>) -> Self {
        assert!(turns.iter().filter_map(|turn| turn.routes).all(|taken| taken < routes));
        assert!(routes > 0 && turns.is_sorted_by_key(|turn| turn.at), "turns are in order");
        Self { capacities, routes, turns, ..Self::default() }
    }

    /// The same with paths that are known already, over resources of this medium.
    ///
    /// # Panics
    /// If it has paths of its own.
    pub(crate) fn with_ways(mut self, ways: Ways) -> Self {
        assert_eq!(self.ways.len(), 0, "paths are given once");
        self.ways = ways;
        self
    }

    /// Adds a path and returns its index.
    ///
    /// # Panics
    /// If the path crosses nothing, or something with weight zero: its flows would have no rate.
    pub fn add_path(&mut self, crossings: &[Crossing], latency: Duration) -> u32 {
        assert!(!crossings.is_empty(), "a path crosses some resource");
        assert!(crossings.iter().all(|crossing| crossing.weight > 0), "a crossing has a weight");
        self.ways.push(crossings.iter().copied(), latency)
    }

    /// Adds the next flow, which takes `path` whatever the routes.
    pub fn add_flow(&mut self, path: u32) {
        self.path_of.extend((0..self.routes).map(|_| path));
    }

    /// Adds the next flow, which takes these paths, one for each set of routes.
    ///
    /// # Panics
    /// If there are more or fewer paths than sets of routes, or none of them is one.
    pub fn add_rerouted_flow(&mut self, paths: impl IntoIterator<Item = Option<u32>>) {
        let first = self.path_of.len();
        self.path_of.extend(paths.into_iter().map(|path| path.unwrap_or(NONE)));
        let added = &self.path_of[first..];
        assert_eq!(added.len(), self.routes as usize, "a path, or none, for each set of routes");
        assert!(added.iter().any(|&path| path != NONE), "a flow has a path at some time");
    }

    /// The number of flows.
    pub fn flows(&self) -> usize {
        self.path_of.len() / self.routes as usize
    }

    /// The number of sets of routes, at least 1.
    pub const fn routes(&self) -> u32 {
        self.routes
    }

    /// What changes, ascending in time.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The capacities of the resources at the start, scaled by the common denominator.
    pub fn capacities(&self) -> &[u128] {
        &self.capacities
    }

    /// The path of a flow in a set of routes, if it has one.
    pub fn path(&self, flow: usize, routes: u32) -> Option<u32> {
        let path = self.path_of[flow * self.routes as usize + routes as usize];
        (path != NONE).then_some(path)
    }

    /// The path of a flow where routes stay.
    ///
    /// # Panics
    /// If there are several sets of routes.
    pub fn only_path(&self, flow: usize) -> u32 {
        assert_eq!(self.routes, 1, "a flow has one path where routes stay");
        self.path_of[flow]
    }

    /// All paths that were added.
    pub fn all_paths(&self) -> Range<u32> {
        0..self.ways.len()
    }

    /// All paths of a flow, in the order of the sets of routes.
    pub fn paths(&self, flow: usize) -> impl Iterator<Item = Option<u32>> {
        (0..self.routes).map(move |routes| self.path(flow, routes))
    }

    /// What a path crosses.
    pub fn crossings(&self, path: u32) -> Crossings<'_> {
        self.ways.crossings(path)
    }

    /// Whether every path crosses whole what it crosses.
    pub(crate) const fn is_whole(&self) -> bool {
        self.ways.are_whole()
    }

    /// The weight of a path on what it crosses at this place.
    pub(crate) fn weight(&self, path: u32, index: u32) -> u64 {
        self.ways.weight(path, index)
    }

    /// The latency of a path.
    pub fn latency(&self, path: u32) -> Duration {
        self.ways.latency(path)
    }
}
