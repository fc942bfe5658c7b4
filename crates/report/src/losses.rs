//! What was lost, point by point.

use crate::show;
use crate::wrap::wrap;
use crate::{LossRecord, Record, Results};

/// Parts of a count of losses in one.
const ONE: u128 = 1_000_000_000_000;

/// A line for each point on which packets can be lost.
pub(crate) fn render(results: &Results) -> String {
    let mut out = String::new();
    for record in &results.records {
        if let Some(lost) = &record.lost {
            wrap(&mut out, "  ", 4, &line(record, lost));
        }
    }
    out
}

fn line(record: &Record, lost: &LossRecord) -> String {
    let LossRecord { payload_bytes, repeated_bytes, timeouts, hit } = *lost;
    let share = (repeated_bytes.saturating_mul(1_000_000) + payload_bytes / 2)
        .checked_div(payload_bytes)
        .unwrap_or(0);
    let transfers = record.counters.transfers;
    format!(
        "{}: {} sent again beside {} of payload ({share} ppm), {} timeouts, {} of {transfers} transfers \
         lost something",
        record.name(),
        show::bytes(repeated_bytes),
        show::bytes(payload_bytes),
        count(timeouts),
        count(hit),
    )
}

/// A count in parts of 10¹², with up to three decimals.
fn count(parts: u128) -> String {
    let thousandths = (parts + ONE / 2_000) / (ONE / 1_000);
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{record, results};

    #[test]
    fn what_was_lost_is_told_beside_what_was_sent() {
        let mut point = record("a", "1:1", 5);
        assert_eq!(render(&results(vec![point.clone()])), "");
        // 1.5 MB of 30 GB are 50 parts per million.
        point.lost = Some(LossRecord {
            payload_bytes: 30_000_000_000,
            repeated_bytes: 1_500_000,
            timeouts: 2_500_000_000_000,
            hit: 17 * ONE,
        });
        let text = render(&results(vec![point]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for told in ["(50 ppm)", "2.5 timeouts", "17 of 480 transfers"] {
            assert!(text.contains(told), "{text}");
        }
    }
}
