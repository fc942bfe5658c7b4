//! Max-min rates under load: one flow leaves, another comes, the rates are solved again.

#[expect(dead_code, reason = "the example runs whole cases")]
#[path = "../examples/peers/fat_tree.rs"]
mod fat_tree;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use fat_tree::FatTree;
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

/// Arrivals among as many active flows as hosts, about, between hosts of a fat-tree chosen by hash.
fn arrivals(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("arrival on a fat-tree");
    for (tree, active) in [(FatTree::SMALL, 1_000), (FatTree::LARGE, 10_000)] {
        let host =
            |key: u64, flow: u32| (mix(key, u64::from(flow)) % u64::from(tree.hosts())) as u32;
        let all = 2 * active;
        let ends = (0..all).map(|flow| (host(3, flow), host(4, flow)));
        let medium = tree.medium(ends);
        group.bench_function(BenchmarkId::new("among", active), |bencher| {
            let mut allocation = loaded(&medium);
            let mut changed = Vec::new();
            let mut oldest = 0;
            bencher.iter(|| {
                allocation.remove(oldest as usize);
                allocation.insert(((oldest + active) % all) as usize);
                allocation.solve(&mut changed);
                changed.clear();
                oldest = (oldest + 1) % all;
            });
        });
    }
    group.finish();
}

criterion_group!(benches, allocation, arrivals);
criterion_main!(benches);
