//! Packets on their way to a device from others, in the order in which they come.
//!
//! Time is cut into slots of a power of two picoseconds. What comes in one slot lies together as it was
//! posted, and is put in order, by instant, link, and place in the stream of the link, when the slot is
//! opened: then it is in the cache, and no queue of all that is under way is kept in order. Little is
//! posted into a slot that is open, and nothing before what was taken.
//!
//! Source: Brown: *Calendar Queues: A Fast O(1) Priority Queue Implementation for the Simulation Event
//! Set Problem*, Communications of the ACM 31 (10), 1988, with years that are unpacked when they begin.

mod amend;

use std::collections::BTreeMap;

use crate::bundle::{Open, Row, Spare};
use crate::packet::Packet;

/// The slots of a year are so many times those of a window, and at least so many.
const LEAST_SLOTS: usize = 16;

/// The mail of one device. What is asked for by those who post comes first: one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Mail {
    /// No event of the device comes before, in ps.
    due: u64,
    /// The slot that is open; those before it are empty.
    slot: u64,
    /// The next slots by their number modulo their count, a power of two.
    slots: Box<[Row]>,
    /// The packets in them.
    near: usize,
    /// What comes later, by year: as many slots as are kept near.
    #[expect(clippy::box_collection, reason = "one word of the line that those who post ask for")]
    later: Option<Box<BTreeMap<u64, Vec<Packet>>>>,
    /// A slot is 2^shift ps.
    shift: u32,
    /// Whether what came in the open slot is in order.
    is_open: bool,
    /// The bits of the place of a packet in its slot; above them are those of its link, then of its instant.
    place_bits: u32,
    /// What came in the open slot, and in which order it is taken: instant, link, place.
    open: Open,
    order: Vec<u64>,
    /// How many have been taken.
    taken: usize,
}

impl Mail {
    /// The longest window in ps, if links are named with so many bits: places in a slot have 26 bits.
    pub(crate) const fn longest_window(link_bits: u32) -> u64 {
        1 << 38_u32.saturating_sub(link_bits)
    }

    /// No mail. Slots are some 2^`finer` times shorter than a `window` in ps, at least 2; links are named with
    /// so many bits.
    pub(crate) fn new(window: u64, finer: u32, link_bits: u32) -> Self {
        let window = window.ilog2();
        let finer = finer.min(window.saturating_sub(1));
        let slots = (4_usize << finer).max(LEAST_SLOTS);
        Self {
            due: u64::MAX,
            slot: 0,
            slots: (0..slots).map(|_| Row::default()).collect(),
            near: 0,
            later: None,
            shift: window - finer,
            is_open: false,
            place_bits: 64 - (window - finer) - link_bits,
            open: Open::default(),
            order: Vec::new(),
            taken: 0,
        }
    }

    /// No event of the device comes before, in ps; the largest number if none comes.
    pub(crate) const fn due(&self) -> u64 {
        self.due
    }

    /// The same from now on.
    pub(crate) const fn set_due(&mut self, due: u64) {
        self.due = due;
    }

    /// Takes a packet in that comes after all that were taken.
    #[inline]
    pub(crate) fn post(&mut self, spare: &mut Spare, packet: &Packet) {
        let slot = packet.at >> self.shift;
        debug_assert!(slot >= self.slot, "mail is of the future");
        self.due = self.due.min(packet.at);
        if slot == self.slot && self.is_open {
            return self.slip_in(spare, packet);
        }
        let slots = self.slots.len() as u64;
        // Of one year nothing comes near any more once something was put away: packets keep their order.
        let is_put_away = |later: &BTreeMap<u64, _>| later.contains_key(&(slot / slots));
        let is_near = slot - self.slot < slots && !self.later.as_deref().is_some_and(is_put_away);
        if is_near {
            self.keep_near(spare, slot, packet);
        } else {
            let later = self.later.get_or_insert_default();
            later.entry(slot / slots).or_default().push(*packet);
        }
    }

