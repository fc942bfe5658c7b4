//! Who wins, by how much, and what binds the winner and the next.

use crate::groups::{grouped, ratio_order};
use crate::show::{self, Fraction};
use crate::words::best::Best;
use crate::words::{SMALL_PPM, Way, way};
use crate::{Record, rates};

/// From this use on a link is said to bind (parts per million of its capacity over the run).
const BINDS_PPM: u32 = 900_000;
/// Below this use of its busiest link a point does not depend on bytes (parts per million).
const BUSY_PPM: u32 = 500_000;
/// From this share of the bound on a point is said to reach it.
const REACHES_PPM: u32 = 950_000;

/// Each fabric at its best, with what binds it and why it is slower than the fastest; then who is
/// ahead at each ratio.
pub(super) fn lines(members: &[&Record]) -> Vec<String> {
    let way = way(members);
    let bests = bests(members, way);
    let winner = &bests[0];
    if let [only] = members {
        let (fabric, time) = (&only.fabric, show::time(only.time_ps));
        return vec![format!("{fabric}, {time} {}: {}.", winner.told(), binding(only))];
    }
    let alike = bests.iter().all(|it| it.record().ranks == winner.record().ranks);
    let ranks = |it: &Best| {
        let ranks = || format!(", {} ranks", show::grouped(it.record().ranks.into()));
        if alike { String::new() } else { ranks() }
    };
    let level = bests.iter().filter(|it| it.time_ps() == winner.time_ps()).count();
    let place = if level > 1 { "Level" } else { "Fastest" };
    let line = |best: &Best| {
        let fabric = best.fabric;
        let slower = best.time_ps() > winner.time_ps();
        let place = if slower {
            format!("{fabric}: {}, ", times(best.time_ps(), winner.time_ps()))
        } else {
            format!("{place}: {fabric}, ")
        };
        let why = if slower { difference(winner, best) } else { None };
        let why = why.map(|why| format!(" {why}")).unwrap_or_default();
        let (time, told) = (show::time(best.time_ps()), best.told());
        format!("{place}{time} {told}{}; {}.{why}", ranks(best), binding(best.record()))
    };
    let mut lines: Vec<String> = bests.iter().map(line).collect();
    lines.extend(by_ratio(members, way));
    lines
}

/// Each fabric at its best, the fastest first.
fn bests<'a>(members: &[&'a Record], way: Way) -> Vec<Best<'a>> {
    let by_fabric = grouped(members.iter().copied(), |it: &Record| it.fabric.as_str());
    let mut bests: Vec<Best> =
        by_fabric.into_iter().map(|(fabric, points)| Best::of(fabric, points, way)).collect();
    bests.sort_by_key(Best::time_ps);
    bests
}

/// Who is ahead of the next at each ratio that several fabrics have, neighbouring ratios of equal
/// outcome taken together; `None` with fewer than two such ratios.
fn by_ratio(members: &[&Record], way: Way) -> Option<String> {
    let mut ratios = grouped(members.iter().copied(), |it: &Record| it.ratio.as_str());
    ratios.retain(|(ratio, _)| *ratio != "-");
    ratios.sort_by(|left, right| ratio_order(left.0, right.0));
    let outcomes = ratios.into_iter().filter_map(|(ratio, points)| {
        let bests = bests(&points, way);
        let (first, next) = (&bests[0], bests.get(1)?);
        let (ahead, behind) = (first.fabric, next.fabric);
        Some(if next.time_ps() == first.time_ps() {
            (ratio, format!("{ahead} and {behind} level"))
        } else {
            (ratio, format!("{ahead} ({behind} {})", times(next.time_ps(), first.time_ps())))
        })
    });
    let outcomes: Vec<(&str, String)> = outcomes.collect();
    let alike = outcomes.chunk_by(|left, right| left.1 == right.1);
    let told = alike.map(|alike| match alike {
        [(ratio, outcome)] => format!("{ratio} {outcome}"),
        [(first, outcome), .., (last, _)] => format!("{first} to {last} {outcome}"),
        [] => String::new(),
    });
    let told: Vec<String> = told.collect();
    (outcomes.len() > 1).then(|| format!("Fastest by ratio: {}.", told.join("; ")))
}

/// "1.41 times as long", exact to three digits; below 1 % in percent.
fn times(time: u64, best: u64) -> String {
    match Fraction::new(time.into(), best.into()) {
        Some(_) if show::ppm(time - best, best).is_some_and(|ppm| ppm < SMALL_PPM) => {
            format!("{} longer", show::change(best, time).trim_start_matches('+'))
        }
        Some(times) => format!("{} times as long", times.significant(3)),
        None => "some time where the best takes none".to_owned(),
    }
}

/// What holds a point back: the cut of its bound, its busiest tier, or neither.
fn binding(record: &Record) -> String {
    let reached = rates::efficiency_ppm(record);
    let bound = reached.map(|ppm| {
        let least = show::time(record.bound_ps);
        let share = show::percent(ppm);
        format!("bound {least} by the cut \"{}\", reached to {share}", record.bound_cut)
    });
    let Some(tier) = record.busiest_tier() else {
        return "no link carried anything".to_owned();
    };
    let used = show::percent(tier.utilisation_ppm);
    let why = if tier.utilisation_ppm >= BINDS_PPM {
        format!("the busiest {} link is used to {used} over the run, so that tier binds", tier.tier)
    } else if reached.is_some_and(|ppm| ppm >= REACHES_PPM) {
        format!("no link is busier than {used} ({}): latency binds", tier.tier)
    } else {
        format!("no link is busier than {used} ({}): latency, start-up and waiting bind", tier.tier)
    };
    bound.map_or_else(|| why.clone(), |bound| format!("{bound}; {why}"))
}

/// Why the next fabric is slower: by the bytes on the tier that is busiest there, where it is busy
/// at all.
fn difference(winner: &Best, next: &Best) -> Option<String> {
    let (here, there) = (winner.record(), next.record());
    let busiest = there.busiest_tier()?;
    let tier = &busiest.tier;
    let share = |it: &Record| it.tier_bytes(tier) / u128::from(it.ranks.max(1));
    let (less, more) = (share(here), share(there));
    let (less_text, more_text) = (show::bytes(less), show::bytes(more));
    let (name, other) = (winner.fabric, next.fabric);
    Some(if busiest.utilisation_ppm < BUSY_PPM {
        let used = show::percent(busiest.utilisation_ppm);
        format!(
            "Why: no link of {other} is used to more than {used}, so not bytes but the number of \
             steps and their latency tell the two apart."
        )
    } else if less < more - more / 50 {
        format!("Why: per rank {less_text} on {tier} links in {name}, {more_text} in {other}.")
    } else {
        format!(
            "Why: not for the bytes on {tier} links ({less_text} and {more_text} per rank), but for \
             the speed of links, the number of steps and their latency."
        )
    })
}
