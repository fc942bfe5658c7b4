//! Colour refinement round by round, which tells why two vertices are not alike.
//!
//! In each round a vertex gets a new colour by its colour before and those of its neighbours behind
//! each label. Two vertices that start alike are told apart in some round because their neighbours
//! were in the round before; followed back, that ends at two vertices which differ by themselves: in
//! their initial colours, or in how many neighbours they have behind some label.
//!
//! Every round costs O(E); rounds are kept, 4 bytes a vertex each.

use rustc_hash::FxHashMap;

use super::LabelledGraph;
use crate::routing::mix;

/// The most neighbours that are held against each other.
const MOST_HELD: usize = 64;

/// The colours of all vertices in the first rounds of refinement.
#[derive(Clone, Debug)]
pub struct Rounds {
    start: Vec<u32>,
    /// (label and end, neighbour) of each vertex, by vertex.
    seen: Vec<(u32, u32)>,
    /// The colour of each vertex, by round.
    colours: Vec<Vec<u32>>,
}

/// Two vertices that differ by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The vertex met from the left one.
    pub left: u32,
    /// The vertex met from the right one.
    pub right: u32,
    /// In what they differ.
    pub what: Differing,
    /// The two vertices that were told apart because they see these.
    pub before: Option<(u32, u32)>,
}

/// In what two vertices differ by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differing {
    /// In their initial colours.
    Colour,
    /// In how many neighbours they have behind one end of a label.
    Count {
        /// The label.
        label: u32,
        /// At which end of its edges they stand: 0 left, 1 right.
        end: u32,
        /// How many the left one has.
        left: u32,
        /// How many the right one has.
        right: u32,
        /// A neighbour of that with more of them.
        neighbour: u32,
    },
}

/// The neighbours of a vertex in some round: (label and end, colour, neighbour), in order.
type View = Vec<(u32, u32, u32)>;

impl Rounds {
    /// Refines `graph` by at most `most` rounds; fewer where nothing changes any more.
    pub fn new(graph: &LabelledGraph, most: usize) -> Self {
        let (start, seen) = graph.sight();
        let mut known = FxHashMap::default();
        let first = graph.colours.iter().map(|&colour| number(&mut known, (colour, 0_u128)));
        let mut rounds = Self { start, seen, colours: vec![first.collect()] };
        let mut count = known.len();
        while rounds.colours.len() <= most {
            let (next, next_count) = rounds.next();
            if next_count == count {
                break;
            }
            count = next_count;
            rounds.colours.push(next);
        }
        rounds
    }

    /// How many rounds are kept, the initial colours apart.
    pub fn len(&self) -> usize {
        self.colours.len() - 1
    }

    /// Whether nothing was refined.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Why `left` and `right` are told apart; `None` if they are not within the rounds kept.
    pub fn difference(&self, left: u32, right: u32) -> Option<Difference> {
        let (mut left, mut right) = (left, right);
        let mut before = None;
        let mut round = self.parting(left, right)?;
        while round > 0 {
            let views = [self.view(left, round - 1), self.view(right, round - 1)];
            if let Some(what) = differing_count(&views) {
                return Some(Difference { left, right, what, before });
            }
            before = Some((left, right));
            (left, right) = self.differing_neighbours(&views);
            round = self.parting(left, right).expect("these neighbours differ");
        }
        Some(Difference { left, right, what: Differing::Colour, before })
    }

    /// What a vertex has: (label, the end at which it stands, neighbour).
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        let range = self.start[vertex as usize] as usize..self.start[vertex as usize + 1] as usize;
        self.seen[range].iter().map(|&(label, neighbour)| (label / 2, label % 2, neighbour))
    }

    /// The first round in which two vertices have two colours.
    fn parting(&self, left: u32, right: u32) -> Option<usize> {
        self.colours.iter().position(|colours| colours[left as usize] != colours[right as usize])
    }

    /// The colours of the next round, and how many there are.
    fn next(&self) -> (Vec<u32>, usize) {
        let colours = self.colours.last().expect("the initial colours are kept");
        let mut known = FxHashMap::default();
        let next = colours.iter().enumerate().map(|(vertex, &colour)| {
            let range = self.start[vertex] as usize..self.start[vertex + 1] as usize;
            let sum = self.seen[range].iter().fold(0_u128, |sum, &(label, neighbour)| {
                let word = u64::from(label) << 32 | u64::from(colours[neighbour as usize]);
                let wide = u128::from(mix(0x51ed_270b_7a14_96d3, word)) << 64;
                sum.wrapping_add(wide | u128::from(mix(0xa3b1_95c4_4e8f_0d27, word)))
            });
            number(&mut known, (u64::from(colour), sum))
        });
        let next = next.collect();
        (next, known.len())
    }

    fn view(&self, vertex: u32, round: usize) -> View {
        let range = self.start[vertex as usize] as usize..self.start[vertex as usize + 1] as usize;
        let colours = &self.colours[round];
        let seen = self.seen[range].iter();
        let mut view: View =
            seen.map(|&(label, other)| (label, colours[other as usize], other)).collect();
        view.sort_unstable();
        view
    }

    /// A neighbour of each behind one label, which are told apart: each neighbour of the left one that
    /// the right one lacks is held against what is most like it there, and the pair that parts first is
    /// taken.
    fn differing_neighbours(&self, [left, right]: &[View; 2]) -> (u32, u32) {
        let lefts = surplus(left, right);
        let rights = surplus(right, left);
        let pairs = lefts.iter().take(MOST_HELD).filter_map(|&(label, _, one)| {
            let others = rights.iter().filter(|other| other.0 == label).take(MOST_HELD);
            let held = others.filter_map(|&(_, _, other)| Some((self.parting(one, other)?, other)));
            let (round, other) = held.max_by_key(|&(round, _)| round)?;
            Some((round, one, other))
        });
        let (_, one, other) = pairs.min().expect("views of one round that differ have such a pair");
        (one, other)
    }
}

