//! `cargo xtask …`: runs the simulator in a release build, the tests, and the checks of the project.

mod builds;
mod checks;
mod example;
mod extremes;
mod handover;
mod hostile;
mod limits;
mod measure;
mod opinions;
mod peers;
mod scale;
mod table;
mod worlds;

use std::ffi::OsString;
use std::process::ExitCode;

/// What `cargo xtask` prints without a task.
const HELP: &str = "\
Usage: cargo xtask TASK [ARGUMENTS]

The simulator (built in release, then run in place of this program):
  sim FILE …      run a scenario, e.g. cargo xtask sim scenarios/10k_cards.ron
  check FILE      only check a scenario
  new [FILE]      write a commented scenario
  diff A B        compare two results
  regress …       compare completion times with the stored baselines; --bless rewrites them

The project:
  test            all tests, then builds and regress
  ci              formatting, clippy and documentation without warnings, then test
  builds          debug and release builds print the same bytes
  scale           time and memory of runs from 2,560 to 20,480 cards, and how they grow;
                  --million goes from 1,024 to 1,048,576
  limits          time and memory of refusing files that are made to hurt
  worlds          every reduction against the plain way on 10,000 random worlds of each kind
  extremes        memory of ten million flows in turn and of 100,000 hosts on one switch
  peers           flows a second of the plain engine on what peers were measured on;
                  --simgrid takes turns with SimGrid, where that is installed
  opinions        packet level against flow level on 24 fabrics of 16 to 256 cards;
                  --shipped does so on every scenario
  help            this text

cargo xtask sim --help tells the options of a simulator task.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    match task.to_str() {
        Some(task @ ("sim" | "check" | "new" | "diff" | "regress")) => {
            handover::simulator(task, rest)
        }
        Some("test") if rest.is_empty() => checks::run(&checks::TEST),
        Some("ci") if rest.is_empty() => checks::run(&checks::CI),
        Some("builds") if rest.is_empty() => builds::run(),
        Some("scale") if rest.is_empty() => scale::run(&scale::TWO_TIERS),
        Some("scale") if rest == ["--million"] => scale::run(&scale::MILLION),
        Some("limits") if rest.is_empty() => limits::run(),
        Some("worlds") if rest.is_empty() => checks::run(&worlds::WORLDS),
        Some("extremes") if rest.is_empty() => extremes::run(),
        Some("peers") if rest.is_empty() => peers::run(peers::Peer::Recorded),
        Some("peers") if rest == ["--simgrid"] => peers::run(peers::Peer::Installed),
        Some("opinions") if rest.is_empty() => opinions::run(opinions::Subject::Agreement),
        Some("opinions") if rest == ["--shipped"] => opinions::run(opinions::Subject::Shipped),
        Some("help" | "--help" | "-h") if rest.is_empty() => {
            say(std::io::stdout(), HELP);
            ExitCode::SUCCESS
        }
        _ => {
            say(std::io::stderr(), HELP);
            ExitCode::from(2)
        }
    }
}

/// Writes `text`; a reader that has gone away is not an error here.
fn say(mut to: impl std::io::Write, text: &str) {
    let _ = to.write_all(text.as_bytes());
}

/// The cargo that runs this program, or the one it was built by.
fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into())
}
