//! The flow level and the packet level agree on how long collectives take.

use collectives::{
    Algorithm, Channels, Collective, Grouping, HalvingOrder, Request, Schedule, Sizing,
    group_ranks, plan,
};
use engine::{Conducts, Costs};
use topology::{
    Attach, CardId, ClosSpec, ClosTier, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec,
    NicCount, NicSpec, Routing, StarSpec, SupernodeSpec, SwitchKind,
};
use units::{Bandwidth, Bytes, Duration, Ratio, Time};

/// The share of payload in packets of 4,096 + 64 bytes.
const EFFICIENCY: Efficiency = Efficiency { payload: 4_096, wire: 4_160 };

/// A thousand packets, which every flow has at least.
const THOUSAND: u64 = 1_000 * 4_096;

fn gigabits(rate: u64) -> Bandwidth {
    Bandwidth::from_gigabits_per_second(rate)
}

/// Servers of some cards under a leaf–spine: (cards, cards of a server, ports of a leaf, over : under).
fn leaf_spine((cards, server, leaf_ports): (u32, u32, u32), (over, under): (u64, u64)) -> Fabric {
    let latency = Duration::from_nanos(600);
    let supernode = SupernodeSpec {
        cards: server,
        inside: InsideSpec::Planes { planes: 1 },
        bandwidth: gigabits(1_600),
        latency: Duration::from_nanos(300),
        efficiency: EFFICIENCY,
    };
    let nics = NicSpec {
        count: NicCount::PerCard(1),
        bandwidth: gigabits(400),
        latency,
        efficiency: EFFICIENCY,
    };
    let outside = ClosSpec {
        leaf_ports,
        tiers: vec![ClosTier { ratio: Ratio::new(over, under).expect("positive"), pod: u32::MAX }],
        top_ports: 64,
        top_switches: None,
        uplink: gigabits(400),
        latency,
        efficiency: EFFICIENCY,
        attach: Attach::IN_ORDER,
        switches: SwitchKind::Forward,
    };
    Fabric::build(&FabricSpec::Cluster(ClusterSpec { cards, supernode, nics, outside }))
        .expect("a cluster that can be built")
}

fn star(cards: u32) -> Fabric {
    let (bandwidth, latency) = (gigabits(400), Duration::from_micros(1));
    let spec = StarSpec { cards, bandwidth, latency, efficiency: EFFICIENCY };
    Fabric::build(&FabricSpec::Star(spec)).expect("a star can be built")
}

/// Fabrics of 16 cards.
fn fabrics() -> Vec<(String, Fabric)> {
    let mut all = vec![("star of 16".to_owned(), star(16))];
    for ratio in [(1, 1), (2, 1), (4, 3)] {
        for (cards, server, leaf) in [(16, 1, 4), (16, 4, 4)] {
            let name = format!("{cards} cards, {server} a server, leaves of {leaf}, {ratio:?}");
            all.push((name, leaf_spine((cards, server, leaf), ratio)));
        }
    }
    all
}

fn schedule(fabric: &Fabric, collective: Collective, algorithm: Algorithm, size: u64) -> Schedule {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let groups = group_ranks(Grouping::Consecutive, fabric.cards(), &cards, fabric);
    let groups = groups.expect("all ranks form a group");
    let request = Request {
        ranks: fabric.cards(),
        groups: &groups,
        collective,
        algorithm,
        size: Bytes::new(size),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    plan(&request).expect("a possible request").schedule
}

/// The two completion times in ps.
fn both(fabric: &Fabric, schedule: &Schedule) -> (u64, u64) {
    let cards: Vec<CardId> = (0..fabric.cards()).map(CardId).collect();
    let (cards, costs) = (&cards[..], Costs::default());
    let (conducts, recovery) = (&Conducts::alike(costs), fluid::Recovery::default());
    let routing = Routing::Spray;
    let timeline = None;
    let world = fluid::World { fabric, cards, schedule, routing, conducts, recovery, timeline };
    let flow = fluid::simulate(&world, &fluid::Options::default()).expect("a run");
    // The links' efficiency is that of packets of 4,096 + 64 bytes, so none is counted twice.
    let frame = packet::Frame { header: 0, ..packet::Frame::STANDARD };
    let settings = packet::Settings { frame, ..packet::Settings::IDEAL };
    let world = packet::World {
        fabric,
        timeline: None,
        cards,
        schedule,
        class_of_lane: &[],
        conducts,
        settings: &settings,
    };
    let packet = packet::simulate(&world, None).expect("a run");
    assert_eq!(packet.status, packet::Status::Finished);
    (flow.makespan.as_picos(), packet.makespan.as_picos())
}

/// Compares on all fabrics; differences in hundredths of a per cent are at most `most`.
fn compare(collective: Collective, algorithm: Algorithm, chunks_of: fn(u32) -> u64, most: u64) {
    let mut far = Vec::new();
    for (name, fabric) in fabrics() {
        let size = chunks_of(fabric.cards()) * THOUSAND;
        let schedule = schedule(&fabric, collective, algorithm, size);
        let (flow, packet) = both(&fabric, &schedule);
        let off = flow.abs_diff(packet) * 10_000 / flow;
        if off > most {
            far.push(format!("{name}: flow {flow} ps, packet {packet} ps, {off} / 10,000"));
        }
    }
    assert!(far.is_empty(), "{}", far.join("\n"));
}

#[test]
fn rings_agree() {
    let algorithm = Algorithm::Ring { channels: Channels::Count(1) };
    compare(Collective::AllReduce, algorithm, u64::from, 100);
}

#[test]
fn direct_exchanges_agree() {
    compare(Collective::AllReduce, Algorithm::Direct, u64::from, 100);
}

#[test]
fn halving_and_doubling_agree() {
    let algorithm = Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling };
    compare(Collective::AllReduce, algorithm, |cards| u64::from(cards).next_power_of_two(), 100);
}

#[test]
fn exchanges_of_all_pairs_agree() {
    compare(Collective::AllToAll, Algorithm::Direct, u64::from, 100);
}
