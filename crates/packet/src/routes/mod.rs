//! Next hops on shortest paths, by destination group and node.
//!
//! Cards plugged into the same switches are one group. Each node that forwards has a *column* with the
//! next hops to every group of its network that something is sent to, so that all that a switch needs lies
//! together; a group has the same *row* in all of them. Equal sets of next hops are kept once.
//! Memory grows with groups × switches of one network, never with pairs of nodes.

mod network;
mod search;
mod sets;

use topology::{CardId, Domain, Fabric, LinkId, NodeId, RouteError};

use network::Places;
use search::Search;
use sets::Sets;
pub(crate) use sets::{Choice, SetId};

/// In a column: the node is linked to the card itself.
const LAST: SetId = SetId::NONE.after();

/// Where packets go next.
#[derive(Debug)]
pub(crate) struct Routes<'f> {
    fabric: &'f Fabric,
    places: Places,
    sets: Sets,
    /// The columns of all nodes, one after the other.
    table: Vec<SetId>,
    /// In the same order: how many links the node is away from the nodes next to the group.
    distances: Vec<u32>,
    /// How many groups of each network are sent to: the height of the columns of its nodes.
    heights: Vec<u32>,
    /// Where the column of each node begins; [`NO_COLUMN`] where it forwards nothing.
    columns: Vec<u32>,
    /// The row of each group that something is sent to.
    rows: Vec<Option<u32>>,
    /// The links into each card, with the node that they come from.
    entries: Vec<(u32, LinkId)>,
    entry_start: Vec<u32>,
}

/// The column of a node that forwards nothing.
const NO_COLUMN: u32 = u32::MAX;

impl<'f> Routes<'f> {
    /// Routes over `fabric` for those who send to each other.
    pub(crate) fn new(fabric: &'f Fabric, pairs: impl Iterator<Item = (CardId, CardId)>) -> Self {
        let mut entries = Vec::new();
        let mut entry_start = vec![0];
        for card in 0..fabric.cards() {
            let into = fabric.links_into(CardId(card).node()).iter();
            entries.extend(into.map(|&link| (fabric.link(link).src.0, link)));
            entry_start.push(entries.len() as u32);
        }
        let mut routes = Self {
            fabric,
            places: Places::new(fabric),
            sets: Sets::default(),
            table: Vec::new(),
            distances: Vec::new(),
            heights: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            entries,
            entry_start,
        };
        routes.lay_out(pairs);
        routes.fill();
        routes
    }

    /// Finds which groups are sent to, and where the columns are.
    fn lay_out(&mut self, pairs: impl Iterator<Item = (CardId, CardId)>) {
        self.rows = vec![None; self.places.groups().len()];
        let mut heights = vec![0; self.places.networks().len()];
        for (src, dst) in pairs {
            for (src, dst) in [(src, dst), (dst, src)] {
                let group = self.places.group(dst, self.domain(src, dst));
                let height = &mut heights[self.places.groups()[group as usize].network as usize];
                self.rows[group as usize].get_or_insert_with(|| {
                    *height += 1;
                    *height - 1
                });
            }
        }
        let mut end = 0;
        let widths = self.places.networks().iter();
        let starts: Vec<u32> = widths
            .zip(&heights)
            .map(|(width, height)| {
                end += width * height;
                end - width * height
            })
            .collect();
        let nodes = (0..self.fabric.nodes().len() as u32).map(NodeId);
        let column = |node| {
            let (network, place) = self.places.of(node)?;
            Some(starts[network as usize] + place * heights[network as usize])
        };
        self.columns = nodes.map(|node| column(node).unwrap_or(NO_COLUMN)).collect();
        self.table = vec![SetId::NONE; end as usize];
        self.distances = vec![0; end as usize];
        self.heights = heights;
    }

