//! The paths of listed transfers on each set of routes.
//!
//! Where routes stay, a sprayed path crosses trunks. Where they change, what is a trunk on one set of
//! routes need not be one on another; so paths are lists of links then, and classes of links are found
//! with everything else. So they are where switches that add up send to other switches.

use collectives::Lane;
use rustc_hash::FxHashMap;
use topology::{CardId, Path, RouteError, Router};
use units::Duration;

use super::intern::Interner;
use super::scene::Scene;
use crate::course::{Course, is_rerouted};
use crate::paths::Share;
use crate::tree_ways::TreeWays;
use crate::{Error, World};

/// Rows of paths, one path, or none, for each set of routes.
#[derive(Default)]
pub(super) struct Paths {
    routes: usize,
    /// Whether sprayed paths are lists of links.
    pub(super) by_links: bool,
    /// The state that each set of routes belongs to.
    states: Vec<usize>,
    shares: Vec<Share>,
    rows: Vec<Option<u32>>,
    known: FxHashMap<(CardId, CardId, u64), u32>,
    /// Latencies over the sets of routes.
    latencies: Interner<Vec<Option<Duration>>>,
}

impl Paths {
    pub(super) fn new(world: &World<'_>, course: &Course<'_>) -> Self {
        Self {
            routes: course.routes.len(),
            by_links: lists_links(world),
            states: course.routes.clone(),
            shares: Vec::new(),
            rows: Vec::new(),
            known: FxHashMap::default(),
            latencies: Interner::default(),
        }
    }

    /// The paths of a row in the order of the sets of routes.
    pub(super) fn row(&self, row: u32) -> impl Iterator<Item = Option<&Share>> + Clone {
        let row = &self.rows[row as usize..row as usize + self.routes];
        row.iter().map(|path| path.map(|path| &self.shares[path as usize]))
    }

    /// The first path of a row; where routes stay, the one that there is.
    pub(super) fn first(&self, row: u32) -> &Share {
        self.row(row).flatten().next().expect("who cannot be reached is refused")
    }

    /// The row of the ways to or from switches that add up.
    pub(super) fn tree_row(&mut self, TreeWays { different, by_routes }: TreeWays) -> u32 {
        let row = self.rows.len() as u32;
        let first = self.shares.len() as u32;
        self.rows.extend(by_routes.into_iter().map(|way| way.map(|way| first + way)));
        self.shares.extend(different.into_iter().map(Share::of));
        row
    }

    /// The number of the latencies of a row: equal numbers, equal latencies on each set of routes.
    pub(super) fn latencies(&mut self, row: u32) -> u64 {
        if self.routes == 1 {
            return self.first(row).latency.as_picos();
        }
        let latencies = self.row(row).map(|share| share.map(|share| share.latency)).collect();
        u64::from(self.latencies.number(latencies))
    }
}

/// Whether sprayed paths of a world are lists of links: where routes change, and where some transfers go
/// from switches to switches, single links of what a spray would know as one trunk.
pub(super) fn lists_links(world: &World<'_>) -> bool {
    let climbs = |lane: &Lane| lane.seats[0].switches().is_some();
    is_rerouted(world) || world.schedule.lanes.iter().any(climbs)
}

impl Scene<'_> {
    /// The row of paths of a pair of cards, hashed by `key` or sprayed.
    pub(super) fn paths_between(
        &mut self,
        world: &World<'_>,
        routers: &mut [Router<'_>],
        (pair, key): ((CardId, CardId), Option<u64>),
    ) -> Result<u32, Error> {
        let (src, dst) = pair;
        let name = (src, dst, key.unwrap_or(0));
        if let Some(&row) = self.paths.known.get(&name) {
            return Ok(row);
        }
        let row = self.paths.rows.len() as u32;
        for (routes, router) in routers.iter_mut().enumerate() {
            let state = self.paths.states[routes];
            let share = match key {
                Some(key) => {
                    router.hashed(src, dst, key).map(|path| self.listed(world, (pair, state), path))
                }
                None if self.paths.by_links => {
                    router.spray(src, dst).map(|path| self.listed(world, (pair, state), path))
                }
                None => self.share(world, pair),
            };
            match share {
                Ok(share) => {
                    self.paths.rows.push(Some(self.paths.shares.len() as u32));
                    self.paths.shares.push(share);
                }
                Err(RouteError::Unreachable { .. }) => self.paths.rows.push(None),
                Err(refused) => return Err(refused.into()),
            }
        }
        if self.paths.row(row).flatten().next().is_none() {
            return Err(RouteError::Unreachable { src, dst }.into());
        }
        self.paths.known.insert(name, row);
        Ok(row)
    }

    /// A path between two cards on the routes of a state, as links.
    fn listed(
        &self,
        world: &World<'_>,
        ((src, dst), state): ((CardId, CardId), usize),
        path: Path,
    ) -> Share {
        let Path { hops, denominator, latency } = path;
        let loss = world.fabric.path_loss(src, dst, &hops);
        let crossings = hops.into_iter().map(|hop| (hop.link.0, hop.weight)).collect();
        let share = Share { crossings, denominator, latency, hazard: None };
        share.losing(loss, &world.recovery, &self.resources.by_state[state])
    }
}
