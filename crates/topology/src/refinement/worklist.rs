//! Cells that split each other until they are classes.

use std::collections::VecDeque;
use std::hint::black_box;
use std::ops::Range;

use super::{Classes, LabelledGraph};
use crate::routing::mix;

/// The cells so far, and those that have not split others yet.
pub(super) struct Worklist {
    /// What each vertex tells its neighbours: (label hash, neighbour), by vertex.
    told_start: Vec<u32>,
    told: Vec<(u32, u32)>,
    label_hashes: Vec<Sum>,
    /// Vertices by cell.
    order: Vec<u32>,
    spots: Vec<Spot>,
    cells: Vec<Cell>,
    queue: VecDeque<u32>,
}

/// A sum of hashes, modulo 2⁶⁴ in each half.
type Sum = [u64; 2];

/// Where a vertex stands, and what it was told: all that a telling asks of it, side by side.
#[derive(Clone, Copy, Default)]
struct Spot {
    /// What the present splitter has told it, if it is marked.
    sum: Sum,
    /// Its place in the order.
    place: u32,
    cell: u32,
}

#[derive(Clone, Copy)]
struct Cell {
    start: u32,
    len: u32,
    /// How many of its vertices, moved to its front, the present splitter has told something.
    marked: u32,
    is_queued: bool,
}

/// So many vertices of a splitter are looked at together.
const AT_ONCE: usize = 16;

/// Vertices of so many sums are told apart sum by sum; of more they are sorted.
const FEW_SUMS: usize = 8;

impl Worklist {
    /// The cells of vertices of one colour, none of which has split others.
    pub(super) fn new(graph: &LabelledGraph) -> Self {
        let vertices = graph.vertices();
        let (told_start, told) = graph.sight();
        let hash = |side: u64, label: u64| {
            [mix(0x51ed_270b_7a14_96d3 + side, label), mix(0xa3b1_95c4_4e8f_0d27 + side, label)]
        };
        let hashes =
            (0..u64::from(graph.labels)).flat_map(|label| [hash(0, label), hash(1, label)]);
        let colour = |vertex: u32| graph.colours[vertex as usize];
        let mut order: Vec<u32> = (0..vertices as u32).collect();
        // Vertices of one colour mostly come one after the other.
        order.sort_by_key(|&vertex| colour(vertex));
        let mut worklist = Self {
            told_start,
            told,
            label_hashes: hashes.collect(),
            spots: vec![Spot::default(); vertices],
            cells: Vec::new(),
            queue: VecDeque::new(),
            order,
        };
        let mut start = 0;
        while start < worklist.order.len() {
            let rest = &worklist.order[start..];
            let is_same = |&vertex: &u32| colour(vertex) == colour(rest[0]);
            let len = rest.iter().position(|vertex| !is_same(vertex)).unwrap_or(rest.len());
            worklist.add_cell(start, start + len);
            start += len;
        }
        for cell in 0..worklist.cells.len() as u32 {
            worklist.push(cell);
        }
        worklist
    }

    /// Makes a cell of `order[start .. end]`.
    fn add_cell(&mut self, start: usize, end: usize) {
        let number = self.cells.len() as u32;
        let (first, len) = (start as u32, (end - start) as u32);
        self.cells.push(Cell { start: first, len, marked: 0, is_queued: false });
        for (place, &vertex) in (first..).zip(&self.order[start..end]) {
            let spot = &mut self.spots[vertex as usize];
            (spot.place, spot.cell) = (place, number);
        }
    }

    fn push(&mut self, cell: u32) {
        if !self.cells[cell as usize].is_queued {
            self.cells[cell as usize].is_queued = true;
            self.queue.push_back(cell);
        }
    }

    /// Splits until no cell splits another.
    pub(super) fn run(mut self) -> Classes {
        let mut split_by = Vec::new();
        let mut touched = Vec::new();
        while let Some(splitter) = self.queue.pop_front() {
            let cell = &mut self.cells[splitter as usize];
            cell.is_queued = false;
            let members = cell.start as usize..(cell.start + cell.len) as usize;
            split_by.clear();
            split_by.extend_from_slice(&self.order[members]);
            for vertices in split_by.chunks(AT_ONCE) {
                self.look_ahead(vertices);
                for &vertex in vertices {
                    self.tell(vertex, &mut touched);
                }
            }
            // Touched cells are met in the order in which the splitter names them.
            for cell in touched.drain(..) {
                self.split(cell);
            }
        }
        self.classes()
    }

