//! `cargo xtask peers`: flows a second of the plain engine on what peers were measured on.
//!
//! The worlds are those of `crates/fluid/examples/peers`; each is run again and again in a process of its
//! own, and what a process takes that only reads the world is left out. Processor time counts, so other
//! work on the machine matters little.

use std::path::Path;
use std::process::ExitCode;
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

/// Builds and measures; exit code 1 when a run fails or is too slow.
pub(crate) fn run() -> ExitCode {
    table("peers", ["world", "ms", "transfers a second", "SimGrid", "times", "asked"], every)
}

/// The rows of the table, and how many miss.
fn every(program: &Path) -> Rows {
    let mut rows = Vec::new();
    let mut misses = 0;
    for World { name, kind, transfers, runs, peer, times } in WORLDS {
        let all = processor_time(program, kind, runs)?;
        let each = all.saturating_sub(processor_time(program, kind, 0)?) / runs;
        let rate = u128::from(transfers) * 1_000_000_000 / each.as_nanos().max(1);
        let rate = u64::try_from(rate).map_err(|_| format!("{kind}: took no time"))?;
        misses += usize::from(rate < peer * times);
        rows.push(vec![
            name.to_owned(),
            format!("{:.1}", each.as_secs_f64() * 1_000.0),
            grouped(rate),
            grouped(peer),
            (rate / peer).to_string(),
            times.to_string(),
        ]);
    }
    Ok((rows, misses))
}

/// The processor time of so many runs.
fn processor_time(program: &Path, kind: &str, runs: u32) -> Result<Duration, String> {
    let processor = ask(program, &format!("{kind} {runs}"))?.processor;
    processor.ok_or_else(|| "processor time cannot be measured on this system".to_owned())
}
