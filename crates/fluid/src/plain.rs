//! The plain way: every transfer is listed, every link stands for itself.
//!
//! It shares nothing with the reductions but the engine and the water-filling, and is what they are
//! tested against.

use collectives::Lane;
use engine::{AgentId, Dependency, Flow, PlanBuilder, Program, ProgramStage};
use rustc_hash::FxHashMap;
use topology::{CardId, Domain, Path, Router, Routing};
use units::Duration;

use crate::chain::Chain;
use crate::loss::{self, LossyBuilder};
use crate::model::Model;
use crate::parts::{Ordinals, Seating, cards_of, flow_key, parts};
use crate::paths::{Share, common_denominator, link_capacities, link_of, medium};
use crate::traffic::{Loads, flow_total};
use crate::{Conduct, Error, World};

/// The most transfers that are listed one by one.
pub(crate) const MOST_LISTED: u64 = 20_000_000;

/// Lists all transfers of the world.
pub(crate) fn model(world: &World<'_>) -> Result<Model, Error> {
    let listed: u128 = world.schedule.lanes.iter().map(listed_transfers).sum();
    if listed > u128::from(MOST_LISTED) {
        let why = "without symmetry nothing is merged";
        return Err(Error::TooManyTransfers { transfers: listed, limit: MOST_LISTED, why });
    }
    let mut listing = Listing::new(world);
    for lane in &world.schedule.lanes {
        listing.seat(lane)?;
    }
    for (index, lane) in world.schedule.lanes.iter().enumerate() {
        listing.wait(index, lane);
        listing.send(index, lane)?;
    }
    listing.finish()
}

/// The transfers of one step of each stage, added up.
pub(crate) fn listed_transfers(lane: &Lane) -> u128 {
    let seats = lane.seats.len() as u128;
    let of_stage = |stage: &collectives::Stage| match &stage.pattern {
        collectives::Pattern::List(pairs) => pairs.len() as u128,
        pattern if pattern.is_all_pairs() => seats * seats.saturating_sub(1),
        _ => seats,
    };
    lane.stages.iter().map(of_stage).sum()
}

/// The program of a rank in a lane.
pub(crate) fn program(lane: &Lane, conduct: &Conduct) -> Result<Program, Error> {
    let Conduct { late, slowness, costs } = *conduct;
    let start = lane.start.checked_add(late).ok_or(Error::Run(engine::Error::TimeRange))?;
    let stages = lane.stages.iter();
    let stages =
        stages.map(|stage| ProgramStage { steps: stage.steps, compute: stage.compute }).collect();
    Ok(Program { start, rounds: lane.rounds, costs, slowness, stages })
}

struct Listing<'a> {
    world: &'a World<'a>,
    router: Router<'a>,
    seating: Seating,
    builder: PlanBuilder,
    agent_of_seat: Vec<Vec<AgentId>>,
    shares: Vec<Share>,
    known: FxHashMap<(CardId, CardId, u64), u32>,
    path_of: Vec<u32>,
    capacities: Vec<u128>,
    /// The source, the destination and the rounds of each flow, for the counting of traffic.
    pairs: Vec<(CardId, CardId, u64)>,
    lossy: LossyBuilder,
    flows: Vec<Flow>,
    chain: Duration,
    transfers: u128,
}

impl<'a> Listing<'a> {
    fn new(world: &'a World<'a>) -> Self {
        Self {
            world,
            router: Router::new(world.fabric),
            seating: Seating::new(world.schedule),
            builder: PlanBuilder::default(),
            agent_of_seat: Vec::new(),
            shares: Vec::new(),
            known: FxHashMap::default(),
            path_of: Vec::new(),
            capacities: link_capacities(world.fabric),
            pairs: Vec::new(),
            lossy: LossyBuilder::default(),
            flows: Vec::new(),
            chain: Duration::ZERO,
            transfers: 0,
        }
    }

    fn seat(&mut self, lane: &Lane) -> Result<(), Error> {
        let mut programs = FxHashMap::default();
        let mut agents = Vec::with_capacity(lane.seats.len());
        for &rank in lane.seats.iter() {
            let kind = self.world.conducts.kind(rank);
            let program = match programs.get(&kind) {
                Some(&program) => program,
                None => self.builder.program(program(lane, self.world.conducts.of(rank))?),
            };
            programs.insert(kind, program);
            agents.push(self.builder.agent(program));
        }
        self.agent_of_seat.push(agents);
        Ok(())
    }

