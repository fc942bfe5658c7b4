//! The network: packets from port to port, and what their ends say to each other.

mod arrivals;
mod backpressure;
mod build;
mod connection;
mod course;
mod dependencies;
mod device;
mod foresight;
mod held;
mod hosts;
mod ledger;
mod probe;
mod replies;
mod service;
mod shared;
mod standstill;
mod survey;
mod together;
mod turning;
mod watch;
mod way;
mod windows;

use std::collections::VecDeque;

use engine::{Error as RunError, FlowId, Network, News};
use units::{Bytes, Time};

use crate::bundle::Spare;
use crate::calendar::Entry;
use crate::event::Class;
use crate::headroom;
use crate::line::Lines;
use crate::loss::Wires;
use crate::packet::Packet;
use crate::port::Port;
use crate::routes::Routes;
use crate::service::Queues;
use crate::spread::Spread;
use crate::{Buffer, ClassOfService, Error, Order, Settings, Transport, World};
pub use backpressure::Pauses;
pub(crate) use build::least_latency;
pub(crate) use connection::Call;
use connection::{Connection, Receiver};
pub use connection::{GivenUp, TransferTimes};
pub use course::Cut;
use course::{Turn, What};
pub use dependencies::{Circle, CircleRoutes};
use device::{Device, Event};
pub use held::{Held, HeldBy};
use hosts::Outlet;
pub use ledger::{ClassLedger, Ledger};
pub use probe::{LinkUse, MessageTimes};
use shared::Shared;
pub use standstill::Blocked;
use together::Batch;
pub use watch::QueueSample;
use watch::Watch;
use windows::Windows;

/// No run lasts longer than this: 2⁶¹ ps, 26 days.
const HORIZON: u64 = 1 << 61;

/// The packet-level network.
#[derive(Debug)]
pub struct PacketNetwork<'f> {
    shared: Shared<'f>,
    /// The cards; without windows everything.
    host: Device,
    switches: Vec<Device>,
    windows: Option<Windows>,
    /// Whether anything is on its way, or to come at switches, as of the beginning of the window.
    is_expecting: bool,
    /// An empty outbox, room for packets at the cards and at each part of the switches, and empty batches of
    /// several threads.
    outbox: Vec<Packet>,
    spares: Vec<Spare>,
    batches: Vec<Vec<Batch>>,
    /// Of the links that leave cards, the connections that wait for them.
    outlets: Vec<Outlet>,
    connections: Vec<Connection>,
    receivers: Vec<Receiver>,
    news: VecDeque<News>,
    given_up: Vec<GivenUp>,
    /// How long messages took.
    took: Spread,
    watch: Option<Watch>,
    /// What is still to happen to the fabric.
    turns_ahead: VecDeque<Turn<'f>>,
}

