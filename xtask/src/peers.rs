//! `cargo xtask peers`: flows a second of the plain engine on what peers were measured on.
//!
//! The worlds are those of `crates/fluid/examples/peers`; each is run again and again in a process of its
//! own, and what a process takes that only reads the world is left out. Processor time counts, so other
//! work on the machine matters little.
//!
//! With `--simgrid` the peer is not taken from the record but runs beside the engine, turn by turn:
//! `xtask/peers/simgrid.cpp`, which is compiled for it, on the same flows. It fails where a world does not
//! end when it is known to.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::example::{Rows, ask, table};
use crate::table::grouped;

/// A world, how many transfers it has, how often it is run, and what a peer and we should reach.
struct World {
    name: &'static str,
    kind: &'static str,
    transfers: u64,
    runs: u32,
    /// `SimGrid`'s transfers a second of processor time on the same world and a like machine.
    peer: u64,
    /// How many times that is asked for.
    times: u64,
}

/// `SimGrid` 3.32 on one core of an AMD EPYC (Zen 4), 2026-11-29: 13.7 s, 0.81 s and 2.22 s.
const WORLDS: [World; 3] = [
    World {
        name: "Poisson arrivals of 10,000 flows, 1,024 hosts",
        kind: "poisson",
        transfers: 10_000,
        runs: 20,
        peer: 732,
        times: 50,
    },
    World {
        name: "permutation of 10,240 flows",
        kind: "permutation",
        transfers: 10_240,
        runs: 50,
        peer: 12_600,
        times: 20,
    },
    World {
        name: "ring of 10,240 ranks, 16 steps",
        kind: "ring",
        transfers: 163_840,
        runs: 20,
        peer: 74_000,
        times: 10,
    },
];

/// How often the engine and the peer take turns; the median of each counts.
const TURNS: usize = 3;

/// The transfers a second of processor time of the engine, and of its peer.
type Rates = Result<(u64, u64), String>;

/// What the engine is held against.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Peer {
    /// What was measured once.
    Recorded,
    /// The peer itself, on this machine.
    Installed,
}

/// Builds and measures; exit code 1 when a run fails or is too slow.
pub(crate) fn run(peer: Peer) -> ExitCode {
    let header = ["world", "ms", "transfers a second", "SimGrid", "times", "asked"];
    table("peers", header, |program| match peer {
        Peer::Recorded => every(&|world| Ok((rate(program, world)?, world.peer))),
        Peer::Installed => {
            let simgrid = Compiled::new()?;
            every(&|world| in_turns(program, &simgrid, world))
        }
    })
}

/// The rows of the table, and how many miss.
fn every(measure: &dyn Fn(&World) -> Rates) -> Rows {
    let mut rows = Vec::new();
    let mut misses = 0;
    for world in &WORLDS {
        let (rate, peer) = measure(world)?;
        misses += usize::from(rate < peer * world.times);
        rows.push(vec![
            world.name.to_owned(),
            format!("{:.1}", world.transfers as f64 / rate as f64 * 1_000.0),
            grouped(rate),
            grouped(peer),
            (rate / peer.max(1)).to_string(),
            world.times.to_string(),
        ]);
    }
    Ok((rows, misses))
}

/// The transfers a second of processor time of the engine.
fn rate(program: &Path, world: &World) -> Result<u64, String> {
    rate_of(program, world, world.runs)
}

/// The same of any program that is asked like the example, with so many runs in a process.
fn rate_of(program: &Path, world: &World, runs: u32) -> Result<u64, String> {
    let all = processor_time(program, world.kind, runs)?;
    let each = all.saturating_sub(processor_time(program, world.kind, 0)?) / runs;
    let rate = u128::from(world.transfers) * 1_000_000_000 / each.as_nanos().max(1);
    u64::try_from(rate).map_err(|_| format!("{}: took no time", world.kind))
}

/// Medians of the engine and of the peer, which take turns.
fn in_turns(program: &Path, simgrid: &Compiled, world: &World) -> Rates {
    let (mut own, mut peers) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        own.push(rate(program, world)?);
        peers.push(rate_of(&simgrid.0, world, 1)?);
    }
    own.sort_unstable();
    peers.sort_unstable();
    Ok((own[TURNS / 2], peers[TURNS / 2]))
}

/// The processor time of so many runs.
fn processor_time(program: &Path, kind: &str, runs: u32) -> Result<Duration, String> {
    let flows = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/fluid/tests/data/simgrid");
    let processor = ask(program, &format!("{kind} {runs} {flows}"))?.processor;
    processor.ok_or_else(|| "processor time cannot be measured on this system".to_owned())
}

/// The worlds on `SimGrid`, compiled to a file that is removed in the end.
struct Compiled(PathBuf);

impl Compiled {
    fn new() -> Result<Self, String> {
        let name = format!("superclos-simgrid-{}", std::process::id());
        let program = Self(std::env::temp_dir().join(name));
        let mut compiler = Command::new("c++");
        compiler.args(["-O2", "-std=c++17", "-o"]).arg(&program.0);
        compiler.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peers/simgrid.cpp")).arg("-lsimgrid");
        let needs = "--simgrid needs a C++ compiler and SimGrid with its headers (Debian: \
                     g++ and libsimgrid-dev)";
        match compiler.status() {
            Ok(status) if status.success() => Ok(program),
            Ok(status) => Err(format!("{needs}; c++ ended with {status}")),
            Err(error) => Err(format!("{needs}; c++ cannot be started: {error}")),
        }
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's folder for such files.
        let _ = std::fs::remove_file(&self.0);
    }
}
