//! One path per flow, picked hop by hop by a keyed hash (ECMP).

use units::Duration;

use super::cone::Arc;
use super::dag::Dag;
use super::mix::{choose, mix};
use super::{Hop, Path, RouteError};
use crate::{CardId, Domain, Fabric, LinkId, NodeId};

/// The links of a path on the way from its source.
struct Walk<'f> {
    fabric: &'f Fabric,
    key: u64,
    hops: Vec<Hop>,
    /// The latencies of the links; `None` beyond the range of time.
    latency: Option<Duration>,
}

impl<'f> Walk<'f> {
    /// At the source of a path of so many links.
    fn new(fabric: &'f Fabric, key: u64, links: usize) -> Self {
        Self { fabric, key, hops: Vec::with_capacity(links), latency: Some(Duration::ZERO) }
    }

    /// Takes one of the links that leave `node`, picked by the hash of the key there.
    fn step(&mut self, node: NodeId, links: impl Iterator<Item = LinkId> + Clone) -> LinkId {
        let pick = choose(mix(self.key, u64::from(node.0)), links.clone().count());
        let mut links = links;
        let link = links.nth(pick).expect("one of them is picked");
        self.take(link);
        link
    }

    fn take(&mut self, link: LinkId) {
        let latency = self.fabric.link(link).latency;
        self.latency = self.latency.and_then(|sum| sum.checked_add(latency));
        self.hops.push(Hop { link, weight: 1 });
    }

    /// The path, its links in order of id.
    fn finish(mut self, (src, dst): (CardId, CardId)) -> Result<Path, RouteError> {
        let latency = self.latency.ok_or(RouteError::TooFine { src, dst })?;
        self.hops.sort_unstable_by_key(|hop| hop.link);
        Ok(Path { hops: self.hops, denominator: 1, latency })
    }
}

/// One of the links straight from one card to the other.
pub(super) fn direct(
    fabric: &Fabric,
    (src, dst): (CardId, CardId),
    arcs: &[Arc],
    key: u64,
) -> Result<Path, RouteError> {
    let mut walk = Walk::new(fabric, key, 1);
    walk.step(src.node(), arcs.iter().map(|arc| arc.link));
    walk.finish((src, dst))
}

/// One path through `dag`.
pub(super) fn hashed(
    fabric: &Fabric,
    dag: &Dag,
    domain: Domain,
    (src, dst, key): (CardId, CardId, u64),
) -> Result<Path, RouteError> {
    let leads = |link: &LinkId| {
        let link = fabric.link(*link);
        link.domain == domain && dag.place(0, link.dst).is_some()
    };
    let mut walk = Walk::new(fabric, key, dag.height() + 1);
    let ports = fabric.links_from(src.node()).iter().copied();
    let first = fabric.link(walk.step(src.node(), ports.filter(leads))).dst;
    let mut place = dag.place(0, first).expect("only links onto the paths are picked from");
    for _ in 1..dag.height() {
        let next = dag.next(place);
        let edge = next[choose(mix(key, u64::from(dag.nodes[place].0)), next.len())];
        walk.take(edge.link);
        place = edge.to as usize;
    }
    let last = dag.nodes[place];
    let arrives = |link: &LinkId| fabric.link(*link).src == last;
    walk.step(last, fabric.links_into(dst.node()).iter().copied().filter(arrives));
    walk.finish((src, dst))
}
