//! The packet-level network model: ports, queues, loss and transports.
//!
//! Every transfer is cut into packets, which wait in the queues of ports, are lost or marked there,
//! and are sent again by their transport. [`simulate()`] takes a [`World`] and tells the
//! [`Outcome`]; it runs the same schedules on the same fabrics as the flow level, whose second
//! opinion it is.
//!
//! This crate knows no files, no scenario text and no max-min rates.

mod arena;
mod bundle;
mod calendar;
mod ending;
mod error;
mod event;
mod frame;
mod headroom;
mod landing;
mod line;
mod listing;
mod loss;
mod mail;
mod network;
mod order;
mod outcome;
mod packet;
mod port;
mod routes;
mod service;
mod settings;
mod simulate;
mod spread;
mod transport;
mod world;

pub use error::Error;
pub use frame::Frame;
pub use network::{
    Blocked, Circle, CircleRoutes, ClassLedger, Cut, GivenUp, Held, HeldBy, Ledger, LinkUse,
    MessageTimes, PacketNetwork, Pauses, QueueSample, TransferTimes,
};
pub use order::Order;
pub use outcome::{Outcome, Status, Unreachable};
pub use service::{Backpressure, ClassMarking, ClassOfService, MOST_CLASSES, Service};
pub use settings::{
    Buffer, CardDrop, Drop, Forwarding, Loss, LossRate, Marking, Pacing, Recovery, Routing,
    Settings,
};
pub use simulate::{Simulation, simulate};
pub use transport::{Dcqcn, Transport, Window};
pub use world::World;
