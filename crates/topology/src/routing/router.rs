//! Paths between cards.

use rustc_hash::FxHashMap;

use super::attachment::Attachments;
use super::cone::{Arc, Cone, Cones, SwitchGraph};
use super::dag::Dag;
use super::marks::Marks;
use super::{Path, RouteError, hashed, spray};
use crate::table::Table;
use crate::{CardId, Domain, Fabric};

/// The most switches and links that cached sets of paths hold together: about 100 MB.
const CACHE: usize = 8_000_000;

/// Finds shortest paths, in links, between the cards of a fabric.
///
/// Cards of one supernode talk inside it only, others over the outer fabric only; cards forward
/// inside their supernode where the fabric says so. Among the outer paths between cards or supernodes with NICs on several leaves only the
/// shortest count, even if that leaves NICs on other leaves unused.
///
/// A search runs from both ends and costs what the paths themselves hold; results are cached by the
/// switches that cards are plugged into, in bounded memory. Nothing grows with pairs of nodes, and
/// no answer depends on the questions before.
#[derive(Debug)]
pub struct Router<'f> {
    fabric: &'f Fabric,
    graph: SwitchGraph,
    direct: Table<Arc>,
    networks: [Network; 2],
    marks: Marks,
}

/// The part of a router for one domain.
#[derive(Debug)]
struct Network {
    attachments: Attachments,
    cones: Cones,
    known: FxHashMap<(u32, u32), u32>,
    paths: Vec<Dag>,
    size: usize,
}

impl<'f> Router<'f> {
    /// A router over `fabric`; linear in its nodes and links.
    pub fn new(fabric: &'f Fabric) -> Self {
        let cards = fabric.cards();
        let links = fabric.alive();
        let direct = links.filter(|(_, link)| link.src.0 < cards && link.dst.0 < cards);
        let direct = direct.map(|(id, link)| (link.src.index(), Arc { to: link.dst.0, link: id }));
        let mut direct = Table::new(cards as usize, direct);
        direct.sort_rows_by_key(|arc| (arc.to, arc.link));
        let network = |domain| Network::new(Attachments::new(fabric, domain));
        let networks = [network(Domain::Inside), network(Domain::Outside)];
        let graph = SwitchGraph::new(fabric);
        let (first, count) = graph.nodes();
        Self { fabric, graph, direct, networks, marks: Marks::new(first, count) }
    }

    /// The fabric it routes over.
    pub fn fabric(&self) -> &'f Fabric {
        self.fabric
    }

    /// The network that carries what `a` sends to `b`: inside when one supernode holds both.
    ///
    /// # Panics
    /// If `a` and `b` are the same card.
    pub fn domain(&self, a: CardId, b: CardId) -> Domain {
        assert_ne!(a, b, "a card does not send to itself");
        if self.fabric.supernode(a) == self.fabric.supernode(b) {
            Domain::Inside
        } else {
            Domain::Outside
        }
    }

    /// All shortest paths from `src` to `dst`: at each node the flow splits over its next hops in
    /// proportion to their goodput. Exact.
    ///
    /// # Panics
    /// If `src` and `dst` are the same card.
    pub fn spray(&mut self, src: CardId, dst: CardId) -> Result<Path, RouteError> {
        let direct = self.direct(src, dst);
        if !direct.is_empty() {
            return spray::direct(self.fabric, (src, dst), direct);
        }
        let fabric = self.fabric;
        let (domain, dag) = self.paths(src, dst)?;
        spray::spray(fabric, dag, domain, (src, dst))
    }

    /// One shortest path from `src` to `dst`: at each node one next-hop link is picked by
    /// [`mix`](super::mix()) of `key` and the node, each link equally likely and independently of the
    /// picks at other nodes.
    ///
    /// # Panics
    /// If `src` and `dst` are the same card.
    pub fn hashed(&mut self, src: CardId, dst: CardId, key: u64) -> Result<Path, RouteError> {
        let direct = self.direct(src, dst);
        if !direct.is_empty() {
            return hashed::direct(self.fabric, (src, dst), direct, key);
        }
        let fabric = self.fabric;
        let (domain, dag) = self.paths(src, dst)?;
        hashed::hashed(fabric, dag, domain, (src, dst, key))
    }

    /// The links from `src` straight to `dst`.
    fn direct(&self, src: CardId, dst: CardId) -> &[Arc] {
        let arcs = self.direct.row(src.index());
        let start = arcs.partition_point(|arc| arc.to < dst.0);
        let end = start + arcs[start..].partition_point(|arc| arc.to == dst.0);
        &arcs[start..end]
    }

    /// All shortest paths between the switches of `src` and those of `dst`.
    fn paths(&mut self, src: CardId, dst: CardId) -> Result<(Domain, &Dag), RouteError> {
        let domain = self.domain(src, dst);
        let network = match domain {
            Domain::Inside => &mut self.networks[0],
            Domain::Outside => &mut self.networks[1],
        };
        let paths = network.paths((&self.graph, &mut self.marks), (src, dst));
        paths.map(|dag| (domain, dag)).ok_or(RouteError::Unreachable { src, dst })
    }
}

impl Network {
    /// A network without any path known yet.
    fn new(attachments: Attachments) -> Self {
        let (known, paths) = (FxHashMap::default(), Vec::new());
        Self { attachments, cones: Cones::default(), known, paths, size: 0 }
    }

    /// The shortest paths between the switches of two cards, known or found.
    fn paths(
        &mut self,
        place: (&SwitchGraph, &mut Marks),
        (src, dst): (CardId, CardId),
    ) -> Option<&Dag> {
        let pair = (self.attachments.group(src), self.attachments.group(dst));
        if let Some(&known) = self.known.get(&pair) {
            return Some(&self.paths[known as usize]);
        }
        let dag = self.find(place, pair)?;
        if self.size + dag.len() > CACHE {
            self.known.clear();
            self.paths.clear();
            self.size = 0;
        }
        self.size += dag.len();
        self.known.insert(pair, self.paths.len() as u32);
        self.paths.push(dag);
        self.paths.last()
    }

    /// The shortest paths between the switches of two groups of cards.
    fn find(&mut self, place: (&SwitchGraph, &mut Marks), (near, far): (u32, u32)) -> Option<Dag> {
        let roots = |group| self.attachments.switches(group);
        let mut near_cone = self.cones.take(near, roots(near));
        let dag = if near == far {
            let mut far_cone = Cone::new(roots(far));
            Dag::between(place, &mut near_cone, &mut far_cone)
        } else {
            let mut far_cone = self.cones.take(far, roots(far));
            let dag = Dag::between(place, &mut near_cone, &mut far_cone);
            self.cones.put(far, far_cone);
            dag
        };
        self.cones.put(near, near_cone);
        dag
    }
}
