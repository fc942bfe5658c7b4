//! The difference of two vertices of a scene in words.

use collectives::End;
use topology::Domain;
use topology::refinement::{Difference, Differing, Rounds};
use units::Bandwidth;

use super::Told;
use super::names::{Meaning, Names};
use crate::World;
use crate::symmetry::intern::{Label, TransferColour};
use crate::symmetry::scene::{Scene, chunk_of};

/// Tells differences of a scene.
pub(super) struct Words<'a, 's> {
    names: Names<'a, 's>,
}

impl<'a, 's> Words<'a, 's> {
    pub(super) fn new(world: &'s World<'a>, scene: &'s Scene<'a>, rounds: &'s Rounds) -> Self {
        Self { names: Names::new(world, scene, rounds) }
    }

    /// Two groups of different numbers of ranks.
    pub(super) fn filling(&self, name: &str, lane: usize, group: &[u32], other: &[u32]) -> Told {
        let ranks = |seats: &[u32]| {
            let rank = |seat: u32| self.names.world.schedule.lanes[lane].seats[seat as usize].0;
            match seats {
                [] => "no ranks".to_owned(),
                [only] => format!("rank {}", rank(*only)),
                [first, .., last] => format!("ranks {}…{}", rank(*first), rank(*last)),
            }
        };
        let (few, many) = (group.len(), other.len());
        let most = if few < many { "partly filled" } else { "fuller" };
        let why =
            format!("{} lie on a {most} {name}: {few} of them, elsewhere {many}", ranks(group));
        Told { kind: "filling", why }
    }

    /// Why two vertices were told apart.
    pub(super) fn difference(&self, left: u32, right: u32) -> Told {
        let Some(found) = self.names.rounds.difference(left, right) else {
            let hops = self.names.rounds.len();
            let why = format!("by their distance from such a place, {hops} steps or more away");
            return Told { kind: "far", why };
        };
        let Difference { left, right, what, before } = found;
        match what {
            Differing::Colour => self.colours((left, right), before),
            Differing::Count { .. } => self.counts((left, right), what),
        }
    }

    fn colours(&self, (left, right): (u32, u32), before: Option<(u32, u32)>) -> Told {
        match (self.names.meanings[left as usize], self.names.meanings[right as usize]) {
            (Meaning::Seat(lane, seat), Meaning::Seat(other_lane, other)) => {
                self.seats((lane, seat), (other_lane, other))
            }
            (Meaning::Listed(one), Meaning::Listed(other)) => {
                let colour = |index: u32| &self.names.scene.listed[index as usize].colour;
                if let Some((left, right)) = before
                    && let Meaning::Resource(_) = self.names.meanings[left as usize]
                {
                    let (left, right) = (self.names.name(left), self.names.name(right));
                    let (one, other) = (self.names.transfer(one), self.names.transfer(other));
                    let why = format!("paths are hashed: {left} carries {one}, {right} {other}");
                    return Told { kind: "hashed", why };
                }
                transfers(
                    colour(one),
                    colour(other),
                    (self.names.transfer(one), self.names.transfer(other)),
                )
            }
            (Meaning::Resource(one), Meaning::Resource(other)) => self.resources(one, other),
            _ => {
                let why = "the ways between their sites differ in ports, length or loss".to_owned();
                Told { kind: "ways", why }
            }
        }
    }

    /// Two seats that do or own something else.
    fn seats(&self, one: (u32, u32), other: (u32, u32)) -> Told {
        let lane = |seat: (u32, u32)| &self.names.world.schedule.lanes[seat.0 as usize];
        let program = |seat: (u32, u32)| {
            let rank = lane(seat).seats[seat.1 as usize];
            self.names.world.conducts.of(rank).program(lane(seat)).ok()
        };
        let (first, second) = (self.names.seat(one.0, one.1), self.names.seat(other.0, other.1));
        let (Some(left), Some(right)) = (program(one), program(other)) else {
            return Told {
                kind: "conduct",
                why: format!("{first} and {second} start differently"),
            };
        };
        if left.start != right.start {
            let why = format!("{first} starts at {}, {second} at {}", left.start, right.start);
            return Told { kind: "start", why };
        }
        if left.slowness != right.slowness || left.costs != right.costs {
            let (slow, other) = (left.slowness, right.slowness);
            let why = format!("{first} is slowed by {slow}, {second} by {other}");
            return Told { kind: "slowness", why };
        }
        if left.stages != right.stages || left.rounds != right.rounds {
            return Told { kind: "steps", why: format!("{first} and {second} do other steps") };
        }
        let chunks = |seat: (u32, u32)| {
            let count = lane(seat).seats.len() as u32;
            let stages = lane(seat).stages.iter().filter(|stage| stage.pattern.is_all_pairs());
            stages.map(|stage| chunk_of(&stage.payload, count, seat.1).at(0)).collect::<Vec<_>>()
        };
        let (left, right) = (chunks(one), chunks(other));
        let unlike = left.iter().zip(&right).find(|(left, right)| left != right);
        let why = match unlike {
            Some((left, right)) => {
                format!("sizes leave residues: the chunk of {first} is {left}, of {second} {right}")
            }
            None => format!("sizes leave residues: {first} and {second} take turns with them"),
        };
        Told { kind: "sizes", why }
    }

