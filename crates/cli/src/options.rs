//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use scenario::Override;
use units::{Bytes, Duration, Ratio};

const ENDINGS: &str = "\
Exit codes:
  0    done
  1    a point failed, stalled or was cut off, or a file could not be written
  2    the input was refused
  3    an expectation or a baseline was missed
  130  interrupted: finished points are kept and marked partial";

/// What supernodes gain over plain servers under a multi-tier Clos.
#[derive(Debug, Parser)]
#[command(name = "superclos", version, about, after_help = ENDINGS, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// What every command takes.
#[derive(Args, Debug)]
pub(crate) struct Shared {
    /// Whether text is coloured; `auto` follows the terminal and `NO_COLOR`
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub(crate) color: When,
    /// No progress, and only errors in the log
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// More in the log: -v information, -vv details, -vvv everything (or a filter in `SUPERCLOS_LOG`)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario and print its answer
    Sim(Sim),
    /// Check a scenario without running it
    Check(Check),
    /// Write a commented scenario to start from
    New(New),
    /// Compare two results, point by point
    Diff(Diff),
    /// List the presets: named supernodes, NICs and outer fabrics, with numbers and sources
    Presets(Presets),
    /// Tell how many tiers, switches, links and optics a Clos of equal switches takes
    Size(Size),
    /// Run scenarios and compare their completion times with the stored baselines
    Regress(Regress),
}

#[derive(Args, Debug)]
pub(crate) struct Sim {
    /// The scenario (RON)
    pub(crate) file: PathBuf,
    /// The form of the answer on stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Also write results.json and results.csv into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Set a field of the scenario, e.g. --set seed=7 (may be repeated)
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) set: Vec<Override>,
    /// A file of presets of your own (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) presets: Vec<PathBuf>,
    /// Run only points with this fabric, workload or sweep value, e.g. --only 4:1 or
    /// --only ratio=4:1; repeated, all must hold
    #[arg(long, value_name = "LABEL")]
    pub(crate) only: Vec<String>,
    /// Tell on stderr how each point was run: what was merged, and what could not be, and why
    #[arg(long)]
    pub(crate) explain_run: bool,
    /// Only tell what each point would take: classes, events, memory, time
    #[arg(long, conflicts_with_all = ["out", "explain_run", "format"])]
    pub(crate) estimate: bool,
    /// Refuse points that will take more memory than this, e.g. 8GiB, and stop when it is overrun
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_memory: Option<Bytes>,
    /// Refuse points that will take longer than this, e.g. 90s, and stop when it is over
    #[arg(long, value_name = "DURATION")]
    pub(crate) max_time: Option<Duration>,
    /// How the network is modelled, in place of what the scenario says
    #[arg(long = "engine", value_enum, value_name = "ENGINE")]
    pub(crate) model: Option<Model>,
    #[command(flatten)]
    pub(crate) engine: Engine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Rates that share every link fairly
    Fluid,
    /// Packet by packet
    Packet,
    /// Every point on both
    Both,
}

/// How points are run; none of it changes a result.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own on the command line"
)]
pub(crate) struct Engine {
    /// Points run at once [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Simulate every rank, even those that behave alike
    #[arg(long)]
    pub(crate) no_symmetry: bool,
    /// Simulate every step, even when states recur
    #[arg(long)]
    pub(crate) no_recurrence: bool,
    /// Handle every event with the whole network in view
    #[arg(long)]
    pub(crate) no_locality: bool,
    /// Simulate every point, even those that come to the same problem
    #[arg(long)]
    pub(crate) no_reuse: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables and words for people
    Table,
    /// One row a point, exact integers
    Csv,
    /// Everything, for programs and `superclos diff`
    Json,
    /// The columns of nccl-tests
    Nccl,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The scenario (RON)
    pub(crate) file: PathBuf,
    /// Set a field of the scenario, e.g. --set seed=7 (may be repeated)
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) set: Vec<Override>,
    /// A file of presets of your own (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) presets: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// The file to write, which must not exist [default: stdout]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// The earlier results: a results.json, or a folder that holds one
    pub(crate) before: PathBuf,
    /// The later results
    pub(crate) after: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct Presets {
    /// Only these presets [default: all]
    pub(crate) names: Vec<String>,
    /// A file of presets of your own (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) presets: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Size {
    /// The cards, each with one port in every plane
    #[arg(long, value_name = "N")]
    pub(crate) cards: u64,
    /// The ports of every switch
    #[arg(long, value_name = "R")]
    pub(crate) radix: u64,
    /// Downlink : uplink capacity of a leaf
    #[arg(long, value_name = "RATIO", default_value = "1:1")]
    pub(crate) ratio: Ratio,
    /// The same of an aggregation switch, in three tiers
    #[arg(long, value_name = "RATIO", default_value = "1:1")]
    pub(crate) core_ratio: Ratio,
    /// Clos side by side that do not touch
    #[arg(long, value_name = "P", default_value_t = 1)]
    pub(crate) planes: u64,
}

#[derive(Args, Debug)]
pub(crate) struct Regress {
    /// Only these scenarios [default: all below the folder]
    pub(crate) files: Vec<PathBuf>,
    /// The folder of the scenarios; baselines are in its subfolder `baselines`
    #[arg(long, value_name = "DIR", default_value = "scenarios")]
    pub(crate) dir: PathBuf,
    /// Store the completion times found as the new baselines
    #[arg(long)]
    pub(crate) bless: bool,
    #[command(flatten)]
    pub(crate) engine: Engine,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        let read = |set| Cli::try_parse_from(["superclos", "check", "a.ron", "--set", set]);
        assert!(read("fabric.cards=8").is_ok());
        assert!(read("seed").is_err());
    }
}
