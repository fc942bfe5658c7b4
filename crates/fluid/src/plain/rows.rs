//! The paths of transfers that are listed one by one: a row of them, one for each set of routes.

use std::rc::Rc;

use collectives::Lane;
use rustc_hash::FxHashMap;
use topology::{CardId, Domain, RouteError, Router, Routing};
use units::Duration;

use crate::course::{Course, best};
use crate::loss::Hazard;
use crate::parts::{Ends, flow_key};
use crate::paths::{Alone, Share, common_denominator, medium, rate};
use crate::tree_ways::TreeWays;
use crate::ways::Ways;
use crate::{Crossing, Error, Medium, World};

/// No path on a set of routes.
const NONE: u32 = u32::MAX;

/// All paths, over links.
pub(super) struct Rows<'a> {
    world: &'a World<'a>,
    course: &'a Course<'a>,
    /// One for each set of routes.
    routers: Vec<Router<'a>>,
    ways: Ways,
    /// What the weights of each path are shares of; empty while all are whole.
    denominators: Vec<u64>,
    /// What packets risk on each path; empty where no link loses any.
    hazards: Vec<Option<Rc<Hazard>>>,
    /// The path on each set of routes, row by row; empty where there is one set: row n is path n.
    by_routes: Vec<u32>,
    /// The row of a pair that is sprayed.
    sprayed: FxHashMap<(CardId, CardId), u32>,
    /// The row of a pair and a key in the lane that is listed; another lane hashes by other keys.
    hashed: FxHashMap<(CardId, CardId, u64), u32>,
    /// The capacity of each link in each state, and the most that it ever has.
    by_state: Vec<Vec<u128>>,
    best: Vec<u128>,
}

impl<'a> Rows<'a> {
    /// No paths yet.
    pub(super) fn new(world: &'a World<'a>, course: &'a Course<'a>) -> Self {
        let by_state = course.link_capacities();
        Self {
            world,
            course,
            routers: course.routed().map(Router::new).collect(),
            ways: Ways::default(),
            denominators: Vec::new(),
            hazards: Vec::new(),
            by_routes: Vec::new(),
            sprayed: FxHashMap::default(),
            hashed: FxHashMap::default(),
            best: best(&by_state),
            by_state,
        }
    }

    /// Forgets which hashed paths are known: the next lane has others.
    pub(super) fn begin_lane(&mut self) {
        self.hashed.clear();
    }

    /// Whether a transfer leaves its supernode.
    pub(super) fn is_outer(&self, ends: Ends) -> bool {
        matches!(ends, Ends::Cards(src, dst) if self.routers[0].domain(src, dst) == Domain::Outside)
    }

    /// The row of the paths of a part between two ends.
    pub(super) fn row(&mut self, lane: &Lane, ends: Ends, part: u32) -> Result<u32, Error> {
        let Ends::Cards(src, dst) = ends else { return self.tree_row(ends) };
        let pair = (src, dst);
        let Routing::Ecmp { key, .. } = self.world.routing else { return self.sprayed(pair) };
        if !self.is_outer(ends) {
            return self.sprayed(pair);
        }
        let key = flow_key(key, lane, pair, part);
        // A later stage may send to the same card again.
        if lane.stages.len() == 1 {
            return self.find(pair, Some(key));
        }
        if let Some(&row) = self.hashed.get(&(src, dst, key)) {
            return Ok(row);
        }
        let row = self.find(pair, Some(key))?;
        self.hashed.insert((src, dst, key), row);
        Ok(row)
    }

    /// The row of the ways to or from switches that add up and copy.
    fn tree_row(&mut self, ends: Ends) -> Result<u32, Error> {
        let TreeWays { different, by_routes } = TreeWays::new(self.course, ends)?;
        let ways = different.into_iter().map(|way| self.push(Share::of(way)));
        let paths: Vec<u32> = ways.collect();
        if by_routes.len() == 1 {
            return Ok(paths[0]);
        }
        let row = self.by_routes.len() as u32;
        let path = |way: Option<u32>| way.map_or(NONE, |way| paths[way as usize]);
        self.by_routes.extend(by_routes.into_iter().map(path));
        Ok(row)
    }

    fn sprayed(&mut self, pair: (CardId, CardId)) -> Result<u32, Error> {
        if let Some(&row) = self.sprayed.get(&pair) {
            return Ok(row);
        }
        let row = self.find(pair, None)?;
        self.sprayed.insert(pair, row);
        Ok(row)
    }

