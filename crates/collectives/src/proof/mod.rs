//! Proof by sets: executes a schedule on contributions instead of numbers.
//!
//! Every byte of every rank's vector is known by the set of ranks whose contribution it contains.
//! The executor obeys the rules of a schedule and nothing else: a seat enters a step when everything
//! it sends and receives in the step before is done and its waits are over; what it sends is read at
//! that moment; a transfer may arrive at any later moment, however early the receiver is. Which of
//! the possible events comes next is the caller's choice, so that an adversary can look for a
//! missing dependency. There is no time here.

mod buffer;
mod contributors;
mod run;
mod table;

use std::collections::BTreeMap;
use std::ops::Range;

pub use buffer::Buffer;
pub use contributors::Contributors;
pub use run::execute;

use crate::{LaneId, RankId};

/// What the ranks hold in the beginning.
#[derive(Clone, Debug)]
pub enum Start {
    /// Every rank of a group holds its own contribution to a vector of this many bytes.
    Vectors(u64),
    /// A rank of a group holds its own contribution to these bytes of the vector, and nothing else.
    Parts(Vec<Part>),
    /// Every rank holds a block for each other; what arrives is listed in
    /// [`Holdings::received`], and nothing is added up.
    Blocks,
}

/// Some bytes of the vector of a rank in a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// The group, as in [`LaneName`](crate::LaneName).
    pub group: u32,
    /// The rank.
    pub rank: RankId,
    /// The bytes, as start and end.
    pub bytes: (u64, u64),
}

/// A block that has arrived.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Receipt {
    /// The group.
    pub group: u32,
    /// The rank that has it now.
    pub dst: RankId,
    /// The rank that sent it.
    pub src: RankId,
    /// The bytes of the sender's buffer, as start and end.
    pub bytes: (u64, u64),
}

/// What the ranks hold in the end.
#[derive(Clone, Debug, Default)]
pub struct Holdings {
    /// The vector of each rank that had a seat or a part, by group and rank.
    pub buffers: BTreeMap<(u32, RankId), Buffer>,
    /// What arrived, in order of arrival, when started with [`Start::Blocks`].
    pub received: Vec<Receipt>,
    /// The bytes of all transfers.
    pub bytes: u128,
    /// The number of transfers.
    pub transfers: u64,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing can go on and some seats have not done all steps.
    #[error("{} seats are stuck, the first of them {:?}", .0.len(), .0.first())]
    Deadlock(Vec<Stuck>),
    /// A sum would contain a contribution twice.
    #[error("the contribution of rank {} is added twice at rank {} in bytes {bytes:?}", .contributor.0, .rank.0)]
    AddedTwice {
        /// Whose contribution.
        contributor: RankId,
        /// Where.
        rank: RankId,
        /// The bytes that were added.
        bytes: Range<u64>,
    },
}

/// A seat that does not get on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The lane.
    pub lane: LaneId,
    /// Its seat.
    pub seat: u32,
    /// The rank on it.
    pub rank: RankId,
    /// The steps it has entered.
    pub entered: u64,
    /// The steps it has completed.
    pub completed: u64,
}
