//! Outer fabrics whose merged switches form a tree, as those of a regular Clos do.
//!
//! Between two switches of a tree there is one way: up to where their stems meet and down again. So
//! everything that is to be known of all pairs of sites is known from the stems of the sites.

use std::collections::BTreeMap;

use super::trunk::{TrunkGraph, TrunkId};

/// The way from a class of switches to the class above it, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The class above.
    pub parent: u32,
    /// The trunk that leads there.
    pub up: TrunkId,
    /// The trunk that leads back.
    pub down: TrunkId,
}

/// The trunks there and back between two classes.
type Both = (Option<TrunkId>, Option<TrunkId>);

/// Classes of switches as a forest.
#[derive(Clone, Debug)]
pub struct TrunkTree {
    stems: Vec<Option<Stem>>,
}

impl TrunkTree {
    /// The forest of a graph in which no way leads round and every way leads back; each tree stands on
    /// its middle, so that stems are short. Linear in the trunks.
    pub(super) fn new(graph: &TrunkGraph) -> Option<Self> {
        let classes = graph.from.len();
        let mut ways: Vec<BTreeMap<u32, Both>> = vec![BTreeMap::new(); classes];
        for (index, trunk) in graph.trunks.iter().enumerate() {
            let id = TrunkId(index as u32);
            let out = &mut ways[trunk.src as usize].entry(trunk.dst).or_default().0;
            // Two trunks of different rates between the same classes share a flow between them.
            if trunk.src == trunk.dst || out.replace(id).is_some() {
                return None;
            }
            ways[trunk.dst as usize].entry(trunk.src).or_default().1 = Some(id);
        }
        let mut stems = vec![None; classes];
        let mut open: Vec<usize> = ways.iter().map(BTreeMap::len).collect();
        let mut is_done = vec![false; classes];
        let mut leaves: Vec<u32> =
            (0..classes as u32).filter(|&class| open[class as usize] <= 1).collect();
        let mut done = 0;
        // Leaves are taken off, round by round; what is left last is the middle.
        while !leaves.is_empty() {
            let mut next = Vec::new();
            for class in leaves {
                if is_done[class as usize] {
                    continue;
                }
                is_done[class as usize] = true;
                done += 1;
                let above =
                    ways[class as usize].iter().find(|&(&other, _)| !is_done[other as usize]);
                let Some((&parent, &(up, down))) = above else { continue };
                stems[class as usize] = Some(Stem { parent, up: up?, down: down? });
                open[parent as usize] -= 1;
                if open[parent as usize] == 1 {
                    next.push(parent);
                }
            }
            leaves = next;
        }
        (done == classes).then_some(Self { stems })
    }

    /// The way up from a class; `None` at the top of its tree.
    pub fn stem(&self, class: u32) -> Option<Stem> {
        self.stems[class as usize]
    }
}
