//! What a schedule sends from one half of the cards to the other.

use collectives::{End, Lane};
use topology::{CardId, Domain};

use super::blocks::Blocks;
use super::scene::{Scene, chunk_of};
use crate::World;
use crate::traffic::Loads;

/// Counts what crosses between the halves of the cards.
pub(super) fn add(world: &World<'_>, scene: &Scene<'_>, loads: &mut Loads) {
    for listed in &scene.listed {
        let lane = &world.schedule.lanes[listed.lane as usize];
        let card = |seat: u32| world.cards[lane.seats[seat as usize].0 as usize];
        let (src, dst) = (card(listed.src), card(listed.dst));
        if scene.spread.domain(src, dst) == Domain::Outside {
            loads.add_pair(src, dst, listed.total());
        }
    }
    let joined = &scene.joined;
    for &join in &joined.transfers {
        if let Some((src, dst)) = joined.outer_cards(join) {
            loads.add_pair(src, dst, joined.bytes(join));
        }
    }
    for (index, blocks) in scene.blocks.iter().enumerate() {
        if let Some(blocks) = blocks {
            add_blocks(world, &world.schedule.lanes[index], blocks, loads);
        }
    }
}

/// The same for the all-to-all stages of a lane: a chunk that belongs to one seat goes to, or
/// comes from, every seat of the other half that is not in its supernode.
fn add_blocks(world: &World<'_>, lane: &Lane, blocks: &Blocks, loads: &mut Loads) {
    let card = |seat: u32| world.cards[lane.seats[seat as usize].0 as usize];
    let first = CardId(0);
    let last = CardId(world.fabric.cards() - 1);
    let is_first = |seat: u32| loads.way(card(seat), last) == Some(0);
    let is_second = |seat: u32| loads.way(first, card(seat)) == Some(0);
    let count = |seats: &[u32], half: &dyn Fn(u32) -> bool| {
        seats.iter().filter(|&&seat| half(seat)).count() as u128
    };
    let mut across = [0_u128; 2];
    let all: Vec<u32> = (0..lane.seats.len() as u32).collect();
    let totals = [count(&all, &is_first), count(&all, &is_second)];
    for cells in blocks.cells_of.values() {
        let members: Vec<u32> =
            cells.iter().flat_map(|&cell| blocks.cells[cell as usize].seats.clone()).collect();
        let own = [count(&members, &is_first), count(&members, &is_second)];
        for stage in lane.stages.iter().filter(|stage| stage.pattern.is_all_pairs()) {
            let is_sent = stage.payload.decided_by() == End::Source;
            for &seat in &members {
                let chunk = chunk_of(&stage.payload, lane.seats.len() as u32, seat);
                let times = u128::from(stage.steps) * u128::from(lane.rounds.count);
                let bytes = u128::from(chunk.at(0).as_u64()) * times;
                if is_first(seat) {
                    across[usize::from(!is_sent)] += bytes * (totals[1] - own[1]);
                } else if is_second(seat) {
                    across[usize::from(is_sent)] += bytes * (totals[0] - own[0]);
                }
            }
        }
    }
    loads.across[0] += across[0];
    loads.across[1] += across[1];
}
