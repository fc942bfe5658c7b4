//! Pauses and credits: what a node tells those that send to it.
//!
//! They travel against the link that they are about, between its packets: after the one that is being
//! sent there, and before all that wait.

use std::collections::VecDeque;

use topology::LinkId;

use super::PacketNetwork;
use crate::Backpressure;
use crate::arena::{Cargo, NONE};
use crate::event::Class;
use crate::headroom::PAUSE_FRAME;
use crate::service::{MOST_CLASSES, Queues};

/// What a node tells the sender of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    Pause,
    Resume,
    Credit(u32),
}

/// What waits at the far end of a link, and what is being said about it.
#[derive(Clone, Debug, Default)]
pub(super) struct FarEnd {
    /// Bytes that came by the link and wait, by class.
    waiting: [u64; MOST_CLASSES],
    /// The classes that were told to pause, by bit.
    stopped: u8,
    /// Pauses told.
    pauses: u64,
    /// What is on its way to the sender: when it arrives, and for which class.
    said: VecDeque<(u64, u8, Signal)>,
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

impl PacketNetwork<'_> {
    /// A packet that came by a link will wait at its end.
    pub(super) fn admit(&mut self, now: u64, link: u32, index: u32) {
        let bytes = u64::from(self.arena[index].bytes);
        let cargo = self.arena.cargo_mut(index);
        cargo.from = link;
        let class = cargo.class;
        if !self.pools.is_empty() && !self.is_lossless(class) {
            self.pools[self.ports[link as usize].dst as usize] += bytes;
        }
        let Some(Backpressure::Pause { stop, headroom, .. }) = self.backpressure(class) else {
            return;
        };
        let far_end = &mut self.far_ends[link as usize];
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
            self.say(now, link, (class, Signal::Pause));
        }
    }

    /// A packet leaves the room that it took at the end of the link by which it came.
    pub(super) fn release(&mut self, now: u64, index: u32) {
        let bytes = self.arena[index].bytes;
        let Cargo { from: link, class, .. } = *self.arena.cargo(index);
        if link == NONE {
            return;
        }
        if !self.pools.is_empty() && !self.is_lossless(class) {
            self.pools[self.ports[link as usize].dst as usize] -= u64::from(bytes);
        }
        match self.backpressure(class) {
            None | Some(Backpressure::None) => {}
            Some(Backpressure::Credits { .. }) => {
                self.say(now, link, (class, Signal::Credit(bytes)));
            }
            Some(Backpressure::Pause { go, .. }) => {
                let far_end = &mut self.far_ends[link as usize];
                let waiting = &mut far_end.waiting[usize::from(class)];
                *waiting -= u64::from(bytes);
                let bit = 1 << class;
                if *waiting < go.as_u64().max(1) && far_end.stopped & bit != 0 {
                    far_end.stopped &= !bit;
                    self.pauses.resumed += 1;
                    self.ledger.of(class).resumptions += 1;
                    self.say(now, link, (class, Signal::Resume));
                }
            }
        }
    }

    /// A packet needs no room at the end of its link: it is at its card, or lost.
    pub(super) fn pass(&mut self, now: u64, link: u32, index: u32) {
        if self.queues.is_empty() {
            return;
        }
        let class = self.arena.cargo(index).class;
        if let Some(Backpressure::Credits { .. }) = self.backpressure(class) {
            let bytes = self.arena[index].bytes;
            self.say(now, link, (class, Signal::Credit(bytes)));
        }
    }

    fn backpressure(&self, class: u8) -> Option<Backpressure> {
        self.classes.get(usize::from(class)).map(|class| class.backpressure)
    }

    /// Tells the sender of a link something.
    fn say(&mut self, now: u64, link: u32, (class, signal): (u8, Signal)) {
        let back = &self.ports[LinkId(link).reverse().index()];
        let line = &self.lines[back.line];
        // A link that repeats a packet lets what is said pass after the first time.
        let first = now + line.picos(self.settings.frame.full().max(self.settings.frame.control));
        let free_at = now.max(back.free_at()).min(first);
        let at = free_at + line.picos(PAUSE_FRAME) + line.latency;
        let said = &mut self.far_ends[link as usize].said;
        said.push_back((at, class, signal));
        if said.len() == 1 {
            self.schedule(at, Class::Hear, link);
        }
    }

    /// The sender of a link hears what was said.
    pub(super) fn hear_signal(&mut self, now: u64, link: u32) {
        let said = &mut self.far_ends[link as usize].said;
        let (_, class, signal) = said.pop_front().expect("something was said");
        if let Some(&(at, ..)) = said.front() {
            self.schedule(at, Class::Hear, link);
        }
        let queues = &mut self.queues[link as usize];
        match signal {
            Signal::Pause => queues.pause(now, class),
            Signal::Resume => self.ledger.of(class).paused += queues.resume(now, class),
            Signal::Credit(bytes) => queues.credits[usize::from(class)] += u64::from(bytes),
        }
        self.transmit(now, link);
    }

    /// What was said about all links.
    pub const fn pauses(&self) -> Pauses {
        self.pauses
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
