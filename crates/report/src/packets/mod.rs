//! What packets did, point by point; only results of the packet engine have it.

mod cells;
mod circle;

use serde::{Deserialize, Serialize};

use crate::show;
use crate::wrap::wrap;
use crate::{Record, Results};
pub(crate) use cells::{CLASS_COLUMNS, COLUMNS, cells, class_cells};
pub use circle::CircleRecord;

/// What became of the packets of a run, how long messages took, and how long queues were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketRecord {
    /// Data packets sent.
    pub sent: u64,
    /// Those among them that had been sent before.
    pub repeated: u64,
    /// Packets that wires lost.
    pub lost: u64,
    /// Packets that found a full queue.
    pub overflowed: u64,
    /// Packets that were on a link when it died, or waited at their card for a dead one.
    pub cut: u64,
    /// Packets at a node from which no way led on.
    pub unroutable: u64,
    /// Packets marked in long queues.
    pub marked: u64,
    /// Notifications of marks.
    pub notified: u64,
    /// Times that a link repeated a packet.
    pub link_repeats: u64,
    /// Times that everything unacknowledged of a flow counted as lost.
    pub timeouts: u64,
    /// Pauses told to senders of links.
    pub pauses: u64,
    /// The time for which links were paused, all added up, in ps.
    pub paused_ps: u64,
    /// The same by class of service, the most urgent first; none where there is but one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassRecord>,
    /// The messages delivered, and how long they took from start to delivery.
    pub messages: MessageRecord,
    /// The longest queues.
    pub queues: QueueRecord,
    /// The links to look at: the busiest, those with the longest queues and those paused longest.
    pub links: Vec<LinkRecord>,
    /// Links whose packets may wait for each other in a lossless class, if routes of the run have such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circle: Option<CircleRecord>,
}

/// What became of the packets of a class of service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Data packets sent.
    pub sent: u64,
    /// Packets that wires lost.
    pub lost: u64,
    /// Packets that found a full queue.
    pub overflowed: u64,
    /// Packets cut off with links.
    pub cut: u64,
    /// Packets without a way.
    pub unroutable: u64,
    /// Packets marked.
    pub marked: u64,
    /// Pauses told to senders of links.
    pub pauses: u64,
    /// Resumptions told to them.
    pub resumptions: u64,
    /// The time for which links were paused, all added up, in ps.
    pub paused_ps: u64,
}

/// How long messages took, in ps; percentiles are rounded up by less than one part in 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// The messages delivered.
    pub count: u64,
    /// The quickest.
    pub least_ps: u64,
    /// What half of them did not exceed.
    pub median_ps: u64,
    /// What 99 of a hundred did not exceed.
    pub p99_ps: u64,
    /// The slowest.
    pub most_ps: u64,
}

/// The longest queue of all, at any time and at instants that were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueRecord {
    /// The most bytes that ever waited before a link.
    pub most_bytes: u64,
    /// That link.
    pub link: String,
    /// The longest queue that half of the instants did not exceed.
    pub median_bytes: u64,
    /// The longest queue that 99 of a hundred instants did not exceed.
    pub p99_bytes: u64,
    /// The instants, evenly spaced.
    pub samples: Vec<QueueSample>,
}

/// The queues at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueSample {
    /// The instant in ps.
    pub at_ps: u64,
    /// The longest queue of a link.
    pub longest_bytes: u64,
    /// All queues together.
    pub waiting_bytes: u64,
}

/// How a link was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRecord {
    /// Its name.
    pub link: String,
    /// Bytes put on it, headers included.
    pub bytes: u64,
    /// What it carried over what it could, in parts per million.
    pub utilisation_ppm: u32,
    /// The most bytes that waited before it.
    pub queue_bytes: u64,
    /// How often its sender was told to pause.
    pub pauses: u64,
    /// For how long, in ps.
    pub paused_ps: u64,
}

/// A few lines for each point of the packet engine.
pub(crate) fn render(results: &Results) -> String {
    let mut out = String::new();
    for record in &results.records {
        if let Some(packets) = &record.packets {
            for line in lines(record, packets) {
                wrap(&mut out, "  ", 4, &line);
            }
        }
    }
    out
}

fn lines(record: &Record, packets: &PacketRecord) -> Vec<String> {
    let count = |number: u64| show::grouped(number.into());
    let bytes = |amount: u64| show::bytes(amount.into());
    let mut told = vec![format!("{} sent", count(packets.sent))];
    let counts = [
        ("sent again", packets.repeated),
        ("lost on wires", packets.lost),
        ("dropped by full queues", packets.overflowed),
        ("cut off with links", packets.cut),
        ("without a way", packets.unroutable),
        ("marked", packets.marked),
        ("notifications", packets.notified),
        ("repeated by links", packets.link_repeats),
        ("timeouts", packets.timeouts),
    ];
    let counts = counts.into_iter().filter(|&(_, number)| number > 0);
    told.extend(counts.map(|(what, number)| format!("{} {what}", count(number))));
    if packets.pauses > 0 {
        let time = show::time(packets.paused_ps);
        told.push(format!("{} pauses of {time} in all", count(packets.pauses)));
    }
    let classes = packets.classes.iter().enumerate().map(|(class, of_class)| {
        let told = told_of_class(of_class);
        format!("class {class}: {}", told.join(", "))
    });
    let MessageRecord { count: messages, least_ps, median_ps, p99_ps, most_ps } = packets.messages;
    let [least, median, p99, most] = [least_ps, median_ps, p99_ps, most_ps].map(show::time);
    let queues = &packets.queues;
    let mut lines = vec![
        format!("{}: packets: {}", record.name(), told.join(", ")),
        format!(
            "{} messages took {least} to {most}, half of them up to {median}, 99 % up to {p99}",
            count(messages)
        ),
        format!(
            "longest queue {} before {}; the longest at half of {} instants up to {}, at 99 % up to {}",
            bytes(queues.most_bytes),
            queues.link,
            queues.samples.len(),
            bytes(queues.median_bytes),
            bytes(queues.p99_bytes),
        ),
    ];
    lines.splice(1..1, classes);
    let paused = packets.links.iter().max_by_key(|link| link.paused_ps);
    if let Some(link) = paused.filter(|link| link.paused_ps > 0) {
        let (times, time) = (count(link.pauses), show::time(link.paused_ps));
        lines.push(format!("paused longest: {}, {times} times, {time} in all", link.link));
    }
    lines.extend(packets.circle.as_ref().map(CircleRecord::told));
    lines
}

