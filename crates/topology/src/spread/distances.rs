//! How far switches are from where a path leads.
//!
//! In a tree there is one way between two sites, up to where their stems meet and down again; only the
//! classes on it are measured then. Elsewhere every class is, once for each site that paths lead to:
//! time and memory go with the product of sites and classes.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::site::ports_in;
use super::site_path::Spread;
use crate::{CardId, Domain};

/// Hops to the cards of a site from each class of switches with a way there, 1 at its neighbours.
pub(super) type Distances = Rc<FxHashMap<u32, u32>>;

impl Spread<'_> {
    /// Hops to the cards of `dst`'s site from each class of switches that a path from `src` may cross.
    pub(super) fn distances(&self, (src, dst): (CardId, CardId), domain: Domain) -> Distances {
        if domain == Domain::Outside
            && let Some(known) = self.along_stems(src, dst)
        {
            return Rc::new(known);
        }
        let key = (domain, self.site(dst, domain));
        if let Some(known) = self.distances.borrow().get(&key) {
            return Rc::clone(known);
        }
        let distance = Rc::new(self.everywhere(dst, domain));
        self.distances.borrow_mut().insert(key, Rc::clone(&distance));
        distance
    }

    /// The same for the classes on the one way between two cards; `None` if the switches form no tree,
    /// or it does not lead through, or through a border switch.
    fn along_stems(&self, src: CardId, dst: CardId) -> Option<FxHashMap<u32, u32>> {
        let tree = self.tree()?;
        let above = |&class: &u32| tree.stem(class).map(|stem| stem.parent);
        let up: Vec<u32> = std::iter::successors(Some(self.attachment(src)?), above).collect();
        let down: Vec<u32> = std::iter::successors(Some(self.attachment(dst)?), above).collect();
        let shared = up.iter().rev().zip(down.iter().rev()).take_while(|(l, r)| l == r).count();
        let (climbed, descended) = (up.len() - shared, down.len() - shared);
        // From the destination back to the source, the switches where the stems meet between them.
        let meeting = down.get(descended).filter(|_| shared > 0)?;
        let way = down[..descended].iter().chain([meeting]).chain(up[..climbed].iter().rev());
        let way: Vec<u32> = way.copied().collect();
        let between = way.len().saturating_sub(1).max(1);
        let is_border = |&class: &u32| self.graph.is_border[class as usize];
        if way[1..between].iter().any(is_border) {
            return None;
        }
        Some(way.into_iter().zip(1..).collect())
    }

    /// The same for every class that has a way there.
    fn everywhere(&self, dst: CardId, domain: Domain) -> FxHashMap<u32, u32> {
        let mut distance = FxHashMap::default();
        let mut queue = VecDeque::new();
        for link in ports_in(self.fabric, dst, domain) {
            if let Some(class) = self.graph.class_of(self.fabric.link(link).src)
                && distance.insert(class, 1).is_none()
            {
                queue.push_back(class);
            }
        }
        while let Some(class) = queue.pop_front() {
            let hops = distance[&class];
            if self.graph.is_border[class as usize] && hops > 1 {
                continue;
            }
            for &trunk in &self.graph.into[class as usize] {
                let before = self.graph.trunks[trunk.index()].src;
                distance.entry(before).or_insert_with(|| {
                    queue.push_back(before);
                    hops + 1
                });
            }
        }
        distance
    }
}
