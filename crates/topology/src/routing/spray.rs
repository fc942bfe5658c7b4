//! Ideal spray: exact shares of a flow over all shortest paths.

use units::{Duration, gcd, gcd_u64};

use super::cone::Arc;
use super::dag::{Dag, Edge};
use super::{Hop, Path, RouteError};
use crate::{CardId, Domain, Fabric, LinkId};

/// The links straight from one card to the other.
pub(super) fn direct(
    fabric: &Fabric,
    (src, dst): (CardId, CardId),
    arcs: &[Arc],
) -> Result<Path, RouteError> {
    let edges: Vec<Edge> = arcs.iter().map(|arc| Edge { link: arc.link, to: 0 }).collect();
    let spread = || {
        let mut spread = Spread::new(fabric, 1);
        spread.layer([(Share::WHOLE, &edges[..])].into_iter())?;
        spread.finish()
    };
    spread().ok_or(RouteError::TooFine { src, dst })
}

/// All paths through `dag`.
pub(super) fn spray(
    fabric: &Fabric,
    dag: &Dag,
    domain: Domain,
    (src, dst): (CardId, CardId),
) -> Result<Path, RouteError> {
    let outgoing: Vec<Edge> = fabric
        .links_from(src.node())
        .iter()
        .filter(|&&link| fabric.link(link).domain == domain)
        .filter_map(|&link| {
            let place = dag.place(0, fabric.link(link).dst)?;
            Some(Edge { link, to: place as u32 })
        })
        .collect();
    let last = dag.height() - 1;
    let end = dag.nodes.len();
    let mut incoming: Vec<(usize, Edge)> = fabric
        .links_into(dst.node())
        .iter()
        .filter(|&&link| fabric.link(link).domain == domain)
        .filter_map(|&link| {
            let place = dag.place(last, fabric.link(link).src)?;
            Some((place, Edge { link, to: end as u32 }))
        })
        .collect();
    incoming.sort_unstable_by_key(|&(place, edge)| (place, edge.link));
    let spread = || {
        let mut spread = Spread::new(fabric, end + 1);
        spread.layer([(Share::WHOLE, &outgoing[..])].into_iter())?;
        for level in 0..last {
            let shares: Vec<Share> = dag.level(level).map(|place| spread.shares[place]).collect();
            let nodes = shares.into_iter().zip(dag.level(level).map(|place| dag.next(place)));
            spread.layer(nodes)?;
        }
        let edges: Vec<Edge> = incoming.iter().map(|&(_, edge)| edge).collect();
        let mut nodes = Vec::new();
        let mut start = 0;
        for group in incoming.chunk_by(|left, right| left.0 == right.0) {
            let range = start..start + group.len();
            start = range.end;
            nodes.push((spread.shares[group[0].0], &edges[range]));
        }
        spread.layer(nodes.into_iter())?;
        spread.finish()
    };
    spread().ok_or(RouteError::TooFine { src, dst })
}

/// What reaches a node: a weight over the denominator of its layer, and the latest arrival.
#[derive(Clone, Copy, Debug)]
struct Share {
    weight: u128,
    latency: Duration,
}

impl Share {
    /// Nothing.
    const NONE: Self = Self { weight: 0, latency: Duration::ZERO };
    /// All of the flow, at its start.
    const WHOLE: Self = Self { weight: 1, latency: Duration::ZERO };
}

/// A flow on its way, layer by layer.
struct Spread<'a> {
    fabric: &'a Fabric,
    /// What reaches each node of the coming layer.
    shares: Vec<Share>,
    /// The denominator of their weights.
    denominator: u128,
    /// Links used, with their weights.
    hops: Vec<(LinkId, u128)>,
    /// For each layer the denominator of its hops, and where they end.
    layers: Vec<(u128, usize)>,
    latency: Duration,
}

