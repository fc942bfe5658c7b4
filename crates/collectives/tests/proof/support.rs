//! Groups, orders of events, algorithms and the bytes they send.

use collectives::proof::{Fault, Holdings, Start, execute};
use collectives::{
    Algorithm, Channels, Collective, Group, HalvingOrder, Inner, Outer, RankId, Request, Schedule,
    Sizing, SwitchTree, plan,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use topology::{AggregatorId, SupernodeId};
use units::{Bytes, Duration, Split, Time};

use crate::promises::ends_right;

/// Who decides which possible event comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// Drawn by key.
    Random(u64),
    /// What became possible last: one seat runs ahead as far as it can.
    Newest,
    /// The first of the list.
    First,
}

pub(crate) const SINGLES: [u32; 1] = [1];
pub(crate) const SERVERS: [u32; 1] = [8];
pub(crate) const RAGGED: [u32; 5] = [3, 5, 1, 4, 3];
pub(crate) const WHOLE: [u32; 1] = [u32::MAX];

/// Ranks 0 … p − 1, in supernodes of the given sizes again and again.
pub(crate) fn group(ranks: u32, blocks: &[u32]) -> Group {
    let mut supernodes = Vec::new();
    for (supernode, &cards) in blocks.iter().cycle().enumerate() {
        let rest = ranks - supernodes.len() as u32;
        if rest == 0 {
            break;
        }
        let cards = cards.min(rest) as usize;
        supernodes.extend(std::iter::repeat_n(SupernodeId(supernode as u32), cards));
    }
    // The switches of one supernode add up.
    let is_one = supernodes.iter().all(|&supernode| supernode == SupernodeId(0));
    let trees = if is_one { vec![tree(ranks, &[])] } else { Vec::new() };
    Group { ranks: (0..ranks).map(RankId).collect(), supernodes, trees }
}

/// Switches over `ranks` ranks: of each level so many ranks in a row hang on one set, and on the last one
/// all of them.
pub(crate) fn tree(ranks: u32, blocks: &[u32]) -> SwitchTree {
    let level = |(number, &block): (u32, &u32)| {
        (0..ranks).map(|rank| AggregatorId(1_000 * number + rank / block)).collect()
    };
    let blocks: Vec<u32> = blocks.iter().copied().chain([u32::MAX]).collect();
    SwitchTree { levels: (0..).zip(&blocks).map(level).collect() }
}

/// A request of exact size.
pub(crate) fn request(
    groups: &[Group],
    collective: Collective,
    algorithm: Algorithm,
    size: u64,
) -> Request<'_> {
    let ranks = groups.iter().flat_map(|group| &group.ranks).map(|rank| rank.0 + 1).max();
    Request {
        ranks: ranks.unwrap_or(0),
        groups,
        collective,
        algorithm,
        size: Bytes::new(size),
        sizing: Sizing::Exact,
        start: Time::ZERO,
        compute: Duration::ZERO,
    }
}

/// The sizes of TESTING I20 for p ranks.
pub(crate) fn sizes(ranks: u32) -> [u64; 6] {
    let ranks = u64::from(ranks);
    [0, 1, ranks - 1, ranks, ranks + 1, 10_007]
}

/// All algorithms of an all-reduce; tree chunks of `chunk` bytes.
pub(crate) fn all_reduces(chunk: u64) -> Vec<Algorithm> {
    let chunk = Bytes::new(chunk);
    let mut all = vec![Algorithm::Direct, Algorithm::Pairwise, Algorithm::Nhr];
    for count in 1..=4 {
        let channels = Channels::Count(count);
        all.extend([Algorithm::Ring { channels }, Algorithm::Tree { channels, chunk }]);
    }
    let orders = [HalvingOrder::DistanceDoubling, HalvingOrder::DistanceHalving];
    all.extend(orders.map(|order| Algorithm::HalvingDoubling { order }));
    for inner in [Inner::Direct, Inner::Ring, Inner::Nhr] {
        let outers = [Outer::Ring, Outer::Direct, Outer::Tree { chunk }];
        let halvings = orders.map(|order| Outer::HalvingDoubling { order });
        let outers = outers.into_iter().chain(halvings);
        all.extend(outers.map(|outer| Algorithm::Hierarchical { inner, outer }));
    }
    all
}

/// All algorithms of an all-gather or a reduce-scatter.
pub(crate) fn partings(collective: Collective) -> Vec<Algorithm> {
    let mut all = vec![Algorithm::Direct, Algorithm::Pairwise, Algorithm::Recursive];
    all.push(Algorithm::Nhr);
    if collective == Collective::AllGather {
        all.push(Algorithm::Bruck);
    }
    all.extend((1..=4).map(|count| Algorithm::Ring { channels: Channels::Count(count) }));
    all
}

