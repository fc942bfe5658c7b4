//! Device by device in windows, on any number of threads, everything is as it is instant by instant.

use collectives::{
    Algorithm, Channels, Collective, Flow, Grouping, HalvingOrder, Request, Schedule, Sizing,
    flows, group_ranks, plan,
};
use engine::{Conducts, Costs, FlowId};
use packet::{
    Backpressure, Buffer, CardDrop, ClassMarking, ClassOfService, Dcqcn, Forwarding, Frame,
    LinkUse, Loss, LossRate, Marking, MessageTimes, Order, Outcome, Pacing, Pauses, QueueSample,
    Recovery, Routing, Service, Settings, Simulation, TransferTimes, Transport, Window, World,
};
use topology::{CardId, Domain, Fabric, Fault, LinkId, Mishap, Part, Timeline, mix};
use units::{Bytes, Duration, Ratio, Time};

use crate::common::{everyone, flow};
use crate::fabrics::{all, fat_tree, leaf_spine, star};

/// All that can be seen of a run.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    outcome: Outcome,
    samples: Vec<QueueSample>,
    links: Vec<LinkUse>,
    pauses: Pauses,
    messages: MessageTimes,
    transfers: Vec<TransferTimes>,
}

fn seen(world: &World<'_>, order: Order) -> Seen {
    let mut simulation = Simulation::in_order(world, order).expect("a possible world");
    simulation.watch();
    let outcome = simulation.run(None).expect("a run within the range of time");
    let network = simulation.network();
    network.check_ledger().expect("every packet is somewhere");
    let links = (0..world.fabric.links().len() as u32).map(LinkId);
    Seen {
        outcome,
        samples: network.queue_samples().to_vec(),
        links: links.map(|link| network.link_use(link)).collect(),
        pauses: network.pauses(),
        messages: network.message_times(),
        transfers: (0..network.flows() as u32)
            .map(|it| network.transfer_times(FlowId(it)))
            .collect(),
    }
}

/// Draws by key: `of(purpose, below)` is below `below`.
#[derive(Clone, Copy)]
struct Draw(u64);

impl Draw {
    fn of(self, purpose: u64, below: u64) -> u64 {
        mix(self.0, purpose) % below
    }

    fn one_in(self, purpose: u64, many: u64) -> bool {
        self.of(purpose, many) == 0
    }
}

fn schedule(draw: Draw, fabric: &Fabric) -> Schedule {
    let ranks = fabric.cards();
    let algorithm = match draw.of(1, 3) {
        0 => {
            let flows_of = |src: u32| {
                (0..3).map(move |step| {
                    let name = u64::from(src) * 3 + step;
                    let start = Time::from_picos(draw.of(1_000 + name, 40_000_000));
                    let dst = u64::from(src) + 1 + draw.of(2_000 + name, u64::from(ranks) - 1);
                    let dst = (dst % u64::from(ranks)) as u32;
                    Flow { start, ..flow(src, dst, draw.of(3_000 + name, 150_000)) }
                })
            };
            let list: Vec<Flow> = (0..ranks).flat_map(flows_of).collect();
            return flows(ranks, &list).expect("valid flows");
        }
        1 => Algorithm::Ring { channels: Channels::Count(1) },
        _ => Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling },
    };
    let cards = everyone(fabric);
    let groups = group_ranks(Grouping::Consecutive, ranks, &cards, fabric).expect("one group");
    let request = Request {
        ranks,
        groups: &groups,
        collective: Collective::AllReduce,
        algorithm,
        size: Bytes::new(200_000),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    plan(&request).expect("a possible request").schedule
}

fn classes(draw: Draw) -> Vec<ClassOfService> {
    let backpressure = match draw.of(10, 4) {
        0 => return Vec::new(),
        1 => Backpressure::None,
        2 => Backpressure::Credits { buffer: Bytes::new(30_000 + draw.of(11, 200_000)) },
        _ => Backpressure::Pause {
            stop: Bytes::new(60_000),
            go: Bytes::new(30_000),
            headroom: Bytes::new(500_000),
        },
    };
    let urgent = ClassOfService::PLAIN;
    let weighted = |weight| ClassOfService {
        service: Service::Weighted(weight),
        backpressure,
        marking: if draw.one_in(12, 2) { ClassMarking::Common } else { ClassMarking::Own(None) },
    };
    vec![urgent, weighted(2), weighted(1)]
}

