//! Who wins each workload, by how much over the others, and whether that depends on the ratio.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::show;
use crate::words::best::{Best, bests};
use crate::words::{Way, times, way};
use crate::wrap::listed;

/// The answer for one workload: the fastest fabric and how much longer the others take, each at
/// its best; then who is ahead over the ratios.
pub(super) fn line(members: &[&Record]) -> String {
    let way = way(members);
    let bests = bests(members, way);
    let best = &bests[0];
    let level: Vec<&Best> = bests.iter().take_while(|it| it.time_ps() == best.time_ps()).collect();
    let first: Vec<String> =
        level.iter().map(|it| format!("{} {}", it.fabric, it.told())).collect();
    let time = show::time(best.time_ps());
    let mut text = match &level[..] {
        [only] => format!("{}, {time} {}", only.fabric, only.told()),
        _ => format!("level at {time}: {}", listed(&first, "and")),
    };
    let behind = bests[level.len()..].iter().map(|it| {
        let told = format!("{} {}", show::time(it.time_ps()), it.told());
        format!("{} {} ({told})", it.fabric, times(it.time_ps(), best.time_ps()))
    });
    let behind: Vec<String> = behind.collect();
    if !behind.is_empty() {
        text = format!("{text}; then {}", listed(&behind, "and"));
    }
    match by_ratio(members, way) {
        Some(ratios) => format!("{text}. {ratios}."),
        None => format!("{text}."),
    }
}

/// How the first two fabrics stand at one ratio.
struct Standing<'a> {
    ratio: &'a str,
    ahead: &'a str,
    behind: &'a str,
    /// By how much: "1.41 times as long"; `None` when they are level.
    lead: Option<String>,
}

/// Who is ahead of the next at each ratio that several fabrics have; `None` with fewer than two
/// such ratios.
fn by_ratio(members: &[&Record], way: Way) -> Option<String> {
    let mut ratios = grouped(members.iter().copied(), |it: &Record| it.ratio.as_str());
    ratios.retain(|(ratio, _)| *ratio != "-");
    ratios.sort_by(|left, right| ratio_order(left.0, right.0));
    let standings = ratios.iter().filter_map(|(ratio, points)| {
        let bests = bests(points, way);
        let (first, next) = (&bests[0], bests.get(1)?);
        let apart = next.time_ps() > first.time_ps();
        let lead = apart.then(|| times(next.time_ps(), first.time_ps()));
        Some(Standing { ratio, ahead: first.fabric, behind: next.fabric, lead })
    });
    let standings: Vec<Standing> = standings.collect();
    let [first, .., last] = &standings[..] else { return None };
    let pair = |it: &Standing| (it.ahead.to_owned(), it.behind.to_owned());
    if standings.iter().all(|it| it.lead.is_some() && pair(it) == pair(first)) {
        return Some(steady(&standings, first, last));
    }
    let alike =
        standings.chunk_by(|left, right| pair(left) == pair(right) && left.lead == right.lead);
    let told: Vec<String> =
        alike.map(|alike| stretch(&alike[0], alike[alike.len() - 1].ratio)).collect();
    Some(format!("By ratio: {}", told.join("; ")))
}

/// One fabric stays ahead of the same other.
fn steady(standings: &[Standing], first: &Standing, last: &Standing) -> String {
    let (ahead, behind) = (first.ahead, first.behind);
    let alike = standings.chunk_by(|left, right| left.lead == right.lead);
    let leads: Vec<String> = alike
        .map(|alike| {
            let lead = alike[0].lead.as_deref().unwrap_or_default();
            format!("{lead} {}", at(alike[0].ratio, alike[alike.len() - 1].ratio))
        })
        .collect();
    let (from, to) = (first.ratio, last.ratio);
    if leads.len() == 1 {
        let lead = first.lead.as_deref().unwrap_or_default();
        return format!("From {from} to {to} {ahead} is ahead, {behind} always {lead}");
    }
    // The unit of the lead stands once: "1.01 times as long at 1:1, 1.07 at 2:1".
    let short = leads.iter().enumerate().map(|(place, lead)| match place {
        0 => lead.clone(),
        _ => lead.replacen(" times as long", "", 1),
    });
    let short = short.collect::<Vec<_>>().join(", ");
    format!("From {from} to {to} {ahead} is ahead: {behind} {short}")
}

/// Who is ahead over some neighbouring ratios.
fn stretch(first: &Standing, last: &str) -> String {
    let Standing { ratio, ahead, behind, lead } = first;
    let ratios = at(ratio, last);
    match lead {
        Some(lead) => format!("{ratios} {ahead} ({behind} {lead})"),
        None => format!("{ratios} {ahead} and {behind} level"),
    }
}

/// "at 1:1", "from 1:1 to 4:1".
fn at(first: &str, last: &str) -> String {
    if first == last { format!("at {first}") } else { format!("from {first} to {last}") }
}
