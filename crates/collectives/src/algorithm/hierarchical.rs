//! Hierarchical all-reduce: inside each supernode, across them, and inside again.
//!
//! A reduce-scatter inside each supernode leaves each card with the sum of one shard of the vector;
//! an all-reduce across supernodes sums each shard among those that hold it; an all-gather inside
//! spreads the result. Supernodes of different sizes have different shards: the vector is then cut
//! at the union of all their boundaries, the fractions i/m of supernodes with m cards, and every
//! *piece* between two boundaries has exactly one owner in each supernode. Among equal supernodes a
//! piece is the shard of the cards with one index.

use std::sync::Arc;

use units::{Bytes, Split};

use super::{Inner, Outer, direct, halving_doubling, nhr, ring, tree};
use crate::draft::{Draft, Task};
use crate::{Group, LaneId, RankId, Refusal, Seats};

/// Pieces × supernodes may be this many times the ranks; equal supernodes need 1 time, supernodes of
/// two sizes up to 2 times.
const MAX_OWNERS_PER_RANK: u64 = 64;

/// A boundary of shards: the fraction `index`/`cards` of the vector.
#[derive(Clone, Copy, Debug)]
struct Boundary {
    index: u64,
    cards: u64,
}

impl Boundary {
    /// `index`/`cards` × `other`, rounded down: the shard that begins at or before the boundary in a
    /// supernode of `other` cards.
    const fn shard_among(self, other: u64) -> u64 {
        self.index * other / self.cards
    }

    /// The byte of a vector of `size` bytes; the same as in a split of the vector by `cards`.
    const fn byte(self, size: Bytes) -> u64 {
        Split { total: size, parts: self.cards }.start(self.index)
    }

    fn cmp(self, other: Self) -> std::cmp::Ordering {
        (self.index * other.cards).cmp(&(other.index * self.cards))
    }
}

/// Sums the vectors of all ranks of the group at all of them.
pub(super) fn all_reduce(
    draft: &mut Draft,
    group: &Group,
    inner: Inner,
    outer: Outer,
    size: Bytes,
) -> Result<(), Refusal> {
    let inside: Vec<Task> = group
        .members()
        .into_iter()
        .enumerate()
        .map(|(supernode, places)| Task {
            seats: places.into_iter().map(|place| group.ranks[place]).collect::<Seats>(),
            range: 0..size.as_u64(),
            channel: supernode as u32,
            after: Vec::new(),
        })
        .collect();
    let scatters: Vec<Option<LaneId>> = inside
        .iter()
        .map(|task| {
            (task.size() > 1).then(|| {
                let stages = match inner {
                    Inner::Direct => vec![direct::scatter(task)],
                    Inner::Ring => vec![ring::scatter(task)],
                    Inner::Nhr => nhr::scatter(task),
                };
                draft.lane("scatter inside", task, stages)
            })
        })
        .collect();
    let done = across(draft, &inside, &scatters, outer, size)?;
    for (supernode, task) in inside.iter().enumerate().filter(|(_, task)| task.size() > 1) {
        let stages = match inner {
            Inner::Direct => vec![direct::gather(task)],
            Inner::Ring => vec![ring::gather(task)],
            Inner::Nhr => nhr::gather(task),
        };
        let mut waits = Vec::new();
        for (seat, lanes) in done[supernode].iter().enumerate() {
            waits.extend(lanes.iter().map(|&lane| draft.after_all_of(lane, seat as u32)));
        }
        draft.lane_with_waits("gather inside", task, stages, waits);
    }
    Ok(())
}

