//! What each collective must end with.

use std::collections::BTreeMap;

use collectives::proof::{Contributors, Holdings, Part, Receipt, Start};
use collectives::{
    Algorithm, Collective, Group, Pattern, Payload, Plan, RankId, Request, Schedule,
};
use units::{Bytes, Split};

use crate::support::{Order, run};

/// Whether every rank ends with what the collective promises; the bytes sent, or what is wrong.
pub(crate) fn ends_right(request: &Request<'_>, plan: &Plan, order: Order) -> Result<u128, String> {
    let size = plan.size.as_u64();
    let root = |group: u32, place: u32| request.groups[group as usize].ranks[place as usize];
    let whole = |place: u32| {
        let groups = 0..request.groups.len() as u32;
        let part = |group| Part { group, rank: root(group, place), bytes: (0, size) };
        Start::Parts(groups.map(part).collect())
    };
    let relayed = matches!(request.algorithm, Algorithm::Bruck | Algorithm::TwoLevel);
    let start = match request.collective {
        Collective::AllReduce | Collective::ReduceScatter | Collective::Reduce { .. } => {
            Start::Vectors(size)
        }
        Collective::AllGather | Collective::Gather { .. } => Start::Parts(owned(&plan.schedule)),
        Collective::AllToAll if relayed => Start::Parts(laid_end_to_end(request, size)),
        Collective::AllToAll | Collective::AllToAllV { .. } | Collective::Barrier => Start::Blocks,
        Collective::Broadcast { root: place }
        | Collective::Scatter { root: place }
        | Collective::SendReceive { from: place, .. } => whole(place),
    };
    let held = run(&plan.schedule, &start, order).map_err(|fault| fault.to_string())?;
    let rooted = Rooted { request, plan, held: &held };
    match request.collective {
        Collective::AllReduce => everything_everywhere(request, plan, &held)?,
        Collective::ReduceScatter => sums_at_home(request, plan, &held)?,
        Collective::AllGather => parts_everywhere(request, plan, &held)?,
        Collective::AllToAll if relayed => delivered(request, size, &held)?,
        Collective::AllToAll | Collective::AllToAllV { .. } => transposed(request, plan, &held)?,
        Collective::Broadcast { root } => rooted.everywhere(root)?,
        Collective::Reduce { root } => rooted.summed(root)?,
        Collective::Gather { root } => rooted.gathered(root)?,
        Collective::Scatter { root } => rooted.scattered(root)?,
        Collective::SendReceive { from, to } => rooted.sent(from, to)?,
        Collective::Barrier => all_have_heard(&plan.schedule)?,
    }
    Ok(held.bytes)
}

/// What a collective with a root has come to.
struct Rooted<'a> {
    request: &'a Request<'a>,
    plan: &'a Plan,
    held: &'a Holdings,
}

impl Rooted<'_> {
    /// Whether the rank holds these bytes with the contributions of `whose`, and theirs alone.
    fn holds(
        &self,
        group: usize,
        rank: RankId,
        bytes: (u64, u64),
        whose: &[RankId],
    ) -> Result<(), String> {
        let whose = Contributors::of(self.request.ranks, whose);
        let buffer = self.held.buffers.get(&(group as u32, rank));
        if bytes.0 == bytes.1 || buffer.is_some_and(|b| b.holds(bytes.0..bytes.1, &whose)) {
            return Ok(());
        }
        Err(format!("rank {} of group {group} lacks {bytes:?}", rank.0))
    }

    /// The groups that do something.
    fn groups(&self) -> impl Iterator<Item = (usize, &[RankId])> {
        let groups = self.request.groups.iter().enumerate().filter(|(_, g)| g.size() > 1);
        groups.map(|(number, group)| (number, &group.ranks[..]))
    }

    fn size(&self) -> u64 {
        self.plan.size.as_u64()
    }

    fn everywhere(&self, root: u32) -> Result<(), String> {
        for (group, ranks) in self.groups() {
            for &rank in ranks {
                self.holds(group, rank, (0, self.size()), &[ranks[root as usize]])?;
            }
        }
        Ok(())
    }

    fn summed(&self, root: u32) -> Result<(), String> {
        for (group, ranks) in self.groups() {
            self.holds(group, ranks[root as usize], (0, self.size()), ranks)?;
        }
        Ok(())
    }

    fn gathered(&self, root: u32) -> Result<(), String> {
        let parts = owned(&self.plan.schedule);
        cover(self.request, self.plan, &parts)?;
        for part in parts {
            let group = part.group as usize;
            let root = self.request.groups[group].ranks[root as usize];
            self.holds(group, root, part.bytes, &[part.rank])?;
        }
        Ok(())
    }

    fn scattered(&self, root: u32) -> Result<(), String> {
        let parts = owned(&self.plan.schedule);
        cover(self.request, self.plan, &parts)?;
        for part in parts {
            let group = part.group as usize;
            let root = self.request.groups[group].ranks[root as usize];
            self.holds(group, part.rank, part.bytes, &[root])?;
        }
        Ok(())
    }

    fn sent(&self, from: u32, to: u32) -> Result<(), String> {
        for (group, ranks) in self.groups() {
            let (from, to) = (ranks[from as usize], ranks[to as usize]);
            self.holds(group, to, (0, self.size()), &[from])?;
        }
        Ok(())
    }
}

