//! Collectives by switches that add up and copy.

use collectives::proof::Start;
use collectives::{Algorithm, Collective, Group, Refusal, Sizing, SwitchTree, plan};
use topology::AggregatorId;
use units::Bytes;

use crate::support::{Order, SERVERS, WHOLE, group, prove, request, run, sizes, tree};

/// The five collectives with their root at `root`, and the bytes up and down of S bytes among n ranks.
fn all(root: u32, ranks: u32, size: u64) -> [(Collective, u128); 5] {
    let (n, s) = (u128::from(ranks), u128::from(size));
    [
        // Each sends its vector up and receives the sum.
        (Collective::AllReduce, n * s + n * s),
        // Each sends its vector up and receives its part.
        (Collective::ReduceScatter, n * s + s),
        // Each sends its part up and receives all, its own included.
        (Collective::AllGather, s + n * s),
        // The root sends up, the others receive.
        (Collective::Broadcast { root }, s + (n - 1) * s),
        // The others send up, the root receives their sum.
        (Collective::Reduce { root }, (n - 1) * s + s),
    ]
}

#[test]
fn everyone_ends_with_what_it_should_and_sends_each_byte_once() {
    for ranks in (2..=17).chain([31, 32, 33, 72, 129]) {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            let order = match (index + ranks as usize) % 3 {
                0 => Order::Newest,
                1 => Order::First,
                _ => Order::Random(u64::from(ranks)),
            };
            for chunk in [u64::max(1, size / 50), u64::max(1, size / 3), size + 1] {
                for (collective, bytes) in all(ranks / 2, ranks, size) {
                    let algorithm = Algorithm::InNetwork { chunk: Bytes::new(chunk) };
                    let groups = [group(ranks, &WHOLE)];
                    let sent = prove(&request(&groups, collective, algorithm, size), order);
                    assert_eq!(sent, bytes, "{collective} of {size} among {ranks}");
                }
            }
        }
    }
}

#[test]
fn every_order_of_events_ends_alike() {
    for seed in 0..60 {
        for (collective, bytes) in all(3, 7, 101) {
            let algorithm = Algorithm::InNetwork { chunk: Bytes::new(10) };
            // Two groups, whose switches are apart.
            let mut other = group(14, &[7]);
            let first = Group {
                ranks: other.ranks.drain(..7).collect(),
                supernodes: other.supernodes.drain(..7).collect(),
                trees: vec![tree(7, &[])],
            };
            other.trees = vec![tree(7, &[])];
            let groups = [first, other];
            let request = request(&groups, collective, algorithm, 101);
            assert_eq!(prove(&request, Order::Random(seed)), 2 * bytes);
        }
    }
}

/// The bytes by way of a tree with `inner` sets of switches below the top, the hops from a rank to the
/// top, and of the sets how many have a rank beside the root.
fn all_over(
    root: u32,
    (ranks, size): (u32, u64),
    (inner, hops, others): (u128, u128, u128),
) -> [(Collective, u128); 5] {
    let (n, s) = (u128::from(ranks), u128::from(size));
    [
        // Every rank and every set sends the vector up once and gets it once.
        (Collective::AllReduce, 2 * (n + inner) * s),
        // On the way down, and up, each level carries every part once.
        (Collective::ReduceScatter, (n + inner) * s + hops * s),
        (Collective::AllGather, hops * s + (n + inner) * s),
        (Collective::Broadcast { root }, hops * s + (n - 1 + others) * s),
        (Collective::Reduce { root }, (n - 1 + others) * s + hops * s),
    ]
}

