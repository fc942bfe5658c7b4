//! Transfers told one by one: joined where their paths allow it, else a vertex each.

use std::collections::BTreeMap;
use std::rc::Rc;

use collectives::{Lane, Pattern, Transfer};
use topology::{Domain, Router, Routing};

use super::intern::{Colour, Label, TransferColour};
use super::routes::lists_links;
use super::scene::{Scene, uses_blocks};
use crate::course::{Course, is_rerouted};
use crate::loss::{Hazard, key_of};
use crate::parts::{Ends, Ordinals, ends_of, flow_key, parts};
use crate::paths::Share;
use crate::plain::MOST_LISTED;
use crate::traffic::flow_total;
use crate::tree_ways::TreeWays;
use crate::{Error, World};

/// A transfer with a vertex of its own, or the part of one that takes its own path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) vertex: u32,
    pub(super) lane: u32,
    pub(super) src: u32,
    pub(super) dst: u32,
    /// The row of its paths.
    pub(super) row: u32,
    pub(super) colour: TransferColour,
    pub(super) rounds: u64,
}

impl Listed {
    /// The bytes of all its steps in all rounds.
    pub(super) fn total(&self) -> u128 {
        flow_total(&self.colour.terms()) * u128::from(self.rounds)
    }
}

/// A transfer that is an edge takes less than a quarter of the memory of one that is a vertex.
const EDGES_FOR_ONE: u128 = 4;

/// What listing needs beside the scene.
struct Lister<'a> {
    world: &'a World<'a>,
    course: &'a Course<'a>,
    /// One for each set of routes.
    routers: Vec<Router<'a>>,
    /// The transfers of one step, each with its place among those of its source.
    transfers: Vec<(Transfer, u32)>,
}

/// The properties of a transfer in a stage, and in the later stage that repeats its pattern.
pub(super) type Colours = (TransferColour, Option<TransferColour>);

impl Scene<'_> {
    /// Lists the transfers of all stages that are not treated as blocks.
    pub(super) fn list(&mut self, world: &World<'_>, course: &Course<'_>) -> Result<(), Error> {
        let routers = course.routed().map(Router::new).collect();
        let lanes = &world.schedule.lanes;
        let is_blocked: Vec<bool> = lanes
            .iter()
            .map(|lane| uses_blocks(world, &self.spread, lane, self.paths.by_links))
            .collect();
        // Edges where paths cross ports and stems only, but for those from card to card inside.
        let is_lasting = !self.paths.by_links && world.fabric.losses().is_lossless();
        let joins = is_lasting && world.routing == Routing::Spray && self.tree.is_some();
        refuse_too_many(world, &is_blocked, if joins { EDGES_FOR_ONE } else { 1 })?;
        let mut lister = Lister { world, course, routers, transfers: Vec::new() };
        for (index, lane) in lanes.iter().enumerate() {
            for stages in repeats(lane) {
                if !(lane.stages[stages.0].pattern.is_all_pairs() && is_blocked[index]) {
                    self.list_stage(&mut lister, (index, lane), stages)?;
                }
            }
        }
        Ok(())
    }

    fn list_stage(
        &mut self,
        lister: &mut Lister<'_>,
        (index, lane): (usize, &Lane),
        (first, again): (usize, Option<usize>),
    ) -> Result<(), Error> {
        let seats = lane.seats.len() as u32;
        let stage = &lane.stages[first];
        let mut transfers = std::mem::take(&mut lister.transfers);
        let mut ordinals = Ordinals::default();
        stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
            transfers.push((transfer, ordinals.of(transfer.src)));
        });
        for (transfer, ordinal) in transfers.drain(..) {
            // Where messages cost their sender nothing their order does not matter.
            let src = lane.seats[transfer.src as usize];
            let per_message = lister.world.conducts.of(src).costs.per_message;
            let ordinal = if per_message == units::Duration::ZERO { 0 } else { ordinal };
            let colour = colour_of(lane, first, transfer, ordinal);
            let again = again.map(|again| {
                let end = lane.stages[again].steps;
                colour_of(lane, again, Transfer { end, ..transfer }, ordinal)
            });
            self.list_transfer(lister, (index, lane), transfer, (colour, again))?;
        }
        lister.transfers = transfers;
        Ok(())
    }

    fn list_transfer(
        &mut self,
        lister: &mut Lister<'_>,
        (index, lane): (usize, &Lane),
        transfer: Transfer,
        colours: Colours,
    ) -> Result<(), Error> {
        let ends = ends_of(lister.world.cards, lane, transfer);
        let Ends::Cards(src, dst) = ends else {
            let row = self.paths.tree_row(TreeWays::new(lister.course, ends)?);
            for colour in [Some(colours.0), colours.1].into_iter().flatten() {
                self.add_listed(lister.world, (index, lane), transfer, (row, colour));
            }
            return Ok(());
        };
        let pair = (src, dst);
        let inside = self.spread.domain(pair.0, pair.1) == Domain::Inside;
        let is_sprayed = inside || lister.world.routing == Routing::Spray;
        // What a path loses, or which paths follow it, is no matter of its two ends alone.
        let is_lasting = !self.paths.by_links && lister.world.fabric.losses().is_lossless();
        if is_sprayed
            && is_lasting
            && let Some(way) = self.way(pair)?
        {
            let seats = &self.seats[index];
            let (src, dst) = (seats[transfer.src as usize], seats[transfer.dst as usize]);
            self.join((src, pair.0), (dst, pair.1), way, (colours, lane.rounds.count));
            return Ok(());
        }
        for mut colour in [Some(colours.0), colours.1].into_iter().flatten() {
            colour.parts = if inside { 1 } else { parts(lister.world.routing) };
            for part in 0..colour.parts {
                let key = match lister.world.routing {
                    Routing::Ecmp { key, .. } if !inside => Some(flow_key(key, lane, pair, part)),
                    _ => None,
                };
                let row = self.paths_between(lister.world, &mut lister.routers, (pair, key))?;
                colour.part = part;
                self.add_listed(lister.world, (index, lane), transfer, (row, colour));
            }
        }
        Ok(())
    }

    /// Adds a transfer, or a part of one, as a vertex.
    fn add_listed(
        &mut self,
        world: &World<'_>,
        (index, lane): (usize, &Lane),
        Transfer { src, dst, .. }: Transfer,
        (row, mut colour): (u32, TransferColour),
    ) {
        colour.latencies = self.paths.latencies(row);
        let hazards: Vec<Option<Rc<Hazard>>> =
            self.paths.row(row).map(|share| share?.hazard.clone()).collect();
        if hazards.iter().any(Option::is_some) {
            colour.hazard = u64::from(self.hazards.number(hazards)) + 1;
            colour.draw = key_of(world, lane, &colour.terms(), (src, dst));
        }
        let vertex = self.vertex(Colour::Transfer(colour));
        self.edge(vertex, self.seats[index][src as usize], Label::Source);
        self.edge(vertex, self.seats[index][dst as usize], Label::Destination);
        let (rounds, lane) = (lane.rounds.count, index as u32);
        self.listed.push(Listed { vertex, lane, src, dst, row, colour, rounds });
    }

    /// Joins every transfer that is a vertex to what its path crosses.
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

