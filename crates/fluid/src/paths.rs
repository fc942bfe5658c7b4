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
        let scaled = |&(resource, weight): &(u32, u64)| {
            let rate = capacities[resource as usize] * u128::from(self.denominator);
            rate / u128::from(weight)
        };
        self.crossings.iter().map(scaled).min().unwrap_or(u128::MAX)
    }
}

/// The time of a message of `bytes` that takes one of these paths, or one after the other, alone on a
/// fabric with these capacities; at least, rounded down.
pub(crate) fn least_time<'s>(
    shares: impl Iterator<Item = &'s Share> + Clone,
    capacities: &[u128],
    bytes: Bytes,
) -> Duration {
    let rate = shares.clone().map(|share| share.rate(capacities)).max().unwrap_or(u128::MAX);
    let latency = least_latency(shares);
    let work = bytes.as_work().checked_div(rate).unwrap_or_default();
    let picos = u64::try_from(work).unwrap_or(u64::MAX);
    Duration::from_picos(picos.saturating_add(latency.as_picos()))
}

/// The least latency of these paths, 0 if there are none.
pub(crate) fn least_latency<'s>(shares: impl Iterator<Item = &'s Share>) -> Duration {
    shares.map(|share| share.latency).min().unwrap_or_default()
}

/// The least common multiple of all denominators.
pub(crate) fn common_denominator(shares: &[Share]) -> Result<u64, Error> {
    let mut common = 1_u64;
    for share in shares {
        let part = gcd(u128::from(common), u128::from(share.denominator)) as u64;
        common = (common / part).checked_mul(share.denominator).ok_or(Error::TooFine)?;
    }
    Ok(common)
}

/// The payload rate of every link of a fabric, in milli-bit/s.
pub(crate) fn link_capacities(fabric: &Fabric) -> Vec<u128> {
    let rate = |link: &topology::Link| u128::from(link.goodput.as_milli_bits_per_second());
    fabric.links().iter().map(rate).collect()
}

/// A medium whose resources have these capacities in each state and whose paths are `shares`, in that
/// order.
pub(crate) fn medium(
    course: &Course<'_>,
    by_state: &[Vec<u128>],
    shares: &[Share],
    common: u64,
) -> Result<Medium, Error> {
    let scaled: Option<Vec<u128>> =
        by_state[0].iter().map(|capacity| capacity.checked_mul(u128::from(common))).collect();
    let routes = course.routes.len() as u32;
    let turns = course.turns(by_state, common)?;
    let mut medium = Medium::in_time(scaled.ok_or(Error::TooFine)?, routes, turns);
    let mut crossings = Vec::new();
    for share in shares {
        let factor = common / share.denominator;
        crossings.clear();
        crossings.extend(
            share
                .crossings
                .iter()
                .map(|&(resource, weight)| Crossing { resource, weight: weight * factor }),
        );
        medium.add_path(&crossings, share.latency);
    }
    Ok(medium)
}

/// A resource of the plain way is a link.
pub(crate) const fn link_of(resource: u32) -> LinkId {
    LinkId(resource)
}
