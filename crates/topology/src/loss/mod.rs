//! Links that lose packets: how often, and when that changes.
//!
//! A rule says that the links of a part lose packets with some probability during a span of time;
//! rules that meet on a link are independent. Time is cut into *epochs* at the instants where any rule
//! begins or ends; within one, every link has one probability.

mod path_loss;

use std::collections::BTreeMap;

use units::{Probability, Time};

pub use path_loss::PathLoss;
pub(crate) use path_loss::{Edge, path_loss};

use crate::{Fabric, FaultError, Part};

/// A schedule of loss, by its index; 0 never loses anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LossId(pub u32);

impl LossId {
    /// Nothing is ever lost.
    pub const NEVER: Self = Self(0);
}

/// Part of a fabric that loses packets for a while; links are meant in both directions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LossRule {
    /// The part.
    pub part: Part,
    /// That one link loses a packet that crosses it.
    pub loss: Probability,
    /// The first instant at which it does.
    pub from: Time,
    /// The instant from which it does not any more; `None`: it is not repaired.
    pub until: Option<Time>,
}

/// How often links lose packets, epoch by epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Losses {
    changes: Vec<Time>,
    /// That a packet survives, by schedule and epoch.
    survivals: Vec<Vec<Probability>>,
}

impl Default for Losses {
    fn default() -> Self {
        Self { changes: Vec::new(), survivals: vec![vec![Probability::ONE]] }
    }
}

impl Losses {
    /// The instants at which epochs after the first begin, in order.
    pub fn changes(&self) -> &[Time] {
        &self.changes
    }

    /// The epoch that `at` lies in.
    pub fn epoch(&self, at: Time) -> usize {
        self.changes.partition_point(|&change| change <= at)
    }

    /// That a packet survives a link of a schedule, by epoch.
    pub fn survivals(&self, id: LossId) -> &[Probability] {
        &self.survivals[id.0 as usize]
    }

    /// Whether no link ever loses anything.
    pub fn is_lossless(&self) -> bool {
        self.survivals.len() == 1
    }
}

impl Fabric {
    /// The fabric with links that lose packets as `rules` say, in place of all rules before.
    ///
    /// A rule of probability 0, or one that ends before it begins, changes nothing.
    ///
    /// # Errors
    /// If a rule names a part that the fabric does not have: its index, and why.
    pub fn with_losses(&self, rules: &[LossRule]) -> Result<Self, (usize, FaultError)> {
        let mut fabric = self.clone();
        let mut changes: Vec<Time> =
            rules.iter().flat_map(|rule| [Some(rule.from), rule.until]).flatten().collect();
        changes.retain(|&change| change > Time::ZERO);
        changes.sort_unstable();
        changes.dedup();
        let never = vec![Probability::ONE; changes.len() + 1];
        let mut schedules = Schedules { survivals: vec![never.clone()], known: BTreeMap::new() };
        schedules.known.insert(never, LossId::NEVER);
        let mut ids = vec![LossId::NEVER; fabric.links.len()];
        let begins: Vec<Time> =
            std::iter::once(Time::ZERO).chain(changes.iter().copied()).collect();
        for (index, rule) in rules.iter().enumerate() {
            let mut after = BTreeMap::new();
            for link in self.links_of(&rule.part).map_err(|error| (index, error))? {
                let before = ids[link.index()];
                let id =
                    after.entry(before).or_insert_with(|| schedules.with(before, rule, &begins));
                ids[link.index()] = *id;
            }
        }
        for (link, id) in fabric.links.iter_mut().zip(ids) {
            link.loss = id;
        }
        fabric.losses = Losses { changes, survivals: schedules.survivals };
        if fabric.losses.is_lossless() {
            fabric.losses = Losses::default();
        }
        Ok(fabric)
    }
}

/// Schedules while rules are added.
struct Schedules {
    survivals: Vec<Vec<Probability>>,
    known: BTreeMap<Vec<Probability>, LossId>,
}

impl Schedules {
    /// The schedule `before` with one more rule; epochs begin at `begins`.
    fn with(&mut self, before: LossId, rule: &LossRule, begins: &[Time]) -> LossId {
        let applies =
            |&begin: &Time| rule.from <= begin && rule.until.is_none_or(|end| begin < end);
        let before = &self.survivals[before.0 as usize];
        let after: Vec<Probability> = before
            .iter()
            .zip(begins)
            .map(
                |(&survival, begin)| {
                    if applies(begin) { survival.and(rule.loss.complement()) } else { survival }
                },
            )
            .collect();
        let next = LossId(self.survivals.len() as u32);
        let id = *self.known.entry(after.clone()).or_insert(next);
        if id == next {
            self.survivals.push(after);
        }
        id
    }
}
