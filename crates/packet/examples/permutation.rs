//! The speed of the packet engine in packet-hops: a permutation on a fat-tree.
//!
//! `cargo run --release -p packet --example permutation -- PORTS CARDS BYTES`

use std::process::ExitCode;
use std::time::SystemTime;

use collectives::{Flow, RankId, flows};
use engine::Costs;
use packet::{Settings, Simulation, Transport, Window, World};
use topology::{
    Attach, CardId, ClosSpec, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec, NicCount,
    NicSpec, SupernodeSpec, mix,
};
use units::{Bandwidth, Bytes, Duration, Time};

fn main() -> ExitCode {
    let numbers: Vec<u64> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let &[ports, cards, bytes] = &numbers[..] else { return ExitCode::FAILURE };
    let fabric = fat_tree(ports as u32, cards as u32);
    let list = permutation(cards as u32, bytes);
    let schedule = flows(cards as u32, &list).expect("valid flows");
    let cards: Vec<CardId> = (0..cards as u32).map(CardId).collect();
    let transport = Transport::Ideal { window: Window::BandwidthDelay };
    let settings = Settings { transport, acknowledge_every: 1, ..Settings::IDEAL };
    let (fabric, schedule, settings) = (&fabric, &schedule, &settings);
    let (class_of_lane, costs) = (&[][..], Costs::default());
    let world = World { fabric, cards: &cards, schedule, class_of_lane, costs, settings };
    let before = SystemTime::now();
    let mut simulation = Simulation::new(&world).expect("a world that can be simulated");
    let built = before.elapsed().unwrap_or_default().as_secs_f64();
    let before = SystemTime::now();
    let outcome = simulation.run(None).expect("a run within the range of time");
    let seconds = before.elapsed().unwrap_or_default().as_secs_f64();
    let hops = outcome.ledger.hops;
    eprintln!(
        "{} after {built:.3} s: {hops} hops, {} events in {seconds:.3} s: {:.2} M hops/s, hash {:016x}",
        outcome.makespan,
        outcome.events,
        hops as f64 / seconds / 1e6,
        outcome.hash,
    );
    ExitCode::SUCCESS
}

/// Every card sends to another; a keyed shuffle without fixed points.
fn permutation(cards: u32, bytes: u64) -> Vec<Flow> {
    let mut order: Vec<u32> = (0..cards).collect();
    order.sort_by_key(|&card| mix(11, u64::from(card)));
    let flow = |index: usize| Flow {
        src: RankId(order[index]),
        dst: RankId(order[(index + 1) % order.len()]),
        bytes: Bytes::new(bytes),
        start: Time::ZERO,
        compute: Duration::ZERO,
    };
    (0..order.len()).map(flow).collect()
}

/// A k-ary fat-tree of three layers, 400 Gb/s and 1 µs a link.
fn fat_tree(ports: u32, cards: u32) -> Fabric {
    let (rate, latency) = (Bandwidth::from_gigabits_per_second(400), Duration::from_micros(1));
    let efficiency = Efficiency::ONE;
    let outside =
        ClosSpec::fat_tree((ports, 3), rate, latency, efficiency).expect("an even number");
    let inside = InsideSpec::Planes { planes: 1 };
    let supernode = SupernodeSpec { cards: 1, inside, bandwidth: rate, latency, efficiency };
    let count = NicCount::PerCard(1);
    let nics = NicSpec { count, bandwidth: rate, latency, efficiency };
    debug_assert_eq!(outside.attach, Attach::IN_ORDER);
    let spec = ClusterSpec { cards, supernode, nics, outside };
    Fabric::build(&FabricSpec::Cluster(spec)).expect("the fat-tree can be built")
}
