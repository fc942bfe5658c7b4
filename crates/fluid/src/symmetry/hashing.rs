//! Worlds whose hashed paths tell nearly all transfers apart.
//!
//! In an all-to-all over hashed paths the links between switches carry now more and now fewer transfers;
//! where they hold transfers back, no two of these behave alike, and refining millions of them finds just
//! that. So where most transfers are of such stages, they are listed the plain way, which takes a
//! fraction of the memory, and refined only if these links turn out to be alike.

use std::collections::BTreeMap;

use topology::{Domain, Fabric, Link, LinkId, Node, NodeId, Routing};

use crate::course::Course;
use crate::explanation::{Apart, Reason};
use crate::model::Model;
use crate::parts::{listed_transfers, parts};
use crate::{World, plain};

/// So few transfers are refined as fast as they are looked at.
const FEW: u128 = 100_000;

/// The plain model of a world if its hashed paths tell nearly all transfers apart, and by what.
pub(super) fn plain_model(world: &World<'_>, course: &Course<'_>) -> Option<(Model, Apart)> {
    if !is_mostly_hashed(world) {
        return None;
    }
    // What the plain way refuses is for the other one to refuse, too.
    let mut model = plain::model(world, course).ok()?;
    let apart = apart(world.fabric, &model)?;
    model.told.plain = true;
    Some((model, apart))
}

/// Whether all-to-all stages over hashed paths make up more than half of the transfers.
pub(crate) fn is_mostly_hashed(world: &World<'_>) -> bool {
    if world.routing == Routing::Spray {
        return false;
    }
    let domain = |rank: collectives::RankId| world.fabric.supernode(world.cards[rank.0 as usize]);
    let (mut hashed, mut all) = (0, 0);
    for lane in &world.schedule.lanes {
        all += listed_transfers(lane);
        let pairs = lane.stages.iter().filter(|stage| stage.pattern.is_all_pairs()).count() as u128;
        // Lanes that stay inside a supernode are merged without being listed.
        if pairs > 0 && lane.seats.iter().any(|&rank| domain(rank) != domain(lane.seats[0])) {
            let seats = lane.seats.len() as u128;
            hashed += pairs * seats * seats.saturating_sub(1);
        }
    }
    hashed * u128::from(parts(world.routing)) > FEW && 2 * hashed > all
}

/// What a link is for a transfer that it carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The port by which it leaves its card.
    Port,
    /// Between switches outside the supernodes.
    Shared,
    /// Any other.
    Other,
}

impl Kind {
    fn of(fabric: &Fabric, link: &Link) -> Self {
        let is_card = |node: NodeId| matches!(fabric.nodes()[node.index()], Node::Card { .. });
        match (is_card(link.src), is_card(link.dst), link.domain) {
            (true, _, _) => Self::Port,
            (false, false, Domain::Outside) => Self::Shared,
            _ => Self::Other,
        }
    }
}

/// A link between switches, as transfers see it.
#[derive(Clone, Copy, Default)]
struct Shared {
    /// How many transfers cross it.
    flows: u128,
    /// The port by which the last of them left its card.
    last: u32,
    /// Σ capacity of the ports behind it, those that come back after others counted again.
    behind: u128,
}

/// What tells the links between switches apart that may hold transfers back; `None` if half of them carry
/// equally many, or there are none.
fn apart(fabric: &Fabric, model: &Model) -> Option<Apart> {
    let kinds: Vec<Kind> = fabric.links().iter().map(|link| Kind::of(fabric, link)).collect();
    let mut shared = vec![Shared::default(); kinds.len()];
    for flow in 0..model.medium.flows() {
        let path = model.medium.paths(flow).flatten().next()?;
        let crossings = model.medium.crossings(path);
        let mut ports = crossings.iter().map(|crossing| crossing.resource);
        let port = ports.find(|&link| kinds[link as usize] == Kind::Port)?;
        for crossing in crossings {
            let link = crossing.resource as usize;
            if kinds[link] == Kind::Shared {
                let Shared { flows, last, behind } = &mut shared[link];
                if *flows == 0 || *last != port {
                    *behind += model.best[port as usize];
                }
                (*flows, *last) = (*flows + 1, port);
            }
        }
    }
    let mut counts: BTreeMap<u128, (u64, u32)> = BTreeMap::new();
    for (link, told) in (0..).zip(&shared) {
        if told.flows > 0 && model.best[link as usize] < told.behind + told.flows {
            counts.entry(told.flows).or_insert((0, link)).0 += 1;
        }
    }
    let groups: u64 = counts.values().map(|&(links, _)| links).sum();
    let &alike = counts.values().map(|(links, _)| links).max()?;
    if 2 * alike > groups {
        return None;
    }
    let (least, most) = (counts.first_key_value()?, counts.last_key_value()?);
    let told = |(flows, &(_, link)): (&u128, &(u64, u32))| {
        format!("{} carries {flows} transfers", fabric.link_name(LinkId(link)))
    };
    let why = format!("paths are hashed: {}, {}", told(least), told(most));
    Some(Apart {
        group: "link",
        groups,
        alike,
        reasons: vec![Reason { groups: groups - alike, why }],
    })
}
