//! Packets on their way, in bundles that are used again at once.
//!
//! What a device has taken out of its mail makes room for what is sent next, while that room is still in the
//! cache; and no more room is held than what is under way needs.

use crate::packet::Packet;

/// The packets of a bundle: with many, half-filled ones lie idle; with few, lists of them are long.
const SIZE: usize = 32;

/// Room for some packets.
type Bundle = Box<[Packet; SIZE]>;

/// Empty bundles; what was let go last is used first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare {
    bundles: Vec<Bundle>,
}

impl Spare {
    fn take(&mut self) -> Bundle {
        self.bundles.pop().unwrap_or_else(|| Box::new([Packet::default(); SIZE]))
    }
}

/// Packets in the order in which they were put in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// The bundle that is being filled; those before it are full.
    current: Option<Bundle>,
    full: Vec<Bundle>,
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
        if place == 0
            && let Some(full) = self.current.replace(spare.take())
        {
            self.full.push(full);
        }
        self.count += 1;
        let current = self.current.as_mut().expect("it was begun with its first packet");
        current[place] = *packet;
    }

    /// Lets go of all packets.
    pub(crate) fn clear(&mut self, spare: &mut Spare) {
        spare.bundles.append(&mut self.full);
        spare.bundles.extend(self.current.take());
        self.count = 0;
    }

    /// The packets in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Packet> {
        let bundles = self.full.iter().chain(&self.current);
        bundles.flat_map(|bundle| bundle.iter()).take(self.count as usize)
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Packet> {
        let bundles = self.full.iter_mut().chain(&mut self.current);
        bundles.flat_map(|bundle| bundle.iter_mut()).take(self.count as usize)
    }

    /// Puts these packets in the place of all that are here.
    pub(crate) fn replace(&mut self, packets: &[Packet]) {
        let mut spare = Spare::default();
        self.clear(&mut spare);
        packets.iter().for_each(|packet| self.push(&mut spare, packet));
    }
}

impl std::ops::Index<usize> for Row {
    type Output = Packet;

    #[inline]
    fn index(&self, place: usize) -> &Packet {
        let bundle = self.full.get(place / SIZE).or(self.current.as_ref());
        &bundle.expect("a place is that of a packet")[place % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_keep_their_order_and_leave_their_room() {
        let mut spare = Spare::default();
        let mut row = Row::default();
        let packet = |number| Packet { number, ..Packet::default() };
        (0..21).for_each(|number| row.push(&mut spare, &packet(number)));
        assert!(row.iter().map(|packet| packet.number).eq(0..21));
        assert!((0..21).all(|place| row[place].number == place as u32));
        let odd: Vec<Packet> = row.iter().filter(|it| it.number % 2 == 1).copied().collect();
        row.replace(&odd);
        assert!(row.iter().map(|packet| packet.number).eq((1..21).step_by(2)));
        row.iter_mut().for_each(|packet| packet.number += 1);
        assert_eq!((row.len(), row[9].number), (10, 20));
        // 10 packets are in 2 bundles of 8; both are used again.
        row.clear(&mut spare);
        assert_eq!((row.is_empty(), spare.bundles.len()), (true, 2));
        (0..16).for_each(|number| row.push(&mut spare, &packet(number)));
        assert_eq!((row.len(), spare.bundles.len()), (16, 0));
    }
}
