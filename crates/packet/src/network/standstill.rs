//! Who waits for whom when pauses or missing credits let nothing move.

use topology::LinkId;

use super::PacketNetwork;
use crate::packet::NONE;

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
        (0..self.shared.classes.len() as u8)
            .map(|class| {
                let waits_for = |link| {
                    let is_blocked = self.is_blocked(link, class);
                    if is_blocked { self.waits_for(link, class) } else { Vec::new() }
                };
                blocked(&circle(self.shared.ends.len(), &waits_for), class)
            })
            .find(|cycle| !cycle.is_empty())
            .unwrap_or_default()
    }

    /// Whether packets of a class wait for a link that may not send them.
    pub(super) fn is_blocked(&self, link: u32, class: u8) -> bool {
        let arena = &self.device(self.shared.ends[link as usize].from).arena;
        let class = usize::from(class);
        self.queues(link).is_some_and(|queues| {
            queues.first(class) != NONE && !queues.may_send(arena, class, &self.shared.classes)
        })
    }

    /// The links at the far end of a link before which packets wait that came by it.
    pub(super) fn waits_for(&self, link: u32, class: u8) -> Vec<u32> {
        let fabric = self.shared.routes.fabric();
        let node = fabric.link(LinkId(link)).dst;
        let came = |next: &&LinkId| {
            let arena = &self.device(self.shared.ends[next.index()].from).arena;
            let first = self.queues(next.0).map(|queues| queues.first(usize::from(class)));
            let mut index = first.unwrap_or(NONE);
            while index != NONE && arena[index].link != link {
                index = arena[index].next;
            }
            index != NONE
        };
        fabric.links_from(node).iter().filter(came).map(|next| next.0).collect()
    }
}

/// Links of a class.
pub(super) fn blocked(links: &[u32], class: u8) -> Vec<Blocked> {
    links.iter().map(|&link| Blocked { link: LinkId(link), class }).collect()
}

/// A circle in a graph of so many links, each with those that follow it; empty if there is none.
pub(super) fn circle(links: usize, next: &dyn Fn(u32) -> Vec<u32>) -> Vec<u32> {
    // 0: not visited, 1: on the path, 2: leads to no circle.
    let mut marks = vec![0_u8; links];
    for link in 0..links as u32 {
        let found = search(link, next, &mut marks);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Follows a graph from one link, depth first.
fn search(start: u32, next: &dyn Fn(u32) -> Vec<u32>, marks: &mut [u8]) -> Vec<u32> {
    if marks[start as usize] != 0 {
        return Vec::new();
    }
    marks[start as usize] = 1;
    let mut path = vec![(start, next(start))];
    while let Some((link, ahead)) = path.last_mut() {
        let Some(follower) = ahead.pop() else {
            marks[*link as usize] = 2;
            path.pop();
            continue;
        };
        match marks[follower as usize] {
            1 => {
                let first = path.iter().position(|&(link, _)| link == follower);
                let circle = &path[first.expect("a link on the path is on the path")..];
                return circle.iter().map(|&(link, _)| link).collect();
            }
            0 => {
                marks[follower as usize] = 1;
                path.push((follower, next(follower)));
            }
            _ => {}
        }
    }
    Vec::new()
}
