//! Whole simulations at flow level from 2,560 to 20,480 cards, fabric and schedule ready.

mod servers;

use collectives::{Algorithm, Channels, Collective, HalvingOrder, Inner, Outer};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fluid::{Options, World, simulate};
use topology::Routing;
use units::Bytes;

const CARDS: [u32; 4] = [2_560, 5_120, 10_240, 20_480];

/// Simulations take up to a second each; criterion takes no fewer than 10 samples.
const SAMPLES: usize = 10;

/// Name, collective, algorithm and size in MiB.
type Workload = (&'static str, Collective, Algorithm, u64);

const WORKLOADS: [Workload; 4] = [
    (
        "hierarchical",
        Collective::AllReduce,
        Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring },
        1_024,
    ),
    (
        "halving-doubling",
        Collective::AllReduce,
        Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling },
        1_024,
    ),
    ("all-to-all", Collective::AllToAll, Algorithm::Direct, 256),
    // One ring: as many steps as cards, but few transfers at once.
    ("ring", Collective::AllReduce, Algorithm::Ring { channels: Channels::Count(1) }, 1_024),
];

fn growth(criterion: &mut Criterion) {
    for (name, collective, algorithm, mebibytes) in WORKLOADS {
        for over in [1, 4] {
            let mut group = criterion.benchmark_group(format!("{name} {over}:1"));
            group.sample_size(SAMPLES);
            for count in CARDS {
                let fabric = servers::servers(count, over);
                let size = Bytes::new(mebibytes << 20);
                let (cards, schedule) = servers::everyone(&fabric, collective, algorithm, size);
                let world = World {
                    fabric: &fabric,
                    timeline: None,
                    cards: &cards,
                    schedule: &schedule,
                    routing: Routing::Spray,
                    conducts: &fluid::Conducts::alike(engine::Costs::default()),
                    recovery: fluid::Recovery::default(),
                };
                group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                    bencher.iter(|| simulate(&world, &Options::default()).expect("it can run"));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, growth);
criterion_main!(benches);
