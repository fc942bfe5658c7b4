//! What points will take, told before they are run, and held against the limits.

use report::show;
use scenario::{Estimate, Point, RunOptions};

use crate::ending::Trouble;
use crate::guard::{Limits, resident};

/// The estimate of each point, as a table.
pub(crate) fn table(points: &[&Point], options: &RunOptions<'_>) -> String {
    let rows = points.iter().map(|point| {
        let told = match point.estimate(options, None) {
            Ok(estimate) => words(&estimate),
            Err(why) => format!("cannot be run: {why}"),
        };
        format!("{}\n  {told}\n", point.name())
    });
    rows.collect()
}

/// Refuses points that will not fit the limits, before any of them is run; so many are run at once.
pub(crate) fn refuse(
    points: &[&Point],
    options: &RunOptions<'_>,
    (limits, at_once): (Limits, usize),
) -> Result<(), Trouble> {
    if limits.memory.is_none() && limits.time.is_none() {
        return Ok(());
    }
    // Fabrics are built by now; what is counted on top is the run of each point.
    let now = resident().unwrap_or(0);
    let share = |most: u128| most.saturating_sub(now) / at_once.max(1) as u128;
    let room = limits.memory.map(share);
    let refusals = points.iter().filter_map(|point| {
        // A point that cannot be run at all tells so in its record.
        let estimate = point.estimate(options, room).ok()?;
        let why = too_much(&estimate, limits, (room, at_once))?;
        Some(format!("superclos: {}: {why}\n  estimate: {}", point.name(), words(&estimate)))
    });
    let refusals: Vec<String> = refusals.collect();
    if refusals.is_empty() {
        return Ok(());
    }
    let hint = "what makes it smaller: fewer cards or ranks, sizes that divide (sizes: aligned), \
                spray instead of hashed paths, fewer channels, fewer points at once (--threads 1)";
    Err(Trouble::Refused(format!("{}\n  {hint}", refusals.join("\n"))))
}

/// Why an estimate does not fit.
fn too_much(
    estimate: &Estimate,
    limits: Limits,
    (room, at_once): (Option<u128>, usize),
) -> Option<String> {
    if let (Some(most), Some(room)) = (limits.memory, room)
        && estimate.memory > room
    {
        let (needed, most, room) =
            (show::bytes(estimate.memory), show::bytes(most), show::bytes(room));
        return Some(format!(
            "needs about {needed} of memory; --max-memory {most} leaves {room} for each of {at_once} at once"
        ));
    }
    let most = limits.time?;
    // Only what recurrence cannot shorten is held against the limit: the rest is watched.
    (estimate.nanos.0 > most.as_nanos()).then(|| {
        format!("needs at least about {}, more than --max-time {most:?}", time(estimate.nanos.0))
    })
}

fn words(estimate: &Estimate) -> String {
    let Estimate { transfers, is_bounded, classes, events, memory, nanos } = *estimate;
    let transfers = show::grouped(transfers);
    if is_bounded {
        let (memory, time) = (show::bytes(memory), time(nanos.0));
        return format!(
            "{transfers} transfers to count for the bound alone, about {memory}, {time}"
        );
    }
    let (Some(classes), Some(events)) = (classes, events) else {
        let memory = show::bytes(memory);
        return format!("{transfers} transfers to list, {memory} to find their classes");
    };
    let range = |(least, most): (String, String)| {
        if least == most { most } else { format!("{least} to {most}") }
    };
    let events = range((show::grouped(events.0), show::grouped(events.1)));
    let (classes, memory) = (show::grouped(u128::from(classes)), show::bytes(memory));
    let time = range((time(nanos.0), time(nanos.1)));
    format!(
        "{transfers} transfers in {classes} classes of flows, {events} events, about {memory}, {time}"
    )
}

/// Nanoseconds as a time to wait.
fn time(nanos: u128) -> String {
    show::time(u64::try_from(nanos.saturating_mul(1_000)).unwrap_or(u64::MAX))
}
