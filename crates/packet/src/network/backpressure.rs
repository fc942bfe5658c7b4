//! Pauses and credits: what a node tells those that send to it.
//!
//! They travel against the link that they are about, between its packets: after the one that is being
//! sent there, and before all that wait.

use topology::LinkId;

use super::PacketNetwork;
use super::device::Device;
use super::shared::Shared;
use crate::Backpressure;
use crate::event::Class;
use crate::headroom::PAUSE_FRAME;
use crate::packet::{NONE, Packet};
use crate::service::{MOST_CLASSES, Queues};

/// What a node tells the sender of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    /// When it is heard, in ps.
    pub(super) at: u64,
    /// The link that it is about.
    pub(super) link: u32,
    class: u8,
    word: Word,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Pause,
    Resume,
    Credit(u32),
}

/// What waits at the far end of a link.
#[derive(Clone, Debug, Default)]
pub(super) struct FarEnd {
    /// Bytes that came by the link and wait, by class.
    waiting: [u64; MOST_CLASSES],
    /// The classes that were told to pause, by bit.
    stopped: u8,
    /// Pauses told.
    pauses: u64,
}

impl FarEnd {
    /// The pauses told to the sender of the link.
    pub(super) const fn pauses(&self) -> u64 {
        self.pauses
    }
}

/// What was said about all links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// Pauses told.
    pub paused: u64,
    /// Resumptions told.
    pub resumed: u64,
    /// The most bytes of one link and class that waited.
    pub most_waiting: u64,
}

impl Pauses {
    /// Adds what was said about other links.
    const fn and(self, other: Self) -> Self {
        let most = if self.most_waiting > other.most_waiting { self } else { other };
        Self {
            paused: self.paused + other.paused,
            resumed: self.resumed + other.resumed,
            most_waiting: most.most_waiting,
        }
    }
}

impl Device {
    /// A packet that came by a link will wait at its end.
    pub(super) fn admit(&mut self, shared: &Shared<'_>, now: u64, packet: &Packet) {
        let &Packet { link, class, .. } = packet;
        let bytes = u64::from(packet.bytes);
        let place = shared.ends[link as usize].landing as usize;
        if !self.pools.is_empty() && !shared.is_lossless(class) {
            let room = shared.rooms[self.landings[place].node as usize];
            self.pools[room as usize] += bytes;
        }
        let Some(Backpressure::Pause { stop, headroom, .. }) = shared.backpressure(class) else {
            return;
        };
        let far_end = &mut self.far_ends[place];
        let waiting = &mut far_end.waiting[usize::from(class)];
        *waiting += bytes;
        self.pauses.most_waiting = self.pauses.most_waiting.max(*waiting);
        assert!(*waiting <= stop.as_u64() + headroom.as_u64(), "headroom takes what still comes");
        let bit = 1 << class;
        if *waiting > stop.as_u64() && far_end.stopped & bit == 0 {
            far_end.stopped |= bit;
            far_end.pauses += 1;
            self.pauses.paused += 1;
            self.ledger.of(class).pauses += 1;
            self.say(shared, now, link, (class, Word::Pause));
        }
    }

    /// A packet leaves the room that it took at the end of the link by which it came.
    pub(super) fn release(&mut self, shared: &Shared<'_>, now: u64, packet: &Packet) {
        let &Packet { link, class, bytes, .. } = packet;
        if link == NONE {
            return;
        }
        let place = shared.ends[link as usize].landing as usize;
        if !self.pools.is_empty() && !shared.is_lossless(class) {
            let room = shared.rooms[self.landings[place].node as usize];
            self.pools[room as usize] -= u64::from(bytes);
        }
        match shared.backpressure(class) {
            None | Some(Backpressure::None) => {}
            Some(Backpressure::Credits { .. }) => {
                self.say(shared, now, link, (class, Word::Credit(bytes)));
            }
            Some(Backpressure::Pause { go, .. }) => {
                let far_end = &mut self.far_ends[place];
                let waiting = &mut far_end.waiting[usize::from(class)];
                *waiting -= u64::from(bytes);
                let bit = 1 << class;
                if *waiting < go.as_u64().max(1) && far_end.stopped & bit != 0 {
                    far_end.stopped &= !bit;
                    self.pauses.resumed += 1;
                    self.ledger.of(class).resumptions += 1;
                    self.say(shared, now, link, (class, Word::Resume));
                }
            }
        }
    }

    /// A packet needs no room at the end of its link: it is at its card, or lost.
    pub(super) fn pass(&mut self, shared: &Shared<'_>, now: u64, packet: &Packet) {
        let &Packet { link, class, bytes, .. } = packet;
        if let Some(Backpressure::Credits { .. }) = shared.backpressure(class) {
            self.say(shared, now, link, (class, Word::Credit(bytes)));
        }
    }

    /// Tells the sender of a link something.
    fn say(&mut self, shared: &Shared<'_>, now: u64, link: u32, (class, word): (u8, Word)) {
        let back = shared.ends[LinkId(link).reverse().index()].port;
        let back = &self.ports[back as usize];
        let line = &shared.lines[back.line];
        let frame = shared.settings.frame;
        // A link that repeats a packet lets what is said pass after the first time.
        let first = now + line.picos(frame.full().max(frame.control));
        let free_at = now.max(back.free_at()).min(first);
        let at = free_at + line.picos(PAUSE_FRAME) + line.latency;
        let signal = Signal { at, link, class, word };
        if back.landing == NONE {
            self.signals.push(signal);
        } else {
            self.expect(shared, signal);
        }
    }

    /// Something is on its way to the sender of a link here.
    pub(super) fn expect(&mut self, shared: &Shared<'_>, signal: Signal) {
        let Signal { at, link, .. } = signal;
        self.awake_by(at);
        let heard = &mut self.heard[shared.ends[link as usize].port as usize];
        heard.push_back(signal);
        if heard.len() == 1 {
            self.calendar.push(at, Class::Hear.rank(link));
        }
    }

    /// The sender of a link hears what was said.
    pub(super) fn hear_signal(&mut self, shared: &Shared<'_>, now: u64, port: u32) {
        let heard = &mut self.heard[port as usize];
        let Signal { class, word, .. } = heard.pop_front().expect("something was said");
        if let Some(&Signal { at, link, .. }) = heard.front() {
            self.calendar.push(at, Class::Hear.rank(link));
        }
        let queues = &mut self.queues[port as usize];
        match word {
            Word::Pause => queues.pause(now, class),
            Word::Resume => self.ledger.of(class).paused += queues.resume(now, class),
            Word::Credit(bytes) => queues.credits[usize::from(class)] += u64::from(bytes),
        }
        self.transmit(shared, now, port);
    }
}

impl PacketNetwork<'_> {
    /// What was said about all links.
    pub fn pauses(&self) -> Pauses {
        self.devices().fold(Pauses::default(), |sum, device| sum.and(device.pauses))
    }
}

impl Queues {
    fn pause(&mut self, now: u64, class: u8) {
        if self.paused == 0 {
            self.paused_since = now;
        }
        self.paused |= 1 << class;
        self.class_paused_since[usize::from(class)] = now;
    }

    /// Returns for how long the class was paused.
    fn resume(&mut self, now: u64, class: u8) -> u64 {
        let was_paused = self.paused != 0;
        self.paused &= !(1 << class);
        if was_paused && self.paused == 0 {
            self.paused_for += now - self.paused_since;
        }
        now - self.class_paused_since[usize::from(class)]
    }
}
