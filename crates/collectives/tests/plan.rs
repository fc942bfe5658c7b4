//! Sizes used, channels, and what is refused.

use collectives::{
    Algorithm, Channels, Collective, Group, HalvingOrder, Inner, MAX_CHANNELS, Outer, RankId,
    Refusal, Request, Sizing, plan,
};
use topology::SupernodeId;
use units::{Bytes, Duration, Time};

/// `ranks` ranks in supernodes of `cards`.
fn group(ranks: u32, cards: u32) -> Group {
    Group {
        ranks: (0..ranks).map(RankId).collect(),
        supernodes: (0..ranks).map(|rank| SupernodeId(rank / cards)).collect(),
        trees: Vec::new(),
    }
}

fn request(groups: &[Group], collective: Collective, algorithm: Algorithm) -> Request<'_> {
    Request {
        ranks: 20_000,
        groups,
        collective,
        algorithm,
        size: Bytes::new(1 << 30),
        sizing: Sizing::Aligned,
        start: Time::ZERO,
        compute: Duration::ZERO,
    }
}

fn used(groups: &[Group], algorithm: Algorithm) -> u64 {
    plan(&request(groups, Collective::AllReduce, algorithm)).expect("a valid request").size.as_u64()
}

const RING: Algorithm = Algorithm::Ring { channels: Channels::PerCard };
const ORDER: HalvingOrder = HalvingOrder::DistanceDoubling;
const CHUNK: Bytes = Bytes::new(4 << 20);

#[test]
fn a_gigabyte_is_aligned_at_ten_thousand_ranks() {
    let gib = 1_u64 << 30;
    let down_to = |unit: u64| gib / unit * unit;
    let servers = [group(10_240, 8)];
    // 8 rings × 10,240 chunks × 16 bytes = 1,310,720 bytes.
    assert_eq!(used(&servers, RING), down_to(1_310_720));
    // 2^13 = 8,192 blocks of 16 bytes divide 2^30.
    assert_eq!(used(&servers, Algorithm::HalvingDoubling { order: ORDER }), gib);
    // 8 shards × 1,280 servers × 16 bytes.
    let hierarchical = |outer| Algorithm::Hierarchical { inner: Inner::Direct, outer };
    assert_eq!(used(&servers, hierarchical(Outer::Ring)), down_to(163_840));
    // 16 trees of 64 MiB are 16 chunks of 4 MiB each.
    assert_eq!(used(&servers, Algorithm::Tree { channels: Channels::PerCard, chunk: CHUNK }), gib);
    // 27 supernodes of 384: 384 × 27 × 16 bytes.
    assert_eq!(used(&[group(10_368, 384)], hierarchical(Outer::Ring)), down_to(165_888));
    // A last supernode of 256 beside 384: shards end at multiples of 1/768, across 27 owners.
    assert_eq!(used(&[group(10_240, 384)], hierarchical(Outer::Ring)), down_to(331_776));
}

#[test]
fn aligned_trees_have_equal_chunks_of_at_most_the_size_asked_for() {
    // One pair of trees over 100 MiB: 50 MiB each, 13 chunks of at most 4 MiB; rounded down to a
    // multiple of 2 × 13 × 16 = 416 bytes, 252,061 times. Each chunk is 252,061 × 16 bytes.
    let groups = [group(16, 8)];
    let algorithm = Algorithm::Tree { channels: Channels::Count(1), chunk: CHUNK };
    let mut request = request(&groups, Collective::AllReduce, algorithm);
    request.size = Bytes::new(100 << 20);
    let plan = plan(&request).expect("a valid request");
    assert_eq!(plan.size.as_u64(), 104_857_376);
    let stage = &plan.schedule.lanes[0].stages[0];
    // 13 chunks + depth 4 − 1.
    assert_eq!(stage.steps, 16);
    stage.pattern.for_each(16, stage.steps, &mut |transfer| {
        let sizes = stage.payload.sizes(16, transfer);
        assert_eq!(sizes, collectives::Sizes::Constant(Bytes::new(4_032_976)));
    });
}

