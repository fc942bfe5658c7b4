//! How the program ends: its exit codes.

use std::path::PathBuf;
use std::process::ExitCode;

/// The ways to end, in the order of their exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// 0: everything asked for was done.
    Done,
    /// 1: a point failed, stalled or was cut off, or a file could not be written.
    Failed,
    /// 2: the input was refused.
    Refused,
    /// 3: an expectation or a baseline was missed.
    Missed,
    /// 130: interrupted; what was finished is kept.
    Interrupted,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        Self::from(match ending {
            Ending::Done => 0,
            Ending::Failed => 1,
            Ending::Refused => 2,
            Ending::Missed => 3,
            Ending::Interrupted => 130,
        })
    }
}

/// Why the program ends before it has an answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The input cannot be used; the text says why and where.
    #[error("{0}")]
    Refused(String),
    /// An input file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An output file cannot be written.
    #[error("cannot write {}: {why}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        why: std::io::Error,
    },
    /// The machine refused something the program needs.
    #[error("{0}")]
    Machine(String),
}

impl Trouble {
    /// Input is refused; everything else is a failure.
    pub(crate) const fn ending(&self) -> Ending {
        match self {
            Self::Refused(_) | Self::Unreadable { .. } => Ending::Refused,
            Self::Unwritable { .. } | Self::Machine(_) => Ending::Failed,
        }
    }
}
