//! Which flows of a model lose packets, and how.

use engine::{Digest, Error, Flow, Plan};
use rustc_hash::FxHashMap;
use topology::Losses;
use units::{Bytes, Time};

use super::skips::Skips;
use super::state::LossEnd;
use super::toll::{Toll, Verdict};
use super::{Draw, Hazard, Recovery, Scheme, Tally, expected, leg_key, sampled, transfer_key};
use crate::traffic::flow_total;

/// A flow that loses nothing.
const NONE: u32 = u32::MAX;

/// The hazards of a model's flows.
#[derive(Clone, Debug)]
pub(crate) struct Lossy {
    recovery: Recovery,
    pub(super) losses: Losses,
    hazards: Vec<Hazard>,
    /// By hazard and epoch.
    skips: Vec<Vec<Skips>>,
    /// The sets of routes.
    routes: usize,
    /// The hazard of each flow on each set of routes, flow by flow.
    of_flow: Vec<u32>,
    /// How many transfers a flow stands for in each of its steps.
    members: Vec<u128>,
    /// What draws are keyed by, if there are any.
    keys: Vec<u64>,
}

/// Collects the hazards of flows, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LossyBuilder {
    known: FxHashMap<Hazard, u32>,
    hazards: Vec<Hazard>,
    of_flow: Vec<u32>,
    members: Vec<u128>,
    keys: Vec<u64>,
}

impl LossyBuilder {
    /// The next flow: its hazard on each set of routes, where it has one, what it stands for, and the key
    /// of its draws.
    pub(crate) fn flow<'h>(
        &mut self,
        hazards: impl Iterator<Item = Option<&'h Hazard>>,
        members: u128,
        key: u64,
    ) {
        for hazard in hazards {
            let number = hazard.map_or(NONE, |hazard| self.number(hazard));
            self.of_flow.push(number);
        }
        self.members.push(members);
        self.keys.push(key);
    }

    fn number(&mut self, hazard: &Hazard) -> u32 {
        let next = self.hazards.len() as u32;
        let number = *self.known.entry(hazard.clone()).or_insert(next);
        if number == next {
            self.hazards.push(hazard.clone());
        }
        number
    }

    /// All flows; `None` if none of them loses anything.
    pub(crate) fn build(self, recovery: Recovery, losses: &Losses) -> Option<Lossy> {
        if self.hazards.is_empty() {
            return None;
        }
        let skips = |hazard: &Hazard| hazard.survivals.iter().copied().map(Skips::new).collect();
        Some(Lossy {
            recovery,
            losses: losses.clone(),
            skips: self.hazards.iter().map(skips).collect(),
            hazards: self.hazards,
            routes: self.of_flow.len() / self.members.len(),
            of_flow: self.of_flow,
            members: self.members,
            keys: self.keys,
        })
    }
}

impl Lossy {
    /// Whether losses are drawn one by one.
    pub(crate) const fn is_sampled(&self) -> bool {
        self.recovery.is_sampled()
    }

    /// How often a packet may be repeated.
    pub(super) const fn retries(&self) -> u32 {
        self.recovery.retries
    }

    /// The hazard of a flow on a set of routes, by its number.
    pub(super) fn hazard(&self, flow: usize, routes: u32) -> u32 {
        self.of_flow[flow * self.routes + routes as usize]
    }

    /// Whether a set of routes is the last one.
    pub(super) const fn is_last(&self, routes: u32) -> bool {
        routes as usize + 1 == self.routes
    }

    pub(super) fn members(&self, flow: usize) -> u128 {
        self.members[flow]
    }

    /// The key of leg number `leg` of the transfer that `flow` starts as its `start`-th.
    pub(super) fn key(&self, flow: usize, start: u64, leg: u64) -> u64 {
        leg_key(transfer_key(self.keys[flow], start), leg)
    }

    /// What losses cost `bytes` that leave in an epoch on a path with the hazard of that number, drawn by
    /// `key`.
    pub(super) fn verdict(
        &self,
        number: u32,
        epoch: usize,
        (key, bytes): (u64, Bytes),
    ) -> Result<Verdict, Error> {
        let number = number as usize;
        let Some(hazard) = self.hazards.get(number) else {
            return Ok(Verdict::Arrives(Toll::default()));
        };
        let skips = &self.skips[number][epoch];
        if self.is_sampled() && !sampled::is_beyond(&self.recovery, skips, bytes) {
            return sampled::toll(&self.recovery, (hazard, skips), bytes, key);
        }
        expected::toll(&self.recovery, hazard, skips, bytes)
    }

