//! A device: some nodes with the ports of their links, and the events at them.
//!
//! What happens at a device depends on its own events and on what others have sent it, which is on the
//! way for at least the latency of a link. So devices may be worked through one after the other, or side
//! by side, as long as none is further ahead of another than that.

use std::collections::VecDeque;

use engine::Error as RunError;

use super::backpressure::{FarEnd, Signal};
use super::ledger::Ledger;
use super::shared::Shared;
use super::{HORIZON, Pauses};
use crate::arena::Arena;
use crate::bundle::Spare;
use crate::calendar::{Calendar, Entry};
use crate::event::{Class, EventHash};
use crate::landing::Landing;
use crate::mail::Mail;
use crate::packet::{NONE, Packet};
use crate::port::Port;
use crate::service::Queues;

/// Some nodes and what happens at them.
#[derive(Debug)]
pub(super) struct Device {
    /// What happens here by itself.
    pub(super) calendar: Calendar,
    /// What is on its way here from other devices.
    pub(super) mail: Mail,
    /// What is on its way to other devices and not yet in their mail.
    pub(super) outbox: Vec<Packet>,
    pub(super) signals: Vec<Signal>,
    /// The packets in queues, and on links whose both ends are here.
    pub(super) arena: Arena,
    /// The links that begin here.
    pub(super) ports: Vec<Port>,
    /// The queues of each port, if there are classes of service, and what it is still to hear.
    pub(super) queues: Vec<Queues>,
    pub(super) heard: Vec<VecDeque<Signal>>,
    /// The links that end here, and what waits at the end of each if there are classes of service.
    pub(super) landings: Vec<Landing>,
    pub(super) far_ends: Vec<FarEnd>,
    /// The bytes that wait in the shared buffer of each node; empty where nothing is shared.
    pub(super) pools: Vec<u64>,
    pub(super) pauses: Pauses,
    pub(super) ledger: Ledger,
    pub(super) hash: EventHash,
    /// How many events of each class but arrivals each entity has had.
    turns: Vec<Vec<u32>>,
}

/// What comes next at a device.
pub(super) enum Event {
    /// The next packet of the mail.
    Letter,
    /// What was scheduled here.
    Own(Entry),
}

impl Device {
    /// A device without ports at which nothing happens.
    pub(super) fn new(mail: Mail) -> Self {
        Self {
            calendar: Calendar::new(),
            mail,
            outbox: Vec::new(),
            signals: Vec::new(),
            arena: Arena::new(),
            ports: Vec::new(),
            queues: Vec::new(),
            heard: Vec::new(),
            landings: Vec::new(),
            far_ends: Vec::new(),
            pools: Vec::new(),
            pauses: Pauses::default(),
            ledger: Ledger::default(),
            hash: EventHash::default(),
            turns: vec![Vec::new(); Class::Look as usize + 1],
        }
    }

    /// Works through all events before an instant.
    pub(super) fn run(
        &mut self,
        shared: &Shared<'_>,
        spare: &mut Spare,
        until: u64,
    ) -> Result<(), RunError> {
        if self.mail.due() >= until {
            return Ok(());
        }
        self.foresee(shared);
        while let Some(event) = self.next_event(spare, until) {
            match event {
                Event::Letter => {
                    let mut packet = self.take()?;
                    let landing = shared.ends[packet.link as usize].landing;
                    let is_there = self.land(shared, packet.at, landing, &mut packet);
                    debug_assert!(!is_there, "packets go to cards");
                }
                Event::Own(Entry { at, rank }) => {
                    self.handle(shared, at, rank)?;
                }
            }
        }
        self.look_ahead();
        Ok(())
    }

    /// Finds when something comes next.
    pub(super) fn look_ahead(&mut self) {
        self.mail.set_due(self.not_before().unwrap_or(u64::MAX));
    }

    /// No event comes before; `None` if none comes.
    pub(super) fn due(&self) -> Option<u64> {
        Some(self.mail.due()).filter(|&due| due < u64::MAX)
    }

    /// A packet is on its way here.
    #[inline]
    pub(super) fn post(&mut self, spare: &mut Spare, packet: &Packet) {
        self.mail.post(spare, packet);
    }

    /// Something comes here at that instant.
    #[inline]
    pub(super) fn awake_by(&mut self, at: u64) {
        self.mail.set_due(self.mail.due().min(at));
    }

