//! How a transfer is cut into flows, and what each is called in a hash.

use collectives::{Lane, LaneId, RankId, Schedule, Transfer};
use rustc_hash::FxHashMap;
use topology::{CardId, Routing, mix};

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

/// The cards of a transfer between two seats.
pub fn cards_of(cards: &[CardId], lane: &Lane, transfer: Transfer) -> (CardId, CardId) {
    let card = |seat: u32| cards[lane.seats[seat as usize].0 as usize];
    (card(transfer.src), card(transfer.dst))
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
