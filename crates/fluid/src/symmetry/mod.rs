//! Symmetry: what must behave alike is simulated once.
//!
//! Ranks, transfers and links become the vertices of a labelled graph (the *scene*), whose coarsest
//! equitable partition merges them into classes. Members of a class have equal starts, sizes and
//! rates, hence equal ends; so the quotient is a smaller problem with the same answer, in which a
//! class of flows counts on a class of links as often as its members cross one of them. The engine
//! does not know the difference.
//!
//! Where routes stay and the path of a transfer depends on its two ends alone, it is an edge between
//! ranks; else it is a vertex of its own. All-to-all patterns are not listed where routes stay: cards
//! that stand alike form sites, and a pair of sites is one vertex for all pairs of their cards. Inside a
//! supernode that has nothing else to carry, all that a seat sends to the others is one flow ([`bundles`]).
//!
//! Where hashed paths tell nearly all transfers of a world apart, it is run the plain way.
//!
//! Source: Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA 2014.

mod access;
mod across;
mod apart;
mod blocks;
mod bundles;
mod hashing;
mod intern;
mod joined;
mod listeners;
mod listing;
mod problem;
mod quotient;
mod resource_classes;
mod resources;
mod routes;
mod scene;
mod sketch;
mod slack;
mod stems;
mod targets;

use topology::Spread;

pub(crate) use self::hashing::is_mostly_hashed;
pub(crate) use self::sketch::Sketch;
use crate::course::Course;
use crate::explanation::Apart;
use crate::model::Model;
use crate::{Error, Options, World};

/// The quotient of a world by its symmetries.
///
/// Links are alike if they carry alike in all states of the course; transfers, if their paths are alike on
/// all sets of routes. A sketch that another world has left in the memo serves this one if it fits.
pub(crate) fn model(
    world: &World<'_>,
    course: &Course<'_>,
    options: &Options<'_>,
) -> Result<Model, Error> {
    if let Some((model, _)) = hashing::plain_model(world, course) {
        return Ok(model);
    }
    let spread = Spread::in_time(world.fabric, &course.states[1..]);
    let memo = options.memo.and_then(|memo| Some((memo, sketch::outline(world, course, &spread)?)));
    let known = memo.and_then(|(memo, outline)| memo.sketch(outline));
    if let Some(sketch) = &known
        && sketch.fits(&spread, options)?
    {
        return Ok(sketch.model(world, course, &spread));
    }
    let scene = scene::Scene::new(world, course, spread)?;
    let classes = scene.graph.refine();
    let (model, flow_of) = quotient::model((world, course), &scene, &classes)?;
    if let Some((memo, outline)) = memo.filter(|_| known.is_none())
        && let Some(sketch) = Sketch::of(&scene, &model, &flow_of)
    {
        memo.keep(outline, sketch);
    }
    Ok(model)
}

/// The same, and why what might have been merged was not.
pub(crate) fn explained_model(
    world: &World<'_>,
    course: &Course<'_>,
) -> Result<(Model, Apart), Error> {
    if let Some(told) = hashing::plain_model(world, course) {
        return Ok(told);
    }
    let spread = Spread::in_time(world.fabric, &course.states[1..]);
    let scene = scene::Scene::new(world, course, spread)?;
    let classes = scene.graph.refine();
    let apart = apart::find(world, &scene, &classes);
    let (model, _) = quotient::model((world, course), &scene, &classes)?;
    Ok((model, apart))
}

/// How many transfers are told to the merging one by one, at most: those of one step of each stage.
pub(crate) fn listed_transfers(world: &World<'_>) -> u128 {
    let spread = Spread::new(world.fabric);
    let by_links = routes::lists_links(world);
    let lanes = world.schedule.lanes.iter();
    let is_blocked: Vec<bool> =
        lanes.map(|lane| scene::uses_blocks(world, &spread, lane, by_links)).collect();
    let (pairs, others) = listing::count(world, &is_blocked);
    pairs + others
}
