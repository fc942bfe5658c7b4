//! Colour refinement of a ring over servers of 8 cards: ranks, transfers and ports as one graph.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use topology::refinement::LabelledGraph;

/// Cards of a server.
const SERVER: u32 = 8;

/// Kinds of vertices.
const SEAT: u64 = 0;
const TRANSFER: u64 = 1;
const PORT: u64 = 2;
const NIC: u64 = 3;

/// What an edge means.
const SENDS: u32 = 0;
const RECEIVES: u32 = 1;
const CROSSES: u32 = 2;

/// A ring of `ranks` ranks: each sends to the next, over its port inside a server and over its NIC
/// between servers.
fn ring(ranks: u32) -> LabelledGraph {
    let mut graph = LabelledGraph::default();
    let seats: Vec<u32> = (0..ranks).map(|_| graph.vertex(SEAT)).collect();
    // Each card has two links of either kind: one out, one in.
    let links = |graph: &mut LabelledGraph, kind| -> Vec<[u32; 2]> {
        (0..ranks).map(|_| [graph.vertex(kind), graph.vertex(kind)]).collect()
    };
    let ports = links(&mut graph, PORT);
    let nics = links(&mut graph, NIC);
    for src in 0..ranks {
        let dst = (src + 1) % ranks;
        let transfer = graph.vertex(TRANSFER);
        graph.edge(seats[src as usize], transfer, SENDS);
        graph.edge(transfer, seats[dst as usize], RECEIVES);
        let crossed = if src / SERVER == dst / SERVER { &ports } else { &nics };
        graph.edge(transfer, crossed[src as usize][0], CROSSES);
        graph.edge(transfer, crossed[dst as usize][1], CROSSES);
    }
    graph
}

fn refinement(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refinement");
    for ranks in [2_560, 10_240] {
        let whole = ring(ranks);
        // All servers alike: seats, transfers and links by their place in the server.
        assert!(whole.refine().count < 60, "the ring merges");
        group.throughput(Throughput::Elements(whole.vertices() as u64));
        group.bench_function(BenchmarkId::new("whole servers", ranks), |bencher| {
            bencher.iter(|| whole.refine());
        });
        let ragged = ring(ranks + 1);
        assert!(ragged.refine().count > ranks as usize, "one odd server tells all apart");
        group.bench_function(BenchmarkId::new("one odd server", ranks), |bencher| {
            bencher.iter(|| ragged.refine());
        });
    }
    group.finish();
}

criterion_group!(benches, refinement);
criterion_main!(benches);
