//! Colour refinement: the coarsest equitable partition of a labelled graph.
//!
//! Vertices get the same colour only if they have the same initial colour and, for every label and
//! every colour, the same number of neighbours of that colour behind edges of that label. What
//! must behave alike ends in one class.
//!
//! Cells are split by a worklist: a cell that serves as splitter tells its neighbours, and of the
//! pieces of a cell all but the largest become splitters in turn, so that an edge is looked at
//! O(log V) times; the whole costs O(E log V) time and O(V + E) memory. Numbers of neighbours are
//! compared as sums of 128-bit hashes of the labels, which differ for different multisets but with
//! probability 2⁻¹²⁸.
//!
//! Source: Cardon, Crochemore: Partitioning a graph in O(|A| log₂ |V|), TCS 19, 1982; Grohe,
//! Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA 2014 (equal rates
//! within a class).

mod rounds;
mod worklist;

pub use rounds::{Difference, Differing, Rounds};

use self::worklist::Worklist;

/// An undirected graph whose edges carry a label at each end.
#[derive(Clone, Debug, Default)]
pub struct LabelledGraph {
    /// The initial colour of each vertex; any numbers.
    colours: Vec<u64>,
    /// (left, right, label), 12 bytes an edge.
    edges: Vec<(u32, u32, u32)>,
    /// One more than the highest label.
    labels: u32,
}

impl LabelledGraph {
    /// Adds a vertex with its initial colour and returns its number.
    pub fn vertex(&mut self, colour: u64) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    /// Adds an edge: each end sees the other behind the label. Labels are numbered from 0: refinement
    /// keeps 32 bytes for each number up to the highest.
    pub fn edge(&mut self, left: u32, right: u32, label: u32) {
        self.labels = self.labels.max(label + 1);
        self.edges.push((left, right, label));
    }

    /// What each vertex sees, (label and end, neighbour) by vertex, and where the entries of each begin:
    /// the two ends of an edge see it behind two different labels.
    fn sight(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let vertices = self.vertices();
        let mut start = vec![0_u32; vertices + 1];
        for &(left, right, _) in &self.edges {
            start[left as usize + 1] += 1;
            start[right as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            start[vertex + 1] += start[vertex];
        }
        let mut next = start.clone();
        let mut seen = vec![(0, 0); 2 * self.edges.len()];
        for &(left, right, label) in &self.edges {
            for (vertex, neighbour, side) in [(left, right, 0), (right, left, 1)] {
                seen[next[vertex as usize] as usize] = (2 * label + side, neighbour);
                next[vertex as usize] += 1;
            }
        }
        (start, seen)
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.colours.len()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The coarsest equitable partition: a class number for each vertex, numbered by first
    /// appearance.
    pub fn refine(&self) -> Classes {
        Worklist::new(self).run()
    }
}

/// A partition of vertices in classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each vertex.
    pub of: Vec<u32>,
    /// The number of classes.
    pub count: usize,
}

#[cfg(test)]
mod tests;
