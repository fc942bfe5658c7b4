//! Transfers that are listed one by one.

use std::rc::Rc;

use collectives::{Lane, Transfer};
use engine::Flow;
use topology::{CardId, Domain, Path, Router, Routing};

use super::intern::{Colour, Label, TransferColour};
use super::scene::{Scene, uses_blocks};
use crate::loss::key_of;
use crate::parts::{Ordinals, cards_of, flow_key, parts};
use crate::paths::Share;
use crate::plain::MOST_LISTED;
use crate::{Error, World};

/// A listed transfer, or the part of one that takes its own path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) vertex: u32,
    pub(super) lane: u32,
    pub(super) src: u32,
    pub(super) dst: u32,
    pub(super) share: u32,
    pub(super) colour: TransferColour,
}

impl Listed {
    /// The flow that it is, between agents 0 and 0: for sizes only.
    pub(super) fn flow(&self) -> Flow {
        let TransferColour {
            stage, first, end, sizes, part, parts, ordinal, action, start, ..
        } = self.colour;
        let agent = engine::AgentId(0);
        Flow {
            src: agent,
            dst: agent,
            stage,
            first,
            end,
            sizes,
            part,
            parts,
            ordinal,
            fan_in: 1,
            action,
            start,
        }
    }
}

impl Scene<'_> {
    /// Lists the transfers of all stages that are not treated as blocks.
    pub(super) fn list(&mut self, world: &World<'_>) -> Result<(), Error> {
        let mut router = Router::new(world.fabric);
        let is_blocked: Vec<bool> = world
            .schedule
            .lanes
            .iter()
            .map(|lane| uses_blocks(world, &self.spread, lane))
            .collect();
        refuse_too_many(world, &is_blocked)?;
        for (index, lane) in world.schedule.lanes.iter().enumerate() {
            let seats = lane.seats.len() as u32;
            for (stage_index, stage) in lane.stages.iter().enumerate() {
                if stage.pattern.is_all_pairs() && is_blocked[index] {
                    continue;
                }
                let mut transfers: Vec<(Transfer, u32)> = Vec::new();
                let mut ordinals = Ordinals::default();
                stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
                    transfers.push((transfer, ordinals.of(transfer.src)));
                });
                for (transfer, ordinal) in transfers {
                    // Where messages cost their sender nothing their order does not matter.
                    let ordinal =
                        if world.costs.per_message == units::Duration::ZERO { 0 } else { ordinal };
                    let colour = TransferColour {
                        stage: stage_index as u32,
                        first: transfer.first,
                        end: transfer.end,
                        sizes: stage.payload.sizes(seats, transfer),
                        part: 0,
                        parts: 1,
                        ordinal,
                        action: stage.action,
                        start: stage.start,
                        latency: units::Duration::ZERO,
                        hazard: 0,
                        draw: 0,
                    };
                    self.list_transfer(world, &mut router, (index, lane), (transfer, colour))?;
                }
            }
        }
        Ok(())
    }

    fn list_transfer(
        &mut self,
        world: &World<'_>,
        router: &mut Router<'_>,
        (index, lane): (usize, &Lane),
        (transfer, mut colour): (Transfer, TransferColour),
    ) -> Result<(), Error> {
        let pair = cards_of(world.cards, lane, transfer);
        let inside = self.spread.domain(pair.0, pair.1) == Domain::Inside;
        colour.parts = if inside { 1 } else { parts(world.routing) };
        for part in 0..colour.parts {
            let share = match world.routing {
                Routing::Ecmp { key, .. } if !inside => {
                    self.hashed((world, router), pair, flow_key(key, lane, pair, part))?
                }
                _ => self.sprayed(world, pair)?,
            };
            colour.part = part;
            let (src, dst) = (transfer.src, transfer.dst);
            let mut listed = Listed { vertex: 0, lane: index as u32, src, dst, share, colour };
            let path = &self.shares[share as usize];
            listed.colour.latency = path.latency;
            if let Some(hazard) = &path.hazard {
                listed.colour.hazard = self.hazards.number(Rc::clone(hazard)) + 1;
                listed.colour.draw = key_of(world, lane, &listed.flow(), (src, dst));
            }
            listed.vertex = self.vertex(Colour::Transfer(listed.colour));
            self.edge(listed.vertex, self.seats[index][src as usize], Label::Source);
            self.edge(listed.vertex, self.seats[index][dst as usize], Label::Destination);
            self.listed.push(listed);
        }
        Ok(())
    }

    /// Joins every listed transfer to what its path crosses.
    pub(super) fn cross(&mut self) {
        for index in 0..self.listed.len() {
            let Listed { vertex, share, .. } = self.listed[index];
            let shares = std::mem::take(&mut self.shares);
            let Share { crossings, denominator, .. } = &shares[share as usize];
            for &(resource, weight) in crossings {
                if !self.left_out.contains_key(&resource) {
                    let resource = self.resource(resource);
                    self.edge(vertex, resource, Label::Crosses(weight, *denominator));
                }
            }
            self.shares = shares;
        }
    }

    fn hashed(
        &mut self,
        (world, router): (&World<'_>, &mut Router<'_>),
        pair: (CardId, CardId),
        key: u64,
    ) -> Result<u32, Error> {
        let name = (pair.0, pair.1, key);
        if let Some(&share) = self.known.get(&name) {
            return Ok(share);
        }
        let Path { hops, denominator, latency } = router.hashed(pair.0, pair.1, key)?;
        let loss = world.fabric.path_loss(pair.0, pair.1, &hops);
        let crossings = hops.into_iter().map(|hop| (hop.link.0, hop.weight)).collect();
        let share = Share { crossings, denominator, latency, hazard: None };
        let share = share.losing(loss, &world.recovery, &self.resources.capacities);
        Ok(self.keep(name, share))
    }
}

fn refuse_too_many(world: &World<'_>, is_blocked: &[bool]) -> Result<(), Error> {
    let mut transfers = 0;
    for (lane, &is_blocked) in world.schedule.lanes.iter().zip(is_blocked) {
        let seats = lane.seats.len() as u128;
        for stage in &lane.stages {
            if !stage.pattern.is_all_pairs() {
                transfers += seats;
            } else if !is_blocked {
                transfers += seats * seats.saturating_sub(1) * u128::from(parts(world.routing));
            }
        }
    }
    if transfers <= u128::from(MOST_LISTED) {
        return Ok(());
    }
    let why = if world.costs.per_message > units::Duration::ZERO {
        "with a cost per message the messages of an all-to-all differ in their start"
    } else if world.draws_losses() {
        "each draws losses of its own; losses can be expected instead"
    } else {
        "hashed paths differ from pair to pair"
    };
    Err(Error::TooManyTransfers { transfers, limit: MOST_LISTED, why })
}
