//! All-to-all stages without a list of pairs.
//!
//! The members of a lane are grouped in *cells* (one supernode, one site of the outer fabric) and
//! *sites*. A *block* stands for all transfers from one site to another over the outer fabric; pairs of
//! one supernode do not talk over it, so each supernode with members on both sites makes a *hole* in
//! the block. What talks inside a supernode forms *inner blocks* in the same way. Blocks are as many as
//! pairs of sites, holes as many as pairs of cells of one supernode.

use std::collections::BTreeMap;

use collectives::Lane;
use topology::{CardId, Domain, SiteId, SitePath, SupernodeId};

use super::intern::{Colour, Label, PathColour};
use super::scene::{Scene, uses_blocks};
use crate::{Error, World};

/// Some seats that stand alike.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) supernode: SupernodeId,
    pub(super) site: SiteId,
    pub(super) seats: Vec<u32>,
    pub(super) vertex: u32,
}

/// How the sites of a lane are joined.
#[derive(Clone, Debug)]
pub(super) enum Outer {
    /// Through a tree of switches: the class that each site hangs on, and the vertex of each class.
    Stems {
        /// By site.
        attachments: Vec<u32>,
        /// By class of switches.
        vertices: BTreeMap<u32, u32>,
    },
    /// Pair by pair: the vertex of the block from site to site, by source × number of sites + destination.
    Pairs(Vec<Option<u32>>),
}

/// The all-to-all structure of a lane.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Cells of the outer fabric.
    pub(super) cells: Vec<Cell>,
    /// The cell of each seat.
    pub(super) cell_of: Vec<u32>,
    /// The cells of each site, sites being numbered within the lane.
    pub(super) sites: Vec<Vec<u32>>,
    /// The site of each cell.
    pub(super) site_of: Vec<u32>,
    /// The cells of each supernode that has members.
    pub(super) cells_of: BTreeMap<SupernodeId, Vec<u32>>,
    /// How sites are joined over the outer fabric.
    pub(super) outer: Outer,
    /// Cells inside the supernodes.
    pub(super) inner_cells: Vec<Cell>,
    /// The inner cell of each seat.
    pub(super) inner_cell_of: Vec<u32>,
    /// The inner cells of each supernode that has members.
    pub(super) inner_cells_of: BTreeMap<SupernodeId, Vec<u32>>,
    /// The vertex of the block from inner cell to inner cell of one supernode.
    pub(super) inner: BTreeMap<(u32, u32), u32>,
}

