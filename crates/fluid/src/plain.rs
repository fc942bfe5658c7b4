//! The plain way: every transfer is listed, every link stands for itself.
//!
//! It shares nothing with the reductions but the engine and the water-filling, and is what they are
//! tested against.

use collectives::Lane;
use engine::{Flow, PlanBuilder};
use rustc_hash::FxHashMap;
use topology::{CardId, Domain, RouteError, Router, Routing};
use units::Duration;

use crate::chain::Chain;
use crate::course::{Course, best};
use crate::explanation::Told;
use crate::loss::{self, Hazard, LossyBuilder};
use crate::model::Model;
use crate::parts::{
    AgentOfSeat, Ends, Ordinals, Seating, ends_of, flow_key, listed_transfers, parts, way_of,
};
use crate::paths::{Share, common_denominator, least_latency, least_time, link_of, medium};
use crate::traffic::{Loads, flow_total};
use crate::{Error, World};

/// The most transfers that are listed one by one.
pub(crate) const MOST_LISTED: u64 = 20_000_000;

/// Lists all transfers of the world.
pub(crate) fn model(world: &World<'_>, course: &Course<'_>) -> Result<Model, Error> {
    let listed: u128 = world.schedule.lanes.iter().map(listed_transfers).sum();
    if listed > u128::from(MOST_LISTED) {
        let why = if course.is_rerouted() {
            "where routes change during the run nothing is merged"
        } else {
            "without symmetry nothing is merged"
        };
        return Err(Error::TooManyTransfers { transfers: listed, limit: MOST_LISTED, why });
    }
    let mut listing = Listing::new(world, course);
    for lane in &world.schedule.lanes {
        listing.seats.seat(&mut listing.builder, world.conducts, lane)?;
    }
    for (index, lane) in world.schedule.lanes.iter().enumerate() {
        let waiting = (world.schedule, &mut listing.seating);
        listing.seats.wait(&mut listing.builder, waiting, index);
        listing.send(index, lane)?;
    }
    listing.finish()
}

struct Listing<'a> {
    world: &'a World<'a>,
    course: &'a Course<'a>,
    /// One for each set of routes.
    routers: Vec<Router<'a>>,
    seating: Seating,
    builder: PlanBuilder,
    seats: AgentOfSeat,
    shares: Vec<Share>,
    /// The paths of a pair of cards and a key in each set of routes, by the first of a row.
    known: FxHashMap<(CardId, CardId, u64), u32>,
    /// Rows of paths, one for each set of routes.
    rows: Vec<Option<u32>>,
    /// The row of each flow.
    row_of: Vec<u32>,
    /// The capacity of each link in each state, and the most that it ever has.
    by_state: Vec<Vec<u128>>,
    best: Vec<u128>,
    /// The ends and the rounds of each flow, for the counting of traffic.
    ends: Vec<(Ends, u64)>,
    lossy: LossyBuilder,
    flows: Vec<Flow>,
    chain: Duration,
    transfers: u128,
}

/// What packets risk on each path of a row.
fn hazards<'s>(
    shares: &'s [Share],
    row: &'s [Option<u32>],
) -> impl Iterator<Item = Option<&'s Hazard>> {
    row.iter().map(|path| shares[(*path)? as usize].hazard.as_deref())
}

impl<'a> Listing<'a> {
    fn new(world: &'a World<'a>, course: &'a Course<'a>) -> Self {
        let by_state = course.link_capacities();
        Self {
            world,
            course,
            routers: course.routed().map(Router::new).collect(),
            seating: Seating::new(world.schedule),
            builder: PlanBuilder::default(),
            seats: AgentOfSeat::default(),
            shares: Vec::new(),
            known: FxHashMap::default(),
            rows: Vec::new(),
            row_of: Vec::new(),
            best: best(&by_state),
            by_state,
            ends: Vec::new(),
            lossy: LossyBuilder::default(),
            flows: Vec::new(),
            chain: Duration::ZERO,
            transfers: 0,
        }
    }

