//! Classes of service, pauses, credits and links that repeat: nothing is lost, or it is refused before.

use collectives::flows;
use engine::{Conducts, Costs};
use packet::{
    Backpressure, ClassOfService, Dcqcn, Error, Frame, Loss, LossRate, Marking, Outcome, Pacing,
    Service, Settings, Simulation, Status, Transport, Window, World,
};
use topology::{Fabric, LinkId};
use units::{Bandwidth, Bytes, Duration};

use crate::common::{delivered, everyone, flow, run, run_and_look};
use crate::fabrics::{explicit, star};

fn class(backpressure: Backpressure) -> Vec<ClassOfService> {
    vec![ClassOfService { backpressure, ..ClassOfService::PLAIN }]
}

/// Pause at 50 packets, resume at 40, headroom for 100 Gb/s and 1 µs: 2 µs and the 5.12 ns of a pause frame
/// are 25,064 B, and three packets of 4,160 B: 37,544 B.
fn pauses() -> Backpressure {
    let packets = |packets: u64| Bytes::new(packets * 4_160);
    Backpressure::Pause { stop: packets(50), go: packets(40), headroom: Bytes::new(37_544) }
}

/// Eight senders of 1 MB each to one host.
fn incast(settings: &Settings) -> Outcome {
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, 1_000_000)).collect();
    run(&star(9, Duration::from_micros(2)), &list, settings)
}

/// Windows far beyond what a queue holds.
fn wide() -> Settings {
    let transport = Transport::Ideal { window: Window::Packets(10_000) };
    Settings { transport, ..Settings::IDEAL }
}

#[test]
fn one_class_without_backpressure_is_like_none() {
    let without = incast(&wide());
    let with = incast(&Settings { classes: class(Backpressure::None), ..wide() });
    assert_eq!((with.lanes, with.ledger), (without.lanes, without.ledger));
}

#[test]
fn pauses_hold_senders_back_and_drop_nothing() {
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, 1_000_000)).collect();
    let fabric = star(9, Duration::from_micros(2));
    let schedule = flows(9, &list).expect("valid flows");
    let settings = Settings { classes: class(pauses()), ..wide() };
    run_and_look(&fabric, &schedule, &settings, |outcome, network| {
        assert_eq!(outcome.status, Status::Finished);
        assert_eq!(outcome.ledger.dropped(), 0);
        let pauses = network.pauses();
        assert!(pauses.paused > 8, "{pauses:?}");
        assert_eq!(pauses.paused, pauses.resumed, "every pause has its end");
        assert!(pauses.most_waiting <= 50 * 4_160 + 37_544, "{pauses:?}");
        // The bottleneck never idles: 8 × 245 packets, the last of each shorter, of 1,000,000 + 245 × 64 B at
        // 100 Gb/s, the first hop of the first packet, and 2 µs.
        let bytes = 8 * (1_000_000 + 245 * 64);
        assert_eq!(outcome.makespan.as_picos(), bytes * 80 + 4_160 * 80 + 2_000_000);
    });
}

#[test]
fn headroom_takes_what_comes_while_everybody_sends_to_everybody() {
    // Packets go both ways on all links, so pauses wait for packets: what still comes is never more than the
    // headroom (an assertion of the engine), and comes near to it.
    let fabric = crate::fabrics::leaf_spine(40, 10, 5);
    let packets = |packets: u64| Bytes::new(packets * 4_160);
    // 400 Gb/s and 600 ns: 60,000 B, 64 B and three packets of 4,160 B.
    let headroom = Bytes::new(72_544);
    let class_of = class(Backpressure::Pause { stop: packets(20), go: packets(18), headroom });
    let list: Vec<_> = (0..40)
        .flat_map(|src| (1..40).map(move |step| flow(src, (src + step) % 40, 100_000)))
        .chain((1..40).map(|src| flow(src, 0, 400_000)))
        .collect();
    let schedule = flows(40, &list).expect("valid flows");
    let settings = Settings { classes: class_of, ..wide() };
    run_and_look(&fabric, &schedule, &settings, |outcome, network| {
        assert_eq!((&outcome.status, outcome.ledger.dropped()), (&Status::Finished, 0));
        let most = network.pauses().most_waiting;
        assert!((20 * 4_160 + 65_000..=20 * 4_160 + 72_544).contains(&most), "{most}");
    });
}

#[test]
fn too_little_headroom_is_refused_with_what_is_needed() {
    let Backpressure::Pause { stop, go, .. } = pauses() else { unreachable!() };
    let given = Bytes::new(37_543);
    let short = Backpressure::Pause { stop, go, headroom: given };
    let settings = Settings { classes: class(short), ..wide() };
    let fabric = star(2, Duration::from_micros(2));
    let schedule = flows(2, &[flow(0, 1, 1)]).expect("a valid flow");
    let (cards, costs) = (everyone(&fabric), Costs::default());
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &cards,
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(costs),
        settings: &settings,
    };
    let refusal = Simulation::new(&world).map(|_| ()).expect_err("too little headroom");
    let bandwidth = Bandwidth::from_gigabits_per_second(100);
    let latency = Duration::from_micros(1);
    assert_eq!(refusal, Error::Headroom { given, needed: Bytes::new(37_544), bandwidth, latency });
}

