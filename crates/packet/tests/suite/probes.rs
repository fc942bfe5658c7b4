//! What is seen of queues and messages.

use collectives::flows;
use engine::{Conducts, Costs};
use packet::{
    Backpressure, Buffer, ClassMarking, ClassOfService, Marking, Recovery, Service, Settings,
    Simulation, Status, Transport, Window, World,
};
use topology::NodeId;
use units::{Bytes, Duration, Time};

use crate::common::{everyone, flow};
use crate::fabrics::{explicit, star};

/// Eight senders of so many packets each to one host, with windows beyond all that, and a look at the end.
fn incast<T>(
    packets: u64,
    backpressure: Backpressure,
    look: impl FnOnce(&Simulation<'_>, &topology::Fabric) -> T,
) -> T {
    let fabric = star(9, Duration::from_micros(2));
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, packets * 4_096)).collect();
    let schedule = flows(9, &list).expect("valid flows");
    let transport = Transport::Ideal { window: Window::Packets(1_000_000) };
    let class = ClassOfService { backpressure, ..ClassOfService::PLAIN };
    let settings = Settings { transport, classes: vec![class], ..Settings::IDEAL };
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &everyone(&fabric),
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    let mut simulation = Simulation::new(&world).expect("a possible world");
    simulation.watch();
    simulation.run(None).expect("a run");
    look(&simulation, &fabric)
}

/// A packet of 4,160 B at 100 Gb/s, in ps.
const PACKET: u64 = 332_800;

#[test]
fn queues_are_sampled_at_a_bounded_number_of_instants() {
    // 8 × 1,000 packets of 332.8 ns through one port: 2,662 µs, so looks are 16 µs apart. From 1 µs and a packet on
    // eight packets come while one leaves; the last ones come at 333.8 µs, when 7,000 wait.
    incast(1_000, Backpressure::None, |simulation, fabric| {
        let samples = simulation.network().queue_samples();
        assert!((128..=256).contains(&samples.len()), "{}", samples.len());
        let micros: Vec<u64> = samples.iter().map(|it| it.at.as_picos() / 1_000_000).collect();
        assert!(micros.windows(2).all(|pair| pair[1] - pair[0] == 16), "{micros:?}");
        let into = fabric.links_into(NodeId(8))[0];
        for sample in samples.iter().filter(|it| it.at > Time::from_picos(400 * 1_000_000)) {
            // What has left since the first packet came, 1 µs + 332.8 ns after the start.
            let left = (sample.at.as_picos() - 1_000_000 - PACKET) / PACKET;
            let waiting = 8_000_u64.saturating_sub(left) * 4_160;
            let found = sample.longest.as_u64();
            assert!(waiting.abs_diff(found) <= 4_160, "{sample:?}, {waiting}");
            assert!(found == 0 || (sample.link, sample.waiting) == (into, sample.longest));
        }
        let peak = samples.iter().map(|it| it.longest.as_u64()).max();
        let longest = simulation.network().link_use(into).longest_queue.as_u64();
        assert!((6_999 * 4_160..=7_000 * 4_160).contains(&longest), "{longest}");
        assert!(peak.is_some_and(|peak| peak <= longest + 4_160 && peak > longest * 9 / 10));
    });
}

#[test]
fn messages_are_timed_from_start_to_delivery() {
    // Eight messages of 10 packets into one port: turns end with the last packets of all, so the first message
    // ends seven packets before the last, which takes 80 packets, one more hop and 2 µs.
    incast(10, Backpressure::None, |simulation, _| {
        let times = simulation.network().message_times();
        let most = 81 * PACKET + 2_000_000;
        assert_eq!((times.messages, times.most), (8, Duration::from_picos(most)));
        assert_eq!(times.least, Duration::from_picos(most - 7 * PACKET));
        let median = times.median.as_picos();
        let exact = most - 4 * PACKET;
        assert!((exact..=exact + exact / 128).contains(&median), "{median}");
        assert_eq!(times.p99, times.most);
    });
}

#[test]
fn pauses_are_counted_by_link_with_their_time() {
    let packets = |packets: u64| Bytes::new(packets * 4_160);
    let pauses =
        Backpressure::Pause { stop: packets(50), go: packets(40), headroom: Bytes::new(37_544) };
    incast(500, pauses, |simulation, fabric| {
        let network = simulation.network();
        let out = |card: u32| network.link_use(fabric.links_from(NodeId(card))[0]);
        let told: u64 = (0..8).map(|card| out(card).pauses).sum();
        assert_eq!(told, network.pauses().paused);
        // 500 packets at the line's rate take 166 µs; the port is done with all at 1,331 µs. A sender is paused
        // for the rest but for the end: once its last packet has left, at most 59 of its packets wait
        // (50 and 9 of headroom), 157 µs for eight senders, and some µs on the way.
        for card in 0..8 {
            let paused = out(card).paused.as_picos() / 1_000_000;
            assert!((1_331 - 166 - 157 - 10..=1_331 - 166).contains(&paused), "{paused} µs");
        }
        assert_eq!(out(8).pauses, 0);
    });
}