    /// Those who are told something by a vertex, and with which label.
    fn told_by(&self, vertex: u32) -> Range<usize> {
        let vertex = vertex as usize;
        self.told_start[vertex] as usize..self.told_start[vertex + 1] as usize
    }

    /// Reads where those are whom some vertices tell something all at once. What is done with each depends on
    /// what is found there; it would wait for memory, and the next one for it.
    fn look_ahead(&self, vertices: &[u32]) {
        for &vertex in vertices {
            for &(_, neighbour) in &self.told[self.told_by(vertex)] {
                let Spot { cell, .. } = self.spots[neighbour as usize];
                black_box(self.cells[cell as usize].len);
            }
        }
    }

    /// Adds what `vertex` tells to the sums of its neighbours and marks them.
    fn tell(&mut self, vertex: u32, touched: &mut Vec<u32>) {
        for &(label, neighbour) in &self.told[self.told_by(vertex)] {
            let spot = &mut self.spots[neighbour as usize];
            let cell = &mut self.cells[spot.cell as usize];
            if cell.len == 1 {
                continue;
            }
            let [low, high] = self.label_hashes[label as usize];
            let (place, front) = (spot.place, cell.start + cell.marked);
            if place < front {
                spot.sum = [spot.sum[0].wrapping_add(low), spot.sum[1].wrapping_add(high)];
                continue;
            }
            if cell.marked == 0 {
                touched.push(spot.cell);
            }
            cell.marked += 1;
            spot.sum = [low, high];
            if place > front {
                spot.place = front;
                let other = std::mem::replace(&mut self.order[front as usize], neighbour);
                self.order[place as usize] = other;
                self.spots[other as usize].place = place;
            }
        }
    }

    fn sum(&self, place: usize) -> Sum {
        self.spots[self.order[place] as usize].sum
    }

    /// Splits a touched cell by the sums of its marked vertices.
    fn split(&mut self, cell_id: u32) {
        let Cell { start, len, marked, is_queued } = self.cells[cell_id as usize];
        self.cells[cell_id as usize].marked = 0;
        let (start, end) = (start as usize, (start + marked) as usize);
        let first_sum = self.sum(start);
        let is_uniform = (start..end).all(|place| self.sum(place) == first_sum);
        if is_uniform && marked == len {
            return;
        }
        let first_new = self.cells.len() as u32;
        self.cut(start, end);
        // What is left of the cell keeps its number; an empty rest gives it to the first piece.
        let rest = len - marked;
        if rest > 0 {
            let cell = &mut self.cells[cell_id as usize];
            (cell.start, cell.len) = (end as u32, rest);
        } else {
            let piece = self.cells.pop().expect("a split makes pieces");
            let members = piece.start as usize..(piece.start + piece.len) as usize;
            for &vertex in &self.order[members] {
                self.spots[vertex as usize].cell = cell_id;
            }
            let cell = &mut self.cells[cell_id as usize];
            (cell.start, cell.len) = (piece.start, piece.len);
        }
        let pieces = (first_new..self.cells.len() as u32).chain([cell_id]);
        let largest = pieces.clone().max_by_key(|&piece| self.cells[piece as usize].len);
        for piece in pieces {
            if is_queued || Some(piece) != largest {
                self.push(piece);
            }
        }
    }

    /// Makes a cell of the vertices of each sum in `order[start .. end]`.
    fn cut(&mut self, mut start: usize, end: usize) {
        let mut sums = 0;
        while start < end {
            if sums == FEW_SUMS {
                let spots = &self.spots;
                self.order[start..end].sort_unstable_by_key(|&vertex| {
                    let sum = spots[vertex as usize].sum;
                    (sum, vertex)
                });
            }
            sums += 1;
            let sum = self.sum(start);
            let mut same = start + 1;
            if sums > FEW_SUMS {
                while same < end && self.sum(same) == sum {
                    same += 1;
                }
            } else {
                for place in start + 1..end {
                    if self.sum(place) == sum {
                        self.order.swap(same, place);
                        same += 1;
                    }
                }
            }
            self.add_cell(start, same);
            start = same;
        }
    }

    fn classes(self) -> Classes {
        let mut number = vec![u32::MAX; self.cells.len()];
        let mut count = 0;
        let of = self
            .spots
            .iter()
            .map(|spot| {
                let class = &mut number[spot.cell as usize];
                if *class == u32::MAX {
                    *class = count;
                    count += 1;
                }
                *class
            })
            .collect();
        Classes { of, count: count as usize }
    }
}
