//! How a run came to its answer, in words.

use fluid::{Apart, Explanation, Switch, Told, Way};
use report::show::grouped;

/// How many reasons are told.
const REASONS: usize = 6;

/// An explanation, line by line.
pub(crate) fn lines(explanation: &Explanation) -> Vec<String> {
    let mut lines = vec![merged(explanation)];
    lines.extend(told(&explanation.told));
    lines.push(worked(explanation));
    lines.extend(apart(explanation));
    lines
}

/// How many classes of how many.
fn merged(explanation: &Explanation) -> String {
    let Explanation { seats, flows, links, resources, counters, .. } = explanation;
    if explanation.symmetry == Switch::Off {
        return format!(
            "nothing merged (--no-symmetry): {} seats, {} flows, {} links",
            grouped(u128::from(*seats)),
            grouped(*flows),
            grouped(u128::from(*links))
        );
    }
    let of =
        |classes: u64, all: u128| format!("{} of {}", grouped(u128::from(classes)), grouped(all));
    if u128::from(counters.flows) == *flows {
        let (seats, links) =
            (of(counters.agents, u128::from(*seats)), of(*resources, u128::from(*links)));
        return format!(
            "no two flows merged: {} flows, {seats} seats, {links} links",
            grouped(*flows)
        );
    }
    format!(
        "classes: {} flows, {} seats, {} links",
        of(counters.flows, *flows),
        of(counters.agents, u128::from(*seats)),
        of(*resources, u128::from(*links))
    )
}

/// Which short cuts the merging took.
fn told(told: &Told) -> Option<String> {
    let mut parts = Vec::new();
    let mut add = |count: u64, one: &str, more: &str| match count {
        0 => {}
        1 => parts.push(format!("1 {one}")),
        _ => parts.push(format!("{} {more}", grouped(u128::from(count)))),
    };
    add(told.joined, "transfer joined", "transfers joined");
    add(told.listed, "transfer listed with its path", "transfers listed with their paths");
    add(told.blocks, "lane in blocks", "lanes in blocks");
    add(told.stems, "lane over stems", "lanes over stems");
    add(told.left_out, "link or trunk left out", "links and trunks left out");
    if told.bundled > 0 {
        parts.push(format!("{} transfers bundled by their sender", grouped(told.bundled)));
    }
    if told.plain {
        parts.push("none, hashed paths tell nearly all transfers apart".to_owned());
    }
    (!parts.is_empty()).then(|| format!("merging: {}", parts.join(", ")))
}

/// How the smaller problem was run.
fn worked(explanation: &Explanation) -> String {
    let counters = &explanation.counters;
    let way = match explanation.way {
        Way::Whole => "with the whole network in view".to_owned(),
        Way::Groups => "in groups that share something".to_owned(),
        Way::Cells(cells) => format!("in {} cells that run apart", grouped(u128::from(cells))),
        Way::Steps => "step by step, nobody shares anything".to_owned(),
        Way::MixedSteps(cells) => {
            let cells = grouped(u128::from(cells));
            format!("step by step, with events in {cells} cells that share something")
        }
        Way::Counted => "not simulated: what each puts on links was counted".to_owned(),
        Way::SharedSteps(cells) => {
            format!("step by step in {} cells that run apart", grouped(u128::from(cells)))
        }
    };
    let skipped = match counters.skipped_steps {
        0 => String::new(),
        steps => format!(", {} steps skipped by recurrence", grouped(u128::from(steps))),
    };
    let events = grouped(u128::from(counters.events));
    let work =
        format!("{events} events for {} transfers, {way}{skipped}", grouped(counters.transfers));
    if explanation.is_reused {
        return format!("reused: an earlier point came to the same problem ({work})");
    }
    format!("work: {work}")
}

/// What could not be merged, and why.
fn apart(explanation: &Explanation) -> Vec<String> {
    let Apart { group, groups, alike, reasons } = &explanation.apart;
    if explanation.symmetry == Switch::Off || *groups == 0 {
        return Vec::new();
    }
    let plural = match (*group, *groups) {
        (_, 1) => (*group).to_owned(),
        ("leaf", _) => "leaves".to_owned(),
        _ => format!("{group}s"),
    };
    let (all, some) = (grouped(u128::from(*groups)), grouped(u128::from(*alike)));
    let counted = if *group == "link" { "" } else { " (each lane counted)" };
    if alike == groups {
        return vec![format!("alike: all {all} {plural}{counted}, place by place")];
    }
    let mut lines =
        vec![format!("alike: {some} of {all} {plural}{counted}; the others are told apart:")];
    let shown = reasons.iter().take(REASONS);
    lines.extend(
        shown.map(|reason| format!("  {}: {}", grouped(u128::from(reason.groups)), reason.why)),
    );
    let more: u64 = reasons.iter().skip(REASONS).map(|reason| reason.groups).sum();
    if more > 0 {
        lines.push(format!("  {}: for other reasons", grouped(u128::from(more))));
    }
    lines
}