    /// Finds the paths of a pair on all sets of routes, hashed by a key or sprayed.
    fn find(&mut self, pair: (CardId, CardId), hashed: Option<u64>) -> Result<u32, Error> {
        let (src, dst) = pair;
        let unreachable = RouteError::Unreachable { src, dst };
        if self.routers.len() == 1 {
            return Ok(self.path(0, pair, hashed)?.ok_or(unreachable)?);
        }
        let row = self.by_routes.len() as u32;
        for routes in 0..self.routers.len() {
            let path = self.path(routes, pair, hashed)?;
            self.by_routes.push(path.unwrap_or(NONE));
        }
        if self.by_routes[row as usize..].iter().all(|&path| path == NONE) {
            return Err(unreachable.into());
        }
        Ok(row)
    }

    /// Adds the path of a pair on one set of routes, if there is one.
    fn path(
        &mut self,
        routes: usize,
        (src, dst): (CardId, CardId),
        hashed: Option<u64>,
    ) -> Result<Option<u32>, Error> {
        let router = &mut self.routers[routes];
        let path = match hashed {
            Some(key) => router.hashed(src, dst, key),
            None => router.spray(src, dst),
        };
        let path = match path {
            Ok(path) => path,
            Err(RouteError::Unreachable { .. }) => return Ok(None),
            Err(refused) => return Err(refused.into()),
        };
        let loss = self.world.fabric.path_loss(src, dst, &path.hops);
        let rates = &self.by_state[self.course.routes[routes]];
        Ok(Some(self.push(Share::of(path).losing(loss, &self.world.recovery, rates))))
    }

    fn push(&mut self, share: Share) -> u32 {
        let Share { crossings, denominator, latency, hazard } = share;
        if denominator != 1 && self.denominators.is_empty() {
            self.denominators = vec![1; self.ways.len() as usize];
        }
        if denominator != 1 || !self.denominators.is_empty() {
            self.denominators.push(denominator);
        }
        if hazard.is_some() {
            self.hazards.resize(self.ways.len() as usize, None);
            self.hazards.push(hazard);
        }
        let crossings = crossings.into_iter();
        self.ways.push(crossings.map(|(resource, weight)| Crossing { resource, weight }), latency)
    }

    /// The paths of a row, `None` where there is none.
    pub(super) fn paths(&self, row: u32) -> impl Iterator<Item = Option<u32>> + Clone + '_ {
        (0..self.routers.len()).map(move |routes| match self.by_routes.get(row as usize + routes) {
            None => Some(row),
            Some(&path) => (path != NONE).then_some(path),
        })
    }

    /// How messages fare that take the paths of a row alone.
    pub(super) fn alone(&self, row: u32) -> impl Iterator<Item = Alone> + Clone + '_ {
        self.paths(row).flatten().map(|path| {
            let denominator = denominator(&self.denominators, path);
            let crossings = self.ways.crossings(path).iter();
            let rate = rate(crossings, denominator, &self.best);
            Alone { rate, latency: self.ways.latency(path) }
        })
    }

    /// What packets risk on each path of a row.
    pub(super) fn hazards(&self, row: u32) -> impl Iterator<Item = Option<&Hazard>> {
        self.paths(row).map(|path| self.hazards.get(path? as usize)?.as_deref())
    }

    /// The medium of these paths, to which flows are to be added, and the common denominator.
    pub(super) fn medium(&mut self) -> Result<(Medium, u64), Error> {
        let denominators = std::mem::take(&mut self.denominators);
        let common = common_denominator(denominators.iter().copied())?;
        let mut ways = std::mem::take(&mut self.ways);
        ways.scale(|path| common / denominator(&denominators, path)).ok_or(Error::TooFine)?;
        Ok((medium(self.course, &self.by_state, common)?.with_ways(ways), common))
    }

    /// The most that each link ever carries.
    pub(super) fn into_best(self) -> Vec<u128> {
        self.best
    }
}

fn denominator(denominators: &[u64], path: u32) -> u64 {
    denominators.get(path as usize).copied().unwrap_or(1)
}

/// The least latency of the paths of a flow.
pub(super) fn least_latency(medium: &Medium, flow: usize) -> Duration {
    let latencies = medium.paths(flow).flatten().map(|path| medium.latency(path));
    latencies.min().unwrap_or_default()
}
