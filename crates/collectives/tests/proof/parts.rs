//! All-gather, reduce-scatter and all-to-all: every part and block where it belongs.

use collectives::{Algorithm, Channels, Collective, plan};
use collectives::{Group, RankId};
use units::Duration;

use crate::support::{
    Order, RAGGED, SERVERS, SINGLES, all_reduces, exchanges, group, partings, prove, request,
    sizes, total,
};

const ORDERS: [Order; 3] = [Order::Newest, Order::First, Order::Random(9)];

/// Proves a collective and its total.
fn moved(collective: Collective, algorithm: Algorithm, (ranks, size): (u32, u64), order: Order) {
    let groups = [group(ranks, &RAGGED)];
    let sent = prove(&request(&groups, collective, algorithm, size), order);
    let expected = total(collective, algorithm, &groups[0], size);
    assert_eq!(sent, expected, "{collective}, {algorithm:?} of {size} among {ranks}");
}

const PARTINGS: [Collective; 2] = [Collective::AllGather, Collective::ReduceScatter];

#[test]
fn parts_are_scattered_and_gathered() {
    for ranks in (1..=33).chain([64, 80, 84, 90, 96, 100, 127, 128, 129]) {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            let order = ORDERS[(index + ranks as usize) % 3];
            for collective in PARTINGS {
                for algorithm in partings(collective) {
                    let count = algorithm.channels(&group(ranks, &RAGGED));
                    if ranks <= 33 || count == 1 {
                        moved(collective, algorithm, (ranks, size), order);
                    }
                }
            }
        }
    }
}

#[test]
fn large_parts_are_scattered_and_gathered() {
    for collective in PARTINGS {
        moved(collective, Algorithm::Direct, (384, 10_007), Order::Newest);
        let channels = Channels::Count(1);
        moved(collective, Algorithm::Ring { channels }, (384, 383), Order::Random(2));
        moved(collective, Algorithm::Recursive, (384, 10_007), Order::Newest);
        moved(collective, Algorithm::Nhr, (384, 385), Order::Newest);
    }
    moved(Collective::AllGather, Algorithm::Bruck, (384, 385), Order::First);
}

#[test]
fn blocks_are_transposed() {
    for ranks in (1..=33).chain([64, 80, 84, 90, 96, 100, 127, 128, 129, 384]) {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            if ranks == 384 && index < 5 {
                continue;
            }
            for algorithm in exchanges() {
                // p² blocks, each of which takes up to log₂ p hops.
                if algorithm == Algorithm::Bruck && ranks > 129 {
                    continue;
                }
                moved(Collective::AllToAll, algorithm, (ranks, size), ORDERS[index % 3]);
            }
        }
    }
}

#[test]
fn all_gather_in_data_groups_sends_what_cases_o09_say() {
    // 16 MiB in each of two groups of 8: each rank sends 7 × 2 MiB = 14,680,064 bytes.
    let whole = group(16, &SERVERS);
    let groups: Vec<Group> = whole
        .ranks
        .chunks(8)
        .zip(whole.supernodes.chunks(8))
        .map(|(ranks, supernodes)| Group {
            ranks: ranks.to_vec(),
            supernodes: supernodes.to_vec(),
            trees: Vec::new(),
        })
        .collect();
    let algorithm = Algorithm::Ring { channels: Channels::Count(1) };
    let request = request(&groups, Collective::AllGather, algorithm, 16 << 20);
    assert_eq!(prove(&request, Order::Random(0)), 16 * 14_680_064);
    let plan = plan(&request).expect("a valid request");
    assert_eq!(plan.schedule.lanes[1].steps(), 7);
}

#[test]
fn groups_of_one_do_nothing_and_delay_nobody() {
    // CASES O10: groups {0}, {1} and {0, 1} of one workload.
    let of = |ranks: &[u32]| Group {
        ranks: ranks.iter().copied().map(RankId).collect(),
        supernodes: group(ranks.len() as u32, &SINGLES).supernodes,
        trees: Vec::new(),
    };
    let groups = [of(&[0]), of(&[1]), of(&[0, 1])];
    for size in [0, 1, 1 << 30] {
        for algorithm in all_reduces(1 << 20) {
            let request = request(&groups, Collective::AllReduce, algorithm, size);
            assert_eq!(prove(&request, Order::Newest), 2 * u128::from(size));
            let plan = plan(&request).expect("a valid request");
            assert!(plan.schedule.lanes.iter().all(|lane| lane.name.group == 2));
        }
    }
}

#[test]
fn computation_comes_first_and_changes_no_bytes() {
    let groups = [group(9, &RAGGED), group(1, &SINGLES)];
    for algorithm in all_reduces(100) {
        let mut request = request(&groups, Collective::AllReduce, algorithm, 1_001);
        request.compute = Duration::from_micros(5);
        // The vector of the group of one is checked by nobody: it sends nothing.
        assert_eq!(prove(&request, Order::Random(4)), 2 * 8 * 1_001);
        let plan = plan(&request).expect("a valid request");
        assert!(plan.schedule.lanes.iter().all(|l| l.stages[0].compute == request.compute));
        assert_eq!(plan.schedule.lanes.last().map(|l| l.name.part), Some("compute"));
    }
}
