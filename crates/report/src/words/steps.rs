//! What each step of oversubscription costs.

use crate::Record;
use crate::groups::{grouped, ratio_order};
use crate::show::{self, Fraction};
use crate::words::{SMALL_PPM, change_by_steps, way};
use crate::wrap::listed;

/// What each step of oversubscription costs, by algorithm; fabrics that agree share a line.
pub(super) fn lines(members: &[&Record]) -> Vec<String> {
    let mut lines = Vec::new();
    for (way, members) in grouped(members.iter().copied(), way(members)) {
        let by_fabric = grouped(members, |it: &Record| it.fabric.as_str());
        let told: Vec<(String, String)> = by_fabric
            .into_iter()
            .filter_map(|(fabric, points)| Some((steps(points)?, fabric.to_owned())))
            .collect();
        for (text, fabrics) in grouped(&told, |it| &it.0) {
            let names: Vec<String> = fabrics.iter().map(|it| it.1.clone()).collect();
            lines.push(format!("Oversubscription, {way} on {}: {text}.", listed(&names, "and")));
        }
    }
    lines
}

/// The change of time from each ratio to the next; `None` with fewer than two ratios, or when
/// points of one ratio differ, so that something else than the ratio is at work.
fn steps(mut points: Vec<&Record>) -> Option<String> {
    points.sort_by(|left, right| ratio_order(&left.ratio, &right.ratio));
    points.dedup_by(|later, first| (&later.ratio, later.time_ps) == (&first.ratio, first.time_ps));
    if points.windows(2).any(|pair| pair[0].ratio == pair[1].ratio) {
        return None;
    }
    let (first, last) = (*points.first()?, *points.last()?);
    if points.len() < 2 {
        return None;
    }
    let times = points.iter().map(|it| it.time_ps);
    let (shortest, longest) = (times.clone().min()?, times.max()?);
    if show::ppm(longest - shortest, shortest).is_some_and(|ppm| ppm < SMALL_PPM) {
        let cost = if longest == shortest { "nothing" } else { "less than 1 %" };
        return Some(format!("{cost} from {} to {}{}", first.ratio, last.ratio, crossing(last)));
    }
    let times: Vec<(String, u64)> =
        points.iter().map(|it| (it.ratio.clone(), it.time_ps)).collect();
    change_by_steps(&times)
}

/// Why the ratio does not matter, where bytes tell: little of what the NICs carry leaves its leaf,
/// or the NICs carry little of the whole.
fn crossing(record: &Record) -> String {
    let place = record.tiers.iter().position(|it| it.tier == "nic");
    let Some((nic, above)) =
        place.and_then(|at| Some((&record.tiers[at], record.tiers.get(at + 1)?)))
    else {
        return String::new();
    };
    let all: u128 = record.tiers.iter().map(|it| it.bytes).sum();
    let percent = |part: u128, whole: u128| {
        let percent = Fraction::new(part.checked_mul(100)?, whole)?;
        Some(format!("{} %", percent.significant(3)))
    };
    if above.bytes < nic.bytes / 2 {
        let share = percent(above.bytes, nic.bytes).unwrap_or_default();
        format!(": only {share} of what its NICs carry crosses the links above the leaves")
    } else if nic.bytes < all / 10 {
        let share = percent(nic.bytes, all).unwrap_or_default();
        format!(": only {share} of all bytes are on its NICs")
    } else {
        String::new()
    }
}