    fn send(&mut self, index: usize, lane: &Lane) -> Result<(), Error> {
        let seats = lane.seats.len() as u32;
        let mut chain = Chain::new(lane);
        for (stage_index, stage) in lane.stages.iter().enumerate() {
            let mut transfers = Vec::new();
            let mut ordinals = Ordinals::default();
            stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
                transfers.push((transfer, ordinals.of(transfer.src)));
            });
            for (transfer, ordinal) in transfers {
                let ends = ends_of(self.world.cards, lane, transfer);
                let sizes = stage.payload.sizes(seats, transfer);
                let parts = if self.is_outer(ends) { parts(self.world.routing) } else { 1 };
                for part in 0..parts {
                    let row = self.paths(lane, ends, part)?;
                    let flow = Flow {
                        src: self.seats.agents[index][transfer.src as usize],
                        dst: self.seats.agents[index][transfer.dst as usize],
                        stage: stage_index as u32,
                        first: transfer.first,
                        end: transfer.end,
                        sizes,
                        part,
                        parts,
                        ordinal,
                        fan_in: 1,
                        action: stage.action,
                        start: stage.start,
                    };
                    let least = crate::traffic::least_bytes(&flow);
                    let least = least_time(self.shares_of(row), &self.best, least);
                    chain.message(stage_index, least);
                    let key = loss::key_of(self.world, lane, &flow, (transfer.src, transfer.dst));
                    let paths = &self.rows[row as usize..row as usize + self.routers.len()];
                    self.lossy.flow(hazards(&self.shares, paths), 1, key);
                    self.row_of.push(row);
                    self.ends.push((ends, lane.rounds.count));
                    self.flows.push(flow);
                }
                let steps = u128::from(transfer.end - transfer.first);
                self.transfers += steps * u128::from(lane.rounds.count);
            }
        }
        self.chain = self.chain.max(chain.time(lane));
        Ok(())
    }

    /// Whether a transfer leaves its supernode.
    fn is_outer(&self, ends: Ends) -> bool {
        matches!(ends, Ends::Cards(src, dst) if self.routers[0].domain(src, dst) == Domain::Outside)
    }

    /// The row of the paths of a part between two ends; the way to switches that add up and copy is the
    /// same in every set of routes.
    fn paths(&mut self, lane: &Lane, ends: Ends, part: u32) -> Result<u32, Error> {
        let Ends::Cards(src, dst) = ends else {
            let row = self.rows.len() as u32;
            let path = self.shares.len() as u32;
            self.rows.extend(self.routers.iter().map(|_| Some(path)));
            self.shares.push(Share::of(way_of(self.world.fabric, ends)?));
            return Ok(row);
        };
        let pair = (src, dst);
        let hashed = match self.world.routing {
            Routing::Ecmp { key, .. } if self.routers[0].domain(src, dst) == Domain::Outside => {
                Some(flow_key(key, lane, pair, part))
            }
            _ => None,
        };
        let name = (src, dst, hashed.unwrap_or(0));
        if let Some(&row) = self.known.get(&name) {
            return Ok(row);
        }
        let row = self.rows.len() as u32;
        for (router, &state) in self.routers.iter_mut().zip(&self.course.routes) {
            let path = match hashed {
                Some(key) => router.hashed(src, dst, key),
                None => router.spray(src, dst),
            };
            let path = match path {
                Ok(path) => path,
                Err(RouteError::Unreachable { .. }) => {
                    self.rows.push(None);
                    continue;
                }
                Err(refused) => return Err(refused.into()),
            };
            let loss = self.world.fabric.path_loss(src, dst, &path.hops);
            self.rows.push(Some(self.shares.len() as u32));
            let share = Share::of(path);
            self.shares.push(share.losing(loss, &self.world.recovery, &self.by_state[state]));
        }
        if self.rows[row as usize..].iter().all(Option::is_none) {
            return Err(RouteError::Unreachable { src, dst }.into());
        }
        self.known.insert(name, row);
        Ok(row)
    }

    /// The paths of a row, `None` where there is none.
    fn row(&self, row: u32) -> &[Option<u32>] {
        &self.rows[row as usize..row as usize + self.routers.len()]
    }

    fn shares_of(&self, row: u32) -> impl Iterator<Item = &Share> + Clone {
        self.row(row).iter().flatten().map(|&path| &self.shares[path as usize])
    }

    fn finish(mut self) -> Result<Model, Error> {
        let common = common_denominator(&self.shares)?;
        let mut medium = medium(self.course, &self.by_state, &self.shares, common)?;
        let mut loads = Loads::new(self.world.fabric, u128::from(common));
        for (index, flow) in std::mem::take(&mut self.flows).into_iter().enumerate() {
            let row = self.row_of[index];
            medium.add_rerouted_flow(self.row(row));
            let (ends, rounds) = self.ends[index];
            let bytes = flow_total(&flow) * u128::from(rounds);
            let latency = least_latency(self.shares_of(row));
            let first = self.row(row).iter().flatten().next();
            let first = *first.expect("who cannot be reached is refused");
            for crossing in medium.crossings(first) {
                let link = link_of(crossing.resource);
                loads.add(link, bytes, u128::from(crossing.weight), latency);
            }
            if let Ends::Cards(src, dst) = ends
                && self.routers[0].domain(src, dst) == Domain::Outside
            {
                loads.add_pair(src, dst, bytes);
            }
            self.builder.flow(flow);
        }
        let told = Told { flows: self.row_of.len() as u128, ..Told::default() };
        Ok(Model {
            told,
            plan: self.builder.build(),
            medium,
            lossy: self.lossy.build(self.world.recovery, self.world.fabric.losses()),
            agent_of_seat: self.seats.agents,
            loads,
            class_of_link: None,
            best: self.best,
            chain: self.chain,
            transfers: self.transfers,
        })
    }
}