/// The stages of a lane, each with a later one in which the same seats send to the same seats all the
/// time, if there is one: what reduces on the way there often gathers on the way back.
fn repeats(lane: &Lane) -> Vec<(usize, Option<usize>)> {
    let mut waiting: BTreeMap<(bool, u32), usize> = BTreeMap::new();
    let mut told: Vec<(usize, Option<usize>)> = Vec::new();
    for (index, stage) in lane.stages.iter().enumerate() {
        let kind = match stage.pattern {
            Pattern::Shift { distance } => (false, distance),
            Pattern::Exchange { mask } => (true, mask),
            _ => {
                told.push((index, None));
                continue;
            }
        };
        if let Some(before) = waiting.remove(&kind) {
            told[before].1 = Some(index);
        } else {
            waiting.insert(kind, told.len());
            told.push((index, None));
        }
    }
    told
}

/// The properties of a transfer of a stage, whatever its path.
fn colour_of(lane: &Lane, stage_index: usize, transfer: Transfer, ordinal: u32) -> TransferColour {
    let stage = &lane.stages[stage_index];
    TransferColour {
        stage: stage_index as u32,
        first: transfer.first,
        end: transfer.end,
        sizes: stage.payload.sizes(lane.seats.len() as u32, transfer),
        part: 0,
        parts: 1,
        ordinal,
        action: stage.action,
        start: stage.start,
        latencies: 0,
        hazard: 0,
        draw: 0,
    }
}

/// The transfers of one step of each stage that are told one by one, those of all-to-all stages apart;
/// `is_blocked` tells the lanes whose all-to-all stages are not.
pub(super) fn count(world: &World<'_>, is_blocked: &[bool]) -> (u128, u128) {
    let (mut pairs, mut others) = (0, 0);
    for (lane, &is_blocked) in world.schedule.lanes.iter().zip(is_blocked) {
        let seats = lane.seats.len() as u128;
        for stage in &lane.stages {
            if !stage.pattern.is_all_pairs() {
                others += seats;
            } else if !is_blocked {
                pairs += seats * seats.saturating_sub(1) * u128::from(parts(world.routing));
            }
        }
    }
    (pairs, others)
}

/// Refuses a world whose transfers take too much memory; of those that are not all-to-all so many take as
/// much as one with a vertex.
fn refuse_too_many(world: &World<'_>, is_blocked: &[bool], for_one: u128) -> Result<(), Error> {
    let (pairs, others) = count(world, is_blocked);
    if pairs + others / for_one <= u128::from(MOST_LISTED) {
        return Ok(());
    }
    let transfers = pairs + others;
    let why = if is_rerouted(world) {
        "where routes change during the run the transfers of an all-to-all are not merged"
    } else if lists_links(world) {
        "beside switches that add up over several levels an all-to-all is not merged"
    } else if world.conducts.some_message_costs() {
        "with a cost per message the messages of an all-to-all differ in their start"
    } else if world.draws_losses() {
        "each draws losses of its own; losses can be expected instead"
    } else {
        "hashed paths differ from pair to pair"
    };
    Err(Error::TooManyTransfers { transfers, limit: MOST_LISTED, why })
}
