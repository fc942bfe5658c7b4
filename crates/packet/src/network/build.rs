//! A fabric divided into devices: who has which port.

use topology::{Fabric, NodeId};
use units::Bandwidth;

use super::backpressure::FarEnd;
use super::device::Device;
use super::shared::{Ends, Shared};
use crate::arena::Fifo;
use crate::landing::Landing;
use crate::mail::Mail;
use crate::packet::NONE;
use crate::port::Port;
use crate::service::Queues;
use crate::{Buffer, Error};

/// The device of each node: one for all cards, whose ranks have no distance in time, and one for each
/// switch.
pub(super) fn apart(fabric: &Fabric) -> Vec<u32> {
    let cards = fabric.cards() as usize;
    let switches = 1..=(fabric.nodes().len() - cards) as u32;
    std::iter::repeat_n(0, cards).chain(switches).collect()
}

/// All nodes at one device.
pub(super) fn together(fabric: &Fabric) -> Vec<u32> {
    vec![0; fabric.nodes().len()]
}

/// How soon something can come from one of these devices to another, in ps; `None` if no link joins two.
pub(crate) fn least_latency(fabric: &Fabric) -> Option<u64> {
    let is_card = |node: NodeId| node.0 < fabric.cards();
    let links = fabric.links().iter().filter(|link| !is_card(link.src) || !is_card(link.dst));
    links.map(|link| link.latency.as_picos()).min()
}

/// The devices of a fabric, with the mail that each shall have.
pub(super) fn devices(
    fabric: &Fabric,
    shared: &mut Shared<'_>,
    device_of: &[u32],
    mail: &dyn Fn(u32) -> Mail,
) -> Result<Vec<Device>, Error> {
    let count = device_of.iter().max().map_or(1, |&last| last + 1);
    let mut devices: Vec<Device> = (0..count).map(|device| Device::new(mail(device))).collect();
    let is_shared = matches!(shared.settings.buffer, Buffer::Shared { .. });
    for &device in device_of {
        let pools = &mut devices[device as usize].pools;
        shared.rooms.push(pools.len() as u32);
        if is_shared {
            pools.push(0);
        }
    }
    for (link, it) in (0..).zip(fabric.links()) {
        let line = shared.lines.of(it, shared.settings.frame)?;
        let (from, into) = (device_of[it.src.index()], device_of[it.dst.index()]);
        let landings = &mut devices[into as usize].landings;
        let landing = landings.len() as u32;
        let (node, column) = (it.dst.0, shared.routes.column(it.dst));
        landings.push(Landing { link, node, column, arrived: 0, wire: Fifo::EMPTY });
        let device = &mut devices[from as usize];
        let port = device.ports.len() as u32;
        let local = if from == into { landing } else { NONE };
        device.ports.push(Port::new((link, line), node, local));
        shared.ends.push(Ends { from, port, into, landing });
        if !shared.classes.is_empty() {
            let mut queues = Queues::new(&shared.classes);
            queues.is_down = it.goodput == Bandwidth::default();
            device.queues.push(queues);
            device.heard.push(std::collections::VecDeque::new());
            devices[into as usize].far_ends.push(FarEnd::default());
        }
    }
    Ok(devices)
}