fn number<K: std::hash::Hash + Eq>(known: &mut FxHashMap<K, u32>, key: K) -> u32 {
    let next = known.len() as u32;
    *known.entry(key).or_insert(next)
}

/// The first label behind which two vertices have differently many neighbours.
fn differing_count([left, right]: &[View; 2]) -> Option<Differing> {
    let count = |view: &View, label: u32| view.iter().filter(|it| it.0 == label).count() as u32;
    let first = (left.iter().zip(right).find(|(one, other)| one.0 != other.0))
        .map(|(one, other)| one.0.min(other.0))
        .or_else(|| {
            let longer = if left.len() > right.len() { left } else { right };
            longer.get(left.len().min(right.len())).map(|it| it.0)
        })?;
    let counts = (count(left, first), count(right, first));
    let more = if counts.0 > counts.1 { left } else { right };
    let neighbour = more.iter().find(|it| it.0 == first)?.2;
    let (label, end) = (first / 2, first % 2);
    let (left, right) = counts;
    Some(Differing::Count { label, end, left, right, neighbour })
}

/// For each label and colour of which `one` has more than `other`: a neighbour.
fn surplus(one: &View, other: &View) -> View {
    let key = |it: &(u32, u32, u32)| (it.0, it.1);
    let runs = one.chunk_by(|left, right| key(left) == key(right));
    let more = runs.filter(|run| {
        let from = other.partition_point(|it| key(it) < key(&run[0]));
        let to = other.partition_point(|it| key(it) <= key(&run[0]));
        run.len() > to - from
    });
    more.map(|run| run[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle of 12 whose edges all bear label 0.
    fn cycle() -> LabelledGraph {
        let mut graph = LabelledGraph::default();
        for _ in 0..12 {
            graph.vertex(0);
        }
        for vertex in 0..12 {
            graph.edge(vertex, (vertex + 1) % 12, 0);
        }
        graph
    }

    #[test]
    fn what_is_alike_has_no_difference() {
        let rounds = Rounds::new(&cycle(), 8);
        assert!(rounds.is_empty());
        assert_eq!(rounds.difference(0, 5), None);
    }

    #[test]
    fn a_marked_vertex_is_found_from_afar_within_the_rounds() {
        let mut graph = cycle();
        graph.colours[3] = 7;
        let rounds = Rounds::new(&graph, 4);
        // Vertex 2 sees the marked one next to it, vertex 8 sees vertex 9 there.
        let found = rounds.difference(2, 8).expect("they differ in the first round");
        assert_eq!((found.left, found.right, found.what), (3, 9, Differing::Colour));
        // Vertex 7 is four steps behind it, vertex 9 six: only four rounds are kept.
        assert_eq!(rounds.difference(7, 9).map(|it| it.left), Some(3));
        assert_eq!(Rounds::new(&graph, 2).difference(8, 9), None);
    }

    #[test]
    fn a_missing_edge_is_a_difference_of_counts() {
        let mut graph = cycle();
        let twin = graph.vertex(0);
        graph.edge(5, twin, 1);
        let rounds = Rounds::new(&graph, 4);
        // Vertex 5 has one neighbour behind label 1, the others none.
        let what = Differing::Count { label: 1, end: 0, left: 0, right: 1, neighbour: twin };
        let alone = Difference { left: 0, right: 5, what, before: None };
        assert_eq!(rounds.difference(0, 5), Some(alone));
        let from_four = rounds.difference(4, 0).expect("4 is next to 5");
        let what = Differing::Count { label: 1, end: 0, left: 1, right: 0, neighbour: twin };
        assert_eq!((from_four.left, from_four.what, from_four.before), (5, what, Some((4, 0))));
    }
}
