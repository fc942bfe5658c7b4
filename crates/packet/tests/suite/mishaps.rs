//! Links that die, come back and slow down while packets move (CASES O16 c, d).

use collectives::{Flow, flows};
use packet::{
    Backpressure, Buffer, ClassOfService, Frame, Outcome, Recovery, Routing, Settings, Status,
    Transport, Unreachable, Window,
};
use topology::{Fabric, Fault, Mishap, NodeId, Part, mix};
use units::{Bytes, Duration, Time};

use crate::common::{delivered, flow, run, run_and_look, run_in_time};
use crate::fabrics::{explicit, leaf_spine, star};

const MICRO: u64 = 1_000_000;

/// 1.25 GB: 125,000 packets of 10,000 B, 0.1 s at 100 Gb/s.
const LONG: u64 = 1_250_000_000;

/// Two leaves with a card each and so many spines: 100 Gb/s and 1 µs a link, four links a path.
fn leaves(spines: usize) -> Fabric {
    let all = [
        ("ca", "leaf0", 100, 1_000),
        ("cb", "leaf1", 100, 1_000),
        ("leaf0", "spine0", 100, 1_000),
        ("leaf1", "spine0", 100, 1_000),
        ("leaf0", "spine1", 100, 1_000),
        ("leaf1", "spine1", 100, 1_000),
    ];
    explicit(&all[..2 + 2 * spines])
}

/// The cable between two nodes at a percentage of its rate, between two instants in µs.
fn cable((from, to): (&str, &str), percent: u32, at: u64, until: Option<u64>) -> Mishap {
    let part = Part::Link { from: from.to_owned(), to: to.to_owned(), count: 1 };
    let instant = |micros| Time::from_picos(micros * MICRO);
    let fault = Fault { part, speed_ppm: percent * 10_000 };
    Mishap { fault, at: Some(instant(at)), until: until.map(instant) }
}

/// Packets of 10,000 B, one path a flow, and a timeout that no outage here outlasts.
fn settings(key: u64) -> Settings {
    let recovery = Recovery { timeout: Duration::from_micros(400_000), back_off: 2, retries: 7 };
    let window = Window::BandwidthDelay { times: 1 };
    Settings {
        frame: Frame { payload: 10_000, header: 0, control: 64 },
        routing: Routing::PerFlow { flows: 1, key },
        transport: Transport::Selective { window, recovery, reordering: 1 },
        acknowledge_every: 1,
        ..Settings::IDEAL
    }
}

/// A key by which a flow and what comes back take spine 0.
fn key_of_spine_0(fabric: &Fabric) -> u64 {
    let schedule = flows(2, &[flow(0, 1, 100_000)]).expect("a valid flow");
    let spine1 = (0..fabric.nodes().len() as u32).map(NodeId);
    let spine1 = spine1.into_iter().find(|&node| fabric.node_name(node) == "spine1");
    let into = fabric.links_into(spine1.expect("there are two spines"));
    let is_idle = |key: &u64| {
        run_and_look(fabric, &schedule, &settings(*key), |_, network| {
            into.iter().all(|&link| network.link_use(link).packets == 0)
        })
    };
    (0..64).find(is_idle).expect("one of four keys takes spine 0 both ways")
}

fn micros(delay: u64) -> Duration {
    Duration::from_micros(delay)
}

