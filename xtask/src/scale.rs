//! `cargo xtask scale`: how time and memory of a run grow with the number of cards.
//!
//! Every workload of `scenarios/scale.ron` runs at every ratio and every number of cards, each in a
//! process of its own on one thread, several times; the tables show medians. A growth of 1 means
//! twice the time or memory for twice the cards.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::measure::{Measured, measure, median};
use crate::table::{grouped, markdown};

const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/scale.ron");

/// The names of its workloads.
const WORKLOADS: [&str; 4] = ["hierarchical", "halving_doubling", "all_to_all", "ring"];

/// The values of its sweep.
const RATIOS: [&str; 2] = ["1:1", "4:1"];

/// Numbers of cards, each twice the one before.
const CARDS: [u32; 4] = [2_560, 5_120, 10_240, 20_480];

/// How often each point runs.
const RUNS: usize = 5;

/// A run that takes longer is given up.
const PATIENCE: Duration = Duration::from_mins(10);

/// A growth from the fewest cards to the most that passes as linear: n log n, from 2,560 to 20,480
/// cards, shows as 1.1.
const LINEAR: f64 = 1.1;

/// One quantity of a point at every number of cards.
struct Series {
    name: String,
    values: Vec<Option<f64>>,
}

/// Builds the simulator, measures every point, prints the tables on stdout and progress on stderr.
///
/// Exit code 1 when a run fails, or wall time or memory grow faster than linearly.
pub(crate) fn run() -> ExitCode {
    let program = match crate::handover::build(crate::handover::Profile::Release) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let (mut wall, mut processor, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for workload in WORKLOADS {
        for ratio in RATIOS {
            let name = format!("{workload} {ratio}");
            crate::say(std::io::stderr(), &format!("xtask: {name}\n"));
            let mut sizes = Vec::new();
            for cards in CARDS {
                match point(&program, workload, ratio, cards) {
                    Ok(runs) => sizes.push(runs),
                    Err(why) => {
                        crate::say(std::io::stderr(), &format!("xtask: {name}, {cards}: {why}\n"));
                        return ExitCode::FAILURE;
                    }
                }
            }
            let series = |of: fn(&Measured) -> Option<u64>, unit: f64| {
                let median = |runs: &Vec<Measured>| {
                    let all: Option<Vec<u64>> = runs.iter().map(of).collect();
                    all.and_then(|all| median(&all)).map(|middle| middle as f64 / unit)
                };
                Series { name: name.clone(), values: sizes.iter().map(median).collect() }
            };
            wall.push(series(|run| Some(run.wall.as_micros() as u64), 1e6));
            processor.push(series(|run| run.processor.map(|it| it.as_millis() as u64), 1e3));
            memory.push(series(|run| run.peak_kib, 1024.0));
        }
    }
    let shown = [("Wall time, s", &wall), ("Processor time, s", &processor)];
    for (title, series) in shown.into_iter().chain([("Peak memory, MiB", &memory)]) {
        crate::say(
            std::io::stdout(),
            &format!("{title} (median of {RUNS}):\n\n{}\n", table(series)),
        );
    }
    verdict(&[("wall time", &wall), ("memory", &memory)])
}

/// Runs one point [`RUNS`] times.
fn point(program: &Path, workload: &str, ratio: &str, cards: u32) -> Result<Vec<Measured>, String> {
    let run = |_| {
        let mut command = Command::new(program);
        command.args(["sim", SCENARIO, "--quiet", "--format", "csv", "--threads", "1"]);
        command.args(["--set", &format!("fabric.cards={cards}")]);
        command.args(["--only", workload, "--only", ratio]).stdout(Stdio::null());
        let measured = measure(&mut command, PATIENCE).map_err(|error| error.to_string())?;
        match measured.code {
            Some(0) => Ok(measured),
            Some(code) => Err(format!("exit code {code}")),
            None => Err("ended by a signal".to_owned()),
        }
    };
    (0..RUNS).map(run).collect()
}

/// The exponent of growth over `doublings` doublings of the cards.
fn growth(from: Option<f64>, to: Option<f64>, doublings: usize) -> Option<f64> {
    let (from, to) = (from?, to?);
    (from > 0.0 && to > 0.0).then(|| (to / from).log2() / doublings as f64)
}

fn overall(series: &Series) -> Option<f64> {
    growth(series.values[0], series.values[CARDS.len() - 1], CARDS.len() - 1)
}

fn table(series: &[Series]) -> String {
    if series.iter().flat_map(|line| &line.values).all(Option::is_none) {
        return "not measured on this system\n".to_owned();
    }
    let cards = CARDS.iter().map(|&cards| grouped(u64::from(cards)));
    let growths = CARDS.windows(2).map(|_| "growth".to_owned());
    let header: Vec<String> = std::iter::once("cards".to_owned())
        .chain(cards)
        .chain(growths)
        .chain(["overall".to_owned()])
        .collect();
    let exponent = |value: Option<f64>| value.map_or("–".to_owned(), |it| format!("{it:.2}"));
    let row = |line: &Series| {
        let amount = |value: &Option<f64>| value.map_or("–".to_owned(), amount);
        let steps = line.values.windows(2).map(|pair| exponent(growth(pair[0], pair[1], 1)));
        std::iter::once(line.name.clone())
            .chain(line.values.iter().map(amount))
            .chain(steps)
            .chain([exponent(overall(line))])
            .collect()
    };
    markdown(&header, &series.iter().map(row).collect::<Vec<_>>())
}

/// Three digits that matter, more or less.
fn amount(value: f64) -> String {
    let decimals = if value < 10.0 { 3 } else { 1 };
    format!("{value:.decimals$}")
}

fn verdict(quantities: &[(&str, &Vec<Series>)]) -> ExitCode {
    let mut faster = Vec::new();
    for (quantity, series) in quantities {
        for line in *series {
            if let Some(overall) = overall(line).filter(|&overall| overall > LINEAR) {
                faster.push(format!("{quantity} of {} grows as cards ^ {overall:.2}", line.name));
            }
        }
    }
    if faster.is_empty() {
        crate::say(std::io::stdout(), "Nothing grows faster than linearly.\n");
        return ExitCode::SUCCESS;
    }
    crate::say(
        std::io::stdout(),
        &format!("Faster than cards ^ {LINEAR}:\n{}\n", faster.join("\n")),
    );
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenario_has_the_points_that_are_measured() {
        let text = std::fs::read_to_string(SCENARIO).unwrap();
        for workload in WORKLOADS {
            assert!(text.contains(&format!("name: \"{workload}\"")), "{workload}");
        }
        assert!(text.contains("values: [\"1:1\", \"4:1\"]"));
        assert!(CARDS.windows(2).all(|pair| pair[1] == 2 * pair[0]));
    }

    #[test]
    fn growth_is_the_exponent() {
        // Eight times as much over three doublings is linear; four times over one is quadratic.
        assert_eq!(growth(Some(1.0), Some(8.0), 3), Some(1.0));
        assert_eq!(growth(Some(0.5), Some(2.0), 1), Some(2.0));
        assert_eq!(growth(Some(0.0), Some(2.0), 1), None);
        assert_eq!(growth(None, Some(2.0), 1), None);
    }
}