#[test]
fn groups_of_different_sizes_share_one_size() {
    // Direct among 3 and among 4: a multiple of 3 × 16 and of 4 × 16, 192 bytes. Groups of one do
    // not matter.
    let mut groups = [group(3, 8), group(4, 8), group(1, 8)];
    groups[1].ranks = (3..7).map(RankId).collect();
    let mut request = request(&groups, Collective::AllToAll, Algorithm::Direct);
    request.size = Bytes::new(1_000);
    assert_eq!(plan(&request).expect("valid").size, Bytes::new(960));
    request.sizing = Sizing::Exact;
    assert_eq!(plan(&request).expect("valid").size, Bytes::new(1_000));
}

#[test]
fn nothing_stays_nothing() {
    let groups = [group(5, 2), group(1, 2)];
    let mut request = request(&groups, Collective::AllReduce, RING);
    request.size = Bytes::ZERO;
    assert_eq!(plan(&request).expect("valid").size, Bytes::ZERO);
    // A rank alone needs no equal chunks.
    request.groups = &groups[1..];
    request.size = Bytes::new(1);
    assert_eq!(plan(&request).expect("valid").size, Bytes::new(1));
}

#[test]
fn channels_are_told() {
    let channels = |groups: &[Group], algorithm| {
        plan(&request(groups, Collective::AllReduce, algorithm)).expect("valid").channels
    };
    assert_eq!(channels(&[group(16, 8)], RING), 8);
    assert_eq!(channels(&[group(16, 4)], RING), 4);
    assert_eq!(channels(&[group(768, 384)], RING), 8);
    assert_eq!(channels(&[group(16, 8)], Algorithm::Ring { channels: Channels::Count(3) }), 3);
    assert_eq!(channels(&[group(16, 8)], Algorithm::Direct), 1);
}

#[test]
fn schedules_are_linear_in_ranks() {
    let equal = [group(10_368, 384)];
    let ragged = [group(10_240, 384)];
    for (groups, most) in [(&equal, 3 * 10_368), (&ragged, 4 * 10_368 + 10_240)] {
        let algorithm = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
        let plan = plan(&request(groups, Collective::AllReduce, algorithm)).expect("valid");
        let seats: usize = plan.schedule.lanes.iter().map(|lane| lane.seats.len()).sum();
        let waits: usize = plan.schedule.lanes.iter().map(|lane| lane.waits.len()).sum();
        assert!(seats <= most && waits <= most, "{seats} seats, {waits} waits");
    }
    let ring = plan(&request(&equal, Collective::AllReduce, RING)).expect("valid");
    assert!(ring.schedule.lanes.iter().all(|lane| lane.stages.len() == 2));
}

fn refusal(request: &Request<'_>) -> Refusal {
    plan(request).expect_err("a refusal")
}

#[test]
fn small_sizes_are_not_aligned_in_silence() {
    let groups = [group(16, 8)];
    let mut request = request(&groups, Collective::AllReduce, RING);
    // 8 rings × 16 chunks × 16 bytes.
    request.size = Bytes::new(2_047);
    let refused = refusal(&request);
    assert_eq!(
        refused,
        Refusal::TooSmallToAlign { size: request.size, least: 2_048, algorithm: RING }
    );
    assert!(refused.to_string().contains("multiple of 2048 bytes"), "{refused}");
    request.size = Bytes::new(2_048);
    assert_eq!(plan(&request).expect("valid").size, Bytes::new(2_048));
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let ask =
        |groups: &[Group]| refusal(&request(groups, Collective::AllReduce, Algorithm::Direct));
    assert_eq!(ask(&[]), Refusal::NoGroups);
    // CASES O10: no ranks.
    assert_eq!(ask(&[group(4, 2), group(0, 2)]), Refusal::EmptyGroup { group: 1 });
    let mut twice = group(4, 2);
    twice.ranks[1] = RankId(0);
    assert_eq!(ask(&[twice]), Refusal::RepeatedRank { group: 0, rank: RankId(0) });
    let rank = RankId(20_000);
    assert_eq!(ask(&[group(20_001, 8)]), Refusal::UnknownRank { rank, ranks: 20_000 });
}