    /// Finds the next hops to all groups that are sent to.
    fn fill(&mut self) {
        let mut search = Search::new(self.fabric);
        // The set that each node was given last: often it is the same for many groups.
        let mut latest = vec![SetId::NONE; self.columns.len()];
        for groups in self.batches() {
            let all = self.places.groups();
            search.begin(groups.iter().map(|&group| &all[group]));
            let rows: Vec<u32> = groups.iter().filter_map(|&group| self.rows[group]).collect();
            while !search.layer().is_empty() {
                self.fill_layer(&mut search, &rows, &mut latest);
                search.advance();
            }
        }
    }

    /// The groups that are sent to, as they are searched from together.
    fn batches(&self) -> Vec<Vec<usize>> {
        let sent_to = |&group: &usize| self.rows[group].is_some();
        let sent_to: Vec<usize> = (0..self.rows.len()).filter(sent_to).collect();
        let domain = |group: usize| self.places.groups()[group].domain();
        let of_domains = sent_to.chunk_by(|&one, &other| domain(one) == domain(other));
        of_domains.flat_map(|groups| groups.chunks(search::MOST).map(<[_]>::to_vec)).collect()
    }

    /// Fills in the next hops of all nodes at one distance from groups with these rows.
    fn fill_layer(&mut self, search: &mut Search, rows: &[u32], latest: &mut [SetId]) {
        let distance = search.distance();
        for index in 0..search.layer().len() {
            let node = search.layer()[index];
            let mut left = search.groups(node);
            while left != 0 {
                let (set, mut alike) = if distance == 0 {
                    (LAST, left)
                } else {
                    let (next, alike) = search.next(node, left);
                    let latest = &mut latest[node as usize];
                    if !self.sets.is(*latest, next) {
                        *latest = self.sets.intern(self.fabric, next);
                    }
                    (*latest, alike)
                };
                left &= !alike;
                while alike != 0 {
                    let row = rows[alike.trailing_zeros() as usize];
                    alike &= alike - 1;
                    let slot = (self.columns[node as usize] + row) as usize;
                    self.table[slot] = set;
                    self.distances[slot] = distance;
                }
            }
        }
    }

    /// The fabric.
    pub(crate) const fn fabric(&self) -> &'f Fabric {
        self.fabric
    }

    /// Where the column of a node begins; meaningless where it forwards nothing.
    pub(crate) fn column(&self, node: NodeId) -> u32 {
        match self.columns[node.index()] {
            NO_COLUMN => 0,
            column => column,
        }
    }

    /// Reads the column of a node, if that has no more cache lines than so many.
    pub(crate) fn foresee(&self, node: u32, lines: usize) -> u32 {
        /// The sets of a cache line.
        const LINE: usize = 64 / size_of::<SetId>();
        let Some((network, _)) = self.places.of(NodeId(node)) else { return 0 };
        let height = self.heights[network as usize] as usize;
        if height > lines * LINE {
            return 0;
        }
        let column = self.columns[node as usize] as usize;
        let column = self.table[column..column + height].iter();
        column.step_by(LINE).fold(0, |all, set| all ^ set.0)
    }

    /// The row of `dst` for what is sent by `src`: one of the pairs that the routes are for.
    pub(crate) fn row(&self, src: CardId, dst: CardId) -> u32 {
        let group = self.places.group(dst, self.domain(src, dst));
        self.rows[group as usize].expect("routes are for those who send to each other")
    }

    /// How far a node is from the nodes next to the cards of a row; `None` if it has no way there.
    fn distance(&self, row: u32, node: NodeId) -> Option<u32> {
        let column = self.columns[node.index()];
        if column == NO_COLUMN {
            return None;
        }
        let slot = (column + row) as usize;
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

    /// The next link of a packet at a node of that column.
    pub(crate) fn next(&self, (row, column): (u32, u32), node: u32, dst: u32) -> Next<'_> {
        let set = self.table[(column + row) as usize];
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
        if let Some(link) = set.only() {
            return Next::Only(link);
        }
        match self.sets.of(set) {
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
