//! What a point will take, told before it is run.

use fluid::{Classes, Options};
use topology::Routing;

use crate::Point;
use crate::RunOptions;
use crate::engine::Engine;
use crate::packets::Links;

/// Nanoseconds an event takes where flows are merged; measured, docs/performance.md.
const NANOS_MERGED: u128 = 100;
/// The same where each flow keeps to a path of its own and rates are solved over many links.
const NANOS_HASHED: u128 = 500;
/// The same where packets are lost or something changes in time: with the whole network in view.
const NANOS_WHOLE: u128 = 1_000;
/// Nanoseconds an event of a packet takes.
const NANOS_PACKET: u128 = 40;
/// Events of a packet on a link, those of its acknowledgement on the way back included; measured.
const PACKET_EVENTS: u128 = 10;
/// Nanoseconds to tell a transfer to the merging and to refine it.
const NANOS_LISTED: u128 = 2_000;
/// Nanoseconds to count what a hashed transfer puts on links.
const NANOS_COUNTED: u128 = 300;
/// Bytes that packet level takes for a flow and its packets on their way.
const BYTES_PACKETS: u128 = 4_096;

/// What a point will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Transfers of the schedule; of one step of each stage only, where classes were not sought.
    pub transfers: u128,
    /// Whether there are too many transfers to simulate, so that they are counted for the bound alone.
    pub is_bounded: bool,
    /// Classes of flows; `None` where finding them would take too much memory, and of a bound.
    pub classes: Option<u64>,
    /// Events, at least and at most; `None` as for classes.
    pub events: Option<(u128, u128)>,
    /// Peak memory in bytes, the fabric of the point included.
    pub memory: u128,
    /// Nanoseconds of one core, at least and at most.
    pub nanos: (u128, u128),
}

impl Point {
    /// Estimates what the point will take; classes are not sought where that alone would take more than
    /// `most_memory` bytes.
    ///
    /// # Errors
    /// Why the point could not be run, in words.
    pub fn estimate(
        &self,
        options: &RunOptions<'_>,
        most_memory: Option<u128>,
    ) -> Result<Estimate, String> {
        let built = self.fabric.get();
        let placed = self.workload.place(built.planned(), self.keys);
        let placed = placed.expect("the check has placed this before");
        let case = &self.fabric.case;
        let routing = case.routing.routing(self.keys);
        let world = placed.run().world(&built, routing, case.losses.recovery(self.keys));
        let RunOptions { symmetry, recurrence, locality, threads, memo, watch } = *options;
        let options = Options { symmetry, recurrence, locality, threads, memo, watch };
        let told = fluid::estimate(&world, &options, most_memory).map_err(|it| it.to_string())?;
        let listing = told.listed * NANOS_LISTED;
        let is_bounded = told.is_bounded;
        let Some(classes) = told.classes else {
            let each = if is_bounded { NANOS_COUNTED } else { NANOS_LISTED };
            let (transfers, memory, nanos) = (told.listed, told.memory, told.listed * each);
            let (classes, events, nanos) = (None, None, (nanos, nanos));
            return Ok(Estimate { transfers, is_bounded, classes, events, memory, nanos });
        };
        let (events, each, memory) = match self.engine {
            Engine::Packet => {
                let links = Links::of(&built.start);
                let settings = case.packets.settings(links, case.packet_paths(), self.keys);
                let payload = u128::from(settings.frame.payload);
                let events = packet_events((&classes, told.transfers), payload);
                let memory = told.memory + told.listed.max(1) * BYTES_PACKETS;
                ((events, events), NANOS_PACKET, memory)
            }
            Engine::Fluid => {
                let lossless = built.start.losses().is_lossless() && built.timeline.is_none();
                let each = match routing {
                    _ if !lossless => NANOS_WHOLE,
                    Routing::Spray => NANOS_MERGED,
                    Routing::Ecmp { .. } => NANOS_HASHED,
                };
                ((classes.least_events, classes.most_events), each, told.memory)
            }
        };
        let nanos = (listing + events.0 * each, listing + events.1 * each);
        let (transfers, classes, events) = (told.transfers, Some(classes.flows), Some(events));
        Ok(Estimate { transfers, is_bounded, classes, events, memory, nanos })
    }
}

/// A packet on a link, and its acknowledgement on the way back; the last packet of each transfer is not full.
fn packet_events((classes, transfers): (&Classes, u128), payload: u128) -> u128 {
    PACKET_EVENTS * (classes.link_bytes.div_ceil(payload.max(1)) + transfers)
}