#[test]
fn a_flow_takes_the_other_spine_after_the_delay() {
    // O16 c: dead at 50 ms, routes at 60 ms. 0.1 s + 0.01 s + 4 µs, three hops of 0.8 µs to store, and
    // what was lost again: at most 50,000 B, the rate × the latency of the path. The sender learns of
    // the loss a round trip after the routes have changed: less than 30 µs in all.
    let fabric = leaves(2);
    let settings = settings(key_of_spine_0(&fabric));
    let list = [flow(0, 1, LONG)];
    let dead = [cable(("leaf0", "spine0"), 0, 50_000, None)];
    let outcome = run_in_time(&fabric, (&dead, micros(10_000)), &list, &settings);
    assert_eq!(outcome.status, Status::Finished);
    let least = (110_004 * 10 + 24) * MICRO / 10;
    let time = delivered(&outcome, 0);
    assert!((least..least + 30 * MICRO).contains(&time), "{time} ps");
    let ledger = outcome.ledger;
    assert!(ledger.cut > 0 && ledger.repeated > 0, "{ledger:?}");
    assert!(ledger.repeated * 10_000 <= 50_000, "{ledger:?}");
    assert_eq!((ledger.timeouts, ledger.unroutable), (0, 0));
    // The other spine may die as it likes.
    let dead = [cable(("leaf0", "spine1"), 0, 50_000, None)];
    let outcome = run_in_time(&fabric, (&dead, micros(10_000)), &list, &settings);
    assert_eq!((delivered(&outcome, 0), outcome.ledger.cut), ((100_004 * 10 + 24) * MICRO / 10, 0));
}

#[test]
fn without_another_spine_the_flow_is_unreachable() {
    // O16 d: 50 ms at 100 Gb/s are 625,000,000 B, of which at most 50,000 were under way.
    let fabric = leaves(1);
    let dead = [cable(("leaf0", "spine0"), 0, 50_000, None)];
    let outcome = run_in_time(&fabric, (&dead, micros(10_000)), &[flow(0, 1, LONG)], &settings(0));
    let Status::Unreachable(all) = &outcome.status else { panic!("{:?}", outcome.status) };
    let Unreachable { src, dst, at, asked, delivered } = all[0];
    assert_eq!((all.len(), src.0, dst.0), (1, 0, 1));
    assert_eq!((at, asked), (Time::from_picos(60_000 * MICRO), Bytes::new(LONG)));
    let delivered = delivered.as_u64();
    assert!((625_000_000 - 50_000..=625_000_000).contains(&delivered), "{delivered}");
    assert!(outcome.ledger.unroutable > 0, "what waited at the leaf has no way");
}

#[test]
fn a_link_that_comes_back_is_waited_for() {
    // Dead from 20 to 40 ms; routes know it 5 ms later, so that there is none from 25 to 45 ms: 25 ms lost.
    // With 30 ms the old routes hold on: it moves from 40 to 50 ms, and has no route from 50 to 70 ms.
    let fabric = leaves(1);
    for (delay, lost) in [(5_000, 25_000), (30_000, 40_000)] {
        let dead = [cable(("leaf0", "spine0"), 0, 20_000, Some(40_000))];
        let outcome =
            run_in_time(&fabric, (&dead, micros(delay)), &[flow(0, 1, LONG)], &settings(0));
        assert_eq!(outcome.status, Status::Finished);
        // What was under way is sent again, at most a window: 8 µs at 100 Gb/s twice, and the way there.
        let least = (100_004 + lost) * MICRO;
        let time = delivered(&outcome, 0);
        assert!((least..least + 40 * MICRO).contains(&time), "{time} ps with {delay} µs");
    }
}

#[test]
fn a_link_that_slows_down_sends_at_its_new_rate_from_then_on() {
    // 1,250 packets of 0.8 µs. At half the rate from 500 µs on, 625 packets take 1.6 µs each; the second
    // link 0.8 µs for the last one, and 2 µs of latency. Back at 900 µs, 250 of them have left.
    let fabric = star(2, Duration::from_micros(2));
    let transport = Transport::Ideal { window: Window::Packets(100) };
    let settings = Settings { transport, ..settings(0) };
    let time = |mishaps: &[Mishap]| {
        let list = [flow(0, 1, 12_500_000)];
        let outcome = run_in_time(&fabric, (mishaps, Duration::ZERO), &list, &settings);
        assert_eq!(outcome.ledger.cut, 0);
        delivered(&outcome, 0)
    };
    let slow = |until| cable(("card 0", "switch 0"), 50, 500, until);
    assert_eq!(time(&[]), 1_002 * MICRO + 800_000);
    assert_eq!(time(&[slow(None)]), 1_502 * MICRO + 800_000);
    assert_eq!(time(&[slow(Some(900))]), (900 + 375 * 8 / 10 + 2) * MICRO + 800_000);
}