    /// What a run of `plan` that finished lost: what the state has counted, and the mean of all
    /// transfers that it has not.
    pub(crate) fn total(&self, plan: &Plan, end: &LossEnd) -> Result<Tally, Error> {
        let mut tally = end.tally;
        let rounds = |flow: &Flow| plan.program(flow.src).rounds.count;
        let payload = plan.flows().iter().zip(&self.members);
        let payload =
            payload.map(|(flow, members)| flow_total(flow) * members * u128::from(rounds(flow)));
        tally.payload_bytes = payload.sum();
        if self.is_sampled() {
            return Ok(tally);
        }
        let last = self.losses.changes().len();
        for (index, flow) in plan.flows().iter().enumerate() {
            let hazard = self.hazard(index, self.routes as u32 - 1);
            if hazard == NONE {
                continue;
            }
            let mut failed = None;
            let mut add = |from: u64, rounds: u64| {
                if rounds == 0 {
                    return;
                }
                let times = self.members[index] * u128::from(rounds);
                flow.for_each_size(from..flow.end, &mut |bytes, steps| match self.verdict(
                    hazard,
                    last,
                    (0, bytes),
                ) {
                    Ok(Verdict::Arrives(toll)) => tally.add(&toll, steps * times),
                    Ok(Verdict::GivesUp) => unreachable!("a run that finished gave nothing up"),
                    Err(error) => failed = Some(error),
                });
            };
            // What is left of the round in which the counting ended, then whole rounds.
            let (whole, counted) =
                (end.starts[index] / flow.steps(), end.starts[index] % flow.steps());
            let begun = u64::from(counted > 0);
            add(flow.first + counted, begun);
            add(flow.first, rounds(flow) - whole - begun);
            failed.map_or(Ok(()), Err)?;
        }
        Ok(tally)
    }

    /// Whether a transfer of `bytes` on a path of this hazard, started at `at`, gives up on average.
    pub(super) fn gives_up(&self, hazard: &Hazard, at: Time, bytes: Bytes) -> bool {
        let skips = Skips::new(hazard.survivals[self.losses.epoch(at)]);
        expected::toll(&self.recovery, hazard, &skips, bytes) == Ok(Verdict::GivesUp)
    }

    /// Adds all that a run depends on to `digest`.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let Recovery { scheme, mtu, timeout, retries, draw } = self.recovery;
        let (scheme, window) = match scheme {
            Scheme::GoBackN { window } => (0, window),
            Scheme::SelectiveRepeat { window } => (1, window),
            Scheme::LinkRetry => (2, Bytes::ZERO),
        };
        let (drawn, key) = match draw {
            Draw::Expected => (0, 0),
            Draw::Sampled { key } => (1, key),
        };
        digest.add(0x54, [scheme << 1 | drawn, window.as_u64(), key]);
        digest.add(0x55, [mtu.as_u64(), timeout.as_picos(), u64::from(retries)]);
        for (epoch, change) in self.losses.changes().iter().enumerate() {
            digest.add(0x56, [epoch as u64, change.as_picos(), 0]);
        }
        for (index, hazard) in self.hazards.iter().enumerate() {
            let (whole, link) = (hazard.round_trip, hazard.link_round_trip);
            digest.add(0x57, [index as u64, whole.as_picos(), link.as_picos()]);
            digest.add(0x58, [index as u64, hazard.flight, 0]);
            for (epoch, survival) in hazard.survivals.iter().enumerate() {
                digest.add(0x59, [index as u64, epoch as u64, survival.parts()]);
            }
        }
        for (place, &hazard) in self.of_flow.iter().enumerate() {
            if hazard != NONE {
                let (flow, routes) = (place / self.routes, place % self.routes);
                digest.add(0x5c, [flow as u64, routes as u64, u64::from(hazard)]);
                let members = self.members[flow];
                digest.add(0x5a, [flow as u64, u64::from(hazard), self.keys[flow]]);
                digest.add(0x5b, [flow as u64, members as u64, (members >> 64) as u64]);
            }
        }
    }
}