#[test]
fn over_a_tree_of_switches_each_hop_carries_each_byte_once() {
    // 13 ranks, 4 to a leaf: leaves 0 … 3, the last one with rank 12 alone; then 8 to a pod as well. The
    // root is rank 5, or 12: without it leaf 3, and pod 1, have no rank.
    for (blocks, inner) in [(&[4][..], 4), (&[4, 8], 6)] {
        let hops = blocks.len() as u128 + 1;
        for (root, others) in [(5, inner), (12, inner - 1)] {
            for ports in 1..=3_usize {
                for size in [0, 1, 13, 101, 4_096] {
                    for chunk in [7, 4_097] {
                        for (collective, bytes) in all_over(root, (13, size), (inner, hops, others))
                        {
                            let groups = [Group {
                                trees: vec![tree(13, blocks); ports],
                                ..group(13, &SERVERS)
                            }];
                            let algorithm = Algorithm::InNetwork { chunk: Bytes::new(chunk) };
                            let request = request(&groups, collective, algorithm, size);
                            let order = Order::Random(size + chunk);
                            assert_eq!(prove(&request, order), bytes, "{collective} of {size}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn ranks_of_a_leaf_need_not_be_neighbours() {
    // Seven ranks on three leaves in turn: the windows of a leaf lie apart.
    for seed in 0..40 {
        let above = |rank: u32| AggregatorId(rank % 3);
        let levels = vec![(0..7).map(above).collect(), vec![AggregatorId(9); 7]];
        let groups = [Group { trees: vec![SwitchTree { levels }], ..group(7, &SERVERS) }];
        for (collective, bytes) in all_over(3, (7, 101), (3, 2, 3)) {
            let algorithm = Algorithm::InNetwork { chunk: Bytes::new(10) };
            let request = request(&groups, collective, algorithm, 101);
            assert_eq!(prove(&request, Order::Random(seed)), bytes, "{collective}");
        }
    }
}

#[test]
fn aligned_pieces_are_equal_multiples_of_16() {
    let groups = [group(12, &WHOLE)];
    for (collective, _) in all(0, 12, 0) {
        for size in [12 * 16, 1_000_003, 77_777_777] {
            let algorithm = Algorithm::InNetwork { chunk: Bytes::new(100_000) };
            let mut request = request(&groups, collective, algorithm, size);
            request.sizing = Sizing::Aligned;
            let plan = plan(&request).expect("large enough");
            prove(&request, Order::Newest);
            for stage in plan.schedule.lanes.iter().flat_map(|lane| &lane.stages) {
                let mut pieces = Vec::new();
                stage.pattern.for_each(13, stage.steps, &mut |transfer| {
                    let sizes = stage.payload.sizes(13, transfer);
                    let steps = transfer.first..transfer.end;
                    pieces.extend(steps.map(|step| sizes.at(step).as_u64()));
                });
                assert!(pieces.iter().all(|&bytes| bytes == pieces[0] && bytes % 16 == 0));
                assert!(pieces[0] <= 100_000);
            }
        }
    }
}

#[test]
fn a_vector_of_nothing_still_goes_up_and_down() {
    let groups = [group(5, &WHOLE)];
    // Five messages up and five down; the root alone, or its part, goes one way only.
    for ((collective, _), messages) in all(0, 5, 0).into_iter().zip([10, 10, 10, 5, 5]) {
        let algorithm = Algorithm::InNetwork { chunk: Bytes::new(1) };
        let plan = plan(&request(&groups, collective, algorithm, 0)).expect("valid");
        let held = match collective {
            // All five send in one step, and in a turn of one step each they receive: 5 × 5 + 5.
            Collective::ReduceScatter | Collective::AllGather => {
                let held = run(&plan.schedule, &Start::Blocks, Order::First).expect("it ends");
                assert_eq!(held.transfers, 30);
                continue;
            }
            _ => run(&plan.schedule, &Start::Blocks, Order::First).expect("it ends"),
        };
        assert_eq!(held.transfers, messages, "{collective}");
    }
}

#[test]
fn what_switches_cannot_do_is_refused() {
    let algorithm = Algorithm::InNetwork { chunk: Bytes::new(64) };
    let groups = [group(8, &SERVERS), group(12, &SERVERS)];
    let beyond = plan(&request(&groups[1..], Collective::AllReduce, algorithm, 8));
    assert_eq!(beyond.map(|_| ()), Err(Refusal::BeyondSwitches { group: 0, supernodes: 2 }));
    let collective = Collective::AllToAll;
    let offered = plan(&request(&groups[..1], collective, algorithm, 8)).map(|_| ());
    assert!(matches!(offered, Err(Refusal::NotOffered { .. })));
    let long = plan(&request(&groups[..1], Collective::AllReduce, algorithm, (64 << 20) + 1));
    let (chunks, limit) = ((1 << 20) + 1, 1 << 20);
    assert_eq!(long.map(|_| ()), Err(Refusal::TooManyChunks { chunks, limit }));
}

#[test]
fn switches_have_the_last_seat_and_no_number() {
    let groups = [group(4, &WHOLE)];
    let algorithm = Algorithm::InNetwork { chunk: Bytes::new(64) };
    let plan = plan(&request(&groups, Collective::AllReduce, algorithm, 640)).expect("valid");
    assert_eq!((plan.schedule.ranks, plan.schedule.lanes.len()), (4, 2));
    for lane in &plan.schedule.lanes {
        let last = lane.seats.last().and_then(|rank| rank.switches());
        assert_eq!(last, Some(AggregatorId(0)));
        assert_eq!((lane.seats.len(), lane.steps()), (5, 10));
    }
}
