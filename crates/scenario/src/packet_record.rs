//! What is told of packets, queues and links.

use packet::{Circle, CircleRoutes, ClassLedger, LinkUse, MessageTimes, Outcome, PacketNetwork};
use report::{
    CircleRecord, ClassRecord, LinkRecord, MessageRecord, PacketRecord, QueueRecord, QueueSample,
    TierRecord,
};
use topology::{Fabric, LinkId};

/// How many links are told of for each reason to look at them.
const TOLD: usize = 8;

/// A run that has come to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) network: &'a PacketNetwork<'a>,
    /// Links that routes of the run let wait for each other.
    pub(crate) circle: Option<&'a Circle>,
}

/// What became of the packets, how long messages took, and how long queues were.
pub(crate) fn packet_record(
    fabric: &Fabric,
    Ended { outcome, network, circle }: &Ended<'_>,
) -> PacketRecord {
    let ledger = outcome.ledger;
    let MessageTimes { messages, least, median, p99, most } = network.message_times();
    let links = (0..fabric.links().len() as u32).map(LinkId);
    let paused = links.map(|link| network.link_use(link).paused.as_picos());
    PacketRecord {
        sent: ledger.data,
        repeated: ledger.repeated,
        lost: ledger.lost,
        overflowed: ledger.overflowed,
        cut: ledger.cut,
        unroutable: ledger.unroutable,
        marked: ledger.marked,
        notified: ledger.notified,
        link_repeats: ledger.link_repeats,
        timeouts: ledger.timeouts,
        pauses: network.pauses().paused,
        paused_ps: paused.fold(0, u64::saturating_add),
        classes: classes(network),
        messages: MessageRecord {
            count: messages,
            least_ps: least.as_picos(),
            median_ps: median.as_picos(),
            p99_ps: p99.as_picos(),
            most_ps: most.as_picos(),
        },
        queues: queues(fabric, network),
        links: links_to_look_at(fabric, network, outcome.makespan.as_picos()),
        circle: circle.map(|circle| circle_record(fabric, circle)),
    }
}

/// What became of the packets of each class, where there are several.
fn classes(network: &PacketNetwork<'_>) -> Vec<ClassRecord> {
    let classes = network.classes();
    if classes < 2 {
        return Vec::new();
    }
    let record = |of_class: &ClassLedger| ClassRecord {
        sent: of_class.data,
        lost: of_class.lost,
        overflowed: of_class.overflowed,
        cut: of_class.cut,
        unroutable: of_class.unroutable,
        marked: of_class.marked,
        pauses: of_class.pauses,
        resumptions: of_class.resumptions,
        paused_ps: of_class.paused,
    };
    network.ledger().classes[..classes].iter().map(record).collect()
}

/// The names of the links of a circle, and when they may wait for each other.
fn circle_record(fabric: &Fabric, circle: &Circle) -> CircleRecord {
    let links = circle.links.iter().map(|it| fabric.link_name(it.link)).collect();
    let (at, is_across_change, since) = match circle.routes {
        CircleRoutes::From(at) => (at, false, None),
        CircleRoutes::Across(at) => (at, true, None),
        CircleRoutes::Over { from, until } => (until, true, Some(from)),
    };
    let class = circle.links.first().map_or(0, |it| it.class);
    let since_ps = since.map(units::Time::as_picos);
    CircleRecord { class, links, at_ps: at.as_picos(), is_across_change, since_ps }
}