impl<'a> Spread<'a> {
    /// A whole flow before its first hop, over `nodes` places.
    fn new(fabric: &'a Fabric, nodes: usize) -> Self {
        Self {
            fabric,
            shares: vec![Share::NONE; nodes],
            denominator: 1,
            hops: Vec::new(),
            layers: Vec::new(),
            latency: Duration::ZERO,
        }
    }

    /// Sends what is at each node over its next hops, in proportion to their goodput; `None`
    /// beyond 128 bits.
    fn layer<'e>(
        &mut self,
        nodes: impl Iterator<Item = (Share, &'e [Edge])> + Clone,
    ) -> Option<()> {
        // The denominator grows by the least factor that keeps every weight whole.
        let mut factor = 1u128;
        for (share, edges) in nodes.clone() {
            let (_, total) = self.parts(edges);
            if total > 1 {
                factor = lcm(factor, total / gcd(total, share.weight))?;
            }
        }
        self.denominator = self.denominator.checked_mul(factor)?;
        let first = self.hops.len();
        self.latency = Duration::ZERO;
        for (share, edges) in nodes {
            let (unit, total) = self.parts(edges);
            let common = gcd(total, share.weight);
            let each = (share.weight / common).checked_mul(factor / (total / common))?;
            for edge in edges {
                let link = self.fabric.link(edge.link);
                let part = link.goodput.as_milli_bits_per_second() / unit;
                let weight = each.checked_mul(u128::from(part))?;
                self.hops.push((edge.link, weight));
                let latency = share.latency.checked_add(link.latency)?;
                let next = &mut self.shares[edge.to as usize];
                next.weight = next.weight.checked_add(weight)?;
                next.latency = next.latency.max(latency);
                self.latency = self.latency.max(latency);
            }
        }
        self.layers.push((self.denominator, self.hops.len()));
        assert_eq!(
            self.hops[first..].iter().map(|&(_, weight)| weight).sum::<u128>(),
            self.denominator,
            "all of the flow crosses every layer"
        );
        Some(())
    }

    /// The greatest common part of the goodputs of `edges`, and their sum in that part.
    fn parts(&self, edges: &[Edge]) -> (u64, u128) {
        let rate = |edge: &Edge| self.fabric.link(edge.link).goodput.as_milli_bits_per_second();
        let first = edges.first().map_or(1, rate);
        if edges.iter().all(|edge| rate(edge) == first) {
            return (first, edges.len() as u128);
        }
        let unit = edges.iter().map(rate).fold(0, gcd_u64);
        let total: u128 = edges.iter().map(|edge| u128::from(rate(edge))).sum();
        (unit, total / u128::from(unit))
    }

    /// The path, with all weights over one denominator in lowest terms; `None` beyond 64 bits.
    fn finish(self) -> Option<Path> {
        let Self { mut hops, layers, latency, .. } = self;
        let whole = layers.last()?.0;
        let mut start = 0;
        for &(denominator, end) in &layers {
            // Each layer's denominator is a multiple of the one before.
            let scale = whole / denominator;
            for hop in &mut hops[start..end] {
                hop.1 *= scale;
            }
            start = end;
        }
        let divide = |common: u128, &(_, weight): &(LinkId, u128)| match common {
            1 => 1,
            _ => gcd(common, weight),
        };
        let common = hops.iter().fold(whole, divide);
        hops.sort_unstable_by_key(|&(link, _)| link);
        let hop = |(link, weight): (LinkId, u128)| {
            Some(Hop { link, weight: u64::try_from(weight / common).ok()? })
        };
        let hops = hops.into_iter().map(hop).collect::<Option<Vec<Hop>>>()?;
        Some(Path { hops, denominator: u64::try_from(whole / common).ok()?, latency })
    }
}

/// The least common multiple, or `None` beyond 128 bits.
fn lcm(left: u128, right: u128) -> Option<u128> {
    if left == right || right == 1 {
        return Some(left);
    }
    (left / gcd(left, right)).checked_mul(right)
}
