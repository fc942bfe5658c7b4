//! `superclos check`: whether a scenario would run.

use crate::commands;
use crate::ending::{Ending, Trouble};
use crate::options::Check;
use crate::output;
use crate::panel::Panel;

/// Says how many points the scenario has, or refuses it with everything that is wrong.
pub(crate) fn run(options: &Check, panel: &Panel) -> Result<Ending, Trouble> {
    let scenario = commands::read_scenario(&options.file, (&options.set, &options.presets), panel)?;
    let points = scenario.points().len();
    let plural = if points == 1 { "" } else { "s" };
    let (file, title) = (options.file.display(), scenario.title());
    output::answer(&format!("{file}: no problem, {points} point{plural}: {title}\n"))?;
    Ok(Ending::Done)
}
