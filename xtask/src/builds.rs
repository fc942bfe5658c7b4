//! `cargo xtask builds`: debug and release builds print the same bytes.
//!
//! The scenarios of this list take a few seconds in debug. The debug build runs on one thread with
//! every reduction, the release build on two without reuse, so that bytes which depend on any of these
//! differ too.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::handover::{Profile, build};

/// What is run, below the folder of scenarios.
const SCENARIOS: [&str; 11] = [
    "quickstart.ron",
    "ecmp.ron",
    "flows.ron",
    "random_placement.ron",
    "three_tiers.ron",
    "collectives/hot_expert.ron",
    "collectives/log_steps.ron",
    "collectives/two_level_all_to_all.ron",
    "fabrics/inside.ron",
    "packets/checkpoint_same_queue.ron",
    "placement/fragments.ron",
];

/// In which forms the answer is compared.
const FORMATS: [&str; 3] = ["json", "csv", "table"];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");

/// What a run printed on stdout.
type Answer = Result<Vec<u8>, String>;

/// Builds both, runs every scenario with both, and compares; exit code 1 on a difference.
pub(crate) fn run() -> ExitCode {
    let (debug, release) = match (build(Profile::Debug), build(Profile::Release)) {
        (Ok(debug), Ok(release)) => (debug, release),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    if let Err(why) = are_two(&debug, &release) {
        crate::say(std::io::stderr(), &format!("xtask: {why}\n"));
        return ExitCode::FAILURE;
    }
    let mut apart = 0;
    for scenario in SCENARIOS {
        for format in FORMATS {
            let slow = answer(&debug, scenario, format, &["--threads", "1"]);
            let fast = answer(&release, scenario, format, &["--threads", "2", "--no-reuse"]);
            if let Err(why) = compare(slow, fast) {
                apart += 1;
                crate::say(std::io::stdout(), &format!("{scenario} as {format}: {why}\n"));
            }
        }
    }
    let runs = SCENARIOS.len() * FORMATS.len();
    if apart == 0 {
        crate::say(
            std::io::stdout(),
            &format!("Debug and release print the same bytes, {runs} times.\n"),
        );
        return ExitCode::SUCCESS;
    }
    crate::say(std::io::stdout(), &format!("{apart} of {runs} differ.\n"));
    ExitCode::FAILURE
}

/// Refuses to compare a build with itself.
fn are_two(debug: &Path, release: &Path) -> Result<(), String> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    if read(debug)? == read(release)? {
        return Err("debug and release are one and the same program".to_owned());
    }
    Ok(())
}

fn answer(program: &Path, scenario: &str, format: &str, engine: &[&str]) -> Answer {
    let mut command = Command::new(program);
    command.args(["sim", scenario, "--quiet", "--format", format]).args(engine);
    let output = command.current_dir(FOLDER).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} of {}: {said}", output.status, program.display()));
    }
    Ok(output.stdout)
}

/// What is wrong with the answers of the two builds.
fn compare(debug: Answer, release: Answer) -> Result<(), String> {
    let (debug, release) = (debug?, release?);
    if debug.is_empty() {
        return Err("no answer".to_owned());
    }
    if debug == release {
        return Ok(());
    }
    let equal = debug.iter().zip(&release).take_while(|(left, right)| left == right).count();
    Err(format!("the builds differ from byte {equal} on"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_told() {
        let bytes = |text: &str| Ok(text.as_bytes().to_vec());
        assert_eq!(compare(bytes("1 ms"), bytes("1 ms")), Ok(()));
        let differ = "the builds differ from byte 2 on".to_owned();
        assert_eq!(compare(bytes("1 ms"), bytes("1 us")), Err(differ.clone()));
        assert_eq!(compare(bytes("1 ms"), bytes("1 ")), Err(differ));
        assert_eq!(compare(bytes(""), bytes("")), Err("no answer".to_owned()));
        assert_eq!(compare(Err("2".to_owned()), bytes("1")), Err("2".to_owned()));
    }

    #[test]
    fn the_scenarios_are_there() {
        for scenario in SCENARIOS {
            assert!(Path::new(FOLDER).join(scenario).is_file(), "{scenario}");
        }
    }

    #[test]
    fn one_program_is_not_two() {
        let own = std::env::current_exe().unwrap();
        assert!(are_two(&own, &own).is_err());
        assert!(are_two(&own, &Path::new(FOLDER).join("flows.ron")).is_ok());
    }
}