    /// Puts a packet among those of the open slot that have not been taken.
    fn slip_in(&mut self, spare: &mut Spare, packet: &Packet) {
        let name = self.name(self.open.len() as u64, packet);
        self.open.push(spare, packet);
        let place = self.order.partition_point(|&other| other < name);
        assert!(place >= self.taken, "mail is of the future");
        self.order.insert(place, name);
    }

    #[inline]
    fn keep_near(&mut self, spare: &mut Spare, slot: u64, packet: &Packet) {
        let place = slot as usize & (self.slots.len() - 1);
        self.slots[place].push(spare, packet);
        self.near += 1;
    }

    /// Makes sure that the next packet is in the open slot if it comes before `until`; what is posted from now on
    /// does not.
    #[inline]
    pub(crate) fn open(&mut self, spare: &mut Spare, until: u64) {
        if self.taken == self.order.len() {
            self.open_next(spare, until);
        }
    }

    fn open_next(&mut self, spare: &mut Spare, until: u64) {
        while self.taken == self.order.len() {
            self.open.clear(spare);
            self.order.clear();
            self.taken = 0;
            self.is_open = false;
            let Some(slot) = self.next_slot().filter(|slot| slot << self.shift < until) else {
                self.slot = self.slot.max(until >> self.shift);
                return;
            };
            self.slot = slot;
            self.unpack(spare);
            let place = slot as usize & (self.slots.len() - 1);
            if !self.slots[place].is_empty() {
                self.put_in_order(place);
            }
        }
    }

    /// The next slot in which something may come.
    fn next_slot(&self) -> Option<u64> {
        let slots = self.slots.len() as u64;
        let mask = self.slots.len() - 1;
        let is_filled = |slot: &u64| !self.slots[*slot as usize & mask].is_empty();
        let near =
            (self.near > 0).then(|| (self.slot..self.slot + slots).find(is_filled)).flatten();
        let later = self.later.as_deref().and_then(BTreeMap::first_key_value);
        let later = later.map(|(year, _)| (year * slots).max(self.slot));
        match (near, later) {
            (Some(near), Some(later)) => Some(near.min(later)),
            (near, later) => near.or(later),
        }
    }

    /// Brings near what was posted for the year that has begun.
    fn unpack(&mut self, spare: &mut Spare) {
        let year = self.slot / self.slots.len() as u64;
        while let Some(later) = &mut self.later
            && let Some(first) = later.first_entry().filter(|first| *first.key() <= year)
        {
            let packets = first.remove();
            if later.is_empty() {
                self.later = None;
            }
            for packet in &packets {
                self.keep_near(spare, packet.at >> self.shift, packet);
            }
        }
    }

    fn put_in_order(&mut self, place: usize) {
        self.open.take(&mut self.slots[place]);
        self.is_open = true;
        self.near -= self.open.len();
        assert!(self.open.len() >> self.place_bits == 0, "places in a slot are numbered");
        let (shift, place_bits) = (self.shift, self.place_bits);
        let name = |(place, packet)| name((shift, place_bits), place, packet);
        let order = &mut self.order;
        self.open.iter().for_each(|packet| order.push(name((order.len() as u64, packet))));
        self.order.sort_unstable();
    }

    /// What packets of one slot are put in order by.
    fn name(&self, place: u64, packet: &Packet) -> u64 {
        assert!(place >> self.place_bits == 0, "places in a slot are numbered");
        name((self.shift, self.place_bits), place, packet)
    }

    /// When, and by which link, the next packet comes, if the slot in which it does is open.
    #[inline]
    pub(crate) fn next(&self) -> Option<(u64, u32)> {
        let name = *self.order.get(self.taken)?;
        let at = self.slot << self.shift | name >> (64 - self.shift);
        Some((at, (name << self.shift >> self.shift >> self.place_bits) as u32))
    }

    const fn place(&self, name: u64) -> usize {
        (name & ((1 << self.place_bits) - 1)) as usize
    }

    /// Takes the next packet; the slot in which it comes is open.
    #[inline]
    pub(crate) fn take(&mut self) -> Packet {
        let place = self.place(self.order[self.taken]);
        self.taken += 1;
        self.open[place]
    }

