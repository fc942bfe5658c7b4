//! In which order the events of a run are worked through.

use units::Bytes;

use crate::World;
use crate::network::least_latency;

/// In which order the events of a run are worked through. The outcome is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after the other in the order of their instants, whatever device they are at.
    ByInstant,
    /// Device by device, in windows of at most the shortest latency between two devices, on so many
    /// threads; by instant where some devices have no latency between them.
    ByDevice {
        /// The threads; 0 counts as 1.
        threads: usize,
    },
}

impl Order {
    /// The quicker order for a world: by device, unless windows are so short that less than half a packet
    /// leaves the fastest link in one.
    pub fn fit(world: &World<'_>, threads: usize) -> Self {
        let Some(latency) = least_latency(world.fabric) else { return Self::ByInstant };
        let rates = world.fabric.links().iter().map(|link| link.goodput.as_milli_bits_per_second());
        let fastest = rates.max().unwrap_or_default();
        let packet = Bytes::new(u64::from(world.settings.frame.full()));
        if 2 * u128::from(latency) * u128::from(fastest) < packet.as_work() {
            return Self::ByInstant;
        }
        Self::ByDevice { threads }
    }
}
