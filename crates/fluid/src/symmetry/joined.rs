//! Transfers without a vertex: an edge from seat to seat.
//!
//! Most paths cross nothing but the ports of their two cards and, where the merged switches form a tree,
//! the stems of these up to where they meet. What such a path crosses at either end depends on that
//! end and on the shape of the path alone. So the transfer is an edge between its seats whose label
//! tells its kind and its shape at both ends, and each seat is joined, once for each shape, to the ports
//! and stems that it uses. Seats of a class then have equally many transfers of each kind with seats
//! of each class over resources of the same classes; and a resource, which sees the seats behind it by
//! class and shape, carries equally many of each kind as any other of its class. That is what makes a
//! quotient exact, with 12 bytes and one edge a transfer. Ports and stems are known by all that they ever
//! carry, so this holds as well where capacities change in time; where routes change, a path is more
//! than one shape at each end, and no transfer is joined.

use collectives::End;
use engine::Terms;
use rustc_hash::FxHashMap;
use topology::{CardId, Domain, SiteId, SitePath, TrunkId};
use units::Duration;

use super::access::{Accesses, Shape};
use super::intern::{Interner, Label, TransferColour};
use super::listing::Colours;
use super::scene::Scene;
use crate::Error;
use crate::paths::Share;
use crate::traffic::flow_total;

/// Two sites and the network over which they talk.
type Ends = (Domain, SiteId, SiteId);

/// How the paths from one site to another lie: the shape at both ends, and the latency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    out: u32,
    into: u32,
    latency: Duration,
}

/// A transfer that is an edge, in one stage or in two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    /// The access of its source.
    pub(super) out: u32,
    /// The access of its destination.
    pub(super) into: u32,
    pub(super) kind: u32,
}

/// What tells joined transfers apart, beside their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kind {
    colours: Colours,
    out: u32,
    into: u32,
    latency: Duration,
    /// How often its lane does all of it.
    rounds: u64,
}

/// All transfers that are edges.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    out: Accesses,
    into: Accesses,
    pub(super) transfers: Vec<Join>,
    kinds: Vec<Kind>,
    /// By kind: the label of its edges, and the bytes from seat to seat over all steps of all rounds.
    facts: Vec<(u32, u128)>,
    numbers: Interner<Kind>,
    /// The kind of the transfer before, which is often that of the next one.
    last_kind: u32,
    ways: FxHashMap<Ends, Option<Way>>,
    /// The same for ways.
    last_way: Option<(Ends, Option<Way>)>,
}

impl Default for Joined {
    fn default() -> Self {
        Self {
            out: Accesses::new(End::Source),
            into: Accesses::new(End::Destination),
            transfers: Vec::new(),
            kinds: Vec::new(),
            facts: Vec::new(),
            numbers: Interner::default(),
            last_kind: 0,
            ways: FxHashMap::default(),
            last_way: None,
        }
    }
}

impl Joined {
    pub(super) const fn side(&self, side: End) -> &Accesses {
        match side {
            End::Source => &self.out,
            End::Destination => &self.into,
        }
    }

    pub(super) const fn side_mut(&mut self, side: End) -> &mut Accesses {
        match side {
            End::Source => &mut self.out,
            End::Destination => &mut self.into,
        }
    }

    /// The terms of the flows that a transfer is, one for each of its stages.
    pub(super) fn flows(&self, join: Join) -> impl Iterator<Item = Terms> + use<> {
        flows(&self.kinds[join.kind as usize].colours)
    }

    /// The properties of the transfers of a kind, and over which network they go.
    pub(super) fn told(&self, kind: u32) -> (&TransferColour, Domain) {
        let Kind { colours, out, .. } = &self.kinds[kind as usize];
        (&colours.0, self.out.shape(*out).domain)
    }

    /// The bytes of a transfer over all steps of all rounds.
    pub(super) fn bytes(&self, join: Join) -> u128 {
        self.facts[join.kind as usize].1
    }

    /// The vertices of the seats of a transfer.
    pub(super) fn seats(&self, join: Join) -> (u32, u32) {
        (self.out.access(join.out).vertex, self.into.access(join.into).vertex)
    }

    /// The cards of a transfer that leaves its supernode.
    pub(super) fn outer_cards(&self, join: Join) -> Option<(CardId, CardId)> {
        let (out, into) = (self.out.access(join.out), self.into.access(join.into));
        let is_outer = self.out.shape(out.shape).domain == Domain::Outside;
        is_outer.then_some((out.card, into.card))
    }