    /// No packet comes before; `None` if none comes at all.
    pub(crate) fn not_before(&self) -> Option<u64> {
        match self.next() {
            Some((at, _)) => Some(at),
            None => self.next_slot().map(|slot| slot << self.shift),
        }
    }

    /// The packets of the open slot, as long as none of them has been taken.
    pub(crate) fn unopened(&self) -> impl Iterator<Item = &Packet> {
        self.open.iter().take(if self.taken == 0 { self.open.len() } else { 0 })
    }

    /// The packets that come soon, but for those in the open slot.
    pub(crate) const fn near(&self) -> usize {
        self.near
    }

    /// The packets that are still to come.
    pub(crate) fn count(&self) -> u64 {
        let later: usize = self.put_away().map(Vec::len).sum();
        (self.order.len() - self.taken + self.near + later) as u64
    }

    fn put_away(&self) -> impl Iterator<Item = &Vec<Packet>> {
        self.later.iter().flat_map(|later| later.values())
    }
}

const _: () =
    assert!(std::mem::offset_of!(Mail, place_bits) < 64, "what is posted asks one cache line");

/// Instant, link and place of a packet in one number.
fn name((shift, place_bits): (u32, u32), place: u64, packet: &Packet) -> u64 {
    // The instant within the slot: what is above it is shifted out.
    packet.at << (64 - shift) | u64::from(packet.link) << place_bits | place
}

#[cfg(test)]
mod tests {
    use topology::mix;

    use super::*;

    /// Windows of 300 ps in slots of 64 ps, which do not line up with them; links of 3 bits.
    const WINDOW: u64 = 300;

    #[test]
    fn mail_comes_by_instant_and_link_and_in_the_order_of_each_link() {
        let (mut mail, mut spare) = (Mail::new(WINDOW, 2, 3), Spare::default());
        let mut word = 5;
        let mut draw = |below: u64| {
            word = mix(word, 1);
            word % below
        };
        // What each link sends comes in the order in which it is sent, often at the same instant.
        let mut last = [0_u64; 8];
        let (mut posted, mut taken) = (Vec::new(), Vec::new());
        for window in 0..400 {
            let end = (window + 1) * WINDOW;
            // Some windows are idle, in others something comes thousands of windows later.
            for _ in 0..draw(30).saturating_sub(10) {
                let link = draw(8) as usize;
                let ahead = if draw(200) == 0 { draw(20_000) } else { draw(900) };
                last[link] = last[link].max(end + ahead);
                let at = last[link];
                let number = posted.len() as u32;
                mail.post(
                    &mut spare,
                    &Packet { at, link: link as u32, number, ..Packet::default() },
                );
                posted.push((at, link as u32, number));
            }
            // A window may be worked through in parts.
            for until in [end + draw(WINDOW), end + WINDOW] {
                assert!(mail.not_before().is_none_or(|at| at + 64 > end), "slots are of 64 ps");
                mail.open(&mut spare, until);
                while let Some((at, link)) = mail.next().filter(|&(at, _)| at < until) {
                    let packet = mail.take();
                    assert_eq!((packet.at, packet.link), (at, link));
                    taken.push((at, link, packet.number));
                    mail.open(&mut spare, until);
                }
            }
        }
        assert!(posted.len() > 2_000 && mail.count() > 0, "some is still to come");
        assert_eq!(mail.count() as usize, posted.len() - taken.len());
        posted.sort_unstable();
        assert_eq!(taken, posted[..taken.len()]);
        // Of what is to come all can be seen, and what is not kept does not come.
        let seen = std::cell::Cell::new(0);
        mail.for_each(&|_| seen.set(seen.get() + 1));
        assert_eq!(seen.get(), mail.count());
        mail.keep(|packet| packet.link == 3);
        let left: Vec<_> = posted[taken.len()..].iter().filter(|name| name.1 == 3).collect();
        assert_eq!(mail.count() as usize, left.len());
    }
}
