//! What a run tells.

use collectives::RankId;
use units::{Bytes, Duration, Time};

use crate::{Blocked, GivenUp, Ledger};

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether everything finished.
    pub status: Status,
    /// Who waits for whom where not everything did: in words, from the first rank that waits to what nobody will
    /// undo, and how many more there are.
    pub waits: Vec<String>,
    /// When the last lane finished, counted from 0; of a run that did not finish, the last step done.
    pub makespan: Duration,
    /// When each lane of the schedule finished.
    pub lanes: Vec<Option<Time>>,
    /// When each rank finished the last of its lanes; 0 for a rank without one.
    pub ranks: Vec<Option<Time>>,
    /// What became of all packets.
    pub ledger: Ledger,
    /// Events handled.
    pub events: u64,
    /// The hash over all events.
    pub hash: u64,
}

/// Whether a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every rank did all its steps.
    Finished,
    /// Connections reached their retry limit.
    GaveUp(Vec<GivenUp>),
    /// Some transfers have no way left, and nothing else moves any more: these, by sender and receiver.
    Unreachable(Vec<Unreachable>),
    /// Links wait for each other in a circle, each for room that only the next one can make.
    Deadlock(Vec<Blocked>),
    /// Nothing moves any more for another reason.
    Stalled,
}

/// A flow whose receiver cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreachable {
    /// The sender.
    pub src: RankId,
    /// The receiver.
    pub dst: RankId,
    /// Since when there has been no way for what was to be sent.
    pub at: Time,
    /// The payload that was to come.
    pub asked: Bytes,
    /// What of it has come.
    pub delivered: Bytes,
}
