//! The network: packets from port to port, and what their ends say to each other.

mod arrivals;
mod backpressure;
mod connection;
mod course;
mod dependencies;
mod hosts;
mod ledger;
mod probe;
mod replies;
mod service;
mod standstill;
mod survey;
mod turning;
mod watch;
mod way;

use std::collections::VecDeque;

use engine::{Error as RunError, FlowId, Network, News};
use units::{Bandwidth, Bytes, Time};

use crate::arena::Arena;
use crate::calendar::Calendar;
use crate::event::{Class, EventHash};
use crate::headroom;
use crate::line::Lines;
use crate::loss::Wires;
use crate::port::Port;
use crate::routes::Routes;
use crate::service::Queues;
use crate::spread::Spread;
use crate::{Buffer, ClassOfService, Error, Settings, Transport, World};
use backpressure::FarEnd;
pub use backpressure::Pauses;
pub(crate) use connection::Call;
use connection::{Connection, Receiver};
pub use connection::{GivenUp, TransferTimes};
pub use course::Cut;
use course::{Turn, What};
pub use dependencies::{Circle, CircleRoutes};
use hosts::Outlet;
pub use ledger::{ClassLedger, Ledger};
pub use probe::{LinkUse, MessageTimes};
pub use standstill::Blocked;
pub use watch::QueueSample;
use watch::Watch;

/// No run lasts longer than this: 2⁶¹ ps, 26 days.
const HORIZON: u64 = 1 << 61;

/// The packet-level network.
#[derive(Debug)]
pub struct PacketNetwork<'f> {
    settings: &'f Settings,
    /// The classes of service; one that nothing stops where the settings have none and links change.
    classes: Vec<ClassOfService>,
    calendar: Calendar,
    arena: Arena,
    ports: Vec<Port>,
    lines: Lines,
    routes: Routes<'f>,
    wires: Wires,
    /// Of the links that leave cards, the connections that wait for them.
    outlets: Vec<Outlet>,
    /// The queues of each port, if there are classes of service; and what waits beyond its link.
    queues: Vec<Queues>,
    far_ends: Vec<FarEnd>,
    /// The bytes that wait in the shared buffer of each node; empty where nothing is shared.
    pools: Vec<u64>,
    pauses: Pauses,
    connections: Vec<Connection>,
    receivers: Vec<Receiver>,
    news: VecDeque<News>,
    ledger: Ledger,
    hash: EventHash,
    /// How many events of each class but arrivals each entity has had.
    turns: Vec<Vec<u32>>,
    given_up: Vec<GivenUp>,
    /// How long messages took.
    took: Spread,
    watch: Option<Watch>,
    /// What is still to happen to the fabric.
    turns_ahead: VecDeque<Turn<'f>>,
}

impl<'f> PacketNetwork<'f> {
    /// A network over the fabric of `world` on which nothing moves yet, whose flows are `calls`.
    pub(crate) fn new(world: &World<'f>, calls: &[Call]) -> Result<Self, Error> {
        let (fabric, settings) = (world.fabric, world.settings);
        settings.check()?;
        let routes = Routes::new(fabric);
        let mut lines = Lines::default();
        let mut ports = Vec::with_capacity(fabric.links().len());
        for link in fabric.links() {
            let line = lines.of(link, settings.frame)?;
            ports.push(Port::new(line, link.dst.0, routes.place(link.dst)));
        }
        let turns_ahead = course::turns(world, &mut lines)?;
        refuse_ideal(world, &turns_ahead)?;
        headroom::check(settings, &lines)?;
        let is_shared = matches!(settings.buffer, Buffer::Shared { .. });
        let classes = classes(settings, is_shared || !turns_ahead.is_empty());
        let controlled = if classes.is_empty() { 0 } else { ports.len() };
        let outlets = vec![Outlet::IDLE; ports.len() * classes.len().max(1)];
        let mut queues = vec![Queues::new(&classes); controlled];
        for (queues, link) in queues.iter_mut().zip(fabric.links()) {
            queues.is_down = link.goodput == Bandwidth::default();
        }
        let mut network = Self {
            settings,
            classes,
            calendar: Calendar::new(),
            arena: Arena::new(),
            ports,
            lines,
            routes,
            wires: Wires::new(settings, fabric),
            outlets,
            queues,
            far_ends: vec![FarEnd::default(); controlled],
            pools: if is_shared { vec![0; fabric.nodes().len()] } else { Vec::new() },
            pauses: Pauses::default(),
            connections: Vec::with_capacity(calls.len()),
            receivers: Vec::with_capacity(calls.len()),
            news: VecDeque::new(),
            ledger: Ledger::default(),
            hash: EventHash::default(),
            turns: vec![Vec::new(); Class::Look as usize + 1],
            given_up: Vec::new(),
            took: Spread::default(),
            watch: None,
            turns_ahead,
        };
        for call in calls {
            network.connect(call)?;
        }
        network.await_turn();
        Ok(network)
    }

