//! `cargo xtask limits`: what it takes to refuse files that are made to hurt.
//!
//! Each must be refused (exit code 2) within 200 ms and 64 MB.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::hostile::HOSTILE;
use crate::measure::{Measured, measure};
use crate::table::markdown;

/// The exit code of a refusal.
const REFUSED: i32 = 2;

/// The longest a refusal may take.
const TIME: Duration = Duration::from_millis(200);

/// The most memory that it may take: 64 MB, in KiB.
const MEMORY_KIB: u64 = 64_000_000 / 1024;

/// How often each file is checked; the quickest run counts, since whatever else runs on the machine
/// only adds to it. Of the memory the largest counts.
const RUNS: usize = 3;

/// A check that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A folder that goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("superclos-limits-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Builds the simulator, checks every hostile file, prints the table; exit code 1 on a miss.
pub(crate) fn run() -> ExitCode {
    let program = match crate::handover::build(crate::handover::Profile::Release) {
        Ok(program) => program,
        Err(code) => return code,
    };
    match every(&program) {
        Ok((rows, 0)) => {
            crate::say(std::io::stdout(), &table(&rows));
            crate::say(std::io::stdout(), &format!("\nAll {} are refused in time.\n", rows.len()));
            ExitCode::SUCCESS
        }
        Ok((rows, misses)) => {
            crate::say(std::io::stdout(), &table(&rows));
            crate::say(std::io::stdout(), &format!("\n{misses} of {} miss.\n", rows.len()));
            ExitCode::FAILURE
        }
        Err(error) => {
            crate::say(std::io::stderr(), &format!("xtask: {error}\n"));
            ExitCode::FAILURE
        }
    }
}

/// The rows of the table and how many of them miss.
fn every(program: &Path) -> std::io::Result<(Vec<Vec<String>>, usize)> {
    let folder = Folder::new()?;
    let mut rows = Vec::new();
    let mut misses = 0;
    for (name, text) in HOSTILE {
        let bytes = text();
        let file = folder.0.join("hostile.ron");
        std::fs::write(&file, &bytes)?;
        let measured = refuse(program, &file)?;
        let missed = missed(&measured);
        misses += usize::from(!missed.is_empty());
        let missed = if missed.is_empty() { "–".to_owned() } else { missed.join(", ") };
        rows.push(vec![
            name.to_owned(),
            size(bytes.len()),
            measured.code.map_or("signal".to_owned(), |code| code.to_string()),
            measured.wall.as_millis().to_string(),
            measured.peak_kib.map_or("–".to_owned(), |kib| (kib * 1024 / 1_000_000).to_string()),
            missed,
        ]);
    }
    Ok((rows, misses))
}

fn table(rows: &[Vec<String>]) -> String {
    markdown(&["input", "size", "exit", "ms", "MB", "missed"].map(str::to_owned), rows)
}

/// The quickest check, with the largest memory of all.
fn refuse(program: &Path, file: &Path) -> std::io::Result<Measured> {
    let mut best: Option<Measured> = None;
    for _ in 0..RUNS {
        let mut command = Command::new(program);
        command.arg("check").arg(file).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = measure(&mut command, PATIENCE)?;
        if let Some(best) = best {
            run.peak_kib = run.peak_kib.max(best.peak_kib);
            run.wall = run.wall.min(best.wall);
        }
        best = Some(run);
        if run.code != Some(REFUSED) {
            break;
        }
    }
    Ok(best.expect("it has run at least once"))
}

/// What a check should not have done.
fn missed(measured: &Measured) -> Vec<&'static str> {
    let misses = [
        ("exit code", measured.code != Some(REFUSED)),
        ("time", measured.wall > TIME),
        ("memory", measured.peak_kib.is_some_and(|kib| kib > MEMORY_KIB)),
    ];
    misses.into_iter().filter(|&(_, is_missed)| is_missed).map(|(name, _)| name).collect()
}

fn size(bytes: usize) -> String {
    match bytes {
        0..=9_999 => format!("{bytes} B"),
        10_000..=9_999_999 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_told() {
        let good =
            Measured { code: Some(2), wall: TIME, processor: None, peak_kib: Some(MEMORY_KIB) };
        assert!(missed(&good).is_empty());
        assert_eq!(missed(&Measured { code: Some(0), ..good }), ["exit code"]);
        assert_eq!(missed(&Measured { code: None, ..good }), ["exit code"]);
        assert_eq!(missed(&Measured { wall: TIME * 2, ..good }), ["time"]);
        assert_eq!(missed(&Measured { peak_kib: Some(MEMORY_KIB + 1), ..good }), ["memory"]);
    }
}
