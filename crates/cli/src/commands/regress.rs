//! `superclos regress`: completion times against the baselines stored beside the scenarios.

use std::path::{Path, PathBuf};

use report::baseline::Baseline;
use report::diff::Diff;
use report::page;

use crate::commands::{self, worse};
use crate::ending::{Ending, Trouble};
use crate::options::Regress;
use crate::panel::Panel;
use crate::points::Runner;
use crate::progress::Progress;
use crate::{files, interrupt, output};

/// The subfolder of the baselines.
const BASELINES: &str = "baselines";

/// Runs the scenarios one after the other and tells what moved; `--bless` stores what was found.
pub(crate) fn run(options: &Regress, panel: &Panel) -> Result<Ending, Trouble> {
    let baselines = options.dir.join(BASELINES);
    let whole = options.files.is_empty();
    let mut scenarios = options.files.clone();
    if whole {
        scenarios = files::below(&options.dir, "ron")?;
        scenarios.retain(|path| !path.starts_with(&baselines));
    }
    if scenarios.is_empty() {
        let folder = options.dir.display();
        return Err(Trouble::Refused(format!("no scenario (*.ron) below {folder}")));
    }
    let runner = Runner::new(&options.engine, interrupt::watch()?)?;
    let mut set = Set { options, panel, runner, ending: Ending::Done, equal: 0, apart: 0 };
    let mut known = Vec::new();
    for path in &scenarios {
        let stored = baseline_of(path, options)?;
        set.run(path, &stored)?;
        if set.runner.is_stopped() {
            output::answer("PARTIAL: interrupted, the scenarios from here on were not compared\n")?;
            return Ok(Ending::Interrupted);
        }
        known.push(stored);
    }
    if whole && baselines.is_dir() {
        set.orphans(&files::below(&baselines, "csv")?, &known)?;
    }
    let Set { ending, equal, apart, .. } = set;
    let (count, stored) = (scenarios.len(), if options.bless { ", now stored" } else { "" });
    output::answer(&format!("{count} scenarios: {equal} points as before, {apart} not{stored}\n"))?;
    Ok(ending)
}

/// The file that keeps the completion times of a scenario below the folder.
fn baseline_of(scenario: &Path, options: &Regress) -> Result<PathBuf, Trouble> {
    let inside = scenario.strip_prefix(&options.dir).map_err(|_| {
        let (scenario, folder) = (scenario.display(), options.dir.display());
        Trouble::Refused(format!("{scenario} is not below {folder}: name its folder by --dir"))
    })?;
    Ok(options.dir.join(BASELINES).join(inside).with_extension("csv"))
}

/// A set of scenarios in comparison, and what was found so far.
struct Set<'a> {
    options: &'a Regress,
    panel: &'a Panel,
    runner: Runner,
    ending: Ending,
    equal: u64,
    apart: u64,
}

impl Set<'_> {
    /// Runs one scenario and compares it with its baseline. A scenario that is refused or cannot be
    /// brought to an end does not keep the others from being run.
    fn run(&mut self, path: &Path, stored: &Path) -> Result<(), Trouble> {
        let scenario = match commands::read_scenario(path, (&[], &[]), self.panel) {
            Ok(scenario) => scenario,
            Err(trouble) => {
                output::complain(&trouble.to_string());
                self.ending = worse(self.ending, trouble.ending());
                return Ok(());
            }
        };
        let points: Vec<_> = scenario.points().iter().collect();
        let title = path.display().to_string();
        let mut run = {
            let progress = Progress::start(&title, points.len(), self.panel.progress);
            self.runner.run(&points, &progress)
        };
        for fault in &run.faults {
            output::complain(fault);
            self.ending = worse(self.ending, Ending::Failed);
        }
        if !run.complete {
            return Ok(());
        }
        let results = commands::results(&scenario, &points, &mut run);
        if !results.missed.is_empty() {
            let missed = page::missed(&results);
            output::answer(&format!("{title}: expectations missed\n{missed}\n"))?;
            self.ending = worse(self.ending, Ending::Missed);
        }
        self.compare(&title, stored, &Baseline::of(&results))
    }

    /// Tells what moved, and stores it when that is wanted.
    fn compare(&mut self, title: &str, stored: &Path, found: &Baseline) -> Result<(), Trouble> {
        let before = if stored.exists() { read(stored)? } else { Baseline::default() };
        let diff = Diff::between(&before, found);
        self.equal += diff.equal;
        self.apart += (diff.moved.len() + diff.only_before.len() + diff.only_after.len()) as u64;
        if diff.is_empty() {
            return Ok(());
        }
        let text = diff.render("baseline", "now");
        output::answer(&format!("{title} against {}\n{text}\n", stored.display()))?;
        if self.options.bless {
            return files::write(stored, &found.write());
        }
        self.ending = worse(self.ending, Ending::Missed);
        Ok(())
    }

    /// Tells of baselines whose scenario is gone, and removes them when that is wanted.
    fn orphans(&mut self, stored: &[PathBuf], known: &[PathBuf]) -> Result<(), Trouble> {
        for path in stored.iter().filter(|path| !known.contains(path)) {
            output::answer(&format!("{}: its scenario is gone\n", path.display()))?;
            if self.options.bless {
                files::remove(path)?;
            } else {
                self.ending = worse(self.ending, Ending::Missed);
            }
        }
        Ok(())
    }
}

/// A stored baseline.
fn read(path: &Path) -> Result<Baseline, Trouble> {
    let text = files::read(path, files::BASELINE_BYTES)?;
    let refused = |why: String| Trouble::Unreadable { path: path.to_owned(), why };
    Baseline::read(&text).map_err(|error| refused(error.to_string()))
}
