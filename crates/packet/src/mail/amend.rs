//! What is on its way is changed, or is not to come after all.

use super::Mail;
use crate::bundle::Spare;
use crate::packet::Packet;

impl Mail {
    /// Does something to all packets that are still to come, in any order; what decides when they come stays.
    pub(crate) fn for_each(&mut self, change: &dyn Fn(&mut Packet)) {
        // Those that were taken are not to be changed.
        self.keep(|_| true);
        self.open.iter_mut().for_each(change);
        self.slots.iter_mut().for_each(|row| row.for_each(change));
        let later = self.later.iter_mut().flat_map(|later| later.values_mut());
        later.flatten().for_each(change);
    }

    /// Lets go of packets that are not to come; of one link they are asked for in the order in which they would
    /// have come.
    pub(crate) fn keep(&mut self, mut keeps: impl FnMut(&Packet) -> bool) {
        let left: Vec<Packet> = self.order[self.taken..]
            .iter()
            .map(|&name| &self.open[self.place(name)])
            .filter(|packet| keeps(packet))
            .copied()
            .collect();
        let mut spare = Spare::default();
        self.open.clear(&mut spare);
        self.order.clear();
        for (place, packet) in (0..).zip(&left) {
            self.open.push(&mut spare, packet);
            self.order.push(self.name(place, packet));
        }
        self.taken = 0;
        self.is_open = !self.order.is_empty();
        let slots = self.slots.len() as u64;
        for slot in self.slot..self.slot + slots {
            let kept = &mut self.slots[slot as usize & (slots as usize - 1)];
            let before = kept.len();
            kept.keep(|packet| keeps(packet));
            self.near -= before - kept.len();
        }
        let later = self.later.iter_mut().flat_map(|later| later.values_mut());
        later.for_each(|packets| packets.retain(&mut keeps));
    }
}
