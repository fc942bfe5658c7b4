//! Packets on their way, in bundles that are used again at once.
//!
//! What a device has taken out of its mail makes room for what is sent next, while that room is still in the
//! cache; and no more room is held than what is under way needs.

use crate::packet::Packet;

/// The packets of a bundle: with many, half-filled ones lie idle; with few, lists of them are long.
const SIZE: usize = 32;

/// Room for some packets, and the bundle that was filled before.
#[derive(Debug)]
struct Bundle {
    packets: [Packet; SIZE],
    before: Option<Box<Self>>,
}

/// Empty bundles; what was let go last is used first.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    #[expect(clippy::vec_box, reason = "bundles go from row to row and stay where they are")]
    bundles: Vec<Box<Bundle>>,
}

impl Spare {
    fn take(&mut self) -> Box<Bundle> {
        let new = || Box::new(Bundle { packets: [Packet::default(); SIZE], before: None });
        self.bundles.pop().unwrap_or_else(new)
    }
}

/// Packets in the order in which they were put in, not to be looked at: so it is small.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// The bundle that is being filled; those before it are full.
    last: Option<Box<Bundle>>,
    count: u32,
}

impl Row {
    /// The number of packets.
    pub(crate) const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Puts a packet behind the others.
    #[inline]
    pub(crate) fn push(&mut self, spare: &mut Spare, packet: &Packet) {
        let place = self.count as usize % SIZE;
        if place == 0 {
            let mut next = spare.take();
            next.before = self.last.take();
            self.last = Some(next);
        }
        self.count += 1;
        let last = self.last.as_mut().expect("a bundle was begun with its first packet");
        last.packets[place] = *packet;
    }

    /// Does something to every packet, in any order.
    pub(crate) fn for_each(&mut self, mut change: impl FnMut(&mut Packet)) {
        let mut left = self.count as usize;
        let mut bundle = self.last.as_deref_mut();
        while let Some(Bundle { packets, before }) = bundle {
            let filled = (left - 1) % SIZE + 1;
            packets[..filled].iter_mut().for_each(&mut change);
            left -= filled;
            bundle = before.as_deref_mut();
        }
    }

    /// Lets go of packets that are not to stay.
    pub(crate) fn keep(&mut self, keeps: impl FnMut(&&Packet) -> bool) {
        let (mut all, mut spare) = (Open::default(), Spare::default());
        all.take(self);
        let left: Vec<Packet> = all.iter().filter(keeps).copied().collect();
        all.clear(&mut spare);
        for packet in &left {
            self.push(&mut spare, packet);
        }
    }
}

impl Drop for Row {
    /// One bundle after the other: a long row would fill the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(mut bundle) = next {
            next = bundle.before.take();
        }
    }
}

/// A row that is looked at.
#[derive(Debug, Default)]
pub(crate) struct Open {
    #[expect(clippy::vec_box, reason = "bundles go from row to row and stay where they are")]
    bundles: Vec<Box<Bundle>>,
    count: usize,
}

impl Open {
    /// The number of packets.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Takes all packets of a row, where there were none.
    pub(crate) fn take(&mut self, row: &mut Row) {
        debug_assert!(self.bundles.is_empty(), "one row is looked at");
        let mut next = row.last.take();
        while let Some(mut bundle) = next {
            next = bundle.before.take();
            self.bundles.push(bundle);
        }
        self.bundles.reverse();
        self.count = std::mem::take(&mut row.count) as usize;
    }

    /// Puts a packet behind the others.
    pub(crate) fn push(&mut self, spare: &mut Spare, packet: &Packet) {
        let place = self.count % SIZE;
        if place == 0 {
            self.bundles.push(spare.take());
        }
        self.count += 1;
        let last = self.bundles.last_mut().expect("a bundle was begun with its first packet");
        last.packets[place] = *packet;
    }

    /// Lets go of all packets.
    pub(crate) fn clear(&mut self, spare: &mut Spare) {
        spare.bundles.append(&mut self.bundles);
        self.count = 0;
    }

    /// The packets in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Packet> {
        self.bundles.iter().flat_map(|bundle| &bundle.packets).take(self.count)
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Packet> {
        self.bundles.iter_mut().flat_map(|bundle| &mut bundle.packets).take(self.count)
    }
}

impl std::ops::Index<usize> for Open {
    type Output = Packet;

    #[inline]
    fn index(&self, place: usize) -> &Packet {
        &self.bundles[place / SIZE].packets[place % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_keep_their_order_and_leave_their_room() {
        let (mut spare, mut row, mut open) = (Spare::default(), Row::default(), Open::default());
        let packet = |number| Packet { number, ..Packet::default() };
        // Of 80 packets in bundles of 32, the last has 16.
        (0..80).for_each(|number| row.push(&mut spare, &packet(number)));
        row.keep(|packet| packet.number % 2 == 1);
        row.for_each(|packet| packet.number += 1);
        assert_eq!(row.len(), 40);
        open.take(&mut row);
        assert!(row.is_empty() && open.iter().map(|it| it.number).eq((2..81).step_by(2)));
        open.push(&mut spare, &packet(7));
        open.iter_mut().for_each(|packet| packet.number *= 2);
        assert_eq!((open.len(), open[39].number, open[40].number), (41, 160, 14));
        // 41 packets were in 2 bundles, which are used again.
        open.clear(&mut spare);
        assert_eq!((open.len(), spare.bundles.len()), (0, 2));
        (0..64).for_each(|number| row.push(&mut spare, &packet(number)));
        assert_eq!((row.len(), spare.bundles.len()), (64, 0));
    }
}
