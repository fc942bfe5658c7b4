//! Sets of next hops, each kept once.

use rustc_hash::FxHashMap;
use topology::{Fabric, LinkId};

/// A set of next hops: its only link, or its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SetId(pub(super) u32);

impl SetId {
    /// No way from here.
    pub(crate) const NONE: Self = Self(u32::MAX - 1);
    /// Added to the only link of a set. There are fewer than 2³¹ − 2 links.
    const ONLY: u32 = 1 << 31;

    /// The name after this one.
    pub(super) const fn after(self) -> Self {
        Self(self.0 + 1)
    }

    /// The link of a set of one.
    pub(super) const fn only(self) -> Option<LinkId> {
        if self.0 & Self::ONLY == 0 || self.0 >= Self::NONE.0 {
            return None;
        }
        Some(LinkId(self.0 & !Self::ONLY))
    }
}

/// A next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The link.
    pub(crate) link: LinkId,
    /// Its weight and those of the links before it, added up.
    pub(crate) until: u32,
}

/// The largest weight of a link in its set; links of other rates are weighed to one part in so many.
const FINEST: u128 = 1 << 12;

/// All sets.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    choices: Vec<Choice>,
    spans: Vec<(u32, u32)>,
    known: FxHashMap<Box<[LinkId]>, u32>,
}

impl Sets {
    /// The set of `links`, in that order.
    pub(super) fn intern(&mut self, fabric: &Fabric, links: &[LinkId]) -> SetId {
        if let [link] = links {
            return SetId(link.0 | SetId::ONLY);
        }
        if let Some(&known) = self.known.get(links) {
            return SetId(known);
        }
        let rates = links.iter().map(|&link| fabric.link(link).goodput.as_milli_bits_per_second());
        let least = rates.clone().min().unwrap_or(1);
        let most = rates.clone().max().unwrap_or(1);
        let start = self.choices.len() as u32;
        let mut until = 0;
        for (&link, rate) in links.iter().zip(rates) {
            until += if least == most {
                1
            } else {
                // Rounded down; a link that is 4,096 times slower than another counts as that.
                (u128::from(rate) * FINEST / u128::from(most)).max(1) as u32
            };
            self.choices.push(Choice { link, until });
        }
        let id = self.spans.len() as u32;
        self.spans.push((start, self.choices.len() as u32));
        self.known.insert(links.into(), id);
        SetId(id)
    }

    /// Whether a set of several has these links, in that order.
    pub(super) fn is(&self, set: SetId, links: &[LinkId]) -> bool {
        let (choices, _) = self.of(set);
        !links.is_empty() && choices.iter().map(|choice| &choice.link).eq(links)
    }

    /// The links of a set of several and their weights' sum; nothing of [`SetId::NONE`].
    pub(super) fn of(&self, set: SetId) -> (&[Choice], u32) {
        let Some(&(start, end)) = self.spans.get(set.0 as usize) else { return (&[], 0) };
        let choices = &self.choices[start as usize..end as usize];
        (choices, choices.last().map_or(0, |choice| choice.until))
    }
}
