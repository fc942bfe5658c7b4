//! What a connection finds on its way before anything is sent.

use topology::{LinkId, NodeId};

use super::PacketNetwork;
use super::way::Way;
use crate::Routing;
use crate::routes::{Next, SetId};

/// All packets of a flow: shares are parts of so many.
const WHOLE: u64 = 1 << 32;

impl PacketNetwork<'_> {
    /// The rate of the links of a set together, in milli-bit/s.
    pub(super) fn fastest(&self, ports: SetId) -> u64 {
        let rate = |link: LinkId| self.shared.lines[self.port(link.0).line].rate;
        match self.shared.routes.choices(ports) {
            Next::Only(link) => rate(link),
            Next::Choices(choices, _) => {
                choices.iter().fold(0, |sum, choice| sum.saturating_add(rate(choice.link)))
            }
            Next::Nowhere | Next::Entries(..) => {
                unreachable!("cards that have a way begin with a set of links")
            }
        }
    }

    /// How many full packets leave the slowest part of a way until the acknowledgement of the first is back, on an
    /// idle network; rounded up.
    pub(super) fn bandwidth_delay(&self, way: &Way, back: &Way) -> u64 {
        let frame = self.shared.settings.frame;
        let (there, slowest) = self.walk(way, frame.full());
        let (again, _) = self.walk(back, frame.control);
        (there + again).div_ceil(slowest.max(1))
    }

    /// The time of a packet of `bytes` alone on a way, in ps, and how far apart packets follow each other on the
    /// slowest part of it: a link that only some of them take counts as so much faster. Where ways meet before
    /// the last link the share of the flow is taken for less than it is.
    fn walk(&self, way: &Way, bytes: u32) -> (u64, u64) {
        let is_sprayed = !matches!(self.shared.settings.routing, Routing::PerFlow { .. });
        let mut next = self.shared.routes.choices(way.ports);
        let (mut time, mut slowest, mut share) = (0, 0, WHOLE);
        loop {
            let (link, last_share) = match next {
                Next::Only(link) => (link, WHOLE),
                Next::Nowhere => unreachable!("a way leads to its end"),
                Next::Choices(choices, total) => {
                    if is_sprayed {
                        share = (share * u64::from(choices[0].until)).div_ceil(total.into());
                    }
                    (choices[0].link, share)
                }
                Next::Entries(entries, node) => {
                    let entry = entries.iter().find(|entry| entry.0 == node);
                    let link = entry.expect("a node at distance 0 is linked to the card").1;
                    (link, if is_sprayed { WHOLE / entries.len() as u64 } else { WHOLE })
                }
            };
            let port = self.port(link.0);
            let line = &self.shared.lines[port.line];
            let serial = line.picos(bytes);
            time += serial + line.latency;
            let is_last = port.dst == way.dst;
            let of_flow = if is_last { share.max(last_share) } else { share };
            let apart = (u128::from(serial) * u128::from(of_flow)).div_ceil(WHOLE.into());
            slowest = slowest.max(u64::try_from(apart).expect("less than the packet takes"));
            if is_last {
                return (time, slowest);
            }
            let column = self.shared.routes.column(NodeId(port.dst));
            next = self.shared.routes.next((way.row, column), port.dst, way.dst);
        }
    }
}
