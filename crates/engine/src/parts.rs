//! How a transfer is cut into flows, and what each is called in a hash.

use collectives::{Lane, LaneId, RankId, Schedule, Transfer};
use rustc_hash::FxHashMap;
use topology::{AggregatorId, CardId, Fabric, Hanging, Path, RouteError, Routing, mix};

use crate::completion::Error;
use crate::conduct::Conducts;
use crate::dependency::Dependency;
use crate::plan::{AgentId, PlanBuilder};

/// The number of flows that carry one transfer outside a supernode.
pub const fn parts(routing: Routing) -> u32 {
    match routing {
        Routing::Spray => 1,
        Routing::Ecmp { flows, .. } => flows,
    }
}

/// The key of one flow: it depends on the pair of cards, the lane's job, group and channel, and
/// the part, so that adding other work to a scenario moves no flow to another path.
pub fn flow_key(key: u64, lane: &Lane, pair: (CardId, CardId), part: u32) -> u64 {
    let (src, dst) = pair;
    let key = mix(key, u64::from(src.0) << 32 | u64::from(dst.0));
    // The first job has the paths that it would have alone.
    let key = if lane.name.job == 0 { key } else { mix(key, u64::from(lane.name.job)) };
    let key = mix(key, u64::from(lane.name.group) << 32 | u64::from(lane.name.channel));
    mix(key, u64::from(part))
}

/// Where a transfer leads from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// From card to card.
    Cards(CardId, CardId),
    /// To switches that add up, from what hangs on them.
    Up(Hanging, AggregatorId),
    /// From these to what hangs on them.
    Down(AggregatorId, Hanging),
}

/// The ends of a transfer between two seats.
pub fn ends_of(cards: &[CardId], lane: &Lane, transfer: Transfer) -> Ends {
    let end = |seat: u32| {
        let rank = lane.seats[seat as usize];
        let card = || Hanging::Card(cards[rank.0 as usize]);
        rank.switches().map_or_else(card, Hanging::Switches)
    };
    // The switches of a lane have its last seat.
    match (end(transfer.src), end(transfer.dst)) {
        (Hanging::Card(src), Hanging::Card(dst)) => Ends::Cards(src, dst),
        (src, Hanging::Switches(dst)) if transfer.dst > transfer.src => Ends::Up(src, dst),
        (Hanging::Switches(src), dst) => Ends::Down(src, dst),
        (Hanging::Card(_), _) => unreachable!("the seat of switches comes after those of cards"),
    }
}

/// The cards of a transfer between two seats of cards.
pub fn cards_of(cards: &[CardId], lane: &Lane, transfer: Transfer) -> (CardId, CardId) {
    match ends_of(cards, lane, transfer) {
        Ends::Cards(src, dst) => (src, dst),
        other => unreachable!("switches take part in no all-to-all: {other:?}"),
    }
}

/// The way of a transfer of which one end are switches.
pub fn way_of(fabric: &Fabric, ends: Ends) -> Result<Path, RouteError> {
    match ends {
        Ends::Up(from, to) => fabric.way_up(from, to),
        Ends::Down(from, to) => fabric.way_down(from, to),
        Ends::Cards(..) => unreachable!("cards are joined by routes"),
    }
}

/// Counts the messages that each source sends in a step, in the order in which they are told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ordinals {
    last: Option<u32>,
    next: u32,
}

impl Ordinals {
    /// The place of the next message of `src`.
    pub fn of(&mut self, src: u32) -> u32 {
        self.next = if self.last == Some(src) { self.next + 1 } else { 0 };
        self.last = Some(src);
        self.next
    }
}

/// Where each rank sits in a lane, found on demand.
#[derive(Clone, Debug)]
pub struct Seating {
    by_lane: Vec<Option<FxHashMap<RankId, u32>>>,
}

impl Seating {
    /// The seats of `schedule`, none looked up yet.
    pub fn new(schedule: &Schedule) -> Self {
        Self { by_lane: vec![None; schedule.lanes.len()] }
    }

    /// The seat of a rank in a lane in which it sits.
    pub fn seat(&mut self, schedule: &Schedule, lane: LaneId, rank: RankId) -> u32 {
        let seats = self.by_lane[lane.0 as usize].get_or_insert_with(|| {
            let seats = schedule.lanes[lane.0 as usize].seats.iter();
            seats.enumerate().map(|(seat, &rank)| (rank, seat as u32)).collect()
        });
        *seats.get(&rank).expect("a wait names a lane in which the rank sits")
    }
}

/// The transfers of one step of each stage of a lane, added up.
pub fn listed_transfers(lane: &Lane) -> u128 {
    let seats = lane.seats.len() as u128;
    let of_stage = |stage: &collectives::Stage| match &stage.pattern {
        collectives::Pattern::List(pairs) => pairs.len() as u128,
        collectives::Pattern::InWindows(windows) => windows.len() as u128,
        pattern if pattern.is_all_pairs() => seats * seats.saturating_sub(1),
        _ => seats,
    };
    lane.stages.iter().map(of_stage).sum()
}

/// One agent for every seat of every lane, in a plan that merges nothing.
#[derive(Clone, Debug, Default)]
pub struct AgentOfSeat {
    /// By lane and seat.
    pub agents: Vec<Vec<AgentId>>,
}

impl AgentOfSeat {
    /// Adds the seats of the next lane.
    pub fn seat(
        &mut self,
        builder: &mut PlanBuilder,
        conducts: &Conducts,
        lane: &Lane,
    ) -> Result<(), Error> {
        let mut programs = FxHashMap::default();
        let mut agents = Vec::with_capacity(lane.seats.len());
        for &rank in lane.seats.iter() {
            let kind = conducts.kind(rank);
            let program = match programs.get(&kind) {
                Some(&program) => program,
                None => builder.program(conducts.of(rank).program(lane)?),
            };
            programs.insert(kind, program);
            agents.push(builder.agent(program));
        }
        self.agents.push(agents);
        Ok(())
    }

    /// Adds what the seats of lane number `index` wait for, once all lanes have their seats.
    pub fn wait(
        &self,
        builder: &mut PlanBuilder,
        (schedule, seating): (&Schedule, &mut Seating),
        index: usize,
    ) {
        let lane = &schedule.lanes[index];
        for wait in &lane.waits {
            let rank = lane.seats[wait.seat as usize];
            let seat = seating.seat(schedule, wait.lane, rank) as usize;
            builder.dependency(Dependency {
                agent: self.agents[index][wait.seat as usize],
                step: wait.step,
                on: self.agents[wait.lane.0 as usize][seat],
                completed: wait.completed,
                pace: wait.pace,
            });
        }
    }
}
