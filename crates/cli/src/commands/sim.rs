//! `superclos sim`: runs a scenario and prints its answer.

use std::time::Duration;

use report::{Results, csv, json, nccl, page};
use scenario::{Override, Point, Scenario};

use crate::ending::{Ending, Trouble};
use crate::guard::{Guard, Limits};
use crate::options::{Format, Model, Sim};
use crate::panel::Panel;
use crate::points::{Runner, Telling};
use crate::progress::Progress;
use crate::{commands, estimates, files, guard, interrupt, output};

/// How many names are told to someone whose label fits none.
const NAMES: usize = 8;

/// Reads the scenario, runs its points, writes the files asked for and prints the answer.
pub(crate) fn run(options: &Sim, panel: &Panel) -> Result<Ending, Trouble> {
    let scenario =
        commands::read_scenario(&options.file, (&overrides(options), &options.presets), panel)?;
    let points = chosen(&scenario, &options.only)?;
    let telling = if options.explain_run { Telling::Explained } else { Telling::Records };
    let stop = interrupt::watch()?;
    let runner = Runner::new(&options.engine, stop)?.telling(telling);
    let limits = limits(options);
    if options.estimate {
        output::answer(&estimates::table(&points, &runner.options(1)))?;
        return Ok(Ending::Done);
    }
    let at_once = runner.at_once(points.len());
    estimates::refuse(&points, &runner.options(1), (limits, at_once))?;
    if limits.memory.is_some() && guard::resident().is_none() {
        output::say(
            "superclos: memory cannot be measured here: --max-memory holds by estimate only",
        );
    }
    let mut run = {
        let _guard = Guard::start(limits, stop);
        let progress = Progress::start(scenario.title(), points.len(), panel.progress);
        runner.run(&points, &progress)
    };
    if let Some(overrun) = guard::overrun() {
        output::say(&format!("superclos: stopped: {overrun}; finished points are kept"));
        run.keep_stopped();
    }
    let results = commands::results(&scenario, &points, &mut run);
    for (name, lines) in &run.explanations {
        let lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
        output::say(&format!("{name}\n{}\n", lines.join("\n")));
    }
    for fault in &run.faults {
        output::complain(fault);
    }
    let stored = options.out.as_ref().map_or(Ok(()), |folder| {
        files::write(&folder.join("results.json"), &json::write(&results))?;
        files::write(&folder.join("results.csv"), &csv::write(&results))
    });
    output::answer(&match options.format {
        Format::Table => page::render(&results, panel.out),
        Format::Csv => csv::write(&results),
        Format::Json => json::write(&results),
        Format::Nccl => nccl::write(&results),
    })?;
    stored?;
    Ok(ending(options, &results, runner.is_stopped() && guard::overrun().is_none()))
}

/// The limits on the run.
fn limits(options: &Sim) -> Limits {
    Limits {
        memory: options.max_memory.map(|most| u128::from(most.as_u64())),
        // Below a nanosecond nothing is done.
        time: options.max_time.map(|most| Duration::from_nanos(most.as_picos() / 1_000)),
    }
}

/// What the command line puts in place of the scenario's values.
fn overrides(options: &Sim) -> Vec<Override> {
    let word = options.model.map(|model| match model {
        Model::Fluid => "fluid",
        Model::Packet => "packet",
        Model::Both => "both",
    });
    let engine = word.map(|word| Override { field: "engine".to_owned(), value: word.to_owned() });
    options.set.iter().cloned().chain(engine).collect()
}

/// The points that bear all the labels.
fn chosen<'a>(scenario: &'a Scenario, labels: &[String]) -> Result<Vec<&'a Point>, Trouble> {
    let points = scenario.points().iter();
    let chosen: Vec<&Point> =
        points.filter(|point| labels.iter().all(|label| point.has_label(label))).collect();
    if chosen.is_empty() && !labels.is_empty() {
        let names: Vec<String> = scenario
            .points()
            .iter()
            .take(NAMES)
            .map(|point| format!("  {}", point.name()))
            .collect();
        let (count, wanted) = (scenario.points().len(), labels.join("`, `"));
        let first = if count > NAMES { format!(", the first {NAMES}") } else { String::new() };
        let names = names.join("\n");
        return Err(Trouble::Refused(format!(
            "superclos: --only `{wanted}` fits none of the {count} points{first}:\n{names}"
        )));
    }
    Ok(chosen)
}

/// How the run ended; what the answer on stdout does not show is said on stderr.
fn ending(options: &Sim, results: &Results, stopped: bool) -> Ending {
    let tally = results.tally();
    if options.format != Format::Table && !results.missed.is_empty() {
        output::say(&format!("superclos: expectations missed:\n{}", page::missed(results)));
    }
    if !results.complete && stopped {
        Ending::Interrupted
    } else if tally.stalled + tally.failed + tally.absent > 0 {
        Ending::Failed
    } else if results.missed.is_empty() {
        Ending::Done
    } else {
        Ending::Missed
    }
}