    /// The next event before an instant, taken unless it is in the mail.
    pub(super) fn next_event(&mut self, spare: &mut Spare, until: u64) -> Option<Event> {
        self.mail.open(spare, until);
        let own = self.calendar.next_time().filter(|&at| at < until);
        let Some((at, link)) = self.mail.next().filter(|&(at, _)| at < until) else {
            return self.calendar.pop_due(own?).map(Event::Own);
        };
        if let Some(own_at) = own
            && own_at <= at
        {
            let entry = self.calendar.pop_due(own_at)?;
            if own_at < at || entry.rank < Class::Arrive.rank(link) {
                return Some(Event::Own(entry));
            }
            self.calendar.push(entry.at, entry.rank);
        }
        Some(Event::Letter)
    }

    /// Takes the next packet of the mail.
    pub(super) fn take(&mut self) -> Result<Packet, RunError> {
        let packet = self.mail.take();
        if packet.at > HORIZON { Err(RunError::TimeRange) } else { Ok(packet) }
    }

    /// Handles an event of its own; returns a packet that has come to its card.
    pub(super) fn handle(
        &mut self,
        shared: &Shared<'_>,
        at: u64,
        rank: u64,
    ) -> Result<Option<Packet>, RunError> {
        if at > HORIZON {
            return Err(RunError::TimeRange);
        }
        let (class, link) = Class::of(rank);
        let ends = shared.ends[link as usize];
        match class {
            Class::Arrive => return Ok(self.arrive(shared, at, ends.landing)),
            Class::Hear => {
                self.count(at, rank, ends.port);
                self.hear_signal(shared, at, ends.port);
            }
            Class::Free => {
                self.count(at, rank, ends.port);
                self.free(shared, at, ends.port);
            }
            _ => unreachable!("other events are of cards and of whole networks"),
        }
        Ok(None)
    }

    /// Adds an event other than an arrival to the hash.
    pub(super) fn count(&mut self, at: u64, rank: u64, place: u32) {
        let turns = &mut self.turns[(rank >> 32) as usize];
        if turns.len() <= place as usize {
            turns.resize(place as usize + 1, 0);
        }
        let turn = &mut turns[place as usize];
        self.hash.add(at, rank, u64::from(*turn));
        *turn = turn.wrapping_add(1);
    }

    /// No event comes before; `None` if none comes.
    fn not_before(&self) -> Option<u64> {
        match (self.calendar.next_time(), self.mail.not_before()) {
            (Some(own), Some(mail)) => Some(own.min(mail)),
            (own, mail) => own.or(mail),
        }
    }

    /// Whether nothing is to come, here or from here.
    pub(super) fn is_idle(&self) -> bool {
        self.not_before().is_none() && self.outbox.is_empty() && self.signals.is_empty()
    }

    /// The packets that are here, on their way here, and sent and not yet posted.
    pub(super) fn packets(&self) -> u64 {
        self.arena.live() + self.mail.count() + self.outbox.len() as u64
    }

    /// The packets of the arena that are in queues and on links.
    pub(super) fn found(&self) -> u64 {
        let wires = self.landings.iter().map(|landing| landing.wire.count(&self.arena));
        let queues = self.queues.iter().map(|queues| queues.count(&self.arena));
        wires.chain(queues).sum()
    }

    /// The bytes that wait for a link, the rest of the packet that is leaving included.
    pub(super) fn depth(&self, shared: &Shared<'_>, now: u64, port: u32) -> u64 {
        let Port { line, .. } = self.ports[port as usize];
        let leaving = shared.lines[line].bytes(self.ports[port as usize].backlog(now));
        match self.queues.get(port as usize) {
            Some(queues) => leaving + queues.bytes.iter().sum::<u64>(),
            None => leaving,
        }
    }

    /// The first packet on a link whose both ends are here has come; returned if its card is here too.
    fn arrive(&mut self, shared: &Shared<'_>, now: u64, place: u32) -> Option<Packet> {
        let landing = &mut self.landings[place as usize];
        let first = landing.wire.head();
        if first == NONE || self.arena[first].at > now {
            // The packet that was to come now was on the link when it died.
            return None;
        }
        let index = landing.wire.pop(&self.arena);
        let next = landing.wire.head();
        if next != NONE {
            self.calendar.push(self.arena[next].at, Class::Arrive.rank(landing.link));
        }
        let mut packet = self.arena.remove(index);
        self.land(shared, now, place, &mut packet).then_some(packet)
    }
}
