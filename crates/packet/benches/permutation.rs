//! Packet-hops a second: a permutation on fat-trees of 128 to 8,192 cards, and how much more a hop costs on the
//! largest than on the smallest.

use std::hint::black_box;

use collectives::{Flow, RankId, flows};
use criterion::measurement::{Measurement, WallTime};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use engine::{Conducts, Costs};
use packet::{Settings, World, simulate};
use topology::{
    CardId, ClosSpec, ClusterSpec, Efficiency, Fabric, FabricSpec, InsideSpec, NicCount, NicSpec,
    SupernodeSpec, mix,
};
use units::{Bandwidth, Bytes, Duration, Time};

/// Ports of a switch, cards, bytes of a flow: the permutations that csg-htsim was measured on.
const SIZES: [(u32, u32, u64); 3] =
    [(8, 128, 2 << 20), (16, 1_024, 2 << 20), (32, 8_192, 256 << 10)];

/// Runs take up to a second each; criterion takes no fewer than 10 samples.
const SAMPLES: usize = 10;

#[expect(
    clippy::print_stdout,
    reason = "a ratio of two benchmarks is nothing that criterion tells"
)]
fn permutations(criterion: &mut Criterion) {
    // The least time of a hop at each size, in ps; of sizes that are filtered out there is none.
    let mut costs = [u128::MAX; SIZES.len()];
    let mut group = criterion.benchmark_group("permutation");
    group.sample_size(SAMPLES);
    for ((ports, cards, bytes), cost) in SIZES.into_iter().zip(&mut costs) {
        let fabric = fat_tree(ports, cards);
        let schedule = flows(cards, &permutation(cards, bytes)).expect("valid flows");
        let everyone: Vec<CardId> = (0..cards).map(CardId).collect();
        let settings = Settings { acknowledge_every: 1, ..Settings::IDEAL };
        let world = World {
            fabric: &fabric,
            timeline: None,
            cards: &everyone,
            schedule: &schedule,
            class_of_lane: &[],
            conducts: &Conducts::alike(Costs::default()),
            settings: &settings,
        };
        let run = || simulate(&world, None).expect("a world that can be simulated");
        let hops = run().ledger.hops;
        group.throughput(Throughput::Elements(hops));
        group.bench_function(BenchmarkId::from_parameter(cards), |bencher| {
            bencher.iter_custom(|runs| {
                let start = WallTime.start();
                (0..runs).for_each(|_| drop(black_box(run())));
                let took = WallTime.end(start);
                *cost = (*cost).min(took.as_nanos() * 1_000 / u128::from(runs * hops));
                took
            });
        });
    }
    group.finish();
    if let [smallest, .., largest] = costs
        && costs.iter().all(|&cost| cost != u128::MAX)
    {
        let percent = largest * 100 / smallest;
        println!(
            "a hop on the largest costs {percent} % of one on the smallest: {largest} ps, {smallest} ps"
        );
    }
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
    let nics = NicSpec { count: NicCount::PerCard(1), bandwidth: rate, latency, efficiency };
    let spec = ClusterSpec { cards, supernode, nics, outside };
    Fabric::build(&FabricSpec::Cluster(spec)).expect("the fat-tree can be built")
}

criterion_group!(benches, permutations);
criterion_main!(benches);