fn settings(draw: Draw, fabric: &Fabric, is_broken: bool) -> Settings {
    let recovery = Recovery { timeout: Duration::from_micros(60), back_off: 2, retries: 5 };
    let window = match draw.of(20, 2) {
        0 => Window::Packets(1 + draw.of(21, 40) as u32),
        _ => Window::BandwidthDelay { times: 2 },
    };
    let routing = match draw.of(22, 5) {
        0 => Routing::PerFlow { flows: 2, key: draw.of(23, 1_000) },
        1 => Routing::InTurn,
        2 => Routing::AtRandom,
        3 => Routing::Labels { count: 16 },
        _ => Routing::ShortestQueue,
    };
    let is_lossy = draw.one_in(24, 2);
    let buffer = match draw.of(25, 4) {
        _ if !is_lossy => Buffer::Endless,
        0 => Buffer::PerQueue(Bytes::new(40_000)),
        1 => Buffer::Shared { size: Bytes::new(200_000), alpha: Ratio::ONE },
        _ => Buffer::Endless,
    };
    let transport = match draw.of(26, 3) {
        0 if !is_lossy && !is_broken => Transport::Ideal { window },
        1 if matches!(routing, Routing::PerFlow { .. }) => Transport::GoBackN { window, recovery },
        _ => Transport::Selective { window, recovery, reordering: 1 + draw.of(27, 64) as u32 },
    };
    let lossy = (0..).map(LinkId).zip(fabric.links());
    let lossy = lossy.filter(|(_, link)| is_lossy && link.domain == Domain::Outside);
    let rates = lossy.map(|(link, _)| LossRate { link, per_billion: 5_000_000 }).collect();
    let marking =
        Marking { least: Bytes::new(10_000), most: Bytes::new(80_000), most_ppm: 200_000 };
    Settings {
        frame: Frame {
            payload: 1_000 + draw.of(28, 8_000) as u32,
            header: draw.of(29, 2) as u32 * 64,
            control: draw.of(30, 3) as u32 * 32,
        },
        forwarding: if draw.one_in(31, 3) {
            Forwarding::CutThrough
        } else {
            Forwarding::StoreAndForward
        },
        routing,
        transport,
        acknowledge_every: 1 + draw.of(32, 8) as u32,
        buffer,
        classes: classes(draw),
        pacing: if draw.one_in(33, 3) { Pacing::Dcqcn(Dcqcn::PAPER) } else { Pacing::LineRate },
        link_retries: if draw.one_in(34, 4) { 3 } else { 0 },
        marking: draw.one_in(35, 2).then_some(marking),
        loss: Loss { rates, listed: Vec::new() },
        dropped: if is_lossy { dropped(fabric) } else { Vec::new() },
        seed: draw.of(36, u64::MAX),
    }
}

/// The first packets of every flow from each card to the next but one, lost on the last link.
fn dropped(fabric: &Fabric) -> Vec<CardDrop> {
    let cards = fabric.cards();
    let pairs = (0..cards).map(|card| (CardId(card), CardId((card + 2) % cards)));
    let lost = pairs.flat_map(|(src, dst)| {
        let into = fabric.links_into(dst.node()).iter();
        into.map(move |&link| CardDrop { src, dst, link, sequence: 0, attempt: 0 })
    });
    lost.collect()
}

/// Cables of a leaf–spine that die or slow down, some of them for good, and sometimes a card that dies.
fn mishaps(draw: Draw) -> Vec<Mishap> {
    let card = || {
        let part = Part::Node(format!("card {}", draw.of(170, 16)));
        let at = Some(Time::from_picos(draw.of(171, 60_000_000)));
        Mishap { fault: Fault { part, speed_ppm: 0 }, at, until: None }
    };
    let cable = |index: u64| {
        let (leaf, spine) = (draw.of(100 + index, 4), draw.of(110 + index, 4));
        let part =
            Part::Link { from: format!("leaf {leaf}"), to: format!("spine {spine}"), count: 1 };
        let speed_ppm = draw.of(120 + index, 2) as u32 * 300_000;
        let at = draw.of(130 + index, 60_000_000);
        let until =
            (!draw.one_in(140 + index, 4)).then(|| at + 1 + draw.of(150 + index, 60_000_000));
        let instant = Time::from_picos;
        Mishap {
            fault: Fault { part, speed_ppm },
            at: Some(instant(at)),
            until: until.map(instant),
        }
    };
    (0..4).map(cable).chain(draw.one_in(172, 4).then(card)).collect()
}

