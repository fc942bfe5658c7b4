//! `cargo xtask scale`: how time and memory of a run grow with the number of cards.
//!
//! Every workload of a scenario runs at every ratio and every number of cards, each in a process of its
//! own on one thread, several times; the tables show medians. A growth of 1 means twice the time or
//! memory for twice the cards. [`TWO_TIERS`] goes to 20,480 cards, [`MILLION`] to 1,048,576.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::measure::{Measured, measure, median};
use crate::table::{grouped, markdown};

/// What is measured.
pub(crate) struct Study {
    scenario: &'static str,
    /// The names of its workloads.
    workloads: &'static [&'static str],
    /// Numbers of cards, each the same power of two times the one before.
    cards: &'static [u32],
    /// The ranks of a group of the All-to-All, if it has groups.
    group: Option<u32>,
    /// How often each point runs.
    runs: usize,
}

/// All workloads of the flagship under two tiers.
pub(crate) const TWO_TIERS: Study = Study {
    scenario: concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/scale.ron"),
    workloads: &["hierarchical", "halving_doubling", "all_to_all", "ring"],
    cards: &[2_560, 5_120, 10_240, 20_480],
    group: None,
    runs: 5,
};

/// What a million cards can do, under three tiers.
pub(crate) const MILLION: Study = Study {
    scenario: concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/scale_million.ron"),
    workloads: &["hierarchical", "halving_doubling", "all_to_all"],
    cards: &[1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576],
    group: Some(1_024),
    runs: 3,
};

/// The values of the sweep of each scenario.
const RATIOS: [&str; 2] = ["1:1", "4:1"];

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
pub(crate) fn run(study: &Study) -> ExitCode {
    let program = match crate::handover::build(crate::handover::Profile::Release) {
        Ok(program) => program,
        Err(code) => return code,
    };
    let (mut wall, mut processor, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for workload in study.workloads {
        for ratio in RATIOS {
            let name = format!("{workload} {ratio}");
            crate::say(std::io::stderr(), &format!("xtask: {name}\n"));
            let mut sizes = Vec::new();
            for &cards in study.cards {
                match point(&program, study, (workload, ratio), cards) {
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
            &format!("{title} (median of {}):\n\n{}\n", study.runs, table(study, series)),
        );
    }
    verdict(study, &[("wall time", &wall), ("memory", &memory)])
}

/// Runs one point as often as its study wants.
fn point(
    program: &Path,
    study: &Study,
    (workload, ratio): (&str, &str),
    cards: u32,
) -> Result<Vec<Measured>, String> {
    let run = |_| {
        let mut command = Command::new(program);
        command.args(["sim", study.scenario, "--quiet", "--format", "csv", "--threads", "1"]);
        command.args(["--set", &format!("fabric.cards={cards}")]);
        if let Some(group) = study.group {
            let groups = cards / group;
            command.args(["--set", &format!("workload[all_to_all].groups={groups}")]);
        }
        command.args(["--only", workload, "--only", ratio]).stdout(Stdio::null());
        let measured = measure(&mut command, PATIENCE).map_err(|error| error.to_string())?;
        match measured.code {
            Some(0) => Ok(measured),
            Some(code) => Err(format!("exit code {code}")),
            None => Err("ended by a signal".to_owned()),
        }
    };
    (0..study.runs).map(run).collect()
}

/// The exponent of growth over `doublings` doublings of the cards.
fn growth(from: Option<f64>, to: Option<f64>, doublings: u32) -> Option<f64> {
    let (from, to) = (from?, to?);
    (from > 0.0 && to > 0.0).then(|| (to / from).log2() / f64::from(doublings))
}

impl Study {
    /// The doublings from one number of cards to the next.
    fn doublings(&self) -> u32 {
        (self.cards[1] / self.cards[0]).ilog2()
    }

    fn overall(&self, series: &Series) -> Option<f64> {
        let steps = self.cards.len() as u32 - 1;
        growth(series.values[0], *series.values.last()?, steps * self.doublings())
    }
}

fn table(study: &Study, series: &[Series]) -> String {
    if series.iter().flat_map(|line| &line.values).all(Option::is_none) {
        return "not measured on this system\n".to_owned();
    }
    let cards = study.cards.iter().map(|&cards| grouped(u64::from(cards)));
    let growths = study.cards.windows(2).map(|_| "growth".to_owned());
    let header: Vec<String> = std::iter::once("cards".to_owned())
        .chain(cards)
        .chain(growths)
        .chain(["overall".to_owned()])
        .collect();
    let exponent = |value: Option<f64>| value.map_or("–".to_owned(), |it| format!("{it:.2}"));
    let row = |line: &Series| {
        let amount = |value: &Option<f64>| value.map_or("–".to_owned(), amount);
        let step = |pair: &[Option<f64>]| growth(pair[0], pair[1], study.doublings());
        let steps = line.values.windows(2).map(|pair| exponent(step(pair)));
        std::iter::once(line.name.clone())
            .chain(line.values.iter().map(amount))
            .chain(steps)
            .chain([exponent(study.overall(line))])
            .collect()
    };
    markdown(&header, &series.iter().map(row).collect::<Vec<_>>())
}

/// Three digits that matter, more or less.
fn amount(value: f64) -> String {
    let decimals = if value < 10.0 { 3 } else { 1 };
    format!("{value:.decimals$}")
}

fn verdict(study: &Study, quantities: &[(&str, &Vec<Series>)]) -> ExitCode {
    let mut faster = Vec::new();
    for (quantity, series) in quantities {
        for line in *series {
            if let Some(overall) = study.overall(line).filter(|&overall| overall > LINEAR) {
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
    fn the_scenarios_have_the_points_that_are_measured() {
        for study in [TWO_TIERS, MILLION] {
            let text = std::fs::read_to_string(study.scenario).unwrap();
            for workload in study.workloads {
                assert!(text.contains(&format!("name: \"{workload}\"")), "{workload}");
            }
            assert!(text.contains("values: [\"1:1\", \"4:1\"]"));
            let times = 1 << study.doublings();
            assert!(study.cards.windows(2).all(|pair| pair[1] == times * pair[0]));
        }
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
