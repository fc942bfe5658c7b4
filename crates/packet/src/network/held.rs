//! Where a message stands that does not come, and what its link waits for.

use engine::FlowId;
use topology::{CardId, Fabric, LinkId};

use super::PacketNetwork;
use super::standstill::Blocked;
use crate::Backpressure;
use crate::packet::NONE;

/// Links each of which waits for the next one to send, from where a flow's packets stand on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The links, at least one.
    pub links: Vec<Blocked>,
    /// What the last one waits for.
    pub by: HeldBy,
}

/// What holds the last link of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBy {
    /// It carries nothing.
    Down,
    /// It waits for one of the chain.
    Circle {
        /// Its place.
        from: usize,
    },
}

impl PacketNetwork<'_> {
    /// What holds the packets of a flow when nothing moves any more; `None` if none stands before a link.
    ///
    /// Packets are those of its data, or else what comes back for them.
    pub fn held(&self, flow: FlowId) -> Option<Held> {
        let mut next = self.standing(flow.0)?;
        let mut links: Vec<Blocked> = Vec::new();
        loop {
            if let Some(from) = links.iter().position(|it| *it == next) {
                return Some(Held { links, by: HeldBy::Circle { from } });
            }
            links.push(next);
            let Blocked { link, class } = next;
            if self.queues(link.0).is_some_and(|queues| queues.is_down) {
                return Some(Held { links, by: HeldBy::Down });
            }
            // What a link waits for may send a more urgent class, but not this one.
            let holds = |link: &u32| {
                let is_down = self.queues(*link).is_some_and(|queues| queues.is_down);
                is_down || self.is_blocked(*link, class)
            };
            let ahead = self.waits_for(link.0, class).into_iter().find(holds);
            let ahead = ahead.expect("a link that may send sends, and room that is left is told");
            next = Blocked { link: LinkId(ahead), class };
        }
    }

    /// The fabric whose routes packets take at the end.
    pub(crate) const fn fabric(&self) -> &Fabric {
        self.shared.routes.fabric()
    }

    /// How a class is stopped.
    pub(crate) fn backpressure(&self, class: u8) -> Option<Backpressure> {
        self.shared.backpressure(class)
    }

    /// The cards that a flow joins, sender and receiver.
    pub(crate) fn cards_of(&self, flow: FlowId) -> (CardId, CardId) {
        let connection = &self.connections[flow.index()];
        (CardId(connection.src), CardId(connection.way.dst))
    }

    /// The first link before which a packet of a flow stands, or the flow itself.
    fn standing(&self, flow: u32) -> Option<Blocked> {
        let stands = |link: u32| {
            let queues = self.queues(link)?;
            let arena = &self.device(self.shared.ends[link as usize].from).arena;
            let class = queues.heads().position(|head| {
                let mut index = head;
                while index != NONE && arena[index].flow != flow {
                    index = arena[index].next;
                }
                index != NONE
            })?;
            Some(Blocked { link: LinkId(link), class: class as u8 })
        };
        let links = 0..self.shared.ends.len() as u32;
        links.clone().find_map(stands).or_else(|| self.outlet_of(flow))
    }

    /// The link of its card for which a flow waits.
    fn outlet_of(&self, flow: u32) -> Option<Blocked> {
        let waits = |outlet: u32| {
            let mut waiting = self.outlets[outlet as usize].first();
            while waiting != NONE && waiting != flow {
                waiting = self.connections[waiting as usize].next_ready;
            }
            waiting == flow
        };
        let outlet = (0..self.outlets.len() as u32).find(|&outlet| waits(outlet))?;
        let classes = (self.shared.classes.len() as u32).max(1);
        let link = self.host.ports[(outlet / classes) as usize].link;
        Some(Blocked { link: LinkId(link), class: (outlet % classes) as u8 })
    }
}
