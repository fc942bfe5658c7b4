//! Collectives by switches that add up and copy.
//!
//! What the ranks send meets at the switches, piece by piece: a rank sends each byte once and receives
//! each byte once, however many ranks there are, and so does a switch below another one. In *up* lanes the
//! ranks of a set of switches send to these, and sets of switches to the set above; in *down* lanes a set
//! sends one message to all that hang on it. A set passes a piece on when all that belongs to it has come.
//! With K equal pieces of a vector of S bytes, ports of rate B and h hops up and down each of the five
//! collectives takes S/B + (h − 1) · S/(K·B) and the latencies of all hops, if no more than the ports is
//! shared and no hop between switches is quicker.
//!
//! The ranks' NIC links share the vector, each with a tree of its own. Where ranks have parts of their own
//! each has its turn, the last one first, in as many pieces as any other; a NIC link then has the parts of
//! some of the ranks.
//!
//! Source: Graham and others: Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware Architecture
//! for Efficient Data Reduction, COMHPC 2016, sections 2 and 3 (the result goes down from the switch).

use std::collections::BTreeMap;
use std::ops::Range;

use units::Bytes;

use crate::draft::{Draft, Task, stage};
use crate::payload::chunk_of;
use crate::{
    Action, Group, LaneId, Pace, Pattern, Payload, RankId, Refusal, Seats, SwitchTree, Transfer,
    Wait,
};

/// The most pieces of one vector.
const MAX_PIECES: u64 = 1 << 20;

/// Refuses a group that no switches join.
pub(super) fn check(draft: &Draft, group: &Group) -> Result<(), Refusal> {
    if group.trees.is_empty() {
        let supernodes = group.members().len();
        return Err(Refusal::BeyondSwitches { group: draft.group(), supernodes });
    }
    Ok(())
}

/// Sums the vectors of all seats at all seats, in pieces of at most `chunk` bytes.
pub(super) fn all_reduce(
    draft: &mut Draft,
    (group, task): (&Group, &Task),
    chunk: Bytes,
) -> Result<(), Refusal> {
    let all = 0..task.size();
    for tree in Tree::whole(group, task, chunk)? {
        let up = tree.up(draft, &all, Talk::All, Action::Reduce);
        tree.down(draft, &all, Talk::All, (up, Action::Store));
    }
    Ok(())
}

/// Leaves each seat with its part of the sum.
pub(super) fn reduce_scatter(
    draft: &mut Draft,
    (group, task): (&Group, &Task),
    chunk: Bytes,
) -> Result<(), Refusal> {
    let all = 0..task.size();
    for tree in Tree::parted(group, task, chunk)? {
        let up = tree.up(draft, &all, Talk::All, Action::Reduce);
        tree.down(draft, &tree.owners(), Talk::InTurn, (up, Action::Store));
    }
    Ok(())
}

/// Brings the part of each seat to all seats, its own included.
pub(super) fn all_gather(
    draft: &mut Draft,
    (group, task): (&Group, &Task),
    chunk: Bytes,
) -> Result<(), Refusal> {
    let all = 0..task.size();
    for tree in Tree::parted(group, task, chunk)? {
        let up = tree.up(draft, &tree.owners(), Talk::InTurn, Action::Store);
        tree.down(draft, &all, Talk::All, (up, Action::Store));
    }
    Ok(())
}

/// Brings the vector of the first seat to all others.
pub(super) fn broadcast(
    draft: &mut Draft,
    (group, task): (&Group, &Task),
    chunk: Bytes,
) -> Result<(), Refusal> {
    for tree in Tree::whole(group, task, chunk)? {
        let up = tree.up(draft, &(0..1), Talk::All, Action::Store);
        tree.down(draft, &(1..task.size()), Talk::All, (up, Action::Store));
    }
    Ok(())
}

/// Sums the vectors of all seats at the first one, which adds its own to the sum of the others.
pub(super) fn reduce(
    draft: &mut Draft,
    (group, task): (&Group, &Task),
    chunk: Bytes,
) -> Result<(), Refusal> {
    for tree in Tree::whole(group, task, chunk)? {
        let up = tree.up(draft, &(1..task.size()), Talk::All, Action::Reduce);
        tree.down(draft, &(0..1), Talk::All, (up, Action::Reduce));
    }
    Ok(())
}