    fn wait(&mut self, index: usize, lane: &Lane) {
        for wait in &lane.waits {
            let rank = lane.seats[wait.seat as usize];
            let seat = self.seating.seat(self.world.schedule, wait.lane, rank) as usize;
            self.builder.dependency(Dependency {
                agent: self.agent_of_seat[index][wait.seat as usize],
                step: wait.step,
                on: self.agent_of_seat[wait.lane.0 as usize][seat],
                completed: wait.completed,
                pace: wait.pace,
            });
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
                let pair = cards_of(self.world.cards, lane, transfer);
                let sizes = stage.payload.sizes(seats, transfer);
                let inside = self.router.domain(pair.0, pair.1) == Domain::Inside;
                let parts = if inside { 1 } else { parts(self.world.routing) };
                for part in 0..parts {
                    let path = self.path(lane, pair, part)?;
                    let flow = Flow {
                        src: self.agent_of_seat[index][transfer.src as usize],
                        dst: self.agent_of_seat[index][transfer.dst as usize],
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
                    let share = &self.shares[path as usize];
                    chain.message(stage_index, share.least_time(&self.capacities, least));
                    let key = loss::key_of(self.world, lane, &flow, (transfer.src, transfer.dst));
                    self.lossy.flow(share.hazard.as_deref(), 1, key);
                    self.path_of.push(path);
                    self.pairs.push((pair.0, pair.1, lane.rounds.count));
                    self.flows.push(flow);
                }
                let steps = u128::from(transfer.end - transfer.first);
                self.transfers += steps * u128::from(lane.rounds.count);
            }
        }
        self.chain = self.chain.max(chain.time(lane));
        Ok(())
    }

    fn path(&mut self, lane: &Lane, pair: (CardId, CardId), part: u32) -> Result<u32, Error> {
        let (src, dst) = pair;
        let hashed = match self.world.routing {
            Routing::Ecmp { key, .. } if self.router.domain(src, dst) == Domain::Outside => {
                Some(flow_key(key, lane, pair, part))
            }
            _ => None,
        };
        let name = (src, dst, hashed.unwrap_or(0));
        if let Some(&path) = self.known.get(&name) {
            return Ok(path);
        }
        let Path { hops, denominator, latency } = match hashed {
            Some(key) => self.router.hashed(src, dst, key)?,
            None => self.router.spray(src, dst)?,
        };
        let lost = self.world.fabric.path_loss(src, dst, &hops);
        let crossings = hops.into_iter().map(|hop| (hop.link.0, hop.weight)).collect();
        let path = self.shares.len() as u32;
        let share = Share { crossings, denominator, latency, hazard: None };
        self.shares.push(share.losing(lost, &self.world.recovery, &self.capacities));
        self.known.insert(name, path);
        Ok(path)
    }

    fn finish(mut self) -> Result<Model, Error> {
        let common = common_denominator(&self.shares)?;
        let mut medium = medium(&self.capacities, &self.shares, common)?;
        let mut loads = Loads::new(self.world.fabric, u128::from(common));
        for (index, flow) in self.flows.into_iter().enumerate() {
            medium.add_flow(self.path_of[index]);
            let (src, dst, rounds) = self.pairs[index];
            let bytes = flow_total(&flow) * u128::from(rounds);
            let latency = medium.latency(index);
            for crossing in medium.crossings(index) {
                let link = link_of(crossing.resource);
                loads.add(link, bytes, u128::from(crossing.weight), latency);
            }
            if self.router.domain(src, dst) == Domain::Outside {
                loads.add_pair(src, dst, bytes);
            }
            self.builder.flow(flow);
        }
        Ok(Model {
            plan: self.builder.build(),
            medium,
            lossy: self.lossy.build(self.world.recovery, self.world.fabric.losses()),
            agent_of_seat: self.agent_of_seat,
            loads,
            chain: self.chain,
            transfers: self.transfers,
        })
    }
}
