//! What packets lose on the path between two sites.

use super::site_path::{SitePath, Spread};
use crate::loss::{Edge, path_loss};
use crate::{CardId, LinkId, NodeId, PathLoss};

impl Spread<'_> {
    /// What `path`, which leads from `src` to `dst`, loses: the numbers of
    /// [`Fabric::path_loss`](crate::Fabric::path_loss), without a list of links.
    pub fn path_loss(&self, src: CardId, dst: CardId, path: &SitePath) -> PathLoss {
        let losses = self.fabric.losses();
        if losses.is_lossless() {
            return PathLoss::default();
        }
        let cards = self.fabric.cards();
        // Cards are numbered first, then classes of switches.
        let place = |node: NodeId| self.graph.class_of(node).map_or(node.0, |class| cards + class);
        let over = |(link, weight): (LinkId, u64)| {
            let link = self.fabric.link(link);
            let (from, to) = (place(link.src), place(link.dst));
            Edge { from, to, weight, loss: link.loss, latency: link.latency }
        };
        let domain = self.domain(src, dst);
        let out = self.ports_out(src, domain);
        let into = self.ports_in(dst, domain);
        let up = path.up.iter().map(|&(port, weight)| (out[port as usize], weight));
        let down = path.down.iter().map(|&(port, weight)| (into[port as usize], weight));
        let listed = up.chain(down).chain(path.direct.iter().copied()).map(over);
        let trunks = path.trunks.iter().map(|&(trunk, weight)| {
            let trunk = &self.graph.trunks[trunk.index()];
            let (from, to) = (cards + trunk.src, cards + trunk.dst);
            Edge { from, to, weight, loss: trunk.loss, latency: trunk.latency }
        });
        let edges: Vec<Edge> = listed.chain(trunks).collect();
        path_loss(losses, (src.node().0, dst.node().0), &edges)
    }
}
