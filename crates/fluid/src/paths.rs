//! Paths over numbered resources with shares of one common denominator.

use std::rc::Rc;

use topology::{Fabric, LinkId, Path, PathLoss};
use units::{Bytes, Duration, gcd};

use crate::course::Course;
use crate::loss::Hazard;
use crate::{Crossing, Error, Medium, Recovery};

/// A path before the common denominator is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// (resource, weight).
    pub(crate) crossings: Vec<(u32, u64)>,
    /// What the weights are shares of.
    pub(crate) denominator: u64,
    /// The latency of the path.
    pub(crate) latency: Duration,
    /// What its packets risk, if anything.
    pub(crate) hazard: Option<Rc<Hazard>>,
}

impl Share {
    /// A path over links whose packets risk nothing.
    pub(crate) fn of(path: Path) -> Self {
        let Path { hops, denominator, latency } = path;
        let crossings = hops.into_iter().map(|hop| (hop.link.0, hop.weight)).collect();
        Self { crossings, denominator, latency, hazard: None }
    }

    /// The same path whose packets risk `loss`.
    pub(crate) fn losing(mut self, loss: PathLoss, recovery: &Recovery, rates: &[u128]) -> Self {
        if !loss.survivals.is_empty() {
            let path = (self.rate(rates), self.latency);
            self.hazard = Hazard::new(recovery, loss, path).map(Rc::new);
        }
        self
    }

    /// The rate of a message alone on the fabric in milli-bit/s, rounded down.
    fn rate(&self, capacities: &[u128]) -> u128 {
        let crossings = self.crossings.iter();
        let crossings = crossings.map(|&(resource, weight)| Crossing { resource, weight });
        rate(crossings, self.denominator, capacities)
    }

    /// How a message fares that takes the path alone on a fabric with these capacities.
    pub(crate) fn alone(&self, capacities: &[u128]) -> Alone {
        Alone { rate: self.rate(capacities), latency: self.latency }
    }
}

/// How a message fares that is alone on its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alone {
    /// In milli-bit/s, rounded down.
    pub(crate) rate: u128,
    pub(crate) latency: Duration,
}

/// The rate of what crosses these alone, rounded down.
pub(crate) fn rate(
    crossings: impl Iterator<Item = Crossing>,
    denominator: u64,
    capacities: &[u128],
) -> u128 {
    let scaled = |Crossing { resource, weight }: Crossing| {
        let capacity = capacities[resource as usize];
        if weight == denominator {
            return capacity;
        }
        capacity * u128::from(denominator) / u128::from(weight)
    };
    crossings.map(scaled).min().unwrap_or(u128::MAX)
}

/// The time of a message of `bytes` that takes one of these paths, or one after the other, alone; at
/// least, rounded down.
pub(crate) fn least_time(paths: impl Iterator<Item = Alone> + Clone, bytes: Bytes) -> Duration {
    let rate = paths.clone().map(|path| path.rate).max().unwrap_or(u128::MAX);
    let latency = paths.map(|path| path.latency).min().unwrap_or_default();
    let work = bytes.as_work().checked_div(rate).unwrap_or_default();
    let picos = u64::try_from(work).unwrap_or(u64::MAX);
    Duration::from_picos(picos.saturating_add(latency.as_picos()))
}

/// The least latency of these paths, 0 if there are none.
pub(crate) fn least_latency<'s>(shares: impl Iterator<Item = &'s Share>) -> Duration {
    shares.map(|share| share.latency).min().unwrap_or_default()
}

/// The least common multiple of all denominators.
pub(crate) fn common_denominator(denominators: impl Iterator<Item = u64>) -> Result<u64, Error> {
    let mut common = 1_u64;
    for denominator in denominators {
        if denominator != common {
            let part = gcd(u128::from(common), u128::from(denominator)) as u64;
            common = (common / part).checked_mul(denominator).ok_or(Error::TooFine)?;
        }
    }
    Ok(common)
}

/// The payload rate of every link of a fabric, in milli-bit/s.
pub(crate) fn link_capacities(fabric: &Fabric) -> Vec<u128> {
    let rate = |link: &topology::Link| u128::from(link.goodput.as_milli_bits_per_second());
    fabric.links().iter().map(rate).collect()
}

/// A medium whose resources have these capacities in each state, all weights over `common`, without
/// paths yet.
pub(crate) fn medium(
    course: &Course<'_>,
    by_state: &[Vec<u128>],
    common: u64,
) -> Result<Medium, Error> {
    let scaled: Option<Vec<u128>> =
        by_state[0].iter().map(|capacity| capacity.checked_mul(u128::from(common))).collect();
    let routes = course.routes.len() as u32;
    let turns = course.turns(by_state, common)?;
    Ok(Medium::in_time(scaled.ok_or(Error::TooFine)?, routes, turns))
}

/// Adds `shares` to a medium over a common denominator, in that order.
pub(crate) fn add_shares(medium: &mut Medium, shares: &[Share], common: u64) {
    let mut crossings = Vec::new();
    for share in shares {
        let factor = common / share.denominator;
        let scaled =
            |&(resource, weight): &(u32, u64)| Crossing { resource, weight: weight * factor };
        crossings.clear();
        crossings.extend(share.crossings.iter().map(scaled));
        medium.add_path(&crossings, share.latency);
    }
}

/// A resource of the plain way is a link.
pub(crate) const fn link_of(resource: u32) -> LinkId {
    LinkId(resource)
}
