//! Random worlds: any collective, algorithm, size, arrangement and order of events.

use collectives::{Algorithm, Collective, Group, RankId, Sizing};
use proptest::prelude::*;
use topology::SupernodeId;

use crate::support::{Order, all_reduces, exchanges, partings, prove, request, rooted, total};

/// Two groups over shuffled ranks, each rank in one of a few supernodes.
fn groups() -> impl Strategy<Value = Vec<Group>> {
    let ranks: Vec<u32> = (0..24).collect();
    let supernodes = prop::collection::vec(0_u32..6, 24);
    (Just(ranks).prop_shuffle(), supernodes, 1_usize..23).prop_map(|(ranks, supernodes, first)| {
        let group = |ranks: &[u32]| Group {
            ranks: ranks.iter().copied().map(RankId).collect(),
            supernodes: ranks.iter().map(|&r| SupernodeId(supernodes[r as usize])).collect(),
            trees: Vec::new(),
        };
        vec![group(&ranks[..first]), group(&ranks[first..])]
    })
}

fn collective_and_algorithm() -> impl Strategy<Value = (Collective, Algorithm)> {
    let by = |collective, algorithms: Vec<Algorithm>| {
        prop::sample::select(algorithms).prop_map(move |algorithm| (collective, algorithm))
    };
    prop_oneof![
        by(Collective::AllReduce, all_reduces(48)),
        by(Collective::AllGather, partings(Collective::AllGather)),
        by(Collective::ReduceScatter, partings(Collective::ReduceScatter)),
        by(Collective::AllToAll, exchanges()),
        prop::sample::select(rooted(0, 48)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn every_rank_ends_with_what_it_should(
        groups in groups(),
        (collective, algorithm) in collective_and_algorithm(),
        size in prop_oneof![0_u64..60, 0_u64..100_000],
        seed in any::<u64>(),
    ) {
        let request = request(&groups, collective, algorithm, size);
        let sent = prove(&request, Order::Random(seed));
        let expected = groups.iter().map(|g| total(collective, algorithm, g, size)).sum::<u128>();
        prop_assert_eq!(sent, expected);
    }

    #[test]
    fn aligned_chunks_are_equal_multiples_of_16(
        groups in groups(),
        (collective, algorithm) in collective_and_algorithm(),
        size in 0_u64..200_000_000,
    ) {
        let mut request = request(&groups, collective, algorithm, size);
        request.sizing = Sizing::Aligned;
        let Ok(plan) = collectives::plan(&request) else { return Ok(()) };
        prop_assert!(plan.size <= request.size);
        // Pieces of unequal supernodes differ, and seats that fold leave their partners more.
        // So do the branches of a binomial tree.
        let differ = matches!(
            algorithm,
            Algorithm::Hierarchical { .. } | Algorithm::Recursive | Algorithm::Binomial
        );
        for lane in &plan.schedule.lanes {
            for stage in &lane.stages {
                let seats = lane.seats.len() as u32;
                let mut all = Vec::new();
                stage.pattern.for_each(seats, stage.steps, &mut |transfer| {
                    let sizes = stage.payload.sizes(seats, transfer);
                    all.extend([sizes.at(transfer.first), sizes.at(transfer.end - 1)]);
                    all.push(sizes.at(transfer.first + (transfer.end - transfer.first) / 2));
                });
                prop_assert!(all.iter().all(|bytes| bytes.as_u64() % 16 == 0), "{:?}", stage);
                let equal = all.windows(2).all(|pair| pair[0] == pair[1]);
                prop_assert!(equal || differ, "{:?}", stage);
            }
        }
    }
}
