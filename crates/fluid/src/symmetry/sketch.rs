//! One quotient for fabrics that differ in trunks alone.
//!
//! Where every trunk that is crossed was left out of a quotient, nothing of it but the traffic on trunks
//! depends on how many links these have. So it serves every world of the same outline whose trunks hold
//! nothing back either: those with enough capacity for whatever the ports behind them send, and those
//! that by a watched run are never asked for more than they have. A sweep over ratios is listed,
//! refined and simulated once.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use collectives::End;
use engine::{AgentId, Flow, Limits};
use rustc_hash::FxHashMap;
use topology::{LinkId, Routing, Spread, TrunkId};
use units::{Duration, gcd};

use super::scene::Scene;
use super::slack::Unhindered;
use crate::course::Course;
use crate::fingerprint::Fingerprint;
use crate::model::Model;
use crate::moves::WORK_PER_BYTE;
use crate::traffic::Loads;
use crate::watched::{Watch, Watched};
use crate::{Error, Options, World};

/// No vertex.
const NONE: u32 = u32::MAX;

/// The first flow of joined transfers, by sender, receiver and kind.
pub(super) type FlowOf = FxHashMap<(AgentId, AgentId, u32), usize>;

/// A run is watched only if it takes no more events than this, about a second's worth.
const MOST_WATCHED: u128 = 10_000_000;

/// What is known of a world but for its trunks.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// The model without what links carry, and without their capacities.
    model: Model,
    /// The common denominator of its paths.
    common: u128,
    /// As of [`Loads`].
    across: [u128; 2],
    /// Bytes × common denominator, and the least latency, at each port that is crossed.
    ports: Vec<(LinkId, u128, Duration)>,
    /// The time in ps of what crosses the port that takes longest.
    busiest: u128,
    /// What crosses each trunk.
    stems: BTreeMap<TrunkId, Unhindered>,
    watch: Watch,
    watched_as: BTreeMap<TrunkId, u32>,
    peaks: Mutex<Option<Arc<Vec<u128>>>>,
}

/// The fingerprint of all that a sketch depends on; `None` where more than the trunks of the fabric at
/// the start may matter.
pub(super) fn outline(world: &World<'_>, course: &Course<'_>, spread: &Spread<'_>) -> Option<u128> {
    let is_plain = world.routing == Routing::Spray
        && course.states.len() == 1
        && world.fabric.losses().is_lossless()
        && spread.tree().is_some();
    if !is_plain {
        return None;
    }
    let mut print = Fingerprint::new();
    spread.outline(world.cards, &mut print);
    world.schedule.hash(&mut print);
    world.conducts.hash(&mut print);
    Some(print.value())
}

impl Sketch {
    /// The sketch of a scene and its model, if all transfers are joined and cross no trunk that was kept.
    pub(super) fn of(scene: &Scene<'_>, model: &Model, flow_of: &FlowOf) -> Option<Self> {
        let is_bare = scene.listed.is_empty() && scene.blocks.iter().all(Option::is_none);
        let used = (0..).zip(&scene.resource_vertex).filter(|&(_, &vertex)| vertex != NONE);
        let used: Option<Vec<LinkId>> =
            used.map(|(resource, _)| scene.resources.kind(resource).err()).collect();
        let used = used.filter(|_| is_bare)?;
        let stems: Option<BTreeMap<TrunkId, Unhindered>> = scene
            .left_out
            .iter()
            .map(|(&it, &crossed)| {
                let trunk = scene.resources.kind(it).ok()?;
                Some((TrunkId(trunk as u32), crossed))
            })
            .collect();
        let stems = stems?;
        let Loads { denominator, on_link, least_latency, across, .. } = &model.loads;
        let common = denominator / links_of(&scene.spread, stems.keys());
        let port = |link: LinkId| {
            (link, on_link[link.index()] * common / denominator, least_latency[link.index()])
        };
        let bytes = |link: LinkId| Pressure {
            bytes: on_link[link.index()] / denominator,
            capacity: model.best[link.index()],
        };
        let busiest = used.iter().map(|&link| bytes(link)).max_by_key(Pressure::time);
        let (watch, watched_as) = watch(scene, model, flow_of);
        Some(Self {
            ports: used.iter().map(|&link| port(link)).collect(),
            busiest: busiest?.time(),
            model: Model {
                plan: model.plan.clone(),
                medium: model.medium.clone(),
                lossy: None,
                agent_of_seat: model.agent_of_seat.clone(),
                loads: Loads::default(),
                class_of_link: None,
                best: Vec::new(),
                chain: model.chain,
                members: model.members.clone(),
                listeners: model.listeners,
                transfers: model.transfers,
                told: model.told,
            },
            common,
            across: *across,
            stems,
            watch,
            watched_as,
            peaks: Mutex::new(None),
        })
    }

