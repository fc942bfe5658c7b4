//! What all devices know and none changes while it works: settings, routes, losses, and where links lead.

use crate::line::Lines;
use crate::loss::Wires;
use crate::routes::Routes;
use crate::{Backpressure, ClassOfService, Marking, Settings};

/// What all devices read.
#[derive(Debug)]
pub(super) struct Shared<'f> {
    pub(super) settings: &'f Settings,
    /// The classes of service; one that nothing stops where the settings have none and links change.
    pub(super) classes: Vec<ClassOfService>,
    /// When the packets of each class are marked; empty if none ever is.
    pub(super) markings: Vec<Option<Marking>>,
    pub(super) lines: Lines,
    pub(super) routes: Routes<'f>,
    pub(super) wires: Wires,
    /// The key by which draws know each connection.
    pub(super) names: Vec<u64>,
    /// Where each link begins and ends.
    pub(super) ends: Vec<Ends>,
    /// The place of each node among those of its device.
    pub(super) rooms: Vec<u32>,
}

/// Where a link begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// The device that sends, and the link's place among its ports.
    pub(super) from: u32,
    pub(super) port: u32,
    /// The device that receives, and the link's place among its landings.
    pub(super) into: u32,
    pub(super) landing: u32,
}

impl Shared<'_> {
    /// How nodes stop those that send to them packets of a class; `None` where nothing waits in queues.
    pub(super) fn backpressure(&self, class: u8) -> Option<Backpressure> {
        self.classes.get(usize::from(class)).map(|class| class.backpressure)
    }

    /// Whether nothing of a class is ever dropped for want of room.
    pub(super) fn is_lossless(&self, class: u8) -> bool {
        self.backpressure(class).is_some_and(Backpressure::is_lossless)
    }

    /// The outlet of a class at a link: the entity of its events.
    pub(super) fn outlet(&self, link: u32, class: u8) -> u32 {
        match self.classes.len() as u32 {
            0 => link,
            classes => link * classes + u32::from(class),
        }
    }
}
