//! What a schedule puts on each link, counted without simulating it.

use collectives::{Lane, Sizes, Transfer};
use engine::Terms;
use topology::{CardId, Fabric, LinkId, Path};
use units::{Bytes, Duration, Time, gcd};

use crate::moves::WORK_PER_BYTE;
use crate::outcome::{TierTraffic, Traffic};
use crate::{Error, Medium};

/// Bytes on every link, over the common denominator of the paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    /// The common denominator.
    pub(crate) denominator: u128,
    /// Bytes × denominator on each link.
    pub(crate) on_link: Vec<u128>,
    /// The least latency of a path over each link.
    pub(crate) least_latency: Vec<Duration>,
    /// Bytes from the first half of the cards to the second, and back, over the outer fabric.
    pub(crate) across: [u128; 2],
    /// The number of cards in the first half.
    half: u32,
}

impl Loads {
    pub(crate) fn new(fabric: &Fabric, denominator: u128) -> Self {
        let links = fabric.links().len();
        Self {
            denominator,
            on_link: vec![0; links],
            least_latency: vec![Duration::MAX; links],
            across: [0; 2],
            half: fabric.cards() / 2,
        }
    }

    /// Adds `bytes` × `weight` / denominator to a link.
    pub(crate) fn add(&mut self, link: LinkId, bytes: u128, weight: u128, latency: Duration) {
        self.on_link[link.index()] += bytes * weight;
        let least = &mut self.least_latency[link.index()];
        *least = latency.min(*least);
    }

    /// By what the common denominator is to be multiplied to be a multiple of `own`.
    fn missing(&self, own: u64) -> u128 {
        let own = u128::from(own);
        own / gcd(self.denominator, own)
    }

    /// Makes the common denominator a multiple of `own`, and tells which.
    pub(crate) fn widen(&mut self, own: u64) -> u128 {
        let missing = self.missing(own);
        if missing > 1 {
            self.denominator *= missing;
            self.on_link.iter_mut().for_each(|load| *load *= missing);
        }
        self.denominator / u128::from(own)
    }

    /// Adds `bytes` to all links of a path, whatever its denominator.
    ///
    /// # Errors
    /// [`Error::TooFine`] if the denominators of all paths have no common multiple within 64 bits.
    pub(crate) fn add_path(&mut self, path: &Path, bytes: u128) -> Result<(), Error> {
        if self.denominator * self.missing(path.denominator) > u128::from(u64::MAX) {
            return Err(Error::TooFine);
        }
        let factor = self.widen(path.denominator);
        for hop in &path.hops {
            self.add(hop.link, bytes, u128::from(hop.weight) * factor, path.latency);
        }
        Ok(())
    }

    /// Adds `bytes` between two cards that talk over the outer fabric.
    pub(crate) fn add_pair(&mut self, src: CardId, dst: CardId, bytes: u128) {
        if let Some(way) = self.way(src, dst) {
            self.across[way] += bytes;
        }
    }

    /// Which way a transfer crosses between the halves of the cards, if it does.
    pub(crate) fn way(&self, src: CardId, dst: CardId) -> Option<usize> {
        match (src.0 < self.half, dst.0 < self.half) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        }
    }

    /// What flows have put on links over the paths of each set of routes; a resource of `medium` stands
    /// for one link, or for those whose class it is.
    pub(crate) fn moved(
        &self,
        medium: &Medium,
        class_of_link: Option<&[u32]>,
        by_routes: &[Vec<u128>],
    ) -> Self {
        let mut on_resource = vec![0_u128; medium.capacities().len()];
        for (routes, moved) in (0..).zip(by_routes) {
            for (flow, &bytes) in moved.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
                let path = medium.path(flow, routes).expect("what has moved had a path");
                for crossing in medium.crossings(path) {
                    let weight = u128::from(crossing.weight);
                    on_resource[crossing.resource as usize] += bytes * weight;
                }
            }
        }
        let on_link = match class_of_link {
            None => on_resource,
            Some(classes) => {
                let load = |&class: &u32| on_resource.get(class as usize).copied();
                classes.iter().map(|class| load(class).unwrap_or_default()).collect()
            }
        };
        Self { on_link, ..self.clone() }
    }

    /// The traffic by tier of a run that took `makespan`, on links that carry `best` at most.
    pub(crate) fn traffic(&self, fabric: &Fabric, best: &[u128], makespan: Time) -> Traffic {
        let mut tiers: Vec<TierTraffic> = Vec::new();
        let mut order: Vec<usize> = (0..fabric.links().len()).collect();
        order.sort_by_key(|&link| fabric.links()[link].tier);
        for links in order.chunk_by(|&l, &r| fabric.links()[l].tier == fabric.links()[r].tier) {
            let tier = fabric.links()[links[0]].tier;
            let scaled: u128 = links.iter().map(|&link| self.on_link[link]).sum();
            let (mut busiest, mut most) = (links[0], 0);
            for &link in links {
                let ppm = self.utilisation_ppm(link, best[link], makespan);
                if ppm > most {
                    (busiest, most) = (link, ppm);
                }
            }
            tiers.push(TierTraffic {
                tier,
                bytes: scaled.div_ceil(self.denominator),
                utilisation_ppm: most,
                busiest: fabric.link_name(LinkId(busiest as u32)),
            });
        }
        Traffic { tiers }
    }

    /// Payload over capacity × makespan of one link, in parts per million.
    fn utilisation_ppm(&self, link: usize, rate: u128, makespan: Time) -> u32 {
        let picos = u128::from(makespan.as_picos());
        // The payload in whole bytes, what the link could carry likewise: 8 × 10¹⁵ work a byte.
        let carried = self.on_link[link] / self.denominator;
        let could = rate * picos / WORK_PER_BYTE;
        if could == 0 {
            return 0;
        }
        u32::try_from((carried * 1_000_000 / could).min(1_000_000)).expect("at most a million")
    }
}

/// The terms of a transfer of a stage of a lane before it is cut, in no order among its sender's messages.
pub(crate) fn terms_of(lane: &Lane, stage_index: usize, transfer: Transfer) -> Terms {
    let stage = &lane.stages[stage_index];
    Terms {
        stage: stage_index as u32,
        first: transfer.first,
        end: transfer.end,
        sizes: stage.payload.sizes(lane.seats.len() as u32, transfer),
        part: 0,
        parts: 1,
        ordinal: 0,
        fan_in: 1,
        action: stage.action,
        start: stage.start,
    }
}

/// The bytes of a flow over all its steps.
pub(crate) fn flow_total(flow: &Terms) -> u128 {
    flow.total(flow.first..flow.end)
}

/// No step of a flow carries less than this.
pub(crate) fn least_bytes(flow: &Terms) -> Bytes {
    match flow.sizes {
        Sizes::Constant(_) => flow.bytes(flow.first),
        Sizes::Backwards { split, .. } => {
            let whole = split.total.as_u64() / split.parts;
            Bytes::new(whole / u64::from(flow.parts))
        }
        Sizes::LastSmaller { last, .. } => Bytes::new(last.as_u64() / u64::from(flow.parts)),
    }
}