#[test]
fn a_change_after_the_end_changes_nothing() {
    let fabric = leaf_spine(16, 4, 2);
    let list: Vec<Flow> = (0..16).map(|src| flow(src, (src + 5) % 16, 200_000)).collect();
    let settings = Settings { routing: Routing::InTurn, ..settings(0) };
    let late = [cable(("leaf 0", "spine 0"), 0, 1_000_000, None)];
    let without = run(&fabric, &list, &settings);
    let with = run_in_time(&fabric, (&late, Duration::ZERO), &list, &settings);
    assert_eq!((with.lanes, with.ledger), (without.lanes, without.ledger));
}

/// Outages of links of a leaf–spine, drawn by key; all are repaired.
fn outages(key: u64) -> Vec<Mishap> {
    let draw = |index: u64, below: u64| mix(key, index) % below;
    let outage = |index: u64| {
        let (at, leaf) = (draw(index, 60), draw(index + 10, 4));
        let until = Some(at + 1 + draw(index + 20, 60));
        let percent = if draw(index + 30, 3) == 0 { 30 } else { 0 };
        let leaf = format!("leaf {leaf}");
        if draw(index + 40, 3) == 0 {
            let card = format!("card {}", draw(index + 50, 16));
            return Mishap {
                fault: Fault { part: Part::Node(card), speed_ppm: percent * 10_000 },
                ..cable(("", ""), percent, at, until)
            };
        }
        cable((&leaf, &format!("spine {}", draw(index + 60, 4))), percent, at, until)
    };
    (0..4).map(outage).collect()
}

fn outcome_of(key: u64, settings: &Settings) -> Outcome {
    let fabric = leaf_spine(16, 4, 4);
    let list: Vec<Flow> = (0..16)
        .flat_map(|src| (1..4).map(move |step| flow(src, (src + 5 * step) % 16, 300_000)))
        .collect();
    let delay = micros(mix(key, 99) % 30);
    run_in_time(&fabric, (&outages(key), delay), &list, settings)
}

#[test]
fn every_run_ends_and_what_is_repaired_is_finished() {
    let recovery = Recovery { timeout: micros(100), back_off: 2, retries: 7 };
    let window = Window::BandwidthDelay { times: 2 };
    let selective = Transport::Selective { window, recovery, reordering: 64 };
    let spray = Settings { frame: Frame::STANDARD, routing: Routing::InTurn, ..settings(0) };
    let class = |backpressure| vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }];
    let credits = class(Backpressure::Credits { buffer: Bytes::new(100_000) });
    let pauses = class(Backpressure::Pause {
        stop: Bytes::new(80_000),
        go: Bytes::new(60_000),
        headroom: Bytes::new(100_000),
    });
    let go_back = Settings {
        transport: Transport::GoBackN { window, recovery },
        routing: Routing::PerFlow { flows: 1, key: 3 },
        ..spray.clone()
    };
    let all = [
        Settings { transport: selective, ..spray.clone() },
        Settings { transport: selective, classes: credits, ..spray.clone() },
        Settings {
            transport: selective,
            classes: pauses,
            routing: Routing::ShortestQueue,
            ..spray
        },
        Settings { buffer: Buffer::PerQueue(Bytes::new(100_000)), ..go_back },
    ];
    let mut cut = 0;
    for key in 0..30 {
        for settings in &all {
            let outcome = outcome_of(key, settings);
            assert_eq!(outcome.status, Status::Finished, "key {key}, {settings:?}");
            cut += outcome.ledger.cut;
            assert_eq!(outcome, outcome_of(key, settings), "the same again");
        }
    }
    assert!(cut > 100, "{cut} packets were on links that died");
}