/// The longest queues.
fn queues(fabric: &Fabric, network: &PacketNetwork<'_>) -> QueueRecord {
    let links = (0..fabric.links().len() as u32).map(LinkId);
    let longest = |&link: &LinkId| network.link_use(link).longest_queue;
    // Of equal ones the first.
    let most = links.rev().max_by_key(longest).unwrap_or(LinkId(0));
    let samples = network.queue_samples().iter().map(|sample| QueueSample {
        at_ps: sample.at.as_picos(),
        longest_bytes: sample.longest.as_u64(),
        waiting_bytes: sample.waiting.as_u64(),
    });
    let samples: Vec<QueueSample> = samples.collect();
    let mut sorted: Vec<u64> = samples.iter().map(|sample| sample.longest_bytes).collect();
    sorted.sort_unstable();
    let percentile = |percent: usize| {
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    };
    QueueRecord {
        most_bytes: longest(&most).as_u64(),
        link: fabric.link_name(most),
        median_bytes: percentile(50),
        p99_bytes: percentile(99),
        samples,
    }
}

/// The links that were busiest, had the longest queues, or were paused longest: a few of each, by id.
fn links_to_look_at(
    fabric: &Fabric,
    network: &PacketNetwork<'_>,
    makespan: u64,
) -> Vec<LinkRecord> {
    let all = || (0..fabric.links().len() as u32).map(LinkId);
    let reasons: [&dyn Fn(&LinkUse) -> u64; 3] =
        [&|link| link.bytes.as_u64(), &|link| link.longest_queue.as_u64(), &|link| {
            link.paused.as_picos()
        }];
    let mut told: Vec<LinkId> = Vec::new();
    for reason in reasons {
        let mut links: Vec<(u64, LinkId)> =
            all().map(|link| (reason(&network.link_use(link)), link)).collect();
        links.retain(|&(value, _)| value > 0);
        links.sort_unstable_by_key(|&(value, link)| (std::cmp::Reverse(value), link.0));
        told.extend(links.iter().take(TOLD).map(|&(_, link)| link));
    }
    told.sort_unstable_by_key(|link| link.0);
    told.dedup();
    let record = |link: LinkId| {
        let LinkUse { bytes, longest_queue, pauses, paused, .. } = network.link_use(link);
        LinkRecord {
            link: fabric.link_name(link),
            bytes: bytes.as_u64(),
            utilisation_ppm: utilisation((fabric, network), link, makespan),
            queue_bytes: longest_queue.as_u64(),
            pauses,
            paused_ps: paused.as_picos(),
        }
    };
    told.into_iter().map(record).collect()
}

/// What a link carried over what it could at its rate at the start, in parts per million.
fn utilisation(
    (fabric, network): (&Fabric, &PacketNetwork<'_>),
    link: LinkId,
    makespan: u64,
) -> u32 {
    let bytes = network.link_use(link).bytes;
    let rate = fabric.link(link).goodput.as_milli_bits_per_second();
    let could = u128::from(rate) * u128::from(makespan);
    let ppm = (bytes.as_work() * 1_000_000).checked_div(could).unwrap_or_default();
    u32::try_from(ppm.min(1_000_000)).expect("at most a million")
}

/// The traffic of each tier: all bytes on its links, headers, control packets and repetitions included.
pub(crate) fn tiers(
    fabric: &Fabric,
    network: &PacketNetwork<'_>,
    makespan: u64,
) -> Vec<TierRecord> {
    let mut order: Vec<u32> = (0..fabric.links().len() as u32).collect();
    let tier = |link: &u32| fabric.link(LinkId(*link)).tier;
    order.sort_by_key(tier);
    let ppm = |link: u32| utilisation((fabric, network), LinkId(link), makespan);
    order
        .chunk_by(|left, right| tier(left) == tier(right))
        .map(|links| {
            let mut busiest = links[0];
            for &link in links {
                if ppm(link) > ppm(busiest) {
                    busiest = link;
                }
            }
            let bytes = links.iter().map(|&link| network.link_use(LinkId(link)).bytes.as_u64());
            TierRecord {
                tier: tier(&busiest).to_string(),
                bytes: bytes.map(u128::from).sum(),
                utilisation_ppm: ppm(busiest),
                busiest: fabric.link_name(LinkId(busiest)),
            }
        })
        .collect()
}
