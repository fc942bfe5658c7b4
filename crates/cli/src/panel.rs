//! What the user wants to see: colour, progress, log.

use std::io::{IsTerminal, stderr, stdout};

use report::Colour;

use crate::options::{Shared, When};

/// Settled choices about what is shown.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// Colour on stdout.
    pub(crate) out: Colour,
    /// Colour on stderr.
    pub(crate) err: Colour,
    /// How progress is shown.
    pub(crate) progress: Style,
    /// How much is logged: 0 warnings, 1 information, 2 details, 3 everything; `None` errors only.
    pub(crate) log: Option<u8>,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A bar, redrawn in place.
    Bar,
    /// A line every ten seconds.
    Lines,
    /// Not at all.
    Silent,
}

impl Panel {
    /// Settles what `shared` leaves to the terminal and the environment.
    pub(crate) fn new(shared: &Shared) -> Self {
        let log = if shared.quiet { None } else { Some(shared.verbose) };
        let progress = match log {
            None => Style::Silent,
            // Log lines would tear a bar.
            Some(0) if stderr().is_terminal() => Style::Bar,
            Some(_) => Style::Lines,
        };
        Self {
            out: colour(shared.color, stdout().is_terminal()),
            err: colour(shared.color, stderr().is_terminal()),
            progress,
            log,
        }
    }
}

/// `auto` means a terminal, unless `NO_COLOR` is set to anything or the terminal is a dumb one.
fn colour(when: When, terminal: bool) -> Colour {
    let unwanted = || {
        std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb")
    };
    match when {
        When::Always => Colour::On,
        When::Auto if terminal && !unwanted() => Colour::On,
        When::Auto | When::Never => Colour::Off,
    }
}
