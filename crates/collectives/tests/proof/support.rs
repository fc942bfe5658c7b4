//! Groups, orders of events, and what each collective must end with.

use std::collections::BTreeMap;

use collectives::proof::{Contributors, Fault, Holdings, Part, Receipt, Start, execute};
use collectives::{
    Algorithm, Channels, Collective, Group, HalvingOrder, Inner, Outer, Payload, Plan, RankId,
    Request, Schedule, Sizing, plan,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use topology::SupernodeId;
use units::{Bytes, Duration, Split, Time};

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
    Group { ranks: (0..ranks).map(RankId).collect(), supernodes }
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
    for inner in [Inner::Direct, Inner::Ring] {
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
    vec![Algorithm::Direct, Algorithm::Pairwise]
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
    match (collective, algorithm) {
        (Collective::AllReduce, _) => 2 * once,
        (_, Algorithm::Recursive) => {
            let folded = u64::from(ranks - (1 << ranks.ilog2()));
            let split = Split { total: Bytes::new(size), parts: u64::from(ranks) };
            once + (0..folded).map(|pair| u128::from(split.chunk(2 * pair).as_u64())).sum::<u128>()
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

/// Whether every rank ends with what the collective promises; the bytes sent, or what is wrong.
pub(crate) fn ends_right(request: &Request<'_>, plan: &Plan, order: Order) -> Result<u128, String> {
    let size = plan.size.as_u64();
    let start = match request.collective {
        Collective::AllReduce | Collective::ReduceScatter => Start::Vectors(size),
        Collective::AllGather => Start::Parts(owned(&plan.schedule)),
        Collective::AllToAll => Start::Blocks,
    };
    let held = run(&plan.schedule, &start, order).map_err(|fault| fault.to_string())?;
    match request.collective {
        Collective::AllReduce => everything_everywhere(request, plan, &held)?,
        Collective::ReduceScatter => sums_at_home(request, plan, &held)?,
        Collective::AllGather => parts_everywhere(request, plan, &held)?,
        Collective::AllToAll => transposed(request, plan, &held)?,
    }
    Ok(held.bytes)
}

fn everything_everywhere(
    request: &Request<'_>,
    plan: &Plan,
    held: &Holdings,
) -> Result<(), String> {
    for (number, group) in request.groups.iter().enumerate().filter(|(_, g)| g.size() > 1) {
        let all = Contributors::of(request.ranks, &group.ranks);
        for &rank in &group.ranks {
            let buffer = &held.buffers[&(number as u32, rank)];
            if !buffer.holds(0..plan.size.as_u64(), &all) {
                return Err(format!("rank {} of group {number} lacks something", rank.0));
            }
        }
    }
    Ok(())
}

fn sums_at_home(request: &Request<'_>, plan: &Plan, held: &Holdings) -> Result<(), String> {
    let parts = owned(&plan.schedule);
    cover(request, plan, &parts)?;
    for part in parts {
        let all = Contributors::of(request.ranks, &request.groups[part.group as usize].ranks);
        let buffer = &held.buffers[&(part.group, part.rank)];
        if !buffer.holds(part.bytes.0..part.bytes.1, &all) {
            return Err(format!("{part:?} is not summed"));
        }
    }
    Ok(())
}

fn parts_everywhere(request: &Request<'_>, plan: &Plan, held: &Holdings) -> Result<(), String> {
    let parts = owned(&plan.schedule);
    cover(request, plan, &parts)?;
    for part in parts {
        let owner = Contributors::of(request.ranks, &[part.rank]);
        for &rank in &request.groups[part.group as usize].ranks {
            let buffer = &held.buffers[&(part.group, rank)];
            if !buffer.holds(part.bytes.0..part.bytes.1, &owner) {
                return Err(format!("rank {} lacks {part:?}", rank.0));
            }
        }
    }
    Ok(())
}

fn transposed(request: &Request<'_>, plan: &Plan, held: &Holdings) -> Result<(), String> {
    let mut expected = Vec::new();
    for (number, group) in request.groups.iter().enumerate() {
        let split = Split { total: plan.size, parts: u64::from(group.size()) };
        for (place, &dst) in (0..).zip(&group.ranks) {
            let bytes = (split.start(place), split.start(place + 1));
            let sources = group.ranks.iter().filter(|&&src| src != dst);
            let group = number as u32;
            expected.extend(sources.map(|&src| Receipt { group, dst, src, bytes }));
        }
    }
    let mut received = held.received.clone();
    received.sort();
    expected.sort();
    if received == expected { Ok(()) } else { Err("blocks are missing or wrong".into()) }
}

/// The parts of a reduce-scatter or an all-gather: the chunk of each seat's number in every lane.
fn owned(schedule: &Schedule) -> Vec<Part> {
    let mut parts = Vec::new();
    for lane in &schedule.lanes {
        let range = match &lane.stages[0].payload {
            Payload::Rotating(range)
            | Payload::RotatingHome(range)
            | Payload::OfSource(range)
            | Payload::OfDestination(range)
            | Payload::Whole(range) => range.clone(),
            Payload::HalvedOfSource(halving) | Payload::HalvedOfDestination(halving) => {
                halving.range.clone()
            }
            Payload::Strided(strides) => strides.range.clone(),
            other => panic!("{other:?} does not tell parts"),
        };
        let total = Bytes::new(range.end - range.start);
        let split = Split { total, parts: lane.seats.len() as u64 };
        for (seat, &rank) in (0..).zip(lane.seats.iter()) {
            let bytes = (range.start + split.start(seat), range.start + split.start(seat + 1));
            parts.push(Part { group: lane.name.group, rank, bytes });
        }
    }
    parts
}

/// The parts of each group cover the vector once, and no rank's part is far from the average.
fn cover(request: &Request<'_>, plan: &Plan, parts: &[Part]) -> Result<(), String> {
    let mut by_group: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
    let mut by_rank: BTreeMap<(u32, RankId), u64> = BTreeMap::new();
    for part in parts {
        by_group.entry(part.group).or_default().push(part.bytes);
        *by_rank.entry((part.group, part.rank)).or_default() += part.bytes.1 - part.bytes.0;
    }
    for (group, bytes) in &mut by_group {
        bytes.sort_unstable();
        let mut reached = 0;
        for &(start, end) in bytes.iter() {
            if start != reached {
                return Err(format!("parts of group {group} leave or share byte {reached}"));
            }
            reached = end;
        }
        if reached != plan.size.as_u64() {
            return Err(format!("parts of group {group} end at {reached}"));
        }
    }
    // Each channel's chunk is within one byte of its average.
    let slack = u64::from(plan.channels);
    for ((group, rank), bytes) in by_rank {
        let ranks = u64::from(request.groups[group as usize].size());
        if bytes.abs_diff(plan.size.as_u64() / ranks) > slack {
            return Err(format!("rank {} owns {bytes} bytes", rank.0));
        }
    }
    Ok(())
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
