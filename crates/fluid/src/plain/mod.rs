//! The plain way: every transfer is listed, every link stands for itself.
//!
//! It shares nothing with the reductions but the engine and the water-filling, and is what they are
//! tested against.

mod rows;

use collectives::{Lane, Transfer};
use engine::PlanBuilder;
use units::{Bytes, Duration};

use self::rows::{Rows, least_latency};
use crate::chain::Chain;
use crate::course::Course;
use crate::explanation::Told;
use crate::loss::{self, LossyBuilder};
use crate::model::Model;
use crate::parts::{AgentOfSeat, Ends, Ordinals, Seating, ends_of, listed_transfers, parts};
use crate::paths::{Alone, least_time, link_of};
use crate::traffic::{Loads, flow_total, least_bytes, terms_of};
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
    seating: Seating,
    builder: PlanBuilder,
    seats: AgentOfSeat,
    rows: Rows<'a>,
    /// The row of each flow.
    row_of: Vec<u32>,
    loads: Loads,
    lossy: LossyBuilder,
    chain: Duration,
    /// The least time of the message before: that of the next one is often the same.
    last_least: (Bytes, Alone, Duration),
    transfers: u128,
}

/// A lane and the stage of it that is listed, by number.
type Place<'a> = (usize, &'a Lane, usize);

impl<'a> Listing<'a> {
    fn new(world: &'a World<'a>, course: &'a Course<'a>) -> Self {
        let nothing = Alone { rate: 1, latency: Duration::ZERO };
        Self {
            world,
            seating: Seating::new(world.schedule),
            builder: PlanBuilder::default(),
            seats: AgentOfSeat::default(),
            rows: Rows::new(world, course),
            row_of: Vec::new(),
            loads: Loads::new(world.fabric, 1),
            lossy: LossyBuilder::default(),
            chain: Duration::ZERO,
            last_least: (Bytes::ZERO, nothing, Duration::ZERO),
            transfers: 0,
        }
    }

    fn send(&mut self, index: usize, lane: &Lane) -> Result<(), Error> {
        let seats = lane.seats.len() as u32;
        let mut chain = Chain::new(lane);
        self.rows.begin_lane();
        for (stage_index, stage) in lane.stages.iter().enumerate() {
            let mut transfers = Vec::new();
            let mut ordinals = Ordinals::default();
            stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
                transfers.push((transfer, ordinals.of(transfer.src)));
            });
            for (transfer, ordinal) in transfers {
                let least = self.list((index, lane, stage_index), transfer, ordinal)?;
                chain.message(stage_index, least);
                let steps = u128::from(transfer.end - transfer.first);
                self.transfers += steps * u128::from(lane.rounds.count);
            }
        }
        self.chain = self.chain.max(chain.time(lane));
        Ok(())
    }

    /// Lists a transfer, and tells the least time of a message of it.
    fn list(
        &mut self,
        (index, lane, stage_index): Place<'_>,
        transfer: Transfer,
        ordinal: u32,
    ) -> Result<Duration, Error> {
        let ends = ends_of(self.world.cards, lane, transfer);
        let is_outer = self.rows.is_outer(ends);
        let mut terms = terms_of(lane, stage_index, transfer);
        terms.parts = if is_outer { parts(self.world.routing) } else { 1 };
        // Where messages cost their sender nothing their order does not matter.
        let sender = self.world.conducts.of(lane.seats[transfer.src as usize]);
        if sender.costs.per_message > Duration::ZERO {
            terms.ordinal = ordinal;
        }
        let agents = &self.seats.agents[index];
        let (src, dst) = (agents[transfer.src as usize], agents[transfer.dst as usize]);
        let mut least = Duration::MAX;
        for part in 0..terms.parts {
            terms.part = part;
            let row = self.rows.row(lane, ends, part)?;
            least = least.min(self.least_time(row, least_bytes(&terms)));
            if !self.world.fabric.losses().is_lossless() {
                let key = loss::key_of(self.world, lane, &terms, (transfer.src, transfer.dst));
                self.lossy.flow(self.rows.hazards(row), 1, key);
            }
            self.row_of.push(row);
            self.builder.flow(src, dst, terms);
            if let Ends::Cards(src, dst) = ends
                && is_outer
            {
                let bytes = flow_total(&terms) * u128::from(lane.rounds.count);
                self.loads.add_pair(src, dst, bytes);
            }
        }
        Ok(least)
    }

    /// The time of a message that takes a path of a row alone, at least.
    fn least_time(&mut self, row: u32, bytes: Bytes) -> Duration {
        let mut ways = self.rows.alone(row);
        let first = ways.next().expect("who cannot be reached is refused");
        if ways.next().is_some() {
            return least_time(self.rows.alone(row), bytes);
        }
        let (last_bytes, last, time) = self.last_least;
        if (last_bytes, last) == (bytes, first) {
            return time;
        }
        let time = least_time(std::iter::once(first), bytes);
        self.last_least = (bytes, first, time);
        time
    }

    fn finish(mut self) -> Result<Model, Error> {
        let (mut medium, common) = self.rows.medium()?;
        for row in std::mem::take(&mut self.row_of) {
            medium.add_rerouted_flow(self.rows.paths(row));
        }
        let plan = self.builder.build();
        let mut loads = self.loads;
        loads.denominator = u128::from(common);
        for (index, flow) in plan.flows().iter().enumerate() {
            let rounds = plan.program(flow.src).rounds.count;
            let bytes = flow_total(flow) * u128::from(rounds);
            let latency = least_latency(&medium, index);
            let first = medium.paths(index).flatten().next();
            let first = first.expect("who cannot be reached is refused");
            for crossing in medium.crossings(first) {
                let link = link_of(crossing.resource);
                loads.add(link, bytes, u128::from(crossing.weight), latency);
            }
        }
        let told = Told { flows: plan.flows().len() as u128, ..Told::default() };
        Ok(Model {
            told,
            plan,
            medium,
            lossy: self.lossy.build(self.world.recovery, self.world.fabric.losses()),
            agent_of_seat: self.seats.agents,
            loads,
            class_of_link: None,
            best: self.rows.into_best(),
            chain: self.chain,
            members: Vec::new(),
            listeners: 0,
            transfers: self.transfers,
        })
    }
}
