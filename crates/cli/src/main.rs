//! `superclos`: what supernodes gain over plain servers under a multi-tier Clos.
//!
//! All input and output is here: arguments, files, progress, log, exit codes. What a scenario
//! means and how it is simulated is known to the crates below.

mod commands;
mod ending;
mod estimates;
mod files;
mod guard;
mod interrupt;
mod logging;
mod options;
mod output;
mod panel;
mod points;
mod progress;
mod queue;

use std::process::ExitCode;

use clap::Parser;

use crate::ending::Trouble;
use crate::options::{Cli, Command};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) => {
            // Help and version go to stdout and are no error; a reader that left is none either.
            let _ = told.print();
            return ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2));
        }
    };
    let panel = panel::Panel::new(&cli.shared);
    let ending = logging::start(&panel).and_then(|()| match &cli.command {
        Command::Sim(options) => commands::sim::run(options, &panel),
        Command::Check(options) => commands::check::run(options, &panel),
        Command::New(options) => commands::new::run(options),
        Command::Diff(options) => commands::diff::run(options),
        Command::Presets(options) => commands::presets::run(options, &panel),
        Command::Size(options) => commands::size::run(options),
        Command::Regress(options) => commands::regress::run(options, &panel),
    });
    match ending {
        Ok(ending) => ending.into(),
        Err(trouble) => {
            output::complain(&trouble.to_string());
            Trouble::ending(&trouble).into()
        }
    }
}
