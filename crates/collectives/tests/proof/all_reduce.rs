//! All-reduce: every rank ends with every contribution once, and 2(p − 1)S bytes are sent.

use collectives::{Algorithm, Channels, Collective, HalvingOrder, Inner, Outer, plan};
use units::Bytes;

use crate::support::{
    Order, RAGGED, SERVERS, SINGLES, WHOLE, all_reduces, group, prove, request, run, sizes,
};

/// Proves an all-reduce and its total: 2(p − 1)S (TESTING I21).
fn reduce(ranks: u32, blocks: &[u32], algorithm: Algorithm, size: u64, order: Order) {
    let groups = [group(ranks, blocks)];
    let sent = prove(&request(&groups, Collective::AllReduce, algorithm, size), order);
    let total = 2 * u128::from(ranks - 1) * u128::from(size);
    assert_eq!(sent, total, "{algorithm:?} of {size} bytes among {ranks}");
}

#[test]
fn small_groups_by_every_algorithm() {
    for ranks in 1..=33 {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            for algorithm in all_reduces(u64::max(1, size / 9)) {
                let order = match (ranks as usize + index) % 3 {
                    0 => Order::Newest,
                    1 => Order::First,
                    _ => Order::Random(u64::from(ranks)),
                };
                reduce(ranks, &RAGGED, algorithm, size, order);
            }
        }
    }
}

#[test]
fn small_groups_in_other_supernodes() {
    for ranks in [2, 3, 7, 8, 13, 16, 24, 33] {
        for blocks in [&SINGLES[..], &SERVERS, &WHOLE, &[4, 4, 2]] {
            for size in [0, 5, 10_007] {
                for algorithm in all_reduces(1_000) {
                    reduce(ranks, blocks, algorithm, size, Order::Random(size));
                }
            }
        }
    }
}

#[test]
fn every_order_of_events_ends_alike() {
    for seed in 0..40 {
        for algorithm in all_reduces(20) {
            reduce(11, &RAGGED, algorithm, 101, Order::Random(seed));
        }
    }
}

#[test]
fn counts_that_broke_libraries() {
    for ranks in [64, 80, 84, 90, 96, 100, 127, 128, 129] {
        for size in sizes(ranks) {
            let chunk = Bytes::new(u64::max(1, size / 7));
            let channels = Channels::Count(2);
            for algorithm in [
                Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling },
                Algorithm::HalvingDoubling { order: HalvingOrder::DistanceHalving },
                Algorithm::Tree { channels, chunk },
                Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring },
                Algorithm::Hierarchical { inner: Inner::Ring, outer: Outer::Tree { chunk } },
            ] {
                reduce(ranks, &RAGGED, algorithm, size, Order::Random(size));
                reduce(ranks, &SERVERS, algorithm, size, Order::Newest);
            }
        }
        for (size, order) in [(u64::from(ranks) + 1, Order::Newest), (10_007, Order::Random(1))] {
            reduce(ranks, &SERVERS, Algorithm::Direct, size, order);
            let channels = Channels::Count(2);
            reduce(ranks, &SERVERS, Algorithm::Ring { channels }, size, order);
        }
    }
}

#[test]
fn large_groups_by_what_is_cheap() {
    for ranks in [384, 1_000, 1_024] {
        for size in [1, u64::from(ranks) - 1, u64::from(ranks) + 1, 10_007] {
            let chunk = Bytes::new(u64::max(1, size / 5));
            for algorithm in [
                Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling },
                Algorithm::Tree { channels: Channels::Count(1), chunk },
            ] {
                reduce(ranks, &SERVERS, algorithm, size, Order::Random(7));
            }
        }
        let outer = Outer::HalvingDoubling { order: HalvingOrder::DistanceHalving };
        let algorithm = Algorithm::Hierarchical { inner: Inner::Ring, outer };
        reduce(ranks, &SERVERS, algorithm, 10_007, Order::Newest);
        let algorithm = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
        reduce(ranks, &[16, 16, 12], algorithm, 10_007, Order::Random(3));
    }
    let channels = Channels::Count(1);
    reduce(384, &SERVERS, Algorithm::Ring { channels }, 10_007, Order::Newest);
    reduce(384, &SERVERS, Algorithm::Direct, 385, Order::Random(5));
    reduce(1_000, &SERVERS, Algorithm::Ring { channels }, 1_001, Order::Newest);
}

#[test]
fn ragged_rings_send_what_cases_o14_say() {
    // 2(p − 1)S: 6 × 1,000,003; 14 × 3; 46 × 10,000,019; nothing.
    for (size, ranks, total) in
        [(1_000_003, 4, 6_000_018), (3, 8, 42), (10_000_019, 24, 460_000_874), (0, 5, 0)]
    {
        for channels in [1, 3] {
            let algorithm = Algorithm::Ring { channels: Channels::Count(channels) };
            let groups = [group(ranks, &RAGGED)];
            let request = request(&groups, Collective::AllReduce, algorithm, size);
            assert_eq!(prove(&request, Order::Random(size)), total);
        }
    }
}

#[test]
fn one_hundred_megabytes_send_what_cases_o13_say() {
    for ranks in (1..=33).chain([80, 84, 90]) {
        let channels = Channels::Count(1);
        let order = HalvingOrder::DistanceDoubling;
        for algorithm in [Algorithm::Ring { channels }, Algorithm::HalvingDoubling { order }] {
            reduce(ranks, &WHOLE, algorithm, 100_000_000, Order::Newest);
        }
    }
}

#[test]
fn empty_vectors_still_send_their_messages() {
    // CASES O02: 2(p − 1)p messages round a ring of 5, 2 × 5 × 4 at once.
    let groups = [group(5, &SINGLES)];
    for (algorithm, messages) in [
        (Algorithm::Ring { channels: Channels::Count(1) }, 40),
        (Algorithm::Direct, 40),
        // Two trees of 4 edges, up and down.
        (Algorithm::Tree { channels: Channels::Count(1), chunk: Bytes::new(1) }, 16),
        // One fold, two exchanges of 4 there and back, one unfold.
        (Algorithm::HalvingDoubling { order: HalvingOrder::DistanceDoubling }, 18),
    ] {
        let request = request(&groups, Collective::AllReduce, algorithm, 0);
        let plan = plan(&request).expect("a valid request");
        let start = collectives::proof::Start::Vectors(0);
        let held = run(&plan.schedule, &start, Order::First).expect("it ends");
        assert_eq!((held.bytes, held.transfers), (0, messages), "{algorithm:?}");
    }
}
