//! A fabric in time: what breaks during a run, when, and when it is repaired.
//!
//! A timeline is made before the run, as a list of fabrics; nothing passes here. A fabric of the list is
//! whole: what else a fault may do to a link beside its rate reaches the run in the same way.

use std::collections::BTreeSet;

use thiserror::Error;
use units::{Bandwidth, Duration, Time};

use crate::{Fabric, Fault, FaultError, LinkId};

/// The most instants at which a fabric changes.
const MOST_INSTANTS: u64 = 1_000;
/// The most links that the fabrics of one timeline hold together, about 60 bytes each.
const MOST_LINKS: u64 = 10_000_000;

/// A fault with the time that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mishap {
    /// What breaks.
    pub fault: Fault,
    /// When it strikes; `None`: it has held before the start, and the first routes know of it.
    pub at: Option<Time>,
    /// When it is repaired, after `at` and after 0; `None`: never.
    pub until: Option<Time>,
}

impl Mishap {
    /// Whether it is older than the run and outlasts it.
    pub const fn is_lasting(&self) -> bool {
        self.at.is_none() && self.until.is_none()
    }

    fn holds_from_start(&self) -> bool {
        self.at.is_none()
    }

    fn holds_at(&self, now: Time) -> bool {
        self.at.is_none_or(|at| at <= now) && self.until.is_none_or(|until| now < until)
    }
}

/// Whether a change kills links or brings some back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The same links carry something, at other rates.
    Same,
    /// Some links have died or come back: routes are to be recomputed.
    Other,
}

/// An instant at which a fabric changes.
#[derive(Clone, Debug)]
pub struct Change {
    /// The instant.
    pub at: Time,
    /// The fabric from then on; nodes, links and their ids are those of the whole one.
    pub fabric: Fabric,
    /// Whether other links are alive than before.
    pub reach: Reach,
}

/// What happens to a fabric after the start of a run, in the order of time.
#[derive(Clone, Debug)]
pub struct Timeline {
    changes: Vec<Change>,
    reroute_after: Duration,
}

/// Why mishaps cannot happen to a fabric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimelineError {
    /// A fault cannot be put on the fabric.
    #[error("{error}")]
    Fault {
        /// The place of the mishap in the list.
        index: usize,
        /// Why.
        error: FaultError,
    },
    /// Too many instants.
    #[error("the fabric changes at {instants} instants: at most {limit} are possible")]
    TooManyInstants {
        /// The instants at which something may change.
        instants: u64,
        /// The most.
        limit: u64,
    },
    /// The fabrics of all instants would take too much memory.
    #[error("{instants} changes of {links} one-way links: at most {limit} are held in all")]
    TooManyLinks {
        /// The instants at which something may change.
        instants: u64,
        /// The links of the fabric.
        links: u64,
        /// The most links of all fabrics together.
        limit: u64,
    },
}

impl Timeline {
    /// The changes, ascending in time, at most one an instant; each changes something.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How long after a change of reach the routes are those of the changed fabric.
    pub const fn reroute_after(&self) -> Duration {
        self.reroute_after
    }
}

impl Fabric {
    /// The fabric at the start of a run, and what happens to it then.
    ///
    /// Lasting faults are put on it first, one after the other; so two of them may each break one of
    /// two parallel links. The links of the others are found on what these leave. Where mishaps overlap
    /// their speeds multiply.
    ///
    /// # Errors
    /// A fault of what is not there; too many changes of too large a fabric.
    pub fn in_time(
        &self,
        mishaps: &[Mishap],
        reroute_after: Duration,
    ) -> Result<(Self, Timeline), TimelineError> {
        let instants = instants(mishaps, self.links.len() as u64)?;
        let refused = |index| move |error| TimelineError::Fault { index, error };
        let mut lasting = self.clone();
        for (index, mishap) in mishaps.iter().enumerate().filter(|(_, it)| it.is_lasting()) {
            let fault = std::slice::from_ref(&mishap.fault);
            lasting = lasting.with_faults(fault).map_err(refused(index))?;
        }
        let mut passing = Vec::new();
        for (index, mishap) in mishaps.iter().enumerate().filter(|(_, it)| !it.is_lasting()) {
            let links = lasting.links_of(&mishap.fault.part).map_err(refused(index))?;
            passing.push((mishap, links));
        }
        let start = lasting.slowed(holding(&passing, &Mishap::holds_from_start));
        let mut changes: Vec<Change> = Vec::new();
        for at in instants {
            let fabric = lasting.slowed(holding(&passing, &|mishap| mishap.holds_at(at)));
            let before = changes.last().map_or(&start, |change| &change.fabric);
            if let Some(reach) = difference(before, &fabric) {
                changes.push(Change { at, fabric, reach });
            }
        }
        Ok((start, Timeline { changes, reroute_after }))
    }
}

/// The instants at which mishaps strike or are repaired, if a fabric of so many links can have them.
fn instants(mishaps: &[Mishap], links: u64) -> Result<BTreeSet<Time>, TimelineError> {
    let instants: BTreeSet<Time> =
        mishaps.iter().flat_map(|mishap| [mishap.at, mishap.until]).flatten().collect();
    let count = instants.len() as u64;
    if count > MOST_INSTANTS {
        let (instants, limit) = (count, MOST_INSTANTS);
        return Err(TimelineError::TooManyInstants { instants, limit });
    }
    if count.saturating_mul(links) > MOST_LINKS {
        return Err(TimelineError::TooManyLinks { instants: count, links, limit: MOST_LINKS });
    }
    Ok(instants)
}

/// The links and speeds of the mishaps that hold.
fn holding<'m>(
    mishaps: &'m [(&'m Mishap, Vec<LinkId>)],
    holds: &'m dyn Fn(&Mishap) -> bool,
) -> impl Iterator<Item = (&'m [LinkId], u32)> {
    let holding = mishaps.iter().filter(|(mishap, _)| holds(mishap));
    holding.map(|(mishap, links)| (&links[..], mishap.fault.speed_ppm))
}

/// What differs between two states of a fabric; `None` if nothing does.
fn difference(before: &Fabric, after: &Fabric) -> Option<Reach> {
    let rates =
        || before.links.iter().zip(&after.links).map(|(old, new)| (old.goodput, new.goodput));
    let dead = Bandwidth::default();
    if rates().any(|(old, new)| (old == dead) != (new == dead)) {
        return Some(Reach::Other);
    }
    rates().any(|(old, new)| old != new).then_some(Reach::Same)
}
