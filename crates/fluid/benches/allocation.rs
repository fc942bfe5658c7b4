//! Max-min rates under load: one flow leaves, another comes, the rates are solved again.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use fluid::allocation::Allocation;
use fluid::{Crossing, Medium};
use topology::mix;
use units::Duration;

/// Capacity of every port in milli-bit/s: 400 Gb/s.
const CAPACITY: u128 = 400_000_000_000_000;

/// `flows` flows between ports chosen by hash, two flows a port on average; as many again wait.
fn medium(flows: u32) -> Medium {
    let ports = u64::from(flows / 2);
    let mut medium = Medium::new(vec![CAPACITY; 2 * ports as usize]);
    for flow in 0..u64::from(2 * flows) {
        let out = mix(1, flow) % ports;
        let into = ports + mix(2, flow) % ports;
        let crossing = |port: u64| Crossing { resource: port as u32, weight: 1 };
        let path = medium.add_path(&[crossing(out), crossing(into)], Duration::ZERO);
        medium.add_flow(path);
    }
    medium
}

/// An allocation with the first half of the flows active.
fn loaded(medium: &Medium) -> Allocation<'_> {
    let mut allocation = Allocation::new(medium);
    (0..medium.flows() / 2).for_each(|flow| allocation.insert(flow));
    allocation.solve(&mut Vec::new());
    allocation
}

fn allocation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("allocation");
    for flows in [1_000, 10_000] {
        let medium = medium(flows);
        let all = medium.flows();
        group.bench_function(BenchmarkId::new("replace one of", flows), |bencher| {
            let mut allocation = loaded(&medium);
            let mut changed = Vec::new();
            let mut oldest = 0;
            bencher.iter(|| {
                allocation.remove(oldest);
                allocation.insert((oldest + all / 2) % all);
                allocation.solve(&mut changed);
                changed.clear();
                oldest = (oldest + 1) % all;
            });
        });
        group.bench_function(BenchmarkId::new("insert all of", flows), |bencher| {
            bencher.iter_batched(
                || Allocation::new(&medium),
                |mut allocation| {
                    (0..all / 2).for_each(|flow| allocation.insert(flow));
                    allocation.solve(&mut Vec::new());
                    allocation
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, allocation);
criterion_main!(benches);
