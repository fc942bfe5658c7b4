//! What happens to a fabric during a run, made ready before it.
//!
//! Links die, come back and change their rates at the instants of the timeline; where links have died
//! or come back, the routes are those of the changed fabric a stated delay later.

use std::collections::VecDeque;

use topology::{Fabric, Reach};
use units::{Bandwidth, Time};

use crate::line::Lines;
use crate::{Error, World};

/// What becomes another at an instant.
#[derive(Debug)]
pub(super) struct Turn<'f> {
    /// The instant in ps.
    pub(super) at: u64,
    pub(super) what: What<'f>,
}

/// What becomes another; at one instant links do before routes.
#[derive(Debug)]
pub(super) enum What<'f> {
    /// These links.
    Links(Vec<Retuned>),
    /// The routes are those of that fabric.
    Routes(&'f Fabric),
}

/// A link that becomes another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retuned {
    pub(super) link: u32,
    /// Its kind from then on; `None`: it carries nothing.
    pub(super) line: Option<u32>,
}

/// The turns of a world in their order.
///
/// # Errors
/// A link that becomes too slow for packets; an instant beyond the range of time.
pub(super) fn turns<'f>(world: &World<'f>, lines: &mut Lines) -> Result<VecDeque<Turn<'f>>, Error> {
    let mut turns = Vec::new();
    let Some(timeline) = world.timeline else { return Ok(VecDeque::new()) };
    let mut before = world.fabric;
    for change in timeline.changes() {
        let fabric = &change.fabric;
        let mut retuned = Vec::new();
        let links = (0..).zip(fabric.links()).zip(before.links());
        for ((link, new), _) in links.filter(|((_, new), old)| new.goodput != old.goodput) {
            let is_down = new.goodput == Bandwidth::default();
            let line = if is_down { None } else { Some(lines.of(new, world.settings.frame)?) };
            retuned.push(Retuned { link, line });
        }
        turns.push(Turn { at: change.at.as_picos(), what: What::Links(retuned) });
        if change.reach == Reach::Other {
            let at = change.at.checked_add(timeline.reroute_after());
            let at = at.ok_or(engine::Error::TimeRange)?;
            turns.push(Turn { at: at.as_picos(), what: What::Routes(fabric) });
        }
        before = fabric;
    }
    let rank = |turn: &Turn<'_>| (turn.at, matches!(turn.what, What::Routes(_)));
    turns.sort_by_key(rank);
    Ok(turns.into())
}

/// Whether a link dies in some turn, and with it the packets on it.
pub(super) fn kills(turns: &VecDeque<Turn<'_>>) -> bool {
    turns.iter().any(|turn| match &turn.what {
        What::Links(retuned) => retuned.iter().any(|link| link.line.is_none()),
        What::Routes(_) => false,
    })
}

/// A flow that cannot reach its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The flow of the plan.
    pub flow: u32,
    /// Since when there is no way and something to be sent.
    pub at: Time,
    /// Payload of its messages that are not whole at the receiver, in bytes.
    pub asked: u64,
    /// What of it has come.
    pub delivered: u64,
}
