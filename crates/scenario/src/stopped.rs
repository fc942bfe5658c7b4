//! How far a point had come that was asked to stop.

use engine::Progress;
use fluid::Watch;
use report::Record;
use report::show::grouped;

/// Tells of a run that was asked to stop how far it has come.
pub(crate) fn record_stopped(record: &mut Record, watch: Watch<'_>) {
    let why = match watch.gauge {
        Some(gauge) => {
            let (reached, events) = (gauge.reached(), gauge.events());
            let progress = gauge.progress();
            record.counters.events = events;
            record.counters.transfers = progress.map_or(0, |it| it.all_transfers);
            let events = grouped(u128::from(events));
            let delivered = delivered(progress);
            format!("after {events} events, {reached} of simulated time reached, {delivered}")
        }
        None => "asked to stop".to_owned(),
    };
    record.status = report::Status::Stopped { why };
}

/// What a run that was stopped has delivered.
fn delivered(progress: Option<Progress>) -> String {
    let Some(Progress { transfers, all_transfers, bytes, all_bytes }) = progress else {
        return "before any transfer started".to_owned();
    };
    let [transfers, all_transfers] = [transfers, all_transfers].map(grouped);
    let [bytes, all_bytes] = [bytes, all_bytes].map(grouped);
    format!("{transfers} of {all_transfers} transfers delivered, {bytes} of {all_bytes} B")
}