    /// Whether the trunks of a fabric of the same outline hold nothing back.
    pub(super) fn fits(&self, spread: &Spread<'_>, options: &Options<'_>) -> Result<bool, Error> {
        let capacity = |trunk: TrunkId| spread.trunks()[trunk.index()].capacity;
        let mut doubtful = self
            .stems
            .iter()
            .filter(|(trunk, crossed)| !crossed.is_unhindered(capacity(**trunk)))
            .peekable();
        if doubtful.peek().is_none() {
            return Ok(true);
        }
        let is_likely = |(trunk, crossed): (&TrunkId, &Unhindered)| {
            let pressure = Pressure { bytes: crossed.bytes, capacity: capacity(*trunk) };
            pressure.time() <= self.busiest / 4 * 3
        };
        if self.events() > MOST_WATCHED || !doubtful.all(is_likely) {
            return Ok(false);
        }
        let peaks = self.peaks(options)?;
        Ok(self.watched_as.iter().all(|(&trunk, &index)| peaks[index as usize] <= capacity(trunk)))
    }

    /// The model of a world whose fabric it fits.
    pub(super) fn model(
        &self,
        world: &World<'_>,
        course: &Course<'_>,
        spread: &Spread<'_>,
    ) -> Model {
        let links = links_of(spread, self.stems.keys());
        let mut loads = Loads::new(world.fabric, self.common * links);
        loads.across = self.across;
        for &(link, load, latency) in &self.ports {
            loads.on_link[link.index()] = load * links;
            loads.least_latency[link.index()] = latency;
        }
        for (trunk, crossed) in &self.stems {
            let trunk = &spread.trunks()[trunk.index()].links;
            for link in trunk {
                loads.on_link[link.index()] =
                    crossed.bytes * self.common * links / trunk.len() as u128;
                loads.least_latency[link.index()] = crossed.least_latency;
            }
        }
        Model { loads, best: course.link_capacities().swap_remove(0), ..self.model.clone() }
    }

    /// The events of its run, at most.
    fn events(&self) -> u128 {
        let plan = &self.model.plan;
        let transfers = |flow: &Flow| {
            u128::from(flow.steps()) * u128::from(plan.program(flow.src).rounds.count)
        };
        2 * plan.flows().iter().map(transfers).sum::<u128>()
    }

    /// The most that each watched trunk is ever asked for, found by the first who wants to know.
    fn peaks(&self, options: &Options<'_>) -> Result<Arc<Vec<u128>>, Error> {
        let mut peaks = self.peaks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*peaks {
            return Ok(Arc::clone(known));
        }
        let Options { watch, recurrence, threads, .. } = *options;
        let mut network = Watched::new(&self.model.medium, &self.watch);
        engine::run(&self.model.plan, &mut network, Limits { watch, recurrence, threads })?;
        let found = Arc::new(network.into_peaks());
        *peaks = Some(Arc::clone(&found));
        Ok(found)
    }
}

/// Bytes over something of that capacity in milli-bit/s.
struct Pressure {
    bytes: u128,
    capacity: u128,
}

impl Pressure {
    /// The time that they take, in ps, roughly.
    fn time(&self) -> u128 {
        self.bytes.saturating_mul(WORK_PER_BYTE) / self.capacity.max(1)
    }
}

/// The least number of which the links of each of these trunks are a divisor.
fn links_of<'t>(spread: &Spread<'_>, trunks: impl Iterator<Item = &'t TrunkId>) -> u128 {
    trunks.fold(1, |common, trunk| {
        let count = spread.trunks()[trunk.index()].links.len() as u128;
        common / gcd(common, count) * count
    })
}

/// Which flows cross each trunk that was left out, and how often; trunks that are crossed alike are
/// watched as one.
fn watch(scene: &Scene<'_>, model: &Model, flow_of: &FlowOf) -> (Watch, BTreeMap<TrunkId, u32>) {
    let seats = scene.seats.iter().flatten().zip(model.agent_of_seat.iter().flatten());
    let agent_of: FxHashMap<u32, AgentId> =
        seats.map(|(&vertex, &agent)| (vertex, agent)).collect();
    let joined = &scene.joined;
    let mut crossed: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    for &join in &joined.transfers {
        let (out, into) = (joined.side(End::Source), joined.side(End::Destination));
        let stems = [out.stems(out.access(join.out)), into.stems(into.access(join.into))];
        if stems.iter().all(|stems| stems.is_empty()) {
            continue;
        }
        let (src, dst) = joined.seats(join);
        let first = flow_of[&(agent_of[&src], agent_of[&dst], join.kind)] as u32;
        for &(stem, _) in stems.into_iter().flatten() {
            for flow in first..first + joined.flows(join).count() as u32 {
                *crossed.entry(stem).or_default().entry(flow).or_default() += 1;
            }
        }
    }
    let mut numbers: BTreeMap<Vec<(u32, u64)>, u32> = BTreeMap::new();
    let mut watched = Vec::new();
    let mut watched_as = BTreeMap::new();
    for (stem, flows) in crossed {
        let flows: Vec<(u32, u64)> = flows.into_iter().collect();
        let index = *numbers.entry(flows).or_insert_with_key(|flows| {
            watched.push(flows.clone());
            watched.len() as u32 - 1
        });
        let trunk = scene.resources.kind(stem).expect("stems are trunks");
        watched_as.insert(TrunkId(trunk as u32), index);
    }
    (Watch::new(model.plan.flows().len(), watched), watched_as)
}