/// Compares one world in all orders; returns what was seen.
fn compare(key: u64, fabric: &Fabric, timeline: Option<&Timeline>) -> Seen {
    let draw = Draw(key);
    let schedule = schedule(draw, fabric);
    let settings = settings(draw, fabric, timeline.is_some());
    let class_of_lane: Vec<u8> = match settings.classes.len() as u64 {
        0 => Vec::new(),
        classes => (0..schedule.lanes.len() as u64)
            .map(|lane| draw.of(5_000 + lane, classes) as u8)
            .collect(),
    };
    let costs =
        Costs { per_message: Duration::from_nanos(draw.of(40, 2) * 300), ..Costs::default() };
    let world = World {
        fabric,
        timeline,
        cards: &everyone(fabric),
        schedule: &schedule,
        class_of_lane: &class_of_lane,
        conducts: &Conducts::alike(costs),
        settings: &settings,
    };
    let by_instant = seen(&world, Order::ByInstant);
    for threads in [1, 2, 4] {
        let by_device = seen(&world, Order::ByDevice { threads });
        assert_eq!(by_device, by_instant, "key {key}, {threads} threads, {settings:?}");
    }
    by_instant
}

#[test]
fn every_order_of_work_gives_the_same() {
    let mut sums = [0; 6];
    for (shape, (_, fabric)) in (0..).zip(all()) {
        for key in 0..8 {
            let Seen { outcome, pauses, samples, .. } = compare(shape * 1_000 + key, &fabric, None);
            let ledger = outcome.ledger;
            let some = [
                ledger.lost,
                ledger.overflowed,
                ledger.marked,
                ledger.link_repeats,
                pauses.paused,
                samples.len() as u64,
            ];
            sums.iter_mut().zip(some).for_each(|(sum, some)| *sum += some);
        }
    }
    assert!(sums.iter().all(|&sum| sum > 0), "everything happens somewhere: {sums:?}");
}

#[test]
fn every_order_of_work_gives_the_same_while_links_change() {
    let fabric = leaf_spine(16, 4, 4);
    let (mut cut, mut unfinished) = (0, 0);
    for key in 0..32 {
        let draw = Draw(key + 50_000);
        let delay = Duration::from_picos(draw.of(160, 30_000_000));
        let (start, timeline) =
            fabric.in_time(&mishaps(draw), delay).expect("what breaks is there");
        let Seen { outcome, .. } = compare(key + 50_000, &start, Some(&timeline));
        cut += outcome.ledger.cut;
        unfinished += u64::from(outcome.status != packet::Status::Finished);
    }
    assert!(cut > 50 && unfinished > 0, "{cut} packets cut, {unfinished} runs unfinished");
}

#[test]
fn many_packets_on_many_threads_are_as_on_one() {
    // All 128 links into cards are busy: 5 hops of 128 × 6 packets a window of 0.5 µs and as many
    // acknowledgements, enough for several threads.
    let fabric = fat_tree(8, 128);
    let list: Vec<Flow> = (0..128).map(|src| flow(src, (src * 5 + 17) % 128, 131_072)).collect();
    let schedule = flows(128, &list).expect("valid flows");
    let settings = Settings { acknowledge_every: 1, ..Settings::IDEAL };
    let world = World {
        fabric: &fabric,
        timeline: None,
        cards: &everyone(&fabric),
        schedule: &schedule,
        class_of_lane: &[],
        conducts: &Conducts::alike(Costs::default()),
        settings: &settings,
    };
    let alone = seen(&world, Order::ByInstant);
    assert_eq!(alone.outcome.status, packet::Status::Finished);
    for threads in [2, 4] {
        assert_eq!(seen(&world, Order::ByDevice { threads }), alone, "{threads} threads");
    }
}

#[test]
fn windows_are_left_out_where_hardly_a_packet_fits() {
    // A packet of 4,160 B takes 332.8 ns at 100 Gb/s, half of it 166.4 ns. A star has half of its latency on
    // each link.
    let order = |nanos: u64| {
        let fabric = star(4, Duration::from_nanos(nanos));
        let list: Vec<Flow> = (0..4).map(|src| flow(src, (src + 1) % 4, 100_000)).collect();
        let schedule = flows(4, &list).expect("valid flows");
        let world = World {
            fabric: &fabric,
            timeline: None,
            cards: &everyone(&fabric),
            schedule: &schedule,
            class_of_lane: &[],
            conducts: &Conducts::alike(Costs::default()),
            settings: &Settings::IDEAL,
        };
        // Asked for, short windows and none at all give the same as well.
        assert_eq!(seen(&world, Order::ByDevice { threads: 2 }), seen(&world, Order::ByInstant));
        Order::fit(&world, 2)
    };
    assert_eq!([0, 2, 332].map(order), [Order::ByInstant; 3]);
    assert_eq!(order(334), Order::ByDevice { threads: 2 });
}