#[test]
fn credits_hold_senders_back_and_drop_nothing() {
    // Two packets of room and 1 µs each way: a sender alone would wait for credits, eight together
    // keep the bottleneck busy.
    let buffer = Bytes::new(40 * 4_160);
    let settings = Settings { classes: class(Backpressure::Credits { buffer }), ..wide() };
    let outcome = incast(&settings);
    assert_eq!(outcome.status, Status::Finished);
    assert_eq!(outcome.ledger.dropped(), 0);
    let bytes = 8 * (1_000_000 + 245 * 64);
    assert_eq!(outcome.makespan.as_picos(), bytes * 80 + 4_160 * 80 + 2_000_000);
}

#[test]
fn credits_for_one_packet_let_one_go_a_round_trip() {
    // One link of 100 Gb/s and 1 µs into a switch, room for one packet of 4,160 B: 332.8 ns. The credit
    // comes back when the packet leaves the switch: 332.8 ns + 1 µs there, at once on, 64 B and 1 µs
    // back; the next packet leaves 2,337.92 ns after the one before.
    let fabric = explicit(&[("ca", "s", 100, 1_000), ("cb", "s", 100, 1_000)]);
    let buffer = Bytes::new(4_160);
    let settings = Settings { classes: class(Backpressure::Credits { buffer }), ..wide() };
    let outcome = run(&fabric, &[flow(0, 1, 10 * 4_096)], &settings);
    let turn = 332_800 + 1_000_000 + 5_120 + 1_000_000;
    assert_eq!(delivered(&outcome, 0), 9 * turn + 2 * (332_800 + 1_000_000));
}

/// Five switches in a ring, a card on each.
fn ring() -> Fabric {
    explicit(&[
        ("c0", "s0", 100, 100),
        ("c1", "s1", 100, 100),
        ("c2", "s2", 100, 100),
        ("c3", "s3", 100, 100),
        ("c4", "s4", 100, 100),
        ("s0", "s1", 100, 100),
        ("s1", "s2", 100, 100),
        ("s2", "s3", 100, 100),
        ("s3", "s4", 100, 100),
        ("s4", "s0", 100, 100),
    ])
}

#[test]
fn a_circle_of_links_without_room_is_named() {
    // Every card sends two switches on, over two links of the ring: each link of the ring waits
    // for room on the next.
    let buffer = Bytes::new(4_160);
    let settings = Settings { classes: class(Backpressure::Credits { buffer }), ..wide() };
    let list: Vec<_> = (0..5).map(|src| flow(src, (src + 2) % 5, 1_000_000)).collect();
    let fabric = ring();
    let outcome = run(&fabric, &list, &settings);
    let Status::Deadlock(cycle) = &outcome.status else { panic!("{:?}", outcome.status) };
    let names: Vec<String> = cycle.iter().map(|it| fabric.link_name(it.link)).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    for (name, next) in names.iter().zip(names.iter().cycle().skip(1)) {
        let (end, begin) = (name.split(" → ").nth(1), next.split(" → ").next());
        assert_eq!(end, begin, "{names:?}");
    }
    // With room enough for all that is sent nothing waits for ever.
    let buffer = Bytes::new(10_000_000);
    let settings = Settings { classes: class(Backpressure::Credits { buffer }), ..wide() };
    assert_eq!(run(&ring(), &list, &settings).status, Status::Finished);
}

/// The circle of links that the routes of flows allow, in names.
fn routed_circle(fabric: &Fabric, list: &[collectives::Flow], settings: &Settings) -> Vec<String> {
    let schedule = flows(fabric.cards(), list).expect("valid flows");
    let world = World {
        fabric,
        timeline: None,
        cards: &everyone(fabric),
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings,
    };
    let simulation = Simulation::new(&world).expect("a possible world");
    let circle = simulation.network().dependency_circle();
    let links = circle.into_iter().flat_map(|circle| circle.links);
    links.map(|it| fabric.link_name(it.link)).collect()
}

#[test]
fn circles_in_the_routes_are_found_before_the_run() {
    let buffer = Bytes::new(10_000_000);
    let settings = Settings { classes: class(Backpressure::Credits { buffer }), ..wide() };
    // Two switches on around a ring of five: each link of it is followed by the next.
    let around: Vec<_> = (0..5).map(|src| flow(src, (src + 2) % 5, 1)).collect();
    let ring = ring();
    let mut names = routed_circle(&ring, &around, &settings);
    assert_eq!(names.len(), 5, "{names:?}");
    names.sort_unstable();
    // Data goes up in the names and control packets down; either circle is one.
    let up = ["s0 → s1", "s1 → s2", "s2 → s3", "s3 → s4", "s4 → s0"];
    let down = ["s0 → s4", "s1 → s0", "s2 → s1", "s3 → s2", "s4 → s3"];
    assert!(names == up || names == down, "{names:?}");
    // One flow fewer leaves a gap, one switch on uses one link, and without backpressure nobody waits.
    assert_eq!(routed_circle(&ring, &around[..3], &settings), [""; 0]);
    let near: Vec<_> = (0..5).map(|src| flow(src, (src + 1) % 5, 1)).collect();
    assert_eq!(routed_circle(&ring, &near, &settings), [""; 0]);
    assert_eq!(routed_circle(&ring, &around, &wide()), [""; 0]);
    // Up and down a Clos there is none, sprayed or hashed.
    let fabric = crate::fabrics::leaf_spine(16, 4, 4);
    let all: Vec<_> =
        (0..16).flat_map(|src| (1..16).map(move |by| flow(src, (src + by) % 16, 1))).collect();
    assert_eq!(routed_circle(&fabric, &all, &settings), [""; 0]);
    let hashed = Settings { routing: packet::Routing::PerFlow { flows: 1, key: 1 }, ..settings };
    assert_eq!(routed_circle(&fabric, &all, &hashed), [""; 0]);
    assert_eq!(routed_circle(&ring, &around, &hashed).len(), 5);
}