/// Who talks to the switches, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Talk {
    /// All at once, piece by piece.
    All,
    /// One after the other, each with its own part.
    InTurn,
}

/// What hangs on switches, and the seats of the task under it.
type Below = (RankId, Vec<u32>);

/// A set of switches and all that hangs on it.
type Set = (RankId, Vec<Below>);

/// A tree of switches over the seats of a task, and what it moves.
struct Tree<'t> {
    task: &'t Task,
    channel: u32,
    /// The switches above each seat, from below; the last ones are above all of them.
    above: Vec<Vec<RankId>>,
    /// The range that is cut in pieces, into how many, and which of them it moves.
    range: Range<u64>,
    pieces: u64,
    moved: Range<u64>,
    /// The pieces of the part of a seat; 0 where seats have no parts.
    of_part: u64,
}

impl<'t> Tree<'t> {
    fn new(tree: &SwitchTree, group: &Group, (task, channel): (&'t Task, u32)) -> Self {
        let place: BTreeMap<RankId, usize> =
            group.ranks.iter().enumerate().map(|(place, &rank)| (rank, place)).collect();
        let chain = |rank: &RankId| -> Vec<RankId> {
            tree.levels.iter().map(|level| RankId::of_switches(level[place[rank]])).collect()
        };
        let above = task.seats.iter().map(chain).collect();
        let (range, moved) = (task.range.clone(), 0..0);
        Self { task, channel, above, range, pieces: 0, moved, of_part: 0 }
    }

    /// The trees of a group, which share the vector evenly.
    fn whole(group: &Group, task: &'t Task, chunk: Bytes) -> Result<Vec<Self>, Refusal> {
        let trees = group.trees.len() as u64;
        let tree = |(channel, tree): (u32, &SwitchTree)| {
            let tree = Self::new(tree, group, (task, channel));
            let range = chunk_of(&task.range, trees, u64::from(channel));
            let pieces = pieces(&range, 1, chunk)?;
            Ok(Self { range, pieces, moved: 0..pieces, ..tree })
        };
        (0..).zip(&group.trees).map(tree).collect()
    }

    /// The same, each with the parts of some of the seats.
    fn parted(group: &Group, task: &'t Task, chunk: Bytes) -> Result<Vec<Self>, Refusal> {
        let (seats, trees) = (task.size(), group.trees.len() as u64);
        let pieces = pieces(&task.range, seats, chunk)?;
        let of_part = pieces / u64::from(seats);
        let tree = |(channel, tree): (u32, &SwitchTree)| {
            let owners = chunk_of(&(0..u64::from(seats)), trees, u64::from(channel));
            let moved = owners.start * of_part..owners.end * of_part;
            Self { pieces, moved, of_part, ..Self::new(tree, group, (task, channel)) }
        };
        let all = (0..).zip(&group.trees).map(tree);
        Ok(all.filter(|tree| !tree.moved.is_empty()).collect())
    }

    /// The seats whose parts it moves.
    fn owners(&self) -> Range<u32> {
        let seat = |piece: u64| (piece / self.of_part) as u32;
        seat(self.moved.start)..seat(self.moved.end)
    }

    /// Lanes in which `senders` send to the switches at the top; by switches, where they receive.
    fn up(
        &self,
        draft: &mut Draft,
        senders: &Range<u32>,
        talk: Talk,
        action: Action,
    ) -> BTreeMap<RankId, LaneId> {
        let mut came: BTreeMap<RankId, LaneId> = BTreeMap::new();
        for level in 0..self.above[0].len() {
            for (switches, below) in self.hanging(level, senders) {
                let waits = (0..).zip(&below).filter_map(|(seat, (rank, _))| {
                    let lane = *came.get(rank)?;
                    Some(Wait { seat, step: 0, lane, completed: 1, pace: Pace::EachStep })
                });
                let waits = waits.collect();
                let lane = self.lane(draft, (switches, &below), (Way::Up, talk, action), waits);
                came.insert(switches, lane);
            }
        }
        came
    }

    /// Lanes in which the switches at the top send piece k to `receivers` when it has come up.
    fn down(
        &self,
        draft: &mut Draft,
        receivers: &Range<u32>,
        talk: Talk,
        (up, action): (BTreeMap<RankId, LaneId>, Action),
    ) {
        let top = self.above[0].last().expect("a tree has a level");
        let mut came = BTreeMap::from([(*top, up[top])]);
        for level in (0..self.above[0].len()).rev() {
            for (switches, below) in self.hanging(level, receivers) {
                let (seat, lane) = (below.len() as u32, came[&switches]);
                let wait = Wait { seat, step: 0, lane, completed: 1, pace: Pace::EachStep };
                // What a set of switches has goes down as it is.
                let action = if level == 0 { action } else { Action::Store };
                let way = (Way::Down, talk, action);
                let lane = self.lane(draft, (switches, &below), way, vec![wait]);
                came.extend(below.iter().map(|&(rank, _)| (rank, lane)));
            }
        }
    }

    /// The switches of a level over some seats, each with what hangs on it and the seats under that.
    fn hanging(&self, level: usize, seats: &Range<u32>) -> Vec<Set> {
        let mut sets: Vec<Set> = Vec::new();
        let mut place_of_set: BTreeMap<RankId, usize> = BTreeMap::new();
        let mut place_below: BTreeMap<RankId, usize> = BTreeMap::new();
        for seat in seats.clone() {
            let above = &self.above[seat as usize];
            let below = match level {
                0 => self.task.seats[seat as usize],
                _ => above[level - 1],
            };
            let set = *place_of_set.entry(above[level]).or_insert_with(|| {
                sets.push((above[level], Vec::new()));
                sets.len() - 1
            });
            let hanging = &mut sets[set].1;
            let place = *place_below.entry(below).or_insert_with(|| {
                hanging.push((below, Vec::new()));
                hanging.len() - 1
            });
            hanging[place].1.push(seat);
        }
        sets
    }

    /// The lane between switches and what hangs on them.
    fn lane(
        &self,
        draft: &mut Draft,
        (switches, below): (RankId, &[Below]),
        (way, talk, action): (Way, Talk, Action),
        waits: Vec<Wait>,
    ) -> LaneId {
        let seats: Seats = below.iter().map(|&(rank, _)| rank).chain([switches]).collect();
        let task = Task { seats, channel: self.channel, ..self.task.clone() };
        let pattern = match (way, talk) {
            (Way::Up, Talk::All) => Pattern::ToLast,
            (Way::Down, Talk::All) => Pattern::FromLast,
            (_, Talk::InTurn) => Pattern::InWindows(self.windows(way, below).into()),
        };
        let steps = self.moved.end - self.moved.start;
        let (range, pieces, last) = (self.range.clone(), self.pieces, self.moved.end - 1);
        let payload = Payload::Backwards { range, pieces, last };
        let part = match way {
            Way::Up => "to switches",
            Way::Down => "from switches",
        };
        draft.lane_with_waits(part, &task, vec![stage(pattern, payload, action, steps)], waits)
    }

    /// When what hangs on switches has its turn: the part of the last seat comes first.
    fn windows(&self, way: Way, below: &[Below]) -> Vec<Transfer> {
        let switches = below.len() as u32;
        let mut windows: Vec<Transfer> = Vec::new();
        for (place, (_, seats)) in (0..).zip(below) {
            let (src, dst) = match way {
                Way::Up => (place, switches),
                Way::Down => (switches, place),
            };
            for &seat in seats.iter().rev() {
                let first = self.moved.end - (u64::from(seat) + 1) * self.of_part;
                let end = first + self.of_part;
                match windows.last_mut().filter(|it| (it.src, it.dst, it.end) == (src, dst, first))
                {
                    Some(window) => window.end = end,
                    None => windows.push(Transfer { src, dst, first, end }),
                }
            }
        }
        windows
    }
}

/// Towards the top or away from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// Into how many pieces of at most `chunk` bytes a range is cut, the same number for each of `parts`.
fn pieces(range: &Range<u64>, parts: u32, chunk: Bytes) -> Result<u64, Refusal> {
    let length = range.end - range.start;
    let parts = u64::from(parts);
    let of_part = u64::max(1, length.div_ceil(parts).div_ceil(chunk.as_u64()));
    match parts.checked_mul(of_part) {
        Some(pieces) if pieces <= MAX_PIECES => Ok(pieces),
        pieces => {
            let chunks = pieces.unwrap_or(u64::MAX);
            Err(Refusal::TooManyChunks { chunks, limit: MAX_PIECES })
        }
    }
}
