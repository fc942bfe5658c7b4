//! Packets as columns of CSV.

use crate::{ClassRecord, PacketRecord};

/// The columns of a class of service in CSV.
pub(crate) const CLASS_COLUMNS: [&str; 9] = [
    "sent",
    "lost",
    "overflowed",
    "cut",
    "unroutable",
    "marked",
    "pauses",
    "resumptions",
    "paused_ps",
];

/// The cells of these columns.
pub(crate) fn class_cells(of_class: &ClassRecord) -> [String; 9] {
    let ClassRecord { sent, lost, overflowed, cut, unroutable, marked, .. } = *of_class;
    let ClassRecord { pauses, resumptions, paused_ps, .. } = *of_class;
    [sent, lost, overflowed, cut, unroutable, marked, pauses, resumptions, paused_ps]
        .map(|number| number.to_string())
}

/// The columns of packets in CSV.
pub(crate) const COLUMNS: [&str; 20] = [
    "sent",
    "repeated",
    "lost",
    "overflowed",
    "cut",
    "unroutable",
    "marked",
    "notified",
    "link_repeats",
    "timeouts",
    "pauses",
    "paused_ps",
    "messages",
    "message_median_ps",
    "message_p99_ps",
    "message_most_ps",
    "queue_most_bytes",
    "queue_link",
    "queue_p99_bytes",
    "circle",
];

/// The cells of these columns.
pub(crate) fn cells(packets: &PacketRecord) -> [String; 20] {
    let count = |number: u64| number.to_string();
    [
        count(packets.sent),
        count(packets.repeated),
        count(packets.lost),
        count(packets.overflowed),
        count(packets.cut),
        count(packets.unroutable),
        count(packets.marked),
        count(packets.notified),
        count(packets.link_repeats),
        count(packets.timeouts),
        count(packets.pauses),
        count(packets.paused_ps),
        count(packets.messages.count),
        count(packets.messages.median_ps),
        count(packets.messages.p99_ps),
        count(packets.messages.most_ps),
        count(packets.queues.most_bytes),
        packets.queues.link.clone(),
        count(packets.queues.p99_bytes),
        packets.circle.as_ref().map(|circle| circle.links.join("; ")).unwrap_or_default(),
    ]
}
