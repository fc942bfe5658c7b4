//! Where seats get on and off the fabric for their joined transfers.

use collectives::End;
use topology::{CardId, Domain};
use units::Duration;

use super::intern::{Interner, Label};
use super::scene::Scene;

/// No access.
const NONE: u32 = u32::MAX;

/// How one end of a path lies on the fabric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) domain: Domain,
    /// (index among the card's ports of the domain, weight).
    pub(super) ports: Vec<(u32, u64)>,
    /// How many stems it uses whole, from the switch that the card hangs on to where the ends meet.
    pub(super) stems: u32,
    /// What the weights are shares of.
    pub(super) denominator: u64,
}

/// All joined transfers of one seat that have an end of one shape there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The vertex of the seat.
    pub(super) vertex: u32,
    pub(super) card: CardId,
    pub(super) shape: u32,
    /// Its first crossing among those of all accesses.
    first: u32,
    /// How many flows.
    pub(super) flows: u64,
    /// Their bytes over all steps.
    pub(super) bytes: u128,
    pub(super) least_latency: Duration,
    /// The seat's access before this one.
    older: u32,
}

/// The accesses at one end of all joined transfers.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    side: End,
    shapes: Vec<Shape>,
    numbers: Interner<Shape>,
    all: Vec<Access>,
    /// What each access crosses, (resource, weight): its ports, then its stems from below.
    crossings: Vec<(u32, u64)>,
    /// The last access of each seat, by vertex.
    newest: Vec<u32>,
}

impl Accesses {
    /// The accesses at one side of no transfers.
    pub(super) fn new(side: End) -> Self {
        Self {
            side,
            shapes: Vec::new(),
            numbers: Interner::default(),
            all: Vec::new(),
            crossings: Vec::new(),
            newest: Vec::new(),
        }
    }

    /// The number of a shape.
    pub(super) fn number(&mut self, shape: &Shape) -> u32 {
        let number = self.numbers.number(shape.clone());
        if number as usize == self.shapes.len() {
            self.shapes.push(shape.clone());
        }
        number
    }

    pub(super) fn shape(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }

    pub(super) fn access(&self, index: u32) -> &Access {
        &self.all[index as usize]
    }

    /// All accesses, by index.
    pub(super) fn all(&self) -> &[Access] {
        &self.all
    }

    /// (resource, weight) of what an access crosses.
    pub(super) fn crossings(&self, access: &Access) -> &[(u32, u64)] {
        let shape = self.shape(access.shape);
        let first = access.first as usize;
        &self.crossings[first..first + shape.ports.len() + shape.stems as usize]
    }

    /// The same without the ports.
    pub(super) fn stems(&self, access: &Access) -> &[(u32, u64)] {
        &self.crossings(access)[self.shape(access.shape).ports.len()..]
    }

    /// The port that an access uses alone.
    pub(super) fn only_port(&self, access: &Access) -> Option<u32> {
        let is_whole = self.shape(access.shape).ports.len() == 1;
        is_whole.then(|| self.crossings(access)[0].0)
    }

    /// Counts the flows of a transfer at an access, and their bytes.
    pub(super) fn count(&mut self, index: u32, (flows, bytes): (u64, u128), latency: Duration) {
        let access = &mut self.all[index as usize];
        access.flows += flows;
        access.bytes += bytes;
        access.least_latency = access.least_latency.min(latency);
    }

    /// The access of a seat that has a shape.
    fn find(&self, vertex: u32, shape: u32) -> Option<u32> {
        let mut index = *self.newest.get(vertex as usize)?;
        while index != NONE {
            let access = self.access(index);
            if access.shape == shape {
                return Some(index);
            }
            index = access.older;
        }
        None
    }

    fn add(
        &mut self,
        (vertex, card): (u32, CardId),
        shape: u32,
        crossings: Vec<(u32, u64)>,
    ) -> u32 {
        if self.newest.len() <= vertex as usize {
            self.newest.resize(vertex as usize + 1, NONE);
        }
        let index = self.all.len() as u32;
        self.all.push(Access {
            vertex,
            card,
            shape,
            first: self.crossings.len() as u32,
            flows: 0,
            bytes: 0,
            least_latency: Duration::MAX,
            older: std::mem::replace(&mut self.newest[vertex as usize], index),
        });
        self.crossings.extend(crossings);
        index
    }
}

impl Scene<'_> {
    /// The access of a seat, by its vertex and card, that has a shape.
    pub(super) fn access(&mut self, side: End, (vertex, card): (u32, CardId), shape: u32) -> u32 {
        let accesses = self.joined.side(side);
        if let Some(known) = accesses.find(vertex, shape) {
            return known;
        }
        let crossings = self.crossed(side, card, accesses.shape(shape));
        self.joined.side_mut(side).add((vertex, card), shape, crossings)
    }

    /// What a card crosses at an end of that shape.
    fn crossed(&self, side: End, card: CardId, shape: &Shape) -> Vec<(u32, u64)> {
        let links = match side {
            End::Source => self.spread.ports_out(card, shape.domain),
            End::Destination => self.spread.ports_in(card, shape.domain),
        };
        let ports = shape.ports.iter().map(|&(port, weight)| (links[port as usize].0, weight));
        let mut crossed: Vec<(u32, u64)> = ports.collect();
        if shape.stems == 0 {
            return crossed;
        }
        let mut class = self.spread.attachment(card);
        for _ in 0..shape.stems {
            let tree = self.tree.as_ref().expect("stems grow from a tree");
            let stem = class.and_then(|class| tree.stem(class));
            let stem = stem.expect("the shape was taken from a path over these stems");
            let trunk = match side {
                End::Source => stem.up,
                End::Destination => stem.down,
            };
            crossed.push((self.resources.of_trunk(trunk.0), shape.denominator));
            class = Some(stem.parent);
        }
        crossed
    }

    /// Joins every access to what it crosses.
    pub(super) fn cross_accesses(&mut self, side: End) {
        let accesses = std::mem::replace(self.joined.side_mut(side), Accesses::new(side));
        for access in accesses.all() {
            for (place, &(resource, _)) in accesses.crossings(access).iter().enumerate() {
                if !self.left_out.contains_key(&resource) {
                    let resource = self.resource(resource);
                    let label = Label::Access(accesses.side, access.shape, place as u32);
                    self.edge(access.vertex, resource, label);
                }
            }
        }
        *self.joined.side_mut(side) = accesses;
    }
}
