//! Flows: who sends to whom, and on what terms.
//!
//! Most flows of a plan differ in their ends alone. So what they carry, when and how is told once for
//! all that have it in common, and a flow takes 16 bytes.

use std::ops::Deref;
use std::sync::Arc;

use collectives::{Action, Sizes, Start};
use units::{Bytes, Split};

use crate::digest::Digest;
use crate::plan::AgentId;

/// A transfer that `src` repeats in every step of a window of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The sending agent.
    pub src: AgentId,
    /// The receiving agent.
    pub dst: AgentId,
    /// All else, which other flows may share.
    pub terms: Arc<Terms>,
}

/// What a flow carries, when and how, whoever its ends are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The stage of both programs in which it takes place.
    pub stage: u32,
    /// The first step of the stage in which it takes place.
    pub first: u64,
    /// The step after the last one.
    pub end: u64,
    /// The sizes over the steps of the stage.
    pub sizes: Sizes,
    /// Which part of the transfer it carries, of `parts` (hashed paths cut a transfer).
    pub part: u32,
    /// The number of parts, at least 1.
    pub parts: u32,
    /// Its place among the messages that the sender starts in a step, counted from 0; matters where
    /// messages cost their sender time.
    pub ordinal: u32,
    /// How many such transfers one receiving agent takes in a step (1 unless it is a class).
    pub fan_in: u64,
    /// What the receiver does with the bytes.
    pub action: Action,
    /// Whether it waits for its receiver to have entered the step.
    pub start: Start,
}

impl Deref for Flow {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        &self.terms
    }
}

impl Terms {
    /// The bytes carried in step `step` of the stage.
    pub fn bytes(&self, step: u64) -> Bytes {
        let whole = self.sizes.at(step);
        if self.parts == 1 {
            return whole;
        }
        Split { total: whole, parts: u64::from(self.parts) }.chunk(u64::from(self.part))
    }

    /// How many transfers it makes before step `step` of its stage, in which it takes place, in round `round`.
    pub(crate) const fn transfers_before(&self, round: u64, step: u64) -> u64 {
        round * self.steps() + (step - self.first)
    }

    /// How many transfers it makes in a round.
    pub const fn steps(&self) -> u64 {
        self.end - self.first
    }

    /// Whether it takes place in step `step` of its stage.
    pub const fn is_active(&self, step: u64) -> bool {
        self.first <= step && step < self.end
    }

    /// The fingerprint of all that they are.
    pub(crate) fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        let started = u64::from(self.start == Start::Rendezvous);
        let reduced = u64::from(self.action == Action::Reduce);
        digest
            .add(0x64, [u64::from(self.stage) << 2 | started << 1 | reduced, self.first, self.end]);
        let cut = u64::from(self.part) << 32 | u64::from(self.parts);
        digest.add(0x65, [cut, self.fan_in, u64::from(self.ordinal)]);
        match self.sizes {
            Sizes::Constant(bytes) => digest.add(0x66, [bytes.as_u64()]),
            Sizes::Backwards { split, first } => {
                digest.add(0x69, [split.total.as_u64(), split.parts, first]);
            }
            Sizes::LastSmaller { chunk, last, end } => {
                digest.add(0x6a, [chunk.as_u64(), last.as_u64(), end]);
            }
        }
        digest
    }
}
