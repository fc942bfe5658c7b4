//! Tables measured on an example of a crate, one process for each row.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::handover::{Profile, build_example};
use crate::measure::{Measured, measure};
use crate::table::markdown;

/// A run that takes longer is given up.
const PATIENCE: Duration = Duration::from_mins(5);

/// The rows of a table, and how many of them miss what is asked.
pub(crate) type Rows = Result<(Vec<Vec<String>>, usize), String>;

/// Builds an example of the flow level, shows the table that `every` measures on it, and ends with exit
/// code 1 when a run fails or a row misses.
pub(crate) fn table(
    example: &str,
    header: [&str; 6],
    every: impl FnOnce(&Path) -> Rows,
) -> ExitCode {
    let program = match build_example("fluid", example, Profile::Release) {
        Ok(program) => program,
        Err(code) => return code,
    };
    match every(&program) {
        Ok((rows, misses)) => {
            crate::say(std::io::stdout(), &markdown(&header.map(str::to_owned), &rows));
            if misses == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            crate::say(std::io::stderr(), &format!("xtask: {why}\n"));
            ExitCode::FAILURE
        }
    }
}

/// What a process of the example takes that reads `asked` on stdin.
pub(crate) fn ask(program: &Path, asked: &str) -> Result<Measured, String> {
    let file = std::env::temp_dir().join(format!("superclos-asked-{}", std::process::id()));
    let measured = std::fs::write(&file, format!("{asked}\n")).and_then(|()| {
        let mut command = Command::new(program);
        command.stdin(File::open(&file)?).stdout(Stdio::null());
        measure(&mut command, PATIENCE)
    });
    // What cannot be removed stays in the system's folder for such files.
    let _ = std::fs::remove_file(&file);
    let measured = measured.map_err(|error| error.to_string())?;
    match measured.code {
        Some(0) => Ok(measured),
        code => Err(format!("{asked}: exit code {code:?}")),
    }
}
