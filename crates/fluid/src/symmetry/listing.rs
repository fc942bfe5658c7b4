//! Transfers that are listed one by one.

use collectives::{Lane, Transfer};
use engine::Flow;
use topology::{Domain, Router, Routing};

use super::intern::{Colour, Label, TransferColour};
use super::scene::{Scene, uses_blocks};
use crate::course::{Course, is_rerouted};
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
    /// The row of its paths.
    pub(super) row: u32,
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
    pub(super) fn list(&mut self, world: &World<'_>, course: &Course<'_>) -> Result<(), Error> {
        let mut routers: Vec<Router<'_>> = course.routed().map(Router::new).collect();
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
                        latencies: 0,
                    };
                    self.list_transfer(world, &mut routers, (index, lane), (transfer, colour))?;
                }
            }
        }
        Ok(())
    }

    fn list_transfer(
        &mut self,
        world: &World<'_>,
        routers: &mut [Router<'_>],
        (index, lane): (usize, &Lane),
        (transfer, mut colour): (Transfer, TransferColour),
    ) -> Result<(), Error> {
        let pair = cards_of(world.cards, lane, transfer);
        let inside = self.spread.domain(pair.0, pair.1) == Domain::Inside;
        colour.parts = if inside { 1 } else { parts(world.routing) };
        for part in 0..colour.parts {
            let key = match world.routing {
                Routing::Ecmp { key, .. } if !inside => Some(flow_key(key, lane, pair, part)),
                _ => None,
            };
            let row = self.paths_between(routers, pair, key)?;
            colour.part = part;
            colour.latencies = self.paths.latencies(row);
            let vertex = self.vertex(Colour::Transfer(colour));
            let (src, dst) = (transfer.src, transfer.dst);
            self.edge(vertex, self.seats[index][src as usize], Label::Source);
            self.edge(vertex, self.seats[index][dst as usize], Label::Destination);
            self.listed.push(Listed { vertex, lane: index as u32, src, dst, row, colour });
        }
        Ok(())
    }

    /// Joins every listed transfer to what its path crosses.
    pub(super) fn cross(&mut self) {
        for index in 0..self.listed.len() {
            let Listed { vertex, row, .. } = self.listed[index];
            let paths = std::mem::take(&mut self.paths);
            for (routes, share) in (0..).zip(paths.row(row)) {
                let Some(Share { crossings, denominator, .. }) = share else { continue };
                for &(resource, weight) in crossings {
                    if !self.left_out.contains_key(&resource) {
                        let resource = self.resource(resource);
                        let label = Label::Crosses { weight, denominator: *denominator, routes };
                        self.edge(vertex, resource, label);
                    }
                }
            }
            self.paths = paths;
        }
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
    let why = if is_rerouted(world) {
        "where routes change during the run the transfers of an all-to-all are not merged"
    } else if world.costs.per_message > units::Duration::ZERO {
        "with a cost per message the messages of an all-to-all differ in their start"
    } else {
        "hashed paths differ from pair to pair"
    };
    Err(Error::TooManyTransfers { transfers, limit: MOST_LISTED, why })
}
