//! Every transfer of a schedule as a flow of a plan, and as a connection between two cards.

use collectives::Lane;
use engine::parts::{AgentOfSeat, Ends, Ordinals, Seating, ends_of, flow_key, listed_transfers};
use engine::{AgentId, Plan, PlanBuilder, Terms};
use topology::{CardId, Fabric, mix};

use crate::network::Call;
use crate::{Error, Frame, Routing, World};

/// The most transfers that are listed one by one.
const MOST_LISTED: u64 = 20_000_000;
/// The most packets of one connection.
const MOST_PACKETS: u32 = u32::MAX / 2;

/// A plan, and who is connected for each of its flows.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    pub(crate) plan: Plan,
    pub(crate) calls: Vec<Call>,
    /// The agent on each seat of each lane.
    pub(crate) agent_of_seat: Vec<Vec<AgentId>>,
}

impl Listing {
    /// Lists all transfers of `world`.
    pub(crate) fn new(world: &World<'_>) -> Result<Self, Error> {
        let transfers: u128 = world.schedule.lanes.iter().map(listed_transfers).sum();
        if transfers > u128::from(MOST_LISTED) {
            return Err(Error::TooManyTransfers { transfers, limit: MOST_LISTED });
        }
        let mut draft = Draft {
            world,
            builder: PlanBuilder::default(),
            seats: AgentOfSeat::default(),
            calls: Vec::new(),
        };
        for lane in &world.schedule.lanes {
            draft.seats.seat(&mut draft.builder, world.conducts, lane)?;
        }
        let mut seating = Seating::new(world.schedule);
        for (index, lane) in world.schedule.lanes.iter().enumerate() {
            draft.seats.wait(&mut draft.builder, (world.schedule, &mut seating), index);
            draft.send(index, lane)?;
        }
        let Draft { builder, seats, calls, .. } = draft;
        Ok(Self { plan: builder.build(), calls, agent_of_seat: seats.agents })
    }
}

struct Draft<'a> {
    world: &'a World<'a>,
    builder: PlanBuilder,
    seats: AgentOfSeat,
    calls: Vec<Call>,
}

impl Draft<'_> {
    fn send(&mut self, index: usize, lane: &Lane) -> Result<(), Error> {
        let seats = lane.seats.len() as u32;
        for (stage_index, stage) in lane.stages.iter().enumerate() {
            let mut transfers = Vec::new();
            let mut ordinals = Ordinals::default();
            stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
                transfers.push((transfer, ordinals.of(transfer.src)));
            });
            for (transfer, ordinal) in transfers {
                let Ends::Cards(src, dst) = ends_of(self.world.cards, lane, transfer) else {
                    return Err(Error::Reduction);
                };
                let pair = (src, dst);
                let sizes = stage.payload.sizes(seats, transfer);
                let parts = parts(self.world, pair);
                for part in 0..parts {
                    let terms = Terms {
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
                    count_packets(&terms, self.world.settings.frame)?;
                    let agents = &self.seats.agents[index];
                    let (from, to) = (agents[transfer.src as usize], agents[transfer.dst as usize]);
                    self.builder.flow(from, to, terms);
                    self.calls.push(call(self.world, (index, lane), pair, part));
                }
            }
        }
        Ok(())
    }
}

/// The flows that carry one transfer.
fn parts(world: &World<'_>, (src, dst): (CardId, CardId)) -> u32 {
    match world.settings.routing {
        Routing::PerFlow { flows, .. } if !is_inside(world.fabric, (src, dst)) => flows.max(1),
        _ => 1,
    }
}

fn is_inside(fabric: &Fabric, (src, dst): (CardId, CardId)) -> bool {
    fabric.supernode(src) == fabric.supernode(dst)
}

/// The connection of a flow. With one path per flow its key is the one by which the flow level picks
/// that path.
fn call(
    world: &World<'_>,
    (index, lane): (usize, &Lane),
    (src, dst): (CardId, CardId),
    part: u32,
) -> Call {
    let lane_class = world.class_of_lane.get(index).copied().unwrap_or_default();
    let key = match world.settings.routing {
        Routing::PerFlow { key, .. } => key,
        _ => mix(world.settings.seed, PATHS),
    };
    let there = flow_key(key, lane, (src, dst), part);
    let back = mix(flow_key(key, lane, (dst, src), part), PATHS);
    Call { src, dst, key: there, back_key: back, class: lane_class }
}

/// The purpose of keys that choose paths.
const PATHS: u64 = 3;

/// Refuses flows whose packets cannot be numbered.
fn count_packets(flow: &Terms, frame: Frame) -> Result<(), Error> {
    let most = flow.sizes.at(flow.first).max(flow.sizes.at(flow.end - 1));
    let packets = u128::from(frame.packets(most.as_u64()) + 1) * u128::from(flow.end - flow.first);
    if packets > u128::from(MOST_PACKETS) {
        return Err(Error::TooManyPackets { packets, limit: MOST_PACKETS });
    }
    Ok(())
}