impl Scene<'_> {
    /// Adds the all-to-all structure of a lane that has such stages and can use blocks.
    pub(super) fn block(
        &mut self,
        world: &World<'_>,
        index: usize,
        lane: &Lane,
    ) -> Result<Option<Blocks>, Error> {
        if !uses_blocks(world, &self.spread, lane, self.paths.by_links) {
            return Ok(None);
        }
        let cards: Vec<CardId> =
            lane.seats.iter().map(|rank| world.cards[rank.0 as usize]).collect();
        self.join_ports(world, index, &cards);
        let (cells, cell_of) = self.cells(world, index, &cards, Domain::Outside);
        let (inner_cells, inner_cell_of) = self.cells(world, index, &cards, Domain::Inside);
        let mut blocks = Blocks {
            cells_of: by_supernode(&cells),
            inner_cells_of: by_supernode(&inner_cells),
            cells,
            cell_of,
            sites: Vec::new(),
            site_of: Vec::new(),
            outer: Outer::Pairs(Vec::new()),
            inner_cells,
            inner_cell_of,
            inner: BTreeMap::new(),
        };
        if blocks.cells_of.len() > 1 {
            self.add_sites(world, &mut blocks, &cards)?;
        }
        self.add_inner(world, &mut blocks, &cards)?;
        Ok(Some(blocks))
    }

    /// Joins every seat to what lies behind the ports of its card.
    fn join_ports(&mut self, world: &World<'_>, index: usize, cards: &[CardId]) {
        for (seat, &card) in cards.iter().enumerate() {
            let vertex = self.seats[index][seat];
            for domain in [Domain::Inside, Domain::Outside] {
                for (port, link) in self.spread.ports_out(card, domain).into_iter().enumerate() {
                    let resource = self.resource(link.0);
                    let latency = world.fabric.link(link).latency;
                    self.edge(vertex, resource, Label::PortOut(domain, port as u32, latency));
                }
                for (port, link) in self.spread.ports_in(card, domain).into_iter().enumerate() {
                    let resource = self.resource(link.0);
                    let latency = world.fabric.link(link).latency;
                    self.edge(vertex, resource, Label::PortIn(domain, port as u32, latency));
                }
            }
        }
    }

    /// Groups the seats of a lane by supernode and site.
    fn cells(
        &mut self,
        world: &World<'_>,
        index: usize,
        cards: &[CardId],
        domain: Domain,
    ) -> (Vec<Cell>, Vec<u32>) {
        let mut known: BTreeMap<(SupernodeId, SiteId), u32> = BTreeMap::new();
        let mut cells: Vec<Cell> = Vec::new();
        let mut cell_of = Vec::with_capacity(cards.len());
        for (seat, &card) in cards.iter().enumerate() {
            let supernode = world.fabric.supernode(card);
            let site = self.spread.site(card, domain);
            let next = cells.len() as u32;
            let cell = *known.entry((supernode, site)).or_insert(next);
            if cell == next {
                let colour =
                    if domain == Domain::Inside { Colour::InnerCell } else { Colour::Cell };
                let vertex = self.vertex(colour);
                cells.push(Cell { supernode, site, seats: Vec::new(), vertex });
            }
            cells[cell as usize].seats.push(seat as u32);
            cell_of.push(cell);
            let vertex = self.seats[index][seat];
            self.edge(vertex, cells[cell as usize].vertex, Label::PartOf);
        }
        (cells, cell_of)
    }

    fn add_sites(
        &mut self,
        world: &World<'_>,
        blocks: &mut Blocks,
        cards: &[CardId],
    ) -> Result<(), Error> {
        let mut known: BTreeMap<SiteId, u32> = BTreeMap::new();
        let mut vertices = Vec::new();
        for (index, cell) in blocks.cells.iter().enumerate() {
            let next = vertices.len() as u32;
            let site = *known.entry(cell.site).or_insert(next);
            if site == next {
                vertices.push(self.vertex(Colour::Site));
                blocks.sites.push(Vec::new());
            }
            self.edge(cell.vertex, vertices[site as usize], Label::PartOf);
            blocks.sites[site as usize].push(index as u32);
            blocks.site_of.push(site);
        }
        if let Some(outer) = self.add_stems(blocks, cards, &vertices) {
            blocks.outer = outer;
            self.add_stem_holes(blocks, &vertices);
            return Ok(());
        }
        let mut pairs = Vec::with_capacity(vertices.len() * vertices.len());
        for src in 0..vertices.len() {
            for dst in 0..vertices.len() {
                let block = match blocks.pair_between(src, dst) {
                    None => None,
                    Some((from, to)) => {
                        let pair = (cards[from as usize], cards[to as usize]);
                        let ends = (vertices[src], vertices[dst]);
                        Some(self.add_block(world, pair, ends, Colour::Block)?)
                    }
                };
                pairs.push(block);
            }
        }
        self.add_holes(blocks, &pairs);
        blocks.outer = Outer::Pairs(pairs);
        Ok(())
    }

    fn add_block(
        &mut self,
        world: &World<'_>,
        pair: (CardId, CardId),
        (src, dst): (u32, u32),
        colour: fn(PathColour) -> Colour,
    ) -> Result<u32, Error> {
        let path = self.spread.path(pair.0, pair.1)?;
        let SitePath { up, down, denominator, latency, .. } = &*path;
        let vertex = self.vertex(colour(PathColour {
            up: up.clone(),
            down: down.clone(),
            denominator: *denominator,
            latency: *latency,
            hazard: self.share(world, pair)?.hazard,
        }));
        self.edge(vertex, src, Label::Source);
        self.edge(vertex, dst, Label::Destination);
        for (resource, weight) in self.resources.middle(&path) {
            let resource = self.resource(resource);
            let label = Label::Crosses { weight, denominator: *denominator, routes: 0 };
            self.edge(vertex, resource, label);
        }
        Ok(vertex)
    }

    fn add_holes(&mut self, blocks: &Blocks, pairs: &[Option<u32>]) {
        for cells in blocks.cells_of.values() {
            for &src in cells {
                for &dst in cells {
                    let (from, to) = (blocks.site_of[src as usize], blocks.site_of[dst as usize]);
                    let index = from as usize * blocks.sites.len() + to as usize;
                    let Some(block) = pairs[index] else { continue };
                    let hole = self.vertex(Colour::Hole);
                    self.edge(hole, blocks.cells[src as usize].vertex, Label::Source);
                    self.edge(hole, blocks.cells[dst as usize].vertex, Label::Destination);
                    self.edge(hole, block, Label::PartOf);
                }
            }
        }
    }

    fn add_inner(
        &mut self,
        world: &World<'_>,
        blocks: &mut Blocks,
        cards: &[CardId],
    ) -> Result<(), Error> {
        for cells in blocks.inner_cells_of.values() {
            for &src in cells {
                for &dst in cells {
                    let from = &blocks.inner_cells[src as usize];
                    let to = &blocks.inner_cells[dst as usize];
                    let second = usize::from(src == dst);
                    let Some(&last) = to.seats.get(second) else { continue };
                    let first = from.seats[0];
                    let pair = (cards[first as usize], cards[last as usize]);
                    let ends = (from.vertex, to.vertex);
                    let block = self.add_block(world, pair, ends, Colour::InnerBlock)?;
                    blocks.inner.insert((src, dst), block);
                }
            }
        }
        Ok(())
    }
}

impl Blocks {
    /// A pair of seats of two sites that do not share a supernode.
    fn pair_between(&self, src: usize, dst: usize) -> Option<(u32, u32)> {
        for &from in &self.sites[src] {
            for &to in &self.sites[dst] {
                let (from, to) = (&self.cells[from as usize], &self.cells[to as usize]);
                if from.supernode != to.supernode {
                    return Some((from.seats[0], to.seats[0]));
                }
            }
        }
        None
    }
}

fn by_supernode(cells: &[Cell]) -> BTreeMap<SupernodeId, Vec<u32>> {
    let mut map: BTreeMap<SupernodeId, Vec<u32>> = BTreeMap::new();
    for (index, cell) in cells.iter().enumerate() {
        map.entry(cell.supernode).or_default().push(index as u32);
    }
    map
}
