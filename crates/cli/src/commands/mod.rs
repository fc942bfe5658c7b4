//! The commands, one a file.

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod new;
pub(crate) mod presets;
pub(crate) mod regress;
pub(crate) mod sim;
pub(crate) mod size;

use std::path::{Path, PathBuf};

use report::{Colour, Results, SCHEMA};
use scenario::{Override, Point, Scenario, Source};

use crate::ending::{Ending, Trouble};
use crate::files;
use crate::panel::Panel;
use crate::points::Run;

/// The program and its version, for results.
const TOOL: &str = concat!("superclos ", env!("CARGO_PKG_VERSION"));

/// Reads and checks a scenario; all that is wrong with it is told at once.
fn read_scenario(
    path: &Path,
    (set, presets): (&[Override], &[PathBuf]),
    panel: &Panel,
) -> Result<Scenario, Trouble> {
    let bytes = files::read_bytes(path, files::SCENARIO_BYTES)?;
    let name = path.display().to_string();
    let own = read_presets(presets)?;
    let own: Vec<Source<'_>> = own.iter().map(as_source).collect();
    scenario::read_bytes(&name, &bytes, set, &own)
        .map_err(|refusal| Trouble::Refused(refusal.render(colour(panel))))
}

/// Names and texts of files of presets.
fn read_presets(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Trouble> {
    let file = |path: &PathBuf| {
        Ok((path.display().to_string(), files::read(path, files::SCENARIO_BYTES)?))
    };
    paths.iter().map(file).collect()
}

/// A file of presets as the scenario reads it.
fn as_source((name, text): &(String, String)) -> Source<'_> {
    Source { name, text }
}

/// How refusals are coloured.
fn colour(panel: &Panel) -> scenario::Colour {
    match panel.err {
        Colour::On => scenario::Colour::Ansi,
        Colour::Off => scenario::Colour::Plain,
    }
}

/// The results of a run of `points` of a scenario; expectations are judged by the points that
/// ended.
fn results(scenario: &Scenario, points: &[&Point], run: &mut Run) -> Results {
    let records = std::mem::take(&mut run.records);
    let missed = scenario::missed(scenario, &records);
    Results {
        schema: SCHEMA,
        tool: TOOL.to_owned(),
        scenario_hash: scenario.hash(),
        seed: scenario.seed(),
        title: scenario.title().to_owned(),
        question: scenario.question().to_owned(),
        scenario: scenario.resolved().to_owned(),
        complete: run.complete,
        points: points.len() as u64,
        records,
        missed,
    }
}

/// The worse of two endings: interrupted, failed, missed, done.
fn worse(left: Ending, right: Ending) -> Ending {
    let weight = |ending: Ending| match ending {
        Ending::Done => 0,
        Ending::Missed => 1,
        Ending::Failed => 2,
        Ending::Refused => 3,
        Ending::Interrupted => 4,
    };
    if weight(left) < weight(right) { right } else { left }
}
