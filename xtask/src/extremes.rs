//! `cargo xtask extremes`: worlds whose number of flows or hosts must not show in the memory.
//!
//! Ten million messages of one byte in turn, and up to 100,000 hosts on one switch; each in a process of
//! its own, which `crates/fluid/examples/extremes.rs` is.

use std::path::Path;
use std::process::ExitCode;

use crate::example::{Rows, ask, table};
use crate::table::grouped;

/// What grows, in which sizes, and by how much more memory the last of them may take than the first.
struct Extreme {
    kind: &'static str,
    sizes: &'static [u64],
    most_memory: f64,
}

/// Ten times the messages in the same memory, with a tenth for the noise of the allocator; memory
/// linear in the hosts, with a tenth more from 16,000 to 64,000.
const EXTREMES: [Extreme; 3] = [
    Extreme { kind: "turns", sizes: &[1_000_000, 10_000_000], most_memory: 1.1 },
    Extreme { kind: "hosts", sizes: &[16_000, 64_000], most_memory: 4.4 },
    Extreme { kind: "hosts", sizes: &[16_000, 100_000], most_memory: 6.25 * 1.1 },
];

/// Builds and measures; exit code 1 when a run fails or takes too much memory.
pub(crate) fn run() -> ExitCode {
    table("extremes", ["world", "number", "wall, s", "MiB", "times", "at most"], every)
}

/// The rows of the table, and how many miss.
fn every(program: &Path) -> Rows {
    let mut rows = Vec::new();
    let mut misses = 0;
    for Extreme { kind, sizes, most_memory } in EXTREMES {
        let mut first = None;
        for &size in sizes {
            let measured = ask(program, &format!("{kind} {size}"))?;
            let kib = measured.peak_kib.map(|kib| kib as f64);
            let times = kib.zip(*first.get_or_insert(kib)).map(|(now, first)| now / first);
            misses += usize::from(times.is_some_and(|times| times > most_memory));
            let shown =
                |value: Option<f64>| value.map_or("–".to_owned(), |it| format!("{it:.2}"));
            rows.push(vec![
                kind.to_owned(),
                grouped(size),
                format!("{:.3}", measured.wall.as_secs_f64()),
                shown(kib.map(|kib| kib / 1024.0)),
                shown(times),
                format!("{most_memory:.2}"),
            ]);
        }
    }
    Ok((rows, misses))
}