#[test]
fn what_happens_is_counted_by_class() {
    // Four hosts send 400 packets each in class 0, which drops what finds 100 packets waiting, four others in
    // class 1, which pauses at 50: all drops are of the one, all pauses of the other, marks of both.
    let packets = |packets: u64| Bytes::new(packets * 4_160);
    let pauses =
        Backpressure::Pause { stop: packets(50), go: packets(40), headroom: Bytes::new(37_544) };
    let class = |backpressure| ClassOfService {
        service: Service::Weighted(1),
        backpressure,
        ..ClassOfService::PLAIN
    };
    let recovery = Recovery { timeout: Duration::from_micros(1_000), back_off: 1, retries: 100 };
    let window = Window::Packets(1_000);
    let marking = Marking { least: packets(20), most: packets(20), most_ppm: 1_000_000 };
    let settings = Settings {
        transport: Transport::Selective { window, recovery, reordering: 1 },
        buffer: Buffer::PerQueue(packets(100)),
        classes: vec![class(Backpressure::None), class(pauses)],
        marking: Some(marking),
        acknowledge_every: 1,
        ..Settings::IDEAL
    };
    let fabric = star(9, Duration::from_micros(2));
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, 400 * 4_096)).collect();
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &everyone(&fabric),
        schedule: &flows(9, &list).expect("valid flows"),
        class_of_lane: &[0, 0, 0, 0, 1, 1, 1, 1],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    let mut simulation = Simulation::new(&world).expect("a possible world");
    let outcome = simulation.run(None).expect("a run");
    assert_eq!(outcome.status, Status::Finished);
    let network = simulation.network();
    let [first, second, ..] = outcome.ledger.classes;
    assert!(first.overflowed > 0 && first.overflowed == outcome.ledger.overflowed, "{first:?}");
    assert_eq!((first.pauses, first.paused, second.overflowed, second.lost), (0, 0, 0, 0));
    assert_eq!(second.data, 4 * 400, "nothing of it is sent again");
    assert_eq!(first.data, 4 * 400 + outcome.ledger.repeated);
    assert!(second.pauses > 4 && second.pauses == network.pauses().paused, "{second:?}");
    assert_eq!(second.resumptions, second.pauses, "every pause has its end");
    let paused = (0..8).map(|card| network.link_use(fabric.links_from(NodeId(card))[0]).paused);
    assert_eq!(paused.map(Duration::as_picos).sum::<u64>(), second.paused);
    assert!(first.marked > 0 && second.marked > 0, "{first:?} {second:?}");
    assert_eq!(first.marked + second.marked, outcome.ledger.marked);
}

#[test]
fn each_class_has_its_own_marks() {
    // 100 packets of 4,160 B come every 166.4 ns and leave every 332.8 ns: packet k, counted from 0, finds k / 2
    // before it. Class 0 marks what finds more than 10, packets 21 to 99; class 1 as all do, what finds more than
    // 20, packets 41 to 99; class 2 none.
    let fabric = explicit(&[("c0", "s", 200, 1_000), ("c1", "s", 100, 1_000)]);
    let beyond = |packets: u64| {
        let bound = Bytes::new(packets * 4_160);
        Marking { least: bound, most: bound, most_ppm: 1_000_000 }
    };
    let class = |marking| ClassOfService { marking, ..ClassOfService::PLAIN };
    let own = [Some(beyond(10)), None].map(ClassMarking::Own);
    let settings = Settings {
        transport: Transport::Ideal { window: Window::Packets(1_000) },
        classes: vec![class(own[0]), class(ClassMarking::Common), class(own[1])],
        marking: Some(beyond(20)),
        ..Settings::IDEAL
    };
    let marked = |class: u8| {
        let world = World {
            fabric: &fabric,
            timeline: None,
            cards: &everyone(&fabric),
            schedule: &flows(2, &[flow(0, 1, 100 * 4_096)]).expect("a valid flow"),
            class_of_lane: &[class],
            conducts: &Conducts::alike(Costs::default()),
            settings: &settings,
        };
        let mut simulation = Simulation::new(&world).expect("a possible world");
        let outcome = simulation.run(None).expect("a run");
        assert_eq!(outcome.ledger.marked, outcome.ledger.classes[usize::from(class)].marked);
        outcome.ledger.marked
    };
    assert_eq!([0, 1, 2].map(marked), [79, 59, 0]);
}
