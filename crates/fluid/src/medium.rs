//! What flows share: resources with capacities, and the paths over them.

use units::Duration;

/// A share of one resource that a path takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The resource (a link, a trunk, or a class of them).
    pub resource: u32,
    /// How much of the flow's rate crosses it, over the common denominator; a class of flows counts
    /// every member that crosses one member of a class of links.
    pub weight: u64,
}

/// Resources and paths, all weights over one common denominator.
///
/// A flow of rate r takes `weight` × r of a resource whose capacity is scaled by the denominator.
#[derive(Clone, Debug, Default)]
pub struct Medium {
    capacities: Vec<u128>,
    path_start: Vec<u32>,
    crossings: Vec<Crossing>,
    latencies: Vec<Duration>,
    path_of: Vec<u32>,
}

impl Medium {
    /// A medium of resources with these capacities (milli-bit/s × common denominator).
    pub fn new(capacities: Vec<u128>) -> Self {
        Self { capacities, path_start: vec![0], ..Self::default() }
    }

    /// Adds a path and returns its index.
    ///
    /// # Panics
    /// If the path crosses nothing, or something with weight zero: its flows would have no rate.
    pub fn add_path(&mut self, crossings: &[Crossing], latency: Duration) -> u32 {
        assert!(!crossings.is_empty(), "a path crosses some resource");
        assert!(crossings.iter().all(|crossing| crossing.weight > 0), "a crossing has a weight");
        self.crossings.extend_from_slice(crossings);
        self.path_start.push(self.crossings.len() as u32);
        self.latencies.push(latency);
        self.latencies.len() as u32 - 1
    }

    /// Adds the next flow, which takes `path`.
    pub fn add_flow(&mut self, path: u32) {
        self.path_of.push(path);
    }

    /// The number of flows.
    pub fn flows(&self) -> usize {
        self.path_of.len()
    }

    /// The number of paths.
    pub fn paths(&self) -> usize {
        self.latencies.len()
    }

    /// The path of a flow.
    pub fn path_of(&self, flow: usize) -> u32 {
        self.path_of[flow]
    }

    /// What a path crosses.
    pub fn path(&self, path: usize) -> &[Crossing] {
        &self.crossings[self.path_start[path] as usize..self.path_start[path + 1] as usize]
    }

    /// The latency of a path.
    pub fn path_latency(&self, path: usize) -> Duration {
        self.latencies[path]
    }

    /// The capacities of the resources, scaled by the common denominator.
    pub fn capacities(&self) -> &[u128] {
        &self.capacities
    }

    /// What a flow crosses.
    pub fn crossings(&self, flow: usize) -> &[Crossing] {
        self.path(self.path_of[flow] as usize)
    }

    /// The latency of a flow's path.
    pub fn latency(&self, flow: usize) -> Duration {
        self.latencies[self.path_of[flow] as usize]
    }
}
