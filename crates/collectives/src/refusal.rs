//! What cannot be scheduled or placed, and why.

use units::Bytes;

use crate::{Algorithm, Collective, RankId};

/// Why a workload was refused; each message names the value found and the limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are no ranks to work with.
    #[error("group {group} has 0 ranks; a collective needs at least 1")]
    EmptyGroup {
        /// The group, counted from 0.
        group: u32,
    },
    /// There are no groups.
    #[error("there are 0 groups of ranks; a collective needs at least 1")]
    NoGroups,
    /// A rank outside of the workload.
    #[error("rank {} does not exist: the workload has {ranks} ranks, counted from 0", .rank.0)]
    UnknownRank {
        /// The rank named.
        rank: RankId,
        /// The number of ranks.
        ranks: u32,
    },
    /// A rank stands twice in a group.
    #[error("rank {} stands twice in group {group}", .rank.0)]
    RepeatedRank {
        /// The group, counted from 0.
        group: u32,
        /// The rank.
        rank: RankId,
    },
    /// A transfer from a rank to itself.
    #[error("flow {flow} goes from rank {} to itself", .rank.0)]
    FlowToItself {
        /// The flow, counted from 0.
        flow: usize,
        /// The rank.
        rank: RankId,
    },
    /// The algorithm does not perform the collective.
    #[error("{algorithm} does not perform {collective}; {collective} runs by {offered}")]
    NotOffered {
        /// The collective asked for.
        collective: Collective,
        /// The algorithm asked for.
        algorithm: Algorithm,
        /// The algorithms that perform the collective.
        offered: &'static str,
    },
    /// A place that a group does not have.
    #[error("place {place} does not exist: group {group} has {ranks} ranks, counted from 0")]
    UnknownPlace {
        /// The place named.
        place: u32,
        /// The group, counted from 0.
        group: u32,
        /// The ranks of the group.
        ranks: u32,
    },
    /// A rank that sends to itself.
    #[error("place {place} sends to itself; sender and receiver must be two ranks")]
    SendToItself {
        /// The place named twice.
        place: u32,
    },
    /// A barrier of bytes.
    #[error("a barrier of {} bytes; it moves nothing: its size is 0 B", .size.as_u64())]
    BarrierOfBytes {
        /// The size asked for.
        size: Bytes,
    },
    /// An imbalance out of range.
    #[error(
        "an imbalance of {imbalance_ppm} parts per million; at most 1000000 (100 %) are possible"
    )]
    Imbalance {
        /// The imbalance asked for.
        imbalance_ppm: u32,
    },
    /// Two levels over supernodes of different sizes.
    #[error(
        "group {group} has {least} ranks in one supernode and {most} in another; two levels need as \
         many in each: use other groups or another algorithm"
    )]
    UnequalSupernodes {
        /// The group, counted from 0.
        group: u32,
        /// The fewest ranks in a supernode.
        least: usize,
        /// The most.
        most: usize,
    },
    /// A group that no tree of switches which add up joins.
    #[error(
        "no tree of switches that add up joins the ranks of group {group} in {supernodes} {}: take groups \
         within a supernode, let the switches outside add up, or repair the links of cards that have \
         lost theirs",
        if *supernodes == 1 { "supernode" } else { "supernodes" }
    )]
    BeyondSwitches {
        /// The group, counted from 0.
        group: u32,
        /// The supernodes that have a rank of it.
        supernodes: usize,
    },
    /// A table of sizes that is not square.
    #[error("row {row} of the table has {found} sizes; with {ranks} rows each has {ranks}")]
    UnevenTable {
        /// The row, counted from 0.
        row: usize,
        /// Its sizes.
        found: usize,
        /// The rows.
        ranks: usize,
    },
    /// A number of channels out of range.
    #[error("{channels} channels asked for; 1 to {limit} are possible")]
    Channels {
        /// The number asked for.
        channels: u32,
        /// The most that are possible.
        limit: u32,
    },
    /// A pipeline chunk that is too small.
    #[error("chunks of {} bytes asked for; at least {} are needed", .chunk.as_u64(), .least.as_u64())]
    ChunkTooSmall {
        /// The chunk asked for.
        chunk: Bytes,
        /// The smallest one possible.
        least: Bytes,
    },
    /// A pipeline of too many chunks.
    #[error("{chunks} chunks in a pipeline; at most {limit} are possible: take larger chunks")]
    TooManyChunks {
        /// The chunks of one tree or chain.
        chunks: u64,
        /// The most that are possible.
        limit: u64,
    },
    /// An aligned size below one unit.
    #[error(
        "{} bytes are too few to align: {algorithm} needs a multiple of {least} bytes here (chunks \
         that are equal multiples of 16 bytes); take that much, or exact sizes", .size.as_u64()
    )]
    TooSmallToAlign {
        /// The size asked for.
        size: Bytes,
        /// The least size above 0 that can be aligned.
        least: u128,
        /// The algorithm.
        algorithm: Algorithm,
    },
    /// More pairs than a pairwise exchange lists.
    #[error(
        "a pairwise exchange of {pairs} pairs; at most {limit} are possible: take smaller groups, \
         or all pairs at once (direct)"
    )]
    TooManyPairs {
        /// The ordered pairs of all groups.
        pairs: u64,
        /// The most that are possible.
        limit: u64,
    },
    /// A hierarchical collective over supernodes of too many different sizes.
    #[error(
        "group {group} has supernodes of so many sizes that its vector is cut in {pieces} pieces \
         with {owners} owners each; at most {limit} owners of pieces are possible: use more even \
         groups or a flat algorithm"
    )]
    TooManyPieces {
        /// The group, counted from 0.
        group: u32,
        /// The pieces of the vector.
        pieces: u64,
        /// The owners of each, one per supernode.
        owners: u64,
        /// The most pieces × owners.
        limit: u64,
    },
    /// More ranks than cards.
    #[error("{ranks} ranks do not fit on {cards} cards; at most one rank runs on a card")]
    TooManyRanks {
        /// The ranks asked for.
        ranks: u32,
        /// The cards there are.
        cards: u32,
    },
    /// More ranks than free cards.
    #[error("{ranks} ranks do not fit on {free} free cards; other jobs have taken {taken}")]
    TooFewFreeCards {
        /// The ranks asked for.
        ranks: u32,
        /// The cards that are free.
        free: u32,
        /// The cards that other jobs have.
        taken: u32,
    },
    /// Groups that do not lie on one rail each.
    #[error(
        "{fitting} of {groups} groups of {size} ranks lie on one rail each; the longest rail (cards of \
         one index in their supernodes) has {longest} free cards, and groups of one rail share none: \
         take smaller groups, fewer of them, or another placement"
    )]
    OffRails {
        /// The groups asked for.
        groups: u32,
        /// The ranks of each.
        size: u32,
        /// The groups that fit.
        fitting: u32,
        /// The most free cards of a rail.
        longest: usize,
    },
    /// A card that belongs to another job.
    #[error(
        "card {card} belongs to an earlier job; two jobs share a card only where it is `shared`"
    )]
    TakenCard {
        /// The card listed.
        card: u32,
    },
    /// A card that the fabric does not have.
    #[error("card {card} does not exist: the fabric has {cards} cards, counted from 0")]
    UnknownCard {
        /// The card listed.
        card: u32,
        /// The cards there are.
        cards: u32,
    },
    /// A card listed for two ranks.
    #[error("card {card} is listed twice; at most one rank runs on a card")]
    RepeatedCard {
        /// The card.
        card: u32,
    },
    /// Groups that do not cover the ranks evenly.
    #[error(
        "{ranks} ranks cannot be divided into groups of {size}; the group size must divide {ranks}"
    )]
    UnevenGroups {
        /// The number of ranks.
        ranks: u32,
        /// The group size asked for.
        size: u32,
    },
}