    fn resources(&self, one: u32, other: u32) -> Told {
        let (first, second) = (self.names.resource(one), self.names.resource(other));
        let rate = |resource: u32| self.names.scene.resources.by_state[0][resource as usize];
        let (left, right) = (rate(one), rate(other));
        if left != right {
            let dead = [one, other].map(|resource| self.names.dead_beside(resource));
            let dead: Vec<String> = dead.into_iter().flatten().collect();
            let dead = dead.first().map_or(String::new(), |name| format!("; link {name} is dead"));
            let why = format!("{first} carries {}, {second} {}{dead}", shown(left), shown(right));
            return Told { kind: if dead.is_empty() { "capacity" } else { "dead" }, why };
        }
        let why =
            format!("{first} changes during the run or loses packets otherwise than {second}");
        Told { kind: "loss", why }
    }

    fn counts(&self, (one, other): (u32, u32), what: Differing) -> Told {
        let Differing::Count { label, end, left, right, neighbour } = what else {
            unreachable!("colours are told elsewhere")
        };
        let (first, second) = (self.names.name(one), self.names.name(other));
        let label = self.names.labels[label as usize];
        let is_resource = matches!(self.names.meanings[one as usize], Meaning::Resource(_));
        match label {
            Label::Crosses { weight, denominator, .. } if is_resource => {
                let hashed = if weight == denominator { "paths are hashed: " } else { "" };
                let why = format!("{hashed}{first} carries {left} transfers, {second} {right}");
                Told { kind: if hashed.is_empty() { "load" } else { "hashed" }, why }
            }
            Label::Access(side, ..) if is_resource => {
                let verb = if side == End::Source { "send" } else { "receive" };
                let why = format!("{left} ranks {verb} over {first}, {right} over {second}");
                Told { kind: "load", why }
            }
            Label::Joined(kind) => {
                let (more, less) = if left > right { (one, other) } else { (other, one) };
                self.joined((more, neighbour), (less, end), kind)
            }
            Label::Crosses { .. } | Label::Access(..) => {
                let why = format!("what {first} sends takes another way than that of {second}");
                Told { kind: "ways", why }
            }
            Label::Source | Label::Destination => {
                let verb = if label == Label::Source { "sends" } else { "receives" };
                let why = format!("{first} {verb} {left} times, {second} {right} times in a step");
                Told { kind: "degree", why }
            }
            Label::PortOut(..) | Label::PortIn(..) => {
                let why = format!("the ports of {first} lead elsewhere than those of {second}");
                Told { kind: "ports", why }
            }
            Label::Wait(..) => {
                Told { kind: "waits", why: format!("{first} waits for others than {second}") }
            }
            Label::PartOf | Label::StemUp(_) | Label::StemDown(_) => {
                let why =
                    format!("the place of {first} has {left} parts, that of {second} {right}");
                Told { kind: "filling of places", why }
            }
        }
    }

    /// Two seats that take part in other joined transfers.
    fn joined(&self, (more, neighbour): (u32, u32), (less, end): (u32, u32), kind: u32) -> Told {
        let joined = &self.names.scene.joined;
        let (colour, way) = joined.told(kind);
        let peers = self.names.rounds.neighbours(less).filter_map(|(label, side, peer)| match self
            .names
            .labels[label as usize]
        {
            Label::Joined(kind) if side == end => Some((joined.told(kind), peer)),
            _ => None,
        });
        let mut peers = peers.filter(|((other, _), _)| other.stage == colour.stage);
        let pair = |seat: u32, peer: u32| {
            let (src, dst) = if end == 0 { (seat, peer) } else { (peer, seat) };
            format!("{} → {}", self.names.name(src), self.names.name(dst))
        };
        let this = pair(more, neighbour);
        let Some(((peer_colour, peer_way), peer)) = peers.next() else {
            let (some, none) = (self.names.name(more), self.names.name(less));
            let why = format!("{some} takes part in a step that {none} leaves out");
            return Told { kind: "steps", why };
        };
        let that = pair(less, peer);
        if peer_colour.sizes != colour.sizes {
            return transfers(colour, peer_colour, (this, that));
        }
        let place = |way: Domain| match way {
            Domain::Inside => "within its supernode",
            Domain::Outside => "over the outer fabric",
        };
        let why = if way == peer_way {
            format!("{this} meets higher or lower in the fabric than {that}")
        } else {
            format!("{this} goes {}, {that} {}", place(way), place(peer_way))
        };
        Told { kind: "partners", why }
    }
}

/// Two transfers, by their properties and names.
fn transfers(
    one: &TransferColour,
    other: &TransferColour,
    (first, second): (String, String),
) -> Told {
    if one.sizes != other.sizes {
        let bytes = |colour: &TransferColour| colour.terms().bytes(colour.first);
        let (left, right) = (bytes(one), bytes(other));
        let why = if left == right {
            format!("sizes leave residues: {first} and {second} differ in later steps")
        } else {
            format!("sizes leave residues: {first} takes {left}, {second} {right}")
        };
        return Told { kind: "sizes", why };
    }
    if one.draw != other.draw {
        let why = format!("each transfer draws losses of its own, {first} and {second} too");
        return Told { kind: "draws", why };
    }
    if one.hazard != other.hazard {
        return Told {
            kind: "loss",
            why: format!("{first} loses packets otherwise than {second}"),
        };
    }
    if one.latencies != other.latencies {
        return Told { kind: "ways", why: format!("the path {first} is not as long as {second}") };
    }
    Told { kind: "steps", why: format!("{first} and {second} go in other steps") }
}

/// A capacity, which a trunk of many links may have more of than one link can.
fn shown(rate: u128) -> String {
    match u64::try_from(rate) {
        Ok(rate) => Bandwidth::from_milli_bits_per_second(rate).to_string(),
        Err(_) => format!("{} Tb/s", rate / 1_000_000_000_000_000),
    }
}