impl<'f> PacketNetwork<'f> {
    /// A network over the fabric of `world` on which nothing moves yet, whose flows are `calls`.
    pub(crate) fn new(world: &World<'f>, calls: &[Call], order: Order) -> Result<Self, Error> {
        let (fabric, settings) = (world.fabric, world.settings);
        settings.check()?;
        let mut lines = Lines::default();
        for link in fabric.links() {
            lines.of(link, settings.frame)?;
        }
        let turns_ahead = course::turns(world, &mut lines)?;
        refuse_ideal(world, &turns_ahead)?;
        headroom::check(settings, &lines)?;
        let is_shared = matches!(settings.buffer, Buffer::Shared { .. });
        let mut markings = settings.markings();
        if markings.iter().all(Option::is_none) {
            markings.clear();
        }
        let mut shared = Shared {
            settings,
            markings,
            classes: classes(settings, is_shared || !turns_ahead.is_empty()),
            lines,
            routes: Routes::new(fabric, calls.iter().map(|call| (call.src, call.dst))),
            wires: Wires::new(settings, fabric, calls),
            names: calls.iter().map(|call| call.key).collect(),
            ends: Vec::with_capacity(fabric.links().len()),
            rooms: Vec::with_capacity(fabric.nodes().len()),
        };
        let windows = match order {
            Order::ByInstant => None,
            Order::ByDevice { threads } => least_latency(fabric)
                .and_then(|latency| Windows::new(latency, fabric.links().len() as u32, threads)),
        };
        let device_of =
            if windows.is_some() { build::apart(fabric) } else { build::together(fabric) };
        let mail = |device| Windows::mail(windows, device, fabric.cards());
        let mut devices = build::devices(fabric, &mut shared, &device_of, &mail)?.into_iter();
        let host = devices.next().expect("a fabric has cards");
        let outlets = host.ports.len() * shared.classes.len().max(1);
        let mut network = Self {
            shared,
            host,
            switches: devices.collect(),
            windows,
            is_expecting: false,
            outbox: Vec::new(),
            spares: (0..=windows.map_or(0, Windows::threads)).map(|_| Spare::default()).collect(),
            batches: Vec::new(),
            outlets: vec![Outlet::IDLE; outlets],
            connections: Vec::with_capacity(calls.len()),
            receivers: Vec::with_capacity(calls.len()),
            news: VecDeque::new(),
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
        self.shared.classes.len()
    }

    /// Whether routes will change.
    fn will_reroute(&self) -> bool {
        self.turns_ahead.iter().any(|turn| matches!(turn.what, What::Routes(_)))
    }

    /// All devices: the cards, then the switches.
    fn devices(&self) -> impl Iterator<Item = &Device> {
        std::iter::once(&self.host).chain(&self.switches)
    }

    /// One of the devices.
    fn device(&self, device: u32) -> &Device {
        match device.checked_sub(1) {
            None => &self.host,
            Some(switch) => &self.switches[switch as usize],
        }
    }

    /// The transmitter of a link.
    fn port(&self, link: u32) -> &Port {
        let ends = self.shared.ends[link as usize];
        &self.device(ends.from).ports[ends.port as usize]
    }

    /// The queues before a link, if there are classes of service.
    fn queues(&self, link: u32) -> Option<&Queues> {
        let ends = self.shared.ends[link as usize];
        self.device(ends.from).queues.get(ends.port as usize)
    }

    fn schedule(&mut self, at: u64, class: Class, entity: u32) {
        self.host.calendar.push(at, class.rank(entity));
    }

    /// Handles the next event of the cards if it is due; says whether it was.
    fn step(&mut self, now: u64) -> Result<bool, RunError> {
        let Some(event) = self.host.next_event(&mut self.spares[0], now + 1) else {
            return Ok(false);
        };
        self.enter(now);
        match event {
            Event::Letter => {
                self.foresee();
                let mut packet = self.host.take()?;
                let landing = self.shared.ends[packet.link as usize].landing;
                if self.host.land(&self.shared, now, landing, &mut packet) {
                    self.receive(now, &packet);
                }
            }
            Event::Own(Entry { at, rank }) => self.handle(at, rank)?,
        }
        if self.windows.is_none() {
            debug_assert_eq!(self.check_ledger(), Ok(()), "every packet is somewhere");
        }
        Ok(true)
    }

    /// Handles an event that was scheduled.
    fn handle(&mut self, at: u64, rank: u64) -> Result<(), RunError> {
        if at > HORIZON {
            return Err(RunError::TimeRange);
        }
        let (class, entity) = Class::of(rank);
        match class {
            Class::Turn => {
                self.host.count(at, rank, 0);
                self.turn(at)?;
            }
            Class::Left => {
                let place = self.place_of(entity);
                self.host.count(at, rank, place);
                self.left(at, place);
            }
            Class::Timeout => {
                self.host.count(at, rank, entity);
                self.time_out(at, entity);
            }
            Class::Pace => {
                self.host.count(at, rank, entity);
                self.proceed(at, entity);
            }
            Class::Look => self.look(at, entity)?,
            Class::Arrive | Class::Hear | Class::Free => {
                if let Some(packet) = self.host.handle(&self.shared, at, rank)? {
                    self.receive(at, &packet);
                }
            }
        }
        Ok(())
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
        self.enter(now.as_picos());
        self.call(now.as_picos(), flow.0, bytes);
        Ok(())
    }

    fn next_time(&self) -> Option<Time> {
        let own = [self.host.calendar.next_time(), self.host.mail.not_before()];
        let next = own.into_iter().chain([self.barrier()]).flatten().min();
        next.map(Time::from_picos)
    }

    fn poll(&mut self, now: Time) -> Result<Option<News>, RunError> {
        let now = now.as_picos();
        loop {
            if let Some(news) = self.news.pop_front() {
                return Ok(Some(news));
            }
            self.close_windows(now)?;
            if !self.step(now)? {
                return Ok(None);
            }
        }
    }

    fn settle(&mut self, _now: Time) -> Result<(), RunError> {
        Ok(())
    }
}