    /// The number of classes of service; 0 where all packets share one queue that nothing stops.
    pub const fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Whether routes will change.
    fn will_reroute(&self) -> bool {
        self.turns_ahead.iter().any(|turn| matches!(turn.what, What::Routes(_)))
    }

    fn schedule(&mut self, at: u64, class: Class, entity: u32) {
        self.calendar.push(at, class.rank(entity));
    }

    /// Handles one event.
    fn handle(&mut self, at: u64, rank: u64) -> Result<(), RunError> {
        if at > HORIZON {
            return Err(RunError::TimeRange);
        }
        let (class, entity) = Class::of(rank);
        if class == Class::Arrive {
            self.arrive(at, entity);
        } else {
            self.count_turn(at, rank);
            match class {
                Class::Left => self.left(at, entity),
                Class::Timeout => self.time_out(at, entity),
                Class::Hear => self.hear_signal(at, entity),
                Class::Turn => self.turn(at),
                Class::Free => self.free(at, entity),
                Class::Pace => self.proceed(at, entity),
                Class::Look => self.look(at, entity),
                Class::Arrive => {}
            }
        }
        debug_assert_eq!(self.check_ledger(), Ok(()), "every packet is somewhere");
        Ok(())
    }

    /// Adds an event other than an arrival to the hash, unless somebody merely looks.
    fn count_turn(&mut self, at: u64, rank: u64) {
        let (class, entity) = Class::of(rank);
        if class == Class::Look {
            return;
        }
        let turns = &mut self.turns[class as usize];
        if turns.len() <= entity as usize {
            turns.resize(entity as usize + 1, 0);
        }
        let turn = &mut turns[entity as usize];
        self.hash.add(at, rank, u64::from(*turn));
        *turn = turn.wrapping_add(1);
    }
}

/// The classes of service of a run. Where links change or queues share their room, packets wait in queues,
/// so that they can be held and counted.
fn classes(settings: &Settings, needs_queues: bool) -> Vec<ClassOfService> {
    if needs_queues && settings.classes.is_empty() {
        return vec![ClassOfService::PLAIN];
    }
    settings.classes.clone()
}

/// Refuses the ideal window where something may be lost.
fn refuse_ideal(world: &World<'_>, turns: &VecDeque<Turn<'_>>) -> Result<(), Error> {
    let loses = !world.fabric.losses().is_lossless() || course::kills(turns);
    if matches!(world.settings.transport, Transport::Ideal { .. }) && loses {
        return Err(Error::Unfit(
            "the ideal window repeats nothing: it needs links that lose nothing and do not die",
        ));
    }
    Ok(())
}

impl Network for PacketNetwork<'_> {
    fn start(&mut self, now: Time, flow: FlowId, bytes: Bytes) -> Result<(), RunError> {
        self.call(now.as_picos(), flow.0, bytes);
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        self.calendar.next_time().map(Time::from_picos)
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, RunError> {
        loop {
            if let Some(news) = self.news.pop_front() {
                return Ok(Some(news));
            }
            let Some(entry) = self.calendar.pop_due(now.as_picos()) else {
                return Ok(None);
            };
            self.handle(entry.at, entry.rank)?;
        }
    }

    fn settle(&mut self, _now: Time) -> Result<(), RunError> {
        Ok(())
    }
}
