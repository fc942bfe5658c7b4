//! What a collective does: lanes of seats that walk through stages of equal steps.
//!
//! A *lane* (a channel of a ring, the up half of a tree) seats some ranks and gives all of them the
//! same list of *stages*; a stage repeats one pattern of transfers for a number of *steps*. Within a
//! lane a rank enters its next step when everything it sends and receives in this one is done; there
//! is no barrier between ranks. Transfers are told on demand, never listed in the schedule: 10,000
//! ranks × 19,998 ring steps are a few dozen bytes beside the list of seats.

use std::sync::Arc;

use topology::AggregatorId;
use units::{Duration, Time};

pub use crate::pattern::{Pattern, Transfer};
pub use crate::payload::Payload;
pub use crate::sizes::Sizes;

/// A rank: a participant of the workload, placed on one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RankId(pub u32);

impl RankId {
    /// No rank: on this seat of a lane sit switches, which add up what the other seats send and send one
    /// message to all of them. It is the last seat of its lane; others below them may have a seat, too.
    pub const fn of_switches(switches: AggregatorId) -> Self {
        Self(u32::MAX - switches.0)
    }

    /// The switches that sit here, if no rank does.
    pub const fn switches(self) -> Option<AggregatorId> {
        let number = u32::MAX - self.0;
        if number < MOST_SWITCHES { Some(AggregatorId(number)) } else { None }
    }
}

/// More sets of switches than any fabric has; there are fewer ranks than numbers left by them.
const MOST_SWITCHES: u32 = 1 << 31;

/// A lane of a schedule, by its index in [`Schedule::lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub u32);

/// The ranks of a lane by seat; lanes with equal seats share one list.
pub type Seats = Arc<[RankId]>;

/// All lanes of a workload; they start together unless a lane says when.
#[derive(Clone, Debug, Default, Hash)]
pub struct Schedule {
    /// The number of ranks, which are 0 … `ranks` − 1.
    pub ranks: u32,
    /// The lanes; a [`LaneId`] is an index here.
    pub lanes: Vec<Lane>,
}

/// One chain of steps that its seats walk through at their own pace.
#[derive(Clone, Debug, Hash)]
pub struct Lane {
    /// Who it belongs to, for messages.
    pub name: LaneName,
    /// The rank on each seat, or the switches; nobody sits twice.
    pub seats: Seats,
    /// No seat enters its first step before this instant.
    pub start: Time,
    /// How often the stages are walked through, and when each round may begin.
    pub rounds: Rounds,
    /// The stages of a round in order; step numbers count through all of them.
    pub stages: Vec<Stage>,
    /// What single seats wait for in other lanes, in every round.
    pub waits: Vec<Wait>,
}

/// Repetition of a lane: round k, counted from 0, begins at a seat no earlier than k periods after the
/// start of the lane, and when the seat has done round k − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rounds {
    /// How often, at least once.
    pub count: u64,
    /// From the earliest beginning of a round to that of the next.
    pub period: Duration,
}

impl Rounds {
    /// No repetition.
    pub const ONCE: Self = Self { count: 1, period: Duration::ZERO };
}

/// Which lane of which collective this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneName {
    /// The job, counted from 0; 0 where there is one only.
    pub job: u32,
    /// The group of ranks, counted from 0.
    pub group: u32,
    /// The channel within the group (or the flow of a flow list), counted from 0.
    pub channel: u32,
    /// What the lane does: "ring", "tree up", "scatter inside", "flow", …
    pub part: &'static str,
}

/// One pattern of transfers, repeated.
#[derive(Clone, Debug, Hash)]
pub struct Stage {
    /// Who sends to whom in a step.
    pub pattern: Pattern,
    /// What a transfer carries.
    pub payload: Payload,
    /// What the receiver does with it.
    pub action: Action,
    /// When a transfer starts.
    pub start: Start,
    /// How many steps the stage lasts, at least 1.
    pub steps: u64,
    /// Computation at every seat at the beginning of a step, before its transfers start.
    pub compute: Duration,
}

/// When the transfers of a stage start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Start {
    /// When the sender has entered the step; what arrives early counts.
    Eager,
    /// When both sides have entered the step: a send-receive between partners, as message-passing
    /// libraries do it for long messages.
    Rendezvous,
}

/// What a receiver does with the bytes of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Adds them to its own.
    Reduce,
    /// Keeps them.
    Store,
}

/// A seat that may not enter a step before the same rank has got far enough in another lane.
///
/// Lanes that wait for each other have as many rounds; steps are those of one round, and a seat in a
/// round waits for the same round of the other lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The waiting seat of this lane.
    pub seat: u32,
    /// The first step of this lane (counted through all stages) that waits.
    pub step: u64,
    /// The lane waited for, in which the same rank has a seat.
    pub lane: LaneId,
    /// How many steps the rank must have completed there before it may enter `step` here.
    pub completed: u64,
    /// Whether the steps after `step` wait too.
    pub pace: Pace,
}

/// How a wait goes on after its first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pace {
    /// Only the named step waits.
    Once,
    /// Step `step` + i waits until `completed` + i steps are completed there, for every i ≥ 0 while
    /// the rounds of both lanes last.
    EachStep,
}

impl Lane {
    /// The number of steps of all stages, in one round.
    pub fn steps(&self) -> u64 {
        self.stages.iter().map(|stage| stage.steps).sum()
    }
}
