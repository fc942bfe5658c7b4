//! `cargo xtask extremes`: worlds whose number of flows or hosts must not show in the memory.
//!
//! Ten million messages of one byte in turn, and up to 100,000 hosts on one switch; each in a process of
//! its own, which `crates/fluid/examples/extremes.rs` is.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::handover::{Profile, build_example};
use crate::measure::{Measured, measure};
use crate::table::{grouped, markdown};

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

/// A run that takes longer is given up.
const PATIENCE: Duration = Duration::from_mins(5);

/// Builds and measures; exit code 1 when a run fails or takes too much memory.
pub(crate) fn run() -> ExitCode {
    let told = build_example("fluid", "extremes", Profile::Release).and_then(|program| {
        every(&program).map_err(|why| {
            crate::say(std::io::stderr(), &format!("xtask: {why}\n"));
            ExitCode::FAILURE
        })
    });
    match told {
        Ok((rows, misses)) => {
            let header = ["world", "number", "wall, s", "MiB", "times", "at most"];
            crate::say(std::io::stdout(), &markdown(&header.map(str::to_owned), &rows));
            if misses == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(code) => code,
    }
}

/// The rows of the table, and how many miss.
fn every(program: &Path) -> Result<(Vec<Vec<String>>, usize), String> {
    let mut rows = Vec::new();
    let mut misses = 0;
    for Extreme { kind, sizes, most_memory } in EXTREMES {
        let mut first = None;
        for &size in sizes {
            let measured = point(program, kind, size)?;
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

fn point(program: &Path, kind: &str, size: u64) -> Result<Measured, String> {
    let asked = std::env::temp_dir().join(format!("superclos-extremes-{}", std::process::id()));
    let measured = std::fs::write(&asked, format!("{kind} {size}\n")).and_then(|()| {
        let mut command = Command::new(program);
        command.stdin(File::open(&asked)?).stdout(Stdio::null());
        measure(&mut command, PATIENCE)
    });
    // What cannot be removed stays in the system's folder for such files.
    let _ = std::fs::remove_file(&asked);
    let measured = measured.map_err(|error| error.to_string())?;
    match measured.code {
        Some(0) => Ok(measured),
        code => Err(format!("{kind} {size}: exit code {code:?}")),
    }
}
