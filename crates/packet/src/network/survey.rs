//! What a connection finds on its way before anything is sent.

use topology::{LinkId, NodeId};

use super::PacketNetwork;
use super::way::Way;
use crate::routes::{Next, SetId};

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

    /// How many full packets leave the slowest link of a way until the acknowledgement of the first is
    /// back, on an idle network; rounded up.
    pub(super) fn bandwidth_delay(&self, way: &Way, back: &Way) -> u64 {
        let frame = self.shared.settings.frame;
        let (there, slowest) = self.walk(way, frame.full());
        let (again, _) = self.walk(back, frame.control);
        (there + again).div_ceil(slowest.max(1))
    }

    /// The time of a packet of `bytes` alone on a way, in ps, and its time on the slowest link of it.
    fn walk(&self, way: &Way, bytes: u32) -> (u64, u64) {
        let mut next = self.shared.routes.choices(way.ports);
        let (mut time, mut slowest) = (0, 0);
        loop {
            let link = match next {
                Next::Only(link) => link,
                Next::Nowhere => unreachable!("a way leads to its end"),
                Next::Choices(choices, _) => choices[0].link,
                Next::Entries(entries, node) => {
                    let entry = entries.iter().find(|entry| entry.0 == node);
                    entry.expect("a node at distance 0 is linked to the card").1
                }
            };
            let port = self.port(link.0);
            let line = &self.shared.lines[port.line];
            let serial = line.picos(bytes);
            time += serial + line.latency;
            slowest = slowest.max(serial);
            if port.dst == way.dst {
                return (time, slowest);
            }
            let column = self.shared.routes.column(NodeId(port.dst));
            next = self.shared.routes.next((way.row, column), port.dst, way.dst);
        }
    }
}