/// What became of the packets of a class, as far as anything did.
fn told_of_class(of_class: &ClassRecord) -> Vec<String> {
    let count = |number: u64| show::grouped(number.into());
    let mut told = vec![format!("{} sent", count(of_class.sent))];
    let counts = [
        ("lost on wires", of_class.lost),
        ("dropped by full queues", of_class.overflowed),
        ("cut off with links", of_class.cut),
        ("without a way", of_class.unroutable),
        ("marked", of_class.marked),
    ];
    let counts = counts.into_iter().filter(|&(_, number)| number > 0);
    told.extend(counts.map(|(what, number)| format!("{} {what}", count(number))));
    if of_class.pauses > 0 {
        let time = show::time(of_class.paused_ps);
        told.push(format!("{} pauses of {time} in all", count(of_class.pauses)));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{record, results};

    /// A point in which two classes shared links, one of them paused.
    fn told() -> Record {
        let mut point = record("a", "1:1", 5);
        let link = LinkRecord {
            link: "leaf 0 → card 1".into(),
            bytes: 9,
            utilisation_ppm: 1,
            queue_bytes: 7,
            pauses: 3,
            paused_ps: 4_000_000,
        };
        let (count, most_ps) = (4, 9_000_000);
        let urgent = ClassRecord { sent: 12_000, ..ClassRecord::default() };
        let rest = ClassRecord {
            sent: 345,
            overflowed: 2,
            marked: 1,
            pauses: 3,
            resumptions: 3,
            paused_ps: 4_000_000,
            ..ClassRecord::default()
        };
        point.packets = Some(PacketRecord {
            sent: 12_345,
            repeated: 2,
            overflowed: 2,
            pauses: 3,
            paused_ps: 4_000_000,
            messages: MessageRecord { count, most_ps, ..MessageRecord::default() },
            queues: QueueRecord {
                most_bytes: 7_000,
                link: "leaf 0 → card 1".into(),
                ..QueueRecord::default()
            },
            links: vec![link],
            classes: vec![urgent, rest],
            circle: Some(CircleRecord {
                class: 1,
                links: vec!["a → b".into(), "b → a".into()],
                at_ps: 5_000_000,
                is_across_change: true,
                since_ps: None,
            }),
            ..PacketRecord::default()
        });
        point
    }

    #[test]
    fn what_packets_did_is_told_and_what_did_not_happen_is_not() {
        assert_eq!(render(&results(vec![record("a", "1:1", 5)])), "");
        let text = render(&results(vec![told()]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for told in [
            "packets: 12,345 sent, 2 sent again, 2 dropped by full queues, 3 pauses of 4.0000 us in all",
            "4 messages took 0 ps to 9.0000 us",
            "longest queue 7.000 kB before leaf 0 → card 1",
            "paused longest: leaf 0 → card 1, 3 times, 4.0000 us in all",
            "class 0: 12,000 sent class 1: 345 sent",
            "class 1: 345 sent, 2 dropped by full queues, 1 marked, 3 pauses of 4.0000 us in all",
            "the routes before and after 5.0000 us together have a circle of links that may wait for each other in \
             class 1: \
             a → b; b → a",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        for silent in ["timeouts", "cut off", "notifications"] {
            assert!(!text.contains(silent), "{silent}: {text}");
        }
    }

    #[test]
    fn packets_and_classes_have_columns() {
        let csv = crate::csv::write(&results(vec![told(), record("b", "1:1", 5)]));
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].contains(",packets:sent,packets:repeated,"), "{}", lines[0]);
        assert!(lines[1].contains(",12345,2,0,2,0,0,0,0,0,0,3,4000000,4,0,0,9000000,7000,"));
        assert!(
            lines[0].contains(",packets:circle,packets:sent:0,packets:lost:0,"),
            "{}",
            lines[0]
        );
        assert!(lines[0].ends_with(",packets:paused_ps:1"), "{}", lines[0]);
        assert!(
            lines[1].ends_with(",a → b; b → a,12000,0,0,0,0,0,0,0,0,345,0,2,0,0,1,3,3,4000000")
        );
        assert!(lines[2].ends_with(&",".repeat(20 + 2 * 9)), "{}", lines[2]);
    }
}