#[test]
fn a_link_that_repeats_loses_time_but_no_packet() {
    // 1,000 packets of 1,000 B over 100 Gb/s and 1 µs; each repetition costs 80 ns and a round trip
    // of 2 µs, in which the link does nothing else.
    let fabric = explicit(&[("ca", "cb", 100, 1_000)]);
    let rates = vec![LossRate { link: LinkId(0), per_billion: 10_000_000 }];
    let loss = Loss { rates, listed: Vec::new() };
    let recovery =
        packet::Recovery { timeout: Duration::from_micros(1_000), back_off: 1, retries: 7 };
    let window = Window::Packets(10_000);
    let transport = Transport::Selective { window, recovery, reordering: 1 };
    let frame = Frame { payload: 1_000, header: 0, control: 0 };
    let settings = Settings { frame, transport, loss, link_retries: 16, ..Settings::IDEAL };
    let outcome = run(&fabric, &[flow(0, 1, 1_000_000)], &settings);
    let repeats = outcome.ledger.link_repeats;
    assert!((1..=30).contains(&repeats), "1 % of 1,000 packets: {repeats}");
    assert_eq!(outcome.ledger.lost, 0);
    assert_eq!(delivered(&outcome, 0), 81_000_000 + repeats * 2_080_000);
}

#[test]
fn an_urgent_class_passes_a_full_queue() {
    // Host 0 sends 1,000 packets to host 1 in class 1, host 2 sends one in class 0 50 µs later: it waits for one
    // packet at most.
    let fabric = star(3, Duration::from_micros(2));
    let services = [Service::Strict, Service::Weighted(1)];
    let classes = services.map(|service| ClassOfService { service, ..ClassOfService::PLAIN });
    let settings = Settings { classes: classes.to_vec(), ..wide() };
    let bulk = |src| flow(src, 1, 4_096_000);
    let urgent =
        collectives::Flow { start: units::Time::from_picos(50_000_000), ..flow(2, 1, 4_096) };
    let schedule = flows(3, &[bulk(0), bulk(2), urgent]).expect("valid flows");
    let cards = everyone(&fabric);
    let last = |class_of_lane: &[u8]| {
        let world = World {
            fabric: &fabric,
            timeline: None,
            cards: &cards,
            schedule: &schedule,
            class_of_lane,
            conducts: &Conducts::alike(Costs::default()),
            settings: &settings,
        };
        let mut simulation = Simulation::new(&world).expect("a possible world");
        delivered(&simulation.run(None).expect("a run"), 2)
    };
    let alone = 50_000_000 + 2 * 332_800 + 2_000_000;
    let urgent = last(&[1, 1, 0]);
    assert!((alone..=alone + 2 * 332_800).contains(&urgent), "{urgent}");
    assert!(last(&[1, 1, 1]) > alone + 10 * 332_800, "in the same class it waits for the queue");
}

#[test]
fn marks_bring_senders_down_and_queues_stay_short() {
    // Eight senders into one port. At the rate of their links the queue takes all of it; with DCQCN,
    // marked from 40 packets on, it stays far below.
    let marking =
        Marking { least: Bytes::new(40 * 4_160), most: Bytes::new(160 * 4_160), most_ppm: 200_000 };
    let list: Vec<_> = (0..8).map(|src| flow(src, 8, 20_000_000)).collect();
    let fabric = star(9, Duration::from_micros(2));
    let schedule = flows(9, &list).expect("valid flows");
    let queue = |settings: &Settings| {
        run_and_look(&fabric, &schedule, settings, |outcome, network| {
            assert_eq!(outcome.status, Status::Finished);
            let into = fabric.links_into(topology::NodeId(8))[0];
            (network.link_use(into).longest_queue.as_u64(), outcome.ledger.notified)
        })
    };
    let (unpaced, _) = queue(&wide());
    let pacing = Pacing::Dcqcn(Dcqcn::PAPER);
    let (paced, notified) = queue(&Settings { marking: Some(marking), pacing, ..wide() });
    assert!(notified > 8, "{notified}");
    assert!(paced < unpaced / 4, "{paced} of {unpaced}");
}