/// All algorithms of an all-to-all.
pub(crate) fn exchanges() -> Vec<Algorithm> {
    vec![Algorithm::Direct, Algorithm::Pairwise, Algorithm::Bruck]
}

/// All collectives with a root, and their algorithms; chunks of `chunk` bytes.
pub(crate) fn rooted(root: u32, chunk: u64) -> Vec<(Collective, Algorithm)> {
    let chunk = Bytes::new(chunk);
    let mut all = Vec::new();
    for collective in [
        Collective::Broadcast { root },
        Collective::Reduce { root },
        Collective::Gather { root },
        Collective::Scatter { root },
    ] {
        all.extend([(collective, Algorithm::Direct), (collective, Algorithm::Binomial)]);
    }
    for channels in [1, 3] {
        let chain = Algorithm::Chain { channels: Channels::Count(channels), chunk };
        all.extend([(Collective::Broadcast { root }, chain), (Collective::Reduce { root }, chain)]);
    }
    all
}

/// The bytes that a collective of `size` bytes sends among a group.
///
/// TESTING I21: 2(p − 1)S for a point-to-point all-reduce, (p − 1)S otherwise. Recursive halving and
/// doubling add the parts of the seats that fold, which take one more hop: with r = p − 2^⌊log₂ p⌋
/// the parts of seats 0, 2, …, 2(r − 1).
pub(crate) fn total(
    collective: Collective,
    algorithm: Algorithm,
    group: &Group,
    size: u64,
) -> u128 {
    let ranks = group.size();
    let once = u128::from(ranks - 1) * u128::from(size);
    let split = Split { total: Bytes::new(size), parts: u64::from(ranks) };
    let chunk = |seat: u32| u128::from(split.chunk(u64::from(seat)).as_u64());
    match (collective, algorithm) {
        (Collective::AllReduce, _) => 2 * once,
        // A block takes a hop for each bit of its way.
        (Collective::AllToAll, Algorithm::Bruck) => {
            (1..ranks).map(|way| u128::from(way.count_ones()) * u128::from(size)).sum()
        }
        // A chunk passes one hop for each bit of its seat, counted from the root.
        (Collective::Gather { .. } | Collective::Scatter { .. }, Algorithm::Binomial) => {
            (0..ranks).map(|seat| u128::from(seat.count_ones()) * chunk(seat)).sum()
        }
        (Collective::Gather { .. } | Collective::Scatter { .. }, _) => (1..ranks).map(chunk).sum(),
        (Collective::SendReceive { .. }, _) => u128::from(size),
        (Collective::Barrier, _) => 0,
        (_, Algorithm::Recursive) => {
            let folded = ranks - (1 << ranks.ilog2());
            once + (0..folded).map(|pair| chunk(2 * pair)).sum::<u128>()
        }
        _ => once,
    }
}

/// Executes a schedule in an order.
pub(crate) fn run(schedule: &Schedule, start: &Start, order: Order) -> Result<Holdings, Fault> {
    match order {
        Order::Random(seed) => {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            execute(schedule, start, &mut |events| rng.random_range(0..events))
        }
        Order::Newest => execute(schedule, start, &mut |events| events - 1),
        Order::First => execute(schedule, start, &mut |_| 0),
    }
}

/// Plans and proves a request; the bytes sent.
pub(crate) fn prove(request: &Request<'_>, order: Order) -> u128 {
    let plan = plan(request).expect("a valid request");
    assert_waits_look_back(&plan.schedule);
    match ends_right(request, &plan, order) {
        Ok(bytes) => bytes,
        Err(what) => panic!(
            "{} by {:?} of {} bytes, {} ranks, {order:?}: {what}",
            request.collective,
            request.algorithm,
            request.size.as_u64(),
            request.ranks
        ),
    }
}

/// A lane waits only for lanes before it, and for steps that are there.
fn assert_waits_look_back(schedule: &Schedule) {
    for (index, lane) in schedule.lanes.iter().enumerate() {
        assert!(lane.stages.iter().all(|stage| stage.steps > 0), "stages have steps");
        for wait in &lane.waits {
            let there = &schedule.lanes[wait.lane.0 as usize];
            assert!((wait.lane.0 as usize) < index && wait.completed <= there.steps());
            assert!((wait.seat as usize) < lane.seats.len() && wait.step < lane.steps());
        }
    }
}