/// Sums every piece among its owners; which lanes each card of each supernode then waits for.
fn across(
    draft: &mut Draft,
    inside: &[Task],
    scatters: &[Option<LaneId>],
    outer: Outer,
    size: Bytes,
) -> Result<Vec<Vec<Vec<LaneId>>>, Refusal> {
    let mut done: Vec<Vec<Vec<LaneId>>> =
        inside.iter().map(|task| vec![Vec::new(); task.seats.len()]).collect();
    if let ([_], [scatter]) = (inside, scatters) {
        done[0].iter_mut().for_each(|lanes| lanes.extend(*scatter));
        return Ok(done);
    }
    let cuts = boundaries(inside);
    let ranks: u64 = inside.iter().map(|task| u64::from(task.size())).sum();
    let (pieces, owners) = (cuts.len() as u64 - 1, inside.len() as u64);
    let limit = MAX_OWNERS_PER_RANK * ranks;
    if pieces * owners > limit {
        let group = draft.group();
        return Err(Refusal::TooManyPieces { group, pieces, owners, limit });
    }
    for (piece, ends) in cuts.windows(2).enumerate() {
        let owners: Vec<usize> = inside
            .iter()
            .map(|task| ends[0].shard_among(u64::from(task.size())) as usize)
            .collect();
        let after = owners
            .iter()
            .zip(scatters)
            .enumerate()
            .filter_map(|(seat, (_, scatter))| {
                scatter.map(|lane| draft.after_all_of(lane, seat as u32))
            })
            .collect();
        let seats: Arc<[RankId]> =
            inside.iter().zip(&owners).map(|(task, &owner)| task.seats[owner]).collect();
        let range = ends[0].byte(size)..ends[1].byte(size);
        let task = Task { seats, range, channel: piece as u32, after };
        let last = outer_all_reduce(draft, &task, outer)?;
        for (cards, &owner) in done.iter_mut().zip(&owners) {
            cards[owner].extend(&last);
        }
    }
    Ok(done)
}

fn outer_all_reduce(draft: &mut Draft, task: &Task, outer: Outer) -> Result<Vec<LaneId>, Refusal> {
    Ok(match outer {
        Outer::Ring => vec![ring::all_reduce(draft, task)],
        Outer::Direct => vec![direct::all_reduce(draft, task)],
        Outer::HalvingDoubling { order } => {
            vec![halving_doubling::all_reduce(draft, task, order)]
        }
        Outer::Tree { chunk } => tree::all_reduce(draft, task, chunk)?.to_vec(),
    })
}

/// All boundaries of shards from 0 to the end of the vector, in order, each once.
fn boundaries(inside: &[Task]) -> Vec<Boundary> {
    let mut sizes: Vec<u64> = inside.iter().map(|task| u64::from(task.size())).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut cuts: Vec<Boundary> = sizes
        .into_iter()
        .flat_map(|cards| (0..=cards).map(move |index| Boundary { index, cards }))
        .collect();
    cuts.sort_by(|left, right| left.cmp(*right));
    cuts.dedup_by(|right, left| left.cmp(*right).is_eq());
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(cards: u32) -> Task {
        Task { seats: (0..cards).map(RankId).collect(), range: 0..0, channel: 0, after: vec![] }
    }

    #[test]
    fn equal_supernodes_have_a_piece_per_card() {
        assert_eq!(boundaries(&[task(4), task(4)]).len(), 5);
    }

    #[test]
    fn unequal_supernodes_are_cut_at_all_boundaries() {
        // 0, 1/3, 1/2, 2/3, 1: four pieces, owned by shards 0, 0, 1, 1 of 2 and 0, 1, 1, 2 of 3.
        let cuts = boundaries(&[task(2), task(3)]);
        let owners =
            |cards| cuts.windows(2).map(|ends| ends[0].shard_among(cards)).collect::<Vec<_>>();
        assert_eq!(owners(2), [0, 0, 1, 1]);
        assert_eq!(owners(3), [0, 1, 1, 2]);
        let bytes: Vec<u64> = cuts.iter().map(|cut| cut.byte(Bytes::new(13))).collect();
        // ⌊13/3⌋ = 4, ⌊13/2⌋ = 6, ⌊26/3⌋ = 8.
        assert_eq!(bytes, [0, 4, 6, 8, 13]);
    }
}
