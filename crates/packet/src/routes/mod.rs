//! Next hops on shortest paths, by destination group and node.
//!
//! Cards plugged into the same switches are one group. For each group that something is sent to, a
//! *row* tells the next hops at every switch of its network; equal sets of next hops are kept once.
//! Memory grows with groups × switches of one network, never with pairs of nodes.

mod network;
mod sets;

use topology::{CardId, Domain, Fabric, LinkId, NodeId, RouteError};

use network::{NO_PLACE, Places, Search};
use sets::Sets;
pub(crate) use sets::{Choice, SetId};

/// In a row: the node is linked to the card itself.
const LAST: SetId = SetId(u32::MAX);

/// Where packets go next.
#[derive(Debug)]
pub(crate) struct Routes<'f> {
    fabric: &'f Fabric,
    places: Places,
    search: Search,
    sets: Sets,
    /// The rows, one after the other.
    table: Vec<SetId>,
    /// How many links each node of a row is away from the nodes next to the group.
    distances: Vec<u32>,
    /// Where the row of each group begins.
    known: Vec<Option<u32>>,
    /// The links into each card, with the node that they come from.
    entries: Vec<(u32, LinkId)>,
    entry_start: Vec<u32>,
}

impl<'f> Routes<'f> {
    /// Routes over `fabric`, none known yet.
    pub(crate) fn new(fabric: &'f Fabric) -> Self {
        let mut entries = Vec::new();
        let mut entry_start = vec![0];
        for card in 0..fabric.cards() {
            let into = fabric.links_into(CardId(card).node()).iter();
            entries.extend(into.map(|&link| (fabric.link(link).src.0, link)));
            entry_start.push(entries.len() as u32);
        }
        let places = Places::new(fabric);
        let known = vec![None; places.groups()];
        Self {
            fabric,
            places,
            search: Search::default(),
            sets: Sets::default(),
            table: Vec::new(),
            distances: Vec::new(),
            known,
            entries,
            entry_start,
        }
    }

    /// The fabric.
    pub(crate) const fn fabric(&self) -> &'f Fabric {
        self.fabric
    }

    /// The place of a node in the rows; meaningless where it forwards nothing.
    pub(crate) fn place(&self, node: NodeId) -> u32 {
        match self.places.of(node) {
            NO_PLACE => 0,
            place => place,
        }
    }

    /// Where the row to `dst` begins, for what is sent by `src`.
    pub(crate) fn row(&mut self, src: CardId, dst: CardId) -> u32 {
        let domain = self.domain(src, dst);
        let group = self.places.group(dst, domain);
        if let Some(known) = self.known[group as usize] {
            return known;
        }
        let start = self.table.len();
        let end = start + self.places.length(group) as usize;
        self.table.resize(end, SetId::NONE);
        self.distances.resize(end, 0);
        self.search.find(self.fabric, &self.places, group);
        for &(node, distance) in self.search.reached() {
            let set = if distance == 0 {
                LAST
            } else {
                let next = self.search.next(self.fabric, &self.places, (NodeId(node), group));
                self.sets.intern(self.fabric, &next)
            };
            let slot = start + self.places.of(NodeId(node)) as usize;
            self.table[slot] = set;
            self.distances[slot] = distance;
        }
        self.known[group as usize] = Some(start as u32);
        start as u32
    }

    /// How far a node is from the nodes next to the cards of a row; `None` if it has no way there.
    fn distance(&self, row: u32, node: NodeId) -> Option<u32> {
        let place = self.places.of(node);
        if place == NO_PLACE {
            return None;
        }
        let slot = (row + place) as usize;
        (self.table[slot] != SetId::NONE).then(|| self.distances[slot])
    }

    /// The links by which `src` sends to `dst`.
    pub(crate) fn ports(&mut self, src: CardId, dst: CardId) -> Result<SetId, RouteError> {
        let fabric = self.fabric;
        let from = fabric.links_from(src.node());
        let direct: Vec<LinkId> =
            from.iter().copied().filter(|&link| fabric.link(link).dst == dst.node()).collect();
        if !direct.is_empty() {
            return Ok(self.sets.intern(fabric, &direct));
        }
        let row = self.row(src, dst);
        let domain = self.domain(src, dst);
        let ways: Vec<(u32, LinkId)> = from
            .iter()
            .filter(|&&link| fabric.link(link).domain == domain)
            .filter_map(|&link| Some((self.distance(row, fabric.link(link).dst)?, link)))
            .collect();
        let least = ways.iter().map(|&(distance, _)| distance).min();
        let least = least.ok_or(RouteError::Unreachable { src, dst })?;
        let ports: Vec<LinkId> =
            ways.iter().filter(|way| way.0 == least).map(|way| way.1).collect();
        Ok(self.sets.intern(fabric, &ports))
    }

    /// The next link of a packet at a node of that place.
    pub(crate) fn next(&self, (row, place): (u32, u32), node: u32, dst: u32) -> Next<'_> {
        let set = self.table[(row + place) as usize];
        if set == LAST {
            let entries = self.entry_start[dst as usize] as usize
                ..self.entry_start[dst as usize + 1] as usize;
            let entries = &self.entries[entries];
            return match entries {
                [(_, link)] => Next::Only(*link),
                _ => Next::Entries(entries, node),
            };
        }
        self.choices(set)
    }

    /// The links of a set.
    pub(crate) fn choices(&self, set: SetId) -> Next<'_> {
        match self.sets.of(set) {
            ([only], _) => Next::Only(only.link),
            ([], _) => Next::Nowhere,
            (choices, total) => Next::Choices(choices, total),
        }
    }

    fn domain(&self, src: CardId, dst: CardId) -> Domain {
        if self.fabric.supernode(src) == self.fabric.supernode(dst) {
            Domain::Inside
        } else {
            Domain::Outside
        }
    }
}

/// What a packet may choose from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next<'r> {
    /// No link leads on.
    Nowhere,
    /// There is one link.
    Only(LinkId),
    /// Several, with their weights added up.
    Choices(&'r [Choice], u32),
    /// Those of the links into a card that come from a node.
    Entries(&'r [(u32, LinkId)], u32),
}
