//! What holds each fabric back at its best, and what tells it from the fastest.

use crate::groups::grouped;
use crate::show::{self, Fraction};
use crate::words::best::{Best, bests};
use crate::words::{times, way};
use crate::wrap::listed;
use crate::{Record, rates};

/// From this use on a link is said to bind (parts per million of its capacity over the run).
const BINDS_PPM: u32 = 900_000;
/// Below this use of its busiest link a point does not depend on bytes (parts per million).
const BUSY_PPM: u32 = 500_000;
/// From this share of the time on its chain of steps is said to fill it.
const FILLS_PPM: u32 = 950_000;
/// Amounts closer than this are called equal (parts per million).
const ALIKE_PPM: u32 = 20_000;
/// The cut of a bound that is no link: the steps of one rank, one after the other.
const CHAIN: &str = "chain of steps";

/// What is told of one fabric.
struct Told<'a> {
    fabric: &'a str,
    binding: String,
    difference: Option<String>,
}

/// For each fabric at its best what binds it; fabrics of which the same is true share a line.
pub(super) fn lines(members: &[&Record]) -> Vec<String> {
    let bests = bests(members, way(members));
    let told = bests.iter().map(|it| {
        let slower = it.time_ps() > bests[0].time_ps();
        let difference = if slower { difference(&bests[0], it) } else { None };
        Told { fabric: it.fabric, binding: binding(it.record()), difference }
    });
    let told: Vec<Told> = told.collect();
    let mut lines = Vec::new();
    for (binding, members) in grouped(&told, |it| it.binding.as_str()) {
        let names: Vec<String> = members.iter().map(|it| it.fabric.to_owned()).collect();
        let mut line = format!("{}: {binding}.", listed(&names, "and"));
        for why in members.iter().filter_map(|it| it.difference.as_deref()) {
            line.push(' ');
            line.push_str(why);
        }
        lines.push(line);
    }
    lines
}

/// What holds a point back: its busiest tier, its chain of steps, or neither all the time.
fn binding(record: &Record) -> String {
    let Some(tier) = record.busiest_tier() else {
        return "no link carried anything".to_owned();
    };
    let (name, used) = (&tier.tier, show::percent(tier.utilisation_ppm));
    let reached = rates::efficiency_ppm(record);
    if tier.utilisation_ppm >= BINDS_PPM {
        return format!("{name} links bind, the busiest used {used} over the run");
    }
    let Some(reached) = reached else {
        return format!("no link is used more than {used} ({name})");
    };
    let share = show::percent(reached);
    if record.bound_cut != CHAIN {
        // The bound of a link and its use say nearly the same.
        return format!(
            "no link binds all the time: the busiest ({name}) is used {used} over the run, the rest \
             goes to latency, to waiting and to phases that other links hold back"
        );
    }
    let chain = "of the time is the chain of steps of one rank, one after the other at the full \
                 speed of its links, with their latency";
    if reached >= FILLS_PPM {
        format!("{share} {chain}; no link is used more than {used} ({name})")
    } else {
        format!(
            "{share} {chain}, the rest waiting and contention; no link is used more than {used} ({name})"
        )
    }
}

/// Why the next fabric is slower: by the bytes on the tier that is busiest there, where it is busy
/// at all.
fn difference(winner: &Best, next: &Best) -> Option<String> {
    let (here, there) = (winner.record(), next.record());
    let busiest = there.busiest_tier()?;
    let tier = &busiest.tier;
    let (name, other) = (winner.fabric, next.fabric);
    if busiest.utilisation_ppm < BUSY_PPM {
        return Some(format!("Not bytes but the number of steps and their latency slow {other}."));
    }
    let share = |it: &Record| it.tier_bytes(tier) / u128::from(it.ranks.max(1));
    let (less, more) = (share(here), share(there));
    let (less_text, more_text) = amounts(less, more);
    let near = more.saturating_mul(u128::from(ALIKE_PPM)) / 1_000_000;
    Some(if less < more - near {
        format!("Per rank {more_text} on {tier} links in {other}, only {less_text} in {name}.")
    } else if here.bound_cut == there.bound_cut && there.bound_cut != CHAIN {
        // The same bytes through the same cut: the bounds tell the speeds apart.
        format!(
            "Per rank {more_text} on {tier} links in {other}, {less_text} in {name}, but the links of \
             {other} take {} for it.",
            times(there.bound_ps.max(here.bound_ps), here.bound_ps)
        )
    } else {
        format!(
            "Not for bytes on {tier} links ({more_text} a rank in {other}, {less_text} in {name}), \
             but for the speed of links, the number of steps and their latency."
        )
    })
}

/// Two amounts in the unit of the larger.
fn amounts(one: u128, other: u128) -> (String, String) {
    let (unit, size) = show::byte_unit(one.max(other));
    let text = |amount: u128| {
        let digits = if size == 1 { 1 } else { 4 };
        let value = Fraction::new(amount, size).map(|it| it.significant(digits));
        let value = if amount == 0 { "0".to_owned() } else { value.unwrap_or_default() };
        format!("{value} {unit}")
    };
    (text(one), text(other))
}