/// Whether, step by step, news of every seat reaches all others of its lane.
fn all_have_heard(schedule: &Schedule) -> Result<(), String> {
    for lane in &schedule.lanes {
        let seats = lane.seats.len();
        let mut known: Vec<Vec<bool>> =
            (0..seats).map(|seat| (0..seats).map(|other| other == seat).collect()).collect();
        for stage in &lane.stages {
            let before = known.clone();
            stage.pattern.for_each(seats as u32, stage.steps, &mut |transfer| {
                let told = &before[transfer.src as usize];
                let hears = &mut known[transfer.dst as usize];
                hears.iter_mut().zip(told).for_each(|(knows, told)| *knows |= told);
            });
        }
        if known.iter().flatten().any(|knows| !knows) {
            return Err("a seat leaves before it has heard of all".into());
        }
    }
    Ok(())
}

/// The ranks of a group in the order in which a relayed all-to-all numbers them: by supernode, the
/// supernodes by their first rank.
fn numbered(request: &Request<'_>, group: &Group) -> Vec<RankId> {
    if request.algorithm != Algorithm::TwoLevel {
        return group.ranks.clone();
    }
    let first =
        |place: usize| group.supernodes.iter().position(|&other| other == group.supernodes[place]);
    let mut places: Vec<usize> = (0..group.ranks.len()).collect();
    places.sort_by_key(|&place| first(place));
    places.into_iter().map(|place| group.ranks[place]).collect()
}

/// The buffers of all ranks, one after the other.
fn laid_end_to_end(request: &Request<'_>, size: u64) -> Vec<Part> {
    let mut parts = Vec::new();
    for (group, members) in (0..).zip(request.groups) {
        let ranks = (0..).zip(numbered(request, members));
        parts.extend(ranks.map(|(number, rank)| {
            let bytes = (number * size, (number + 1) * size);
            Part { group, rank, bytes }
        }));
    }
    parts
}

/// Whether every block is at its target in the end.
fn delivered(request: &Request<'_>, size: u64, held: &Holdings) -> Result<(), String> {
    for (group, members) in (0..).zip(request.groups) {
        let ranks = numbered(request, members);
        let split = Split { total: Bytes::new(size), parts: ranks.len() as u64 };
        for (origin, &from) in (0..).zip(&ranks) {
            let whose = Contributors::of(request.ranks, &[from]);
            for (target, &to) in (0..).zip(&ranks) {
                let (start, end) = (split.start(target), split.start(target + 1));
                let buffer = origin * size;
                if !held.buffers[&(group, to)].holds(buffer + start..buffer + end, &whose) {
                    return Err(format!("rank {} lacks its block of rank {}", to.0, from.0));
                }
            }
        }
    }
    Ok(())
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
        let start =
            |place| block_start(request.collective, (plan.size.as_u64(), group.size()), place);
        for (place, &dst) in (0..).zip(&group.ranks) {
            let bytes = (start(place), start(place + 1));
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

/// Where the block of a rank starts in a buffer of `size` bytes: after the shares of those before it,
/// which are 1 each, or rise from 1 − x to 1 + x.
fn block_start(collective: Collective, (size, ranks): (u64, u32), place: u32) -> u64 {
    let imbalance = match collective {
        Collective::AllToAllV { imbalance_ppm } => i128::from(imbalance_ppm),
        _ => 0,
    };
    let last = i128::from(ranks) - 1;
    let share = |place: u32| last.max(1) * 1_000_000 + imbalance * (2 * i128::from(place) - last);
    let before: i128 = (0..place).map(share).sum();
    let all: i128 = (0..ranks).map(share).sum();
    u64::try_from(i128::from(size) * before / all).expect("within the buffer")
}

/// The parts of a reduce-scatter or an all-gather: the chunk of each seat's number in every lane.
fn owned(schedule: &Schedule) -> Vec<Part> {
    let mut parts = Vec::new();
    for lane in &schedule.lanes {
        let stage = &lane.stages[0];
        let range = match &stage.payload {
            // Of the lanes by way of switches those tell parts in which ranks take turns.
            Payload::Backwards { range, pieces, last } => {
                let Pattern::InWindows(windows) = &stage.pattern else { continue };
                let split = Split { total: Bytes::new(range.end - range.start), parts: *pieces };
                for window in windows.iter() {
                    let ends = [window.src, window.dst].map(|seat| lane.seats[seat as usize]);
                    let rank = ends.into_iter().find(|rank| rank.switches().is_none());
                    let at = |piece| range.start + split.start(piece);
                    let bytes = (at(last + 1 - window.end), at(last + 1 - window.first));
                    parts.extend(rank.map(|rank| Part { group: lane.name.group, rank, bytes }));
                }
                continue;
            }
            Payload::Rotating(range)
            | Payload::RotatingHome(range)
            | Payload::OfSource(range)
            | Payload::OfDestination(range)
            | Payload::Branch { range, .. }
            | Payload::Whole(range) => range.clone(),
            Payload::HalvedOfSource(halving) | Payload::HalvedOfDestination(halving) => {
                halving.range.clone()
            }
            Payload::Strided(strides) => strides.range.clone(),
            other => panic!("{other:?} does not tell parts"),
        };
        let total = Bytes::new(range.end - range.start);
        let ranks: Vec<RankId> =
            lane.seats.iter().copied().filter(|rank| rank.switches().is_none()).collect();
        let split = Split { total, parts: ranks.len() as u64 };
        for (seat, rank) in (0..).zip(ranks) {
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
