//! All-gather, reduce-scatter and all-to-all: every part and block where it belongs.

use collectives::{Algorithm, Channels, Collective, plan};
use collectives::{Group, RankId};
use units::Duration;

use crate::support::{Order, RAGGED, SERVERS, SINGLES, all_reduces, group, prove, request, sizes};

const ORDERS: [Order; 3] = [Order::Newest, Order::First, Order::Random(9)];

fn scatter_and_gather(ranks: u32, size: u64, algorithm: Algorithm, order: Order) {
    for collective in [Collective::AllGather, Collective::ReduceScatter] {
        let groups = [group(ranks, &RAGGED)];
        let sent = prove(&request(&groups, collective, algorithm, size), order);
        // TESTING I21: (p − 1)S.
        assert_eq!(sent, u128::from(ranks - 1) * u128::from(size), "{collective}, {algorithm:?}");
    }
}

#[test]
fn parts_are_scattered_and_gathered() {
    for ranks in (1..=33).chain([64, 80, 84, 90, 96, 100, 127, 128, 129]) {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            let order = ORDERS[(index + ranks as usize) % 3];
            scatter_and_gather(ranks, size, Algorithm::Direct, order);
            let most = if ranks <= 33 { 4 } else { 1 };
            for channels in 1..=most {
                let channels = Channels::Count(channels);
                scatter_and_gather(ranks, size, Algorithm::Ring { channels }, order);
            }
        }
    }
}

#[test]
fn large_parts_are_scattered_and_gathered() {
    scatter_and_gather(384, 10_007, Algorithm::Direct, Order::Newest);
    let channels = Channels::Count(1);
    scatter_and_gather(384, 383, Algorithm::Ring { channels }, Order::Random(2));
}

#[test]
fn blocks_are_transposed() {
    for ranks in (1..=33).chain([64, 80, 84, 90, 96, 100, 127, 128, 129, 384]) {
        for (index, size) in sizes(ranks).into_iter().enumerate() {
            if ranks == 384 && index < 5 {
                continue;
            }
            for algorithm in [Algorithm::Direct, Algorithm::Pairwise] {
                let groups = [group(ranks, &RAGGED)];
                let request = request(&groups, Collective::AllToAll, algorithm, size);
                let sent = prove(&request, ORDERS[index % 3]);
                // Every block of every buffer but the own ones: (p − 1)S, whatever the split.
                assert_eq!(sent, u128::from(ranks - 1) * u128::from(size));
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
        .map(|(ranks, supernodes)| Group { ranks: ranks.to_vec(), supernodes: supernodes.to_vec() })
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
