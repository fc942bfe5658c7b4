//! What the other axes of a sweep change: those that are not fabric, ratio, algorithm or size.

use crate::groups::grouped;
use crate::words::{change_by_steps, way};
use crate::wrap::listed;
use crate::{Record, show};

/// For each axis the change of time from each of its values to the next, all else being equal;
/// fabrics and ratios that agree share a line.
pub(super) fn lines(records: &[&Record]) -> Vec<String> {
    let mut axes: Vec<&str> = Vec::new();
    for (axis, _) in records.iter().flat_map(|it| it.other_labels()) {
        if !axes.contains(&axis.as_str()) {
            axes.push(axis);
        }
    }
    axes.into_iter().flat_map(|axis| along(axis, records)).collect()
}

fn along(axis: &str, records: &[&Record]) -> Vec<String> {
    let way = way(records);
    let rest = |it: &Record| {
        let rest = it.other_labels().filter(|(name, _)| name != axis);
        rest.map(|(name, value)| format!(", {name}={value}")).collect::<Vec<_>>().concat()
    };
    let work = |it: &Record| (it.collective.clone(), it.size_asked, way(it), rest(it));
    let mut lines = Vec::new();
    for ((collective, size, way, rest), points) in grouped(records.iter().copied(), work) {
        let place = |it: &Record| (it.fabric.clone(), it.ratio.clone());
        let told: Vec<(String, String)> = grouped(points, place)
            .into_iter()
            .filter_map(|((fabric, ratio), points)| {
                let at = if ratio == "-" { String::new() } else { format!(" at {ratio}") };
                Some((steps(axis, &points)?, format!("{fabric}{at}")))
            })
            .collect();
        for (text, places) in grouped(&told, |it| &it.0) {
            let places: Vec<String> = places.iter().map(|it| it.1.clone()).collect();
            let what = format!("{collective} of {} by {way}{rest}", show::size(size));
            lines.push(format!("{axis}, {what} on {}: {text}.", listed(&places, "and")));
        }
    }
    lines
}

/// The changes along the axis; `None` with fewer than two values, or when a value stands twice.
fn steps(axis: &str, points: &[&Record]) -> Option<String> {
    let value =
        |it: &Record| it.labels.iter().find(|(name, _)| name == axis).map(|it| it.1.clone());
    let mut told: Vec<(String, u64)> = Vec::new();
    for point in points {
        let value = value(point)?;
        if told.iter().any(|(known, _)| *known == value) {
            return None;
        }
        told.push((value, point.time_ps));
    }
    change_by_steps(&told)
}