    /// What a transfer crosses.
    pub(super) fn path(&self, join: Join) -> Share {
        let (out, into) = (self.out.access(join.out), self.into.access(join.into));
        let mut crossings = self.out.crossings(out).to_vec();
        crossings.extend(self.into.crossings(into));
        Share {
            crossings,
            denominator: self.out.shape(out.shape).denominator,
            latency: self.kinds[join.kind as usize].latency,
            hazard: None,
        }
    }
}

impl Scene<'_> {
    /// How the path between two cards lies, if it crosses nothing but ports and whole stems.
    pub(super) fn way(&mut self, pair: (CardId, CardId)) -> Result<Option<Way>, Error> {
        let domain = self.spread.domain(pair.0, pair.1);
        let ends = (domain, self.spread.site(pair.0, domain), self.spread.site(pair.1, domain));
        if let Some((last, way)) = self.joined.last_way
            && last == ends
        {
            return Ok(way);
        }
        let way = if let Some(&known) = self.joined.ways.get(&ends) {
            known
        } else {
            let way = self.find_way(pair, domain)?;
            self.joined.ways.insert(ends, way);
            way
        };
        self.joined.last_way = Some((ends, way));
        Ok(way)
    }

    fn find_way(&mut self, pair: (CardId, CardId), domain: Domain) -> Result<Option<Way>, Error> {
        let path = self.spread.path(pair.0, pair.1)?;
        let Some((ups, downs)) = self.stems_of(&path, pair, domain) else { return Ok(None) };
        let denominator = path.denominator;
        let out = Shape { domain, ports: path.up.clone(), stems: ups, denominator };
        let into = Shape { domain, ports: path.down.clone(), stems: downs, denominator };
        Ok(Some(Way {
            out: self.joined.out.number(&out),
            into: self.joined.into.number(&into),
            latency: path.latency,
        }))
    }

    /// How many stems a path climbs and descends; `None` if it crosses anything but ports and these.
    fn stems_of(
        &self,
        path: &SitePath,
        (src, dst): (CardId, CardId),
        domain: Domain,
    ) -> Option<(u32, u32)> {
        if !path.direct.is_empty() {
            return None;
        }
        if path.trunks.is_empty() {
            return Some((0, 0));
        }
        let is_whole = path.trunks.iter().all(|&(_, weight)| weight == path.denominator);
        let tree = self.tree.as_ref().filter(|_| is_whole && domain == Domain::Outside)?;
        let mut trunks: &[(TrunkId, u64)] = &path.trunks;
        let (mut low, mut high) = (self.spread.attachment(src)?, self.spread.attachment(dst)?);
        let (mut ups, mut downs) = (0, 0);
        while let Some((&(trunk, _), rest)) = trunks.split_first() {
            let Some(stem) = tree.stem(low).filter(|stem| stem.up == trunk) else { break };
            (low, ups, trunks) = (stem.parent, ups + 1, rest);
        }
        while let Some((&(trunk, _), rest)) = trunks.split_last() {
            let stem = tree.stem(high).filter(|stem| stem.down == trunk)?;
            (high, downs, trunks) = (stem.parent, downs + 1, rest);
        }
        (low == high).then_some((ups, downs))
    }

    /// Adds a transfer between two seats, each given by its vertex and card, as an edge; its lane
    /// does it in so many rounds.
    pub(super) fn join(
        &mut self,
        src: (u32, CardId),
        dst: (u32, CardId),
        way: Way,
        (colours, rounds): (Colours, u64),
    ) {
        let Way { out, into, latency } = way;
        let kind = self.kind(Kind { colours, out, into, latency, rounds });
        let out = self.access(End::Source, src, way.out);
        let into = self.access(End::Destination, dst, way.into);
        let (label, bytes) = self.joined.facts[kind as usize];
        let flows = 1 + u64::from(colours.1.is_some());
        self.joined.out.count(out, (flows, bytes), latency);
        self.joined.into.count(into, (flows, bytes), latency);
        self.joined.transfers.push(Join { out, into, kind });
        self.graph.edge(src.0, dst.0, label);
    }

    fn kind(&mut self, kind: Kind) -> u32 {
        if self.joined.kinds.get(self.joined.last_kind as usize) == Some(&kind) {
            return self.joined.last_kind;
        }
        let number = self.joined.numbers.number(kind);
        if number as usize == self.joined.kinds.len() {
            let label = self.label(Label::Joined(number));
            self.joined.kinds.push(kind);
            let bytes: u128 = flows(&kind.colours).map(|flow| flow_total(&flow)).sum();
            self.joined.facts.push((label, bytes * u128::from(kind.rounds)));
        }
        self.joined.last_kind = number;
        number
    }
}

/// The terms of the flows of a joined transfer.
fn flows(&(colour, again): &Colours) -> impl Iterator<Item = Terms> + use<> {
    [Some(colour), again].into_iter().flatten().map(|colour| colour.terms())
}
