//! One path per flow, picked hop by hop by a keyed hash (ECMP).

use units::Duration;

use super::cone::Arc;
use super::dag::Dag;
use super::mix::{choose, mix};
use super::{Hop, Path, RouteError};
use crate::{CardId, Domain, Fabric, LinkId, NodeId};

/// One of the links straight from one card to the other.
pub(super) fn direct(
    fabric: &Fabric,
    (src, dst): (CardId, CardId),
    arcs: &[Arc],
    key: u64,
) -> Result<Path, RouteError> {
    let links: Vec<LinkId> = arcs.iter().map(|arc| arc.link).collect();
    let link = pick(&links, src.node(), key);
    finish(fabric, (src, dst), vec![link])
}

/// One path through `dag`.
pub(super) fn hashed(
    fabric: &Fabric,
    dag: &Dag,
    domain: Domain,
    (src, dst, key): (CardId, CardId, u64),
) -> Result<Path, RouteError> {
    let leads = |&link: &LinkId| {
        let link = fabric.link(link);
        link.domain == domain && dag.place(0, link.dst).is_some()
    };
    let ports: Vec<LinkId> = fabric.links_from(src.node()).iter().copied().filter(leads).collect();
    let mut links = vec![pick(&ports, src.node(), key)];
    let first = fabric.link(links[0]).dst;
    let mut place = dag.place(0, first).expect("only links onto the paths are picked from");
    for _ in 1..dag.height() {
        let next = dag.next(place);
        let edge = next[choose(mix(key, u64::from(dag.nodes[place].0)), next.len())];
        links.push(edge.link);
        place = edge.to as usize;
    }
    let last = dag.nodes[place];
    let arrives = |&link: &LinkId| fabric.link(link).src == last;
    let ports: Vec<LinkId> =
        fabric.links_into(dst.node()).iter().copied().filter(arrives).collect();
    links.push(pick(&ports, last, key));
    finish(fabric, (src, dst), links)
}

/// The link that the hash of `key` picks at `node`.
fn pick(links: &[LinkId], node: NodeId, key: u64) -> LinkId {
    links[choose(mix(key, u64::from(node.0)), links.len())]
}

/// The path over `links`, in order of id.
fn finish(
    fabric: &Fabric,
    (src, dst): (CardId, CardId),
    mut links: Vec<LinkId>,
) -> Result<Path, RouteError> {
    let mut latencies = links.iter().map(|&link| fabric.link(link).latency);
    let latency = latencies
        .try_fold(Duration::ZERO, Duration::checked_add)
        .ok_or(RouteError::TooFine { src, dst })?;
    links.sort_unstable();
    let hops = links.into_iter().map(|link| Hop { link, weight: 1 }).collect();
    Ok(Path { hops, denominator: 1, latency })
}
