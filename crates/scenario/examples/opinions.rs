//! Runs the points of a scenario on both engines and tells how long each says that they take.
//!
//! Read from stdin: lines `set FIELD=VALUE`, `only LABEL` and `most EVENTS` (points that are estimated at
//! more packet events are left out), then a line `text`, then the scenario. Written for each point, set apart
//! by tabs: its fabric, its swept values, its workload, the status and time in ps by rates, and both by packets.

use std::io::{Error, Write as _, read_to_string, stderr, stdin, stdout};
use std::process::ExitCode;

use scenario::{Override, Point, RunOptions, Source, read};

/// What is asked for.
#[derive(Default)]
struct Asked {
    set: Vec<Override>,
    only: Vec<String>,
    most: Option<u128>,
    text: String,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Who reads no more needs no reason.
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let asked = asked(&read_to_string(stdin())?)?;
    let source = Source { name: "stdin", text: &asked.text };
    let scenario = read(source, &asked.set).map_err(|refusal| Error::other(refusal.to_string()))?;
    for pair in scenario.points().chunks(2) {
        let [rates, packets] = pair else { unreachable!("each point is there for both engines") };
        if asked.only.iter().all(|label| rates.has_label(label)) {
            tell((rates, packets), asked.most)?;
        }
    }
    Ok(())
}

fn asked(input: &str) -> Result<Asked, Error> {
    let mut asked = Asked::default();
    asked.set.push(Override { field: "engine".to_owned(), value: "both".to_owned() });
    let mut rest = input;
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        match line.split_once(' ') {
            Some(("set", set)) => asked.set.push(set.parse().map_err(Error::other)?),
            Some(("only", label)) => asked.only.push(label.to_owned()),
            Some(("most", events)) => asked.most = Some(events.parse().map_err(Error::other)?),
            _ if line == "text" => {
                rest.clone_into(&mut asked.text);
                return Ok(asked);
            }
            _ => return Err(Error::other(format!("not understood: {line}"))),
        }
    }
    Err(Error::other("there is no line `text`"))
}

/// Runs a point on both engines, unless that takes too many events.
fn tell((rates, packets): (&Point, &Point), most: Option<u128>) -> Result<(), Error> {
    let swept = rates.labels().iter().filter(|(axis, _)| axis != "engine");
    let swept: Vec<String> = swept.map(|(axis, value)| format!("{axis}={value}")).collect();
    let mut row = vec![rates.fabric().to_owned(), swept.join(" "), rates.workload().to_owned()];
    if is_small(packets, most) {
        for point in [rates, packets] {
            let record = point.run(&RunOptions::default());
            row.extend([record.status.word().to_owned(), record.time_ps.to_string()]);
        }
    } else {
        row.extend(["left out", "0", "left out", "0"].map(str::to_owned));
    }
    writeln!(stdout(), "{}", row.join("\t"))
}

/// Whether a point is estimated at no more than so many events.
fn is_small(point: &Point, most: Option<u128>) -> bool {
    let Some(most) = most else { return true };
    // Finding classes of flows may take no more than a gigabyte.
    let estimate = point.estimate(&RunOptions::default(), Some(1 << 30));
    let events = estimate.ok().and_then(|estimate| estimate.events);
    events.is_some_and(|(_, events)| events <= most)
}
