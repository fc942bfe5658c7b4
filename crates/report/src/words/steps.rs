//! What each step of oversubscription costs.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::show::{self, Fraction};
use crate::words::{SMALL_PPM, times, way};
use crate::wrap::listed;

/// What oversubscription does to one fabric with one algorithm.
struct Cost {
    way: String,
    fabric: String,
    /// The first and the last ratio.
    ratios: (String, String),
    toll: Toll,
    /// Where bytes tell why the ratio does not matter.
    crossing: Option<Crossing>,
}

/// How much longer the last ratio takes than the first.
enum Toll {
    /// "Nothing", or too little for a number.
    Free(&'static str),
    /// Total and steps.
    Steps(String),
}

/// How little of the bytes crosses the links that a ratio thins out.
enum Crossing {
    /// The share of what the NICs carry.
    OfNics(Fraction),
    /// The share of all bytes that the NICs carry.
    OnNics(Fraction),
}

/// What each step of oversubscription costs: first all that loses nothing, with the reason, then
/// algorithm by algorithm.
pub(super) fn lines(members: &[&Record]) -> Vec<String> {
    let mut costs = Vec::new();
    for (way, points) in grouped(members.iter().copied(), way(members)) {
        let fabrics = grouped(points, |it: &Record| it.fabric.as_str());
        costs.extend(fabrics.into_iter().filter_map(|(fabric, points)| cost(&way, fabric, points)));
    }
    let fabrics = grouped(members.iter().copied(), |it: &Record| it.fabric.as_str()).len();
    let mut lines = free(&costs, fabrics);
    lines.extend(costly(&costs));
    lines
}

/// What loses nothing, or less than a number is worth, with the reason.
fn free(costs: &[Cost], fabrics: usize) -> Vec<String> {
    let free = costs.iter().filter_map(|it| match it.toll {
        Toll::Free(told) => Some((told, it)),
        Toll::Steps(_) => None,
    });
    let free: Vec<(&str, &Cost)> = free.collect();
    let mut lines = Vec::new();
    for ((told, ratios), members) in grouped(&free, |(told, it)| (*told, &it.ratios)) {
        let members: Vec<&Cost> = members.into_iter().map(|it| it.1).collect();
        let what = if members.len() == costs.len() && costs.len() > 1 {
            "every algorithm on every fabric".to_owned()
        } else {
            names(&members, fabrics)
        };
        let (first, last) = ratios;
        lines.push(format!("{told} from {first} to {last}: {what}{}.", reason(&members)));
    }
    lines
}

/// What has its price, algorithm by algorithm.
fn costly(costs: &[Cost]) -> Vec<String> {
    let priced = costs.iter().filter_map(|it| match &it.toll {
        Toll::Steps(told) => Some((told.as_str(), it)),
        Toll::Free(_) => None,
    });
    let priced: Vec<(&str, &Cost)> = priced.collect();
    let mut lines = Vec::new();
    for ((way, ratios), members) in grouped(&priced, |(_, it)| (it.way.as_str(), &it.ratios)) {
        let told = grouped(members, |it| it.0).into_iter().map(|(told, members)| {
            let fabrics: Vec<String> = members.iter().map(|it| it.1.fabric.clone()).collect();
            format!("{} {told}", listed(&fabrics, "and"))
        });
        let (first, last) = ratios;
        let told = told.collect::<Vec<_>>().join("; ");
        lines.push(format!("{way} from {first} to {last}: {told}."));
    }
    lines
}

/// "ring on all fabrics; tree on a and b".
fn names(costs: &[&Cost], all: usize) -> String {
    let ways = grouped(costs.iter().copied(), |it: &Cost| it.way.as_str());
    let told: Vec<(String, String)> = ways
        .into_iter()
        .map(|(way, costs)| {
            let fabrics: Vec<String> = costs.iter().map(|it| it.fabric.clone()).collect();
            let whole = fabrics.len() > 1 && fabrics.len() == all;
            let on = if whole { "all fabrics".to_owned() } else { listed(&fabrics, "and") };
            (on, way.to_owned())
        })
        .collect();
    let groups = grouped(&told, |it| it.0.as_str()).into_iter().map(|(on, ways)| {
        let ways: Vec<String> = ways.iter().map(|it| it.1.clone()).collect();
        format!("{} on {on}", listed(&ways, "and"))
    });
    groups.collect::<Vec<_>>().join("; ")
}

/// Why these do not feel the ratio: the largest shares among them.
fn reason(costs: &[&Cost]) -> String {
    let most = |pick: fn(&Crossing) -> Option<Fraction>| {
        let shares = costs.iter().filter_map(|it| it.crossing.as_ref().and_then(pick));
        let ppm = |it: &Fraction| it.times(Fraction::new(1_000_000, 1)?).map(Fraction::floor);
        let share = shares.max_by_key(ppm)?;
        Some(format!("{} %", share.times(Fraction::new(100, 1)?)?.significant(3)))
    };
    let at_most = if costs.len() > 1 { "at most" } else { "only" };
    let of_nics = most(|it| if let Crossing::OfNics(share) = it { Some(*share) } else { None });
    let on_nics = most(|it| if let Crossing::OnNics(share) = it { Some(*share) } else { None });
    let mut told = Vec::new();
    told.extend(of_nics.map(|share| {
        format!("{at_most} {share} of what the NICs carry crosses the links above the leaves")
    }));
    told.extend(on_nics.map(|share| format!("{at_most} {share} of all bytes are on the NICs")));
    let known = costs.iter().all(|it| it.crossing.is_some());
    if known && !told.is_empty() { format!(": {}", told.join(", or ")) } else { String::new() }
}

/// The change of time over the ratios; `None` with fewer than two ratios, or when points of one
/// ratio differ, so that something else than the ratio is at work.
fn cost(way: &str, fabric: &str, mut points: Vec<&Record>) -> Option<Cost> {
    points.sort_by(|left, right| ratio_order(&left.ratio, &right.ratio));
    points.dedup_by(|later, first| (&later.ratio, later.time_ps) == (&first.ratio, first.time_ps));
    if points.windows(2).any(|pair| pair[0].ratio == pair[1].ratio) {
        return None;
    }
    let [first, .., last] = points[..] else { return None };
    let times = points.iter().map(|it| it.time_ps);
    let (shortest, longest) = (times.clone().min()?, times.max()?);
    let small = show::ppm(longest - shortest, shortest).is_some_and(|ppm| ppm < SMALL_PPM);
    let toll = if longest == shortest {
        Toll::Free("Nothing")
    } else if small {
        Toll::Free("Less than 1 %")
    } else {
        Toll::Steps(steps(&points))
    };
    let (way, fabric) = (way.to_owned(), fabric.to_owned());
    let crossing = crossing(last);
    Some(Cost { way, fabric, ratios: (first.ratio.clone(), last.ratio.clone()), toll, crossing })
}

/// Total and steps: "+32.15 % (+10.72 % to 2:1, +19.36 % to 4:1)", steps without a change at the
/// beginning taken together.
fn steps(points: &[&Record]) -> String {
    let (first, last) = (points[0].time_ps, points[points.len() - 1].time_ps);
    let total = if first > 0 && last >= first.saturating_mul(2) {
        times(last, first)
    } else {
        show::change(first, last)
    };
    if points.len() == 2 {
        return total;
    }
    let free = points.iter().take_while(|it| it.time_ps == first).count() - 1;
    let mut told = Vec::new();
    if free > 0 {
        told.push(format!("nothing to {}", points[free].ratio));
    }
    told.extend(points[free..].windows(2).map(|pair| {
        format!("{} to {}", show::change(pair[0].time_ps, pair[1].time_ps), pair[1].ratio)
    }));
    format!("{total} ({})", told.join(", "))
}

/// How little of the bytes meets the ratio, where it is little: few of those that the NICs carry
/// leave their leaf, or the NICs carry few of all.
fn crossing(record: &Record) -> Option<Crossing> {
    let place = record.tiers.iter().position(|it| it.tier == "nic")?;
    let (nic, above) = (&record.tiers[place], record.tiers.get(place + 1)?);
    let all: u128 = record.tiers.iter().map(|it| it.bytes).sum();
    if above.bytes < nic.bytes / 2 {
        Fraction::new(above.bytes, nic.bytes).map(Crossing::OfNics)
    } else if nic.bytes < all / 10 {
        Fraction::new(nic.bytes, all).map(Crossing::OnNics)
    } else {
        None
    }
}
