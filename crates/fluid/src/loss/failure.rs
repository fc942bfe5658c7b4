//! Who gave up sending to whom, in words.

use std::collections::BTreeMap;

use collectives::{Lane, Transfer};
use engine::Terms;
use topology::{CardId, Domain, Hop, LinkId, Path, Router, Routing};
use units::Time;

use super::state::Failure;
use super::{Hazard, Lossy};
use crate::World;
use crate::course::Course;
use crate::model::Model;
use crate::parts::{cards_of, flow_key};
use crate::paths::{Share, link_capacities};

/// The first transfer that was given up: the earliest, then by lane and seats.
pub(crate) fn tell(
    world: &World<'_>,
    model: &Model,
    lossy: &Lossy,
    failures: &[Failure],
) -> String {
    let (place, given_up) = first_sender(model, failures);
    let course = Course::new(world).expect("the run has had it");
    // What is given up at one instant is so on the routes of that instant.
    let mut way = Way::new(world, &course, given_up[0].routes);
    let (dst, failure) = first_receiver(world, model, (lossy, &mut way), (place, &given_up));
    let lane = &world.schedule.lanes[place.lane];
    let flow = &model.plan.flows()[failure.flow as usize];
    let (from, to) = (lane.seats[place.seat as usize].0, lane.seats[dst as usize].0);
    let cards = (world.cards[from as usize], world.cards[to as usize]);
    let path = way.path(lane, (cards, flow.part)).expect("the model has found it before");
    let worst = worst(world, lossy, &path.hops, failure.at).map(|(link, percent)| {
        format!("; of its links {} loses most, {percent} %", world.fabric.link_name(link))
    });
    let is_whole = failure.bytes == failure.left;
    let since = if is_whole { "begun" } else { "with a part left, on other routes" };
    format!(
        "rank {from} gave up sending {} to rank {to} ({}, group {}, channel {}), {since} at {}: a packet \
         was lost {} times{}",
        failure.bytes,
        lane.name.part,
        lane.name.group,
        lane.name.channel,
        failure.at.since(Time::ZERO),
        u64::from(lossy.retries()) + 1,
        worst.unwrap_or_default()
    )
}

/// A seat of a lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    lane: usize,
    seat: u32,
}

/// The first seat that gave something up at the earliest instant, and what it did: a class of flows
/// gives up as a whole, so the first seat of its agent does.
fn first_sender<'f>(model: &Model, failures: &'f [Failure]) -> (Place, Vec<&'f Failure>) {
    let mut place_of = vec![None; model.plan.agents()];
    for (lane, agents) in model.agent_of_seat.iter().enumerate() {
        for (seat, agent) in (0..).zip(agents) {
            place_of[agent.index()].get_or_insert(Place { lane, seat });
        }
    }
    let sender = |failure: &Failure| {
        let flow = &model.plan.flows()[failure.flow as usize];
        place_of[flow.src.index()].expect("every agent stands for a seat")
    };
    let first = failures.iter().map(|failure| (failure.at, sender(failure))).min();
    let first = first.expect("something was given up");
    let given_up = failures.iter().filter(|failure| (failure.at, sender(failure)) == first);
    (first.1, given_up.collect())
}

/// The first seat to which the sender gave up a transfer, and that transfer.
fn first_receiver<'f>(
    world: &World<'_>,
    model: &Model,
    (lossy, way): (&Lossy, &mut Way<'_>),
    (place, given_up): (Place, &[&'f Failure]),
) -> (u32, &'f Failure) {
    let lane = &world.schedule.lanes[place.lane];
    let agents = &model.agent_of_seat[place.lane];
    let flow = |failure: &Failure| &model.plan.flows()[failure.flow as usize];
    let mut classes: BTreeMap<_, Vec<&Failure>> = BTreeMap::new();
    for &failure in given_up {
        let flow = flow(failure);
        let (dst, Terms { first, end, .. }) = (flow.dst, *flow.terms);
        classes.entry((dst, first, end)).or_default().push(failure);
    }
    // A seat is in one stage at a time.
    let stage = &lane.stages[flow(given_up[0]).stage as usize];
    let mut candidates: Vec<(u32, u32, &Failure, Transfer)> = Vec::new();
    stage.pattern.for_each(lane.seats.len() as u32, stage.steps, &mut |transfer| {
        if transfer.src == place.seat {
            let class = (agents[transfer.dst as usize], transfer.first, transfer.end);
            let failures = classes.get(&class).into_iter().flatten();
            candidates.extend(failures.map(|it| (transfer.dst, flow(it).part, *it, transfer)));
        }
    });
    candidates.sort_by_key(|&(dst, part, ..)| (dst, part));
    let found = candidates.into_iter().find(|&(_, part, failure, transfer)| {
        // What is drawn belongs to one transfer, which need not give up on average.
        if lossy.is_sampled() {
            return true;
        }
        let cards = cards_of(world.cards, lane, transfer);
        // Others of this sender may have no path.
        let Some(path) = way.path(lane, (cards, part)) else { return false };
        let Path { hops, denominator, latency } = path;
        let loss = world.fabric.path_loss(cards.0, cards.1, &hops);
        let crossings = hops.iter().map(|hop| (hop.link.0, hop.weight)).collect();
        let share = Share { crossings, denominator, latency, hazard: None };
        let share = share.losing(loss, &world.recovery, &way.capacities);
        let gives_up = |hazard: &Hazard| lossy.gives_up(hazard, failure.at, failure.left);
        share.hazard.as_deref().is_some_and(gives_up)
    });
    let (dst, _, failure, _) = found.expect("a class that gives up has a member that does");
    (dst, failure)
}

/// The ways of a set of routes.
struct Way<'a> {
    router: Router<'a>,
    routing: Routing,
    /// The rates of the fabric that the routes belong to.
    capacities: Vec<u128>,
}

impl<'a> Way<'a> {
    fn new(world: &World<'a>, course: &Course<'a>, routes: u32) -> Self {
        let fabric =
            course.routed().nth(routes as usize).expect("the set of routes is one of them");
        let (router, capacities) = (Router::new(fabric), link_capacities(fabric));
        Self { router, routing: world.routing, capacities }
    }

    /// The path of one part of a transfer, if it has one.
    fn path(&mut self, lane: &Lane, (cards, part): ((CardId, CardId), u32)) -> Option<Path> {
        let (src, dst) = cards;
        let path = match self.routing {
            Routing::Ecmp { key, .. } if self.router.domain(src, dst) == Domain::Outside => {
                self.router.hashed(src, dst, flow_key(key, lane, cards, part))
            }
            _ => self.router.spray(src, dst),
        };
        path.ok()
    }
}

/// The link of a path that loses most at an instant, and how much in per cent.
fn worst(world: &World<'_>, lossy: &Lossy, hops: &[Hop], at: Time) -> Option<(LinkId, String)> {
    let epoch = lossy.losses.epoch(at);
    let survival = |link: LinkId| lossy.losses.survivals(world.fabric.link(link).loss)[epoch];
    let link = hops.iter().map(|hop| hop.link).min_by_key(|&link| (survival(link), link))?;
    Some((link, survival(link).complement().percent()))
}
