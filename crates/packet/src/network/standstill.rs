//! Who waits for whom when pauses or missing credits let nothing move.

use topology::LinkId;

use super::PacketNetwork;
use crate::arena::NONE;

/// A link that may not send a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The link.
    pub link: LinkId,
    /// The class of service.
    pub class: u8,
}

impl PacketNetwork<'_> {
    /// A circle of links each of which waits for room that only the next one can make; empty if there
    /// is none.
    ///
    /// A link waits for those ports at its far end in whose queues packets stand that came by it.
    pub fn blocked_cycle(&self) -> Vec<Blocked> {
        for class in 0..self.classes.len() as u8 {
            // 0: not visited, 1: on the path, 2: leads to no circle.
            let mut marks = vec![0_u8; self.queues.len()];
            for link in 0..self.queues.len() as u32 {
                let cycle = self.search((link, class), &mut marks);
                if !cycle.is_empty() {
                    return cycle;
                }
            }
        }
        Vec::new()
    }

    /// Follows the waiting from one link, depth first.
    fn search(&self, (start, class): (u32, u8), marks: &mut [u8]) -> Vec<Blocked> {
        if marks[start as usize] != 0 || !self.is_blocked(start, class) {
            return Vec::new();
        }
        marks[start as usize] = 1;
        let mut path = vec![(start, self.waits_for(start, class))];
        while let Some((link, waits_for)) = path.last_mut() {
            let Some(next) = waits_for.pop() else {
                marks[*link as usize] = 2;
                path.pop();
                continue;
            };
            if marks[next as usize] == 1 {
                let first = path.iter().position(|&(link, _)| link == next);
                let circle = &path[first.expect("a link on the path is on the path")..];
                let blocked = |&(link, _): &(u32, Vec<u32>)| Blocked { link: LinkId(link), class };
                return circle.iter().map(blocked).collect();
            }
            if marks[next as usize] == 0 && self.is_blocked(next, class) {
                marks[next as usize] = 1;
                path.push((next, self.waits_for(next, class)));
            }
        }
        Vec::new()
    }

    /// Whether packets of a class wait for a link that may not send them.
    fn is_blocked(&self, link: u32, class: u8) -> bool {
        let queues = &self.queues[link as usize];
        queues.first(usize::from(class)) != NONE
            && !queues.may_send(&self.arena, usize::from(class), &self.classes)
    }

    /// The links at the far end of a link before which packets wait that came by it.
    fn waits_for(&self, link: u32, class: u8) -> Vec<u32> {
        let fabric = self.routes.fabric();
        let node = fabric.link(LinkId(link)).dst;
        let came = |next: &&LinkId| {
            let mut index = self.queues[next.index()].first(usize::from(class));
            while index != NONE && self.arena.cargo(index).from != link {
                index = self.arena[index].next;
            }
            index != NONE
        };
        fabric.links_from(node).iter().filter(came).map(|next| next.0).collect()
    }
}