#[test]
fn algorithms_refuse_what_they_do_not_do() {
    let groups = [group(4, 2)];
    let tree = Algorithm::Tree { channels: Channels::PerCard, chunk: CHUNK };
    let halving = Algorithm::HalvingDoubling { order: ORDER };
    for (collective, algorithm) in [
        (Collective::AllGather, tree),
        (Collective::ReduceScatter, halving),
        (Collective::AllToAll, RING),
        (Collective::AllReduce, Algorithm::Recursive),
        (Collective::ReduceScatter, Algorithm::Bruck),
        (Collective::AllToAll, Algorithm::Nhr),
    ] {
        let refused = refusal(&request(&groups, collective, algorithm));
        assert!(matches!(refused, Refusal::NotOffered { .. }), "{refused}");
        assert!(refused.to_string().contains("runs by"), "{refused}");
    }
}

#[test]
fn channels_and_chunks_out_of_range_are_refused() {
    let groups = [group(4, 2)];
    for channels in [0, 65, u32::MAX] {
        let algorithm = Algorithm::Ring { channels: Channels::Count(channels) };
        let refused = refusal(&request(&groups, Collective::AllGather, algorithm));
        assert_eq!(refused, Refusal::Channels { channels, limit: MAX_CHANNELS });
    }
    let tree = |chunk| Algorithm::Tree { channels: Channels::Count(1), chunk: Bytes::new(chunk) };
    let mut request = request(&groups, Collective::AllReduce, tree(15));
    let least = Bytes::new(16);
    assert_eq!(refusal(&request), Refusal::ChunkTooSmall { chunk: Bytes::new(15), least });
    request.sizing = Sizing::Exact;
    request.algorithm = tree(0);
    assert!(matches!(refusal(&request), Refusal::ChunkTooSmall { .. }));
    // 2^29 bytes of one tree in chunks of 15 bytes.
    request.algorithm = tree(15);
    let chunks = (1_u64 << 29).div_ceil(15);
    assert_eq!(refusal(&request), Refusal::TooManyChunks { chunks, limit: 1 << 20 });
}

#[test]
fn too_many_pairs_are_refused() {
    let groups = [group(4_097, 8)];
    let pairs = 4_097 * 4_096;
    let refused = refusal(&request(&groups, Collective::AllToAll, Algorithm::Pairwise));
    assert_eq!(refused, Refusal::TooManyPairs { pairs, limit: 4_096 * 4_095 });
    assert!(plan(&request(&groups, Collective::AllToAll, Algorithm::Direct)).is_ok());
}

#[test]
fn too_uneven_supernodes_are_refused() {
    // Supernodes of 1, 2, … 195 cards: pieces × 195 owners, far above 64 × 19,110 ranks.
    let supernodes: Vec<SupernodeId> =
        (1..=195).flat_map(|cards| (0..cards).map(move |_| SupernodeId(cards))).collect();
    let ranks = (0..supernodes.len() as u32).map(RankId).collect();
    let groups = [Group { ranks, supernodes, trees: Vec::new() }];
    let algorithm = Algorithm::Hierarchical { inner: Inner::Direct, outer: Outer::Ring };
    let mut request = request(&groups, Collective::AllReduce, algorithm);
    // Aligned, the least size is beyond telling; exact, the pieces are too many.
    assert!(matches!(refusal(&request), Refusal::TooSmallToAlign { .. }));
    request.sizing = Sizing::Exact;
    assert!(matches!(refusal(&request), Refusal::TooManyPieces { owners: 195, .. }));
}
