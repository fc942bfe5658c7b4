//! What a transfer is called when its losses are drawn.

use collectives::Lane;
use engine::Terms;
use topology::mix;

use super::Draw;
use crate::World;

/// The key of a flow's losses, 0 where none are drawn: its lane by name (and job, from
/// the second on), its ranks, its stage, its part
/// and its first step, so that adding other work to a scenario changes no draw.
pub(crate) fn key_of(world: &World<'_>, lane: &Lane, flow: &Terms, seats: (u32, u32)) -> u64 {
    let Draw::Sampled { key } = world.recovery.draw else { return 0 };
    let rank = |seat: u32| u64::from(lane.seats[seat as usize].0);
    let name = lane.name.part.bytes().fold(key, |key, byte| mix(key, u64::from(byte)));
    let key = mix(name, u64::from(lane.name.group) << 32 | u64::from(lane.name.channel));
    let key = if lane.name.job == 0 { key } else { mix(key, u64::from(lane.name.job)) };
    let key = mix(key, rank(seats.0) << 32 | rank(seats.1));
    let key = mix(key, u64::from(flow.stage) << 32 | u64::from(flow.part));
    mix(key, flow.first)
}

/// The key of the transfer that a flow starts as its `start`-th, counted from 0.
pub(super) const fn transfer_key(flow: u64, start: u64) -> u64 {
    mix(flow, start)
}

/// The key of a leg of that transfer: that of the transfer for the first one, 0; of later ones what no
/// draw of the transfer is numbered by.
pub(super) const fn leg_key(transfer: u64, leg: u64) -> u64 {
    if leg == 0 { transfer } else { mix(mix(transfer, u64::MAX), leg) }
}
