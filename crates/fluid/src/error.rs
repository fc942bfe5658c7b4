//! Why a world cannot be simulated.

use thiserror::Error;
use topology::RouteError;

/// A refusal, before or during a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A transfer has no path.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// The shares of all paths have no common denominator within range.
    #[error("the shares of the sprayed paths have no common denominator within 64 bits")]
    TooFine,
    /// Too many transfers to list one by one.
    #[error(
        "{transfers} transfers would have to be listed one by one, at most {limit} can be: {why}"
    )]
    TooManyTransfers {
        /// The transfers of one step of the schedule's stages, added up.
        transfers: u128,
        /// The most that are listed.
        limit: u64,
        /// Why they cannot be merged.
        why: &'static str,
    },
    /// The run was stopped or left the range of time.
    #[error(transparent)]
    Run(#[from] engine::Error),
}
