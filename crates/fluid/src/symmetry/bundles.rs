//! Which all-to-all stages inside supernodes go as bundles: one flow for all that a seat sends in a step.
//!
//! Let n cards form a *company*: all sit in one supernode, alike; K lanes seat exactly these cards, and
//! whatever crosses a port by which one of them talks inside is a transfer of an all-to-all stage of these
//! lanes, over these ports alone. Let U be the rate with which a card can send, and V that with which it can
//! receive, alone; q = n − 1 and m = ⌊U/q⌋. A seat that is in such a step sends q transfers at once; a card
//! whose seats are so in k of its lanes sends k·q. Leave out the ports that receive. Then all of these have
//! the rate r = ⌊U/(k·q)⌋ = ⌊m/k⌋: those of one seat, if as long, start, run and drain together. They are a
//! *bundle*, of weight q on the ports that send. It remains to be shown that a port that receives, left out,
//! would not have decided.
//!
//! At every moment at most q cards send to it, a card in k lanes k flows, of k·r ≤ m together. Let R be the
//! highest rate there. At level s of the water-filling flows below s are fixed, and A are not; its share is
//! above s if what it has, V, is at least Σ r over the fixed ones and (s + 1)·A. For s < R a card contributes
//! to that sum
//!
//! * k·r ≤ m if it is fixed, r < s,
//! * k·(s + 1) ≤ k·r ≤ m if r > s; of the card with r = R, m − (R − s − 1) at most,
//! * k·(s + 1) = k·r + k ≤ m + K if r = s.
//!
//! If nobody there has r = s, then V ≥ q·m is enough. Else two of the rates ⌊m/k⌋ are s and R, which are
//! more than m/(K·(K − 1)) − 1 apart, and the sum is at most q·m + (q − 1)·K − (R − s − 1): no more than
//! q·m if m ≥ K·(K − 1)·((q − 1)·K + 2), for which m ≥ q·K³ is enough. Of one lane, K = 1, all have
//! r = m = R. At s = R the sum of all rates is at most q·m, so the share is R at least: the port may fix its
//! last flows together with the ports that send, at the rate that these give them. So with
//!
//! > V ≥ q·m, and K = 1 or m ≥ q·K³,
//!
//! no port that receives ever decides, and by induction over the instants the run without them is the run
//! with them. Weights of paths over several ports are within U and V.

use collectives::{Action, End, Lane, Pace, Schedule, Stage, Start};
use rustc_hash::FxHashSet;
use topology::refinement::Classes;
use topology::{CardId, Domain, LinkId, Node, NodeId};

use super::scene::{Scene, chunk_of};
use crate::World;

/// Lanes of so few classes of seats are not bundled: a flow for each pair of classes is as little.
const FEW: usize = 3;

/// No company.
const NONE: u32 = u32::MAX;
/// A card by whose ports others talk, too.
const MIXED: u32 = u32::MAX - 1;

/// The lanes whose all-to-all stages are bundled.
#[derive(Clone, Debug)]
pub(super) struct Bundles {
    is_bundled: Vec<bool>,
}

/// Cards that talk inside their supernode in the same lanes, and with nobody else.
struct Company {
    /// In order.
    cards: Vec<CardId>,
    lanes: Vec<usize>,
}

/// The search for companies.
struct Search<'a, 's> {
    world: &'a World<'a>,
    scene: &'s Scene<'a>,
    companies: Vec<Company>,
    /// By card.
    company_of: Vec<u32>,
    /// The lanes that wait for others, or others for them, in every step.
    in_step: FxHashSet<usize>,
}

impl Bundles {
    /// The lanes of a scene that are bundled once their seats are in classes.
    pub(super) fn find<'a>(world: &'a World<'a>, scene: &Scene<'a>, classes: &Classes) -> Self {
        let mut is_bundled = vec![false; scene.blocks.len()];
        let pays: Vec<bool> = (0..scene.blocks.len())
            .map(|lane| scene.blocks[lane].is_some() && has_many(&scene.seats[lane], classes))
            .collect();
        if !pays.contains(&true) || !world.fabric.losses().is_lossless() {
            return Self { is_bundled };
        }
        let mut search = Search {
            world,
            scene,
            companies: Vec::new(),
            company_of: vec![NONE; world.fabric.cards() as usize],
            in_step: in_step(world.schedule),
        };
        search.gather();
        search.exclude();
        for (index, company) in search.companies.iter().enumerate() {
            if search.is_alone(index as u32, company) && search.has_room(company) == Some(true) {
                for &lane in &company.lanes {
                    is_bundled[lane] = pays[lane];
                }
            }
        }
        Self { is_bundled }
    }

    /// Whether the all-to-all stages of a lane are bundled.
    pub(super) fn contain(&self, lane: u32) -> bool {
        self.is_bundled[lane as usize]
    }
}

/// Whether seats, by their vertices, are of many classes.
fn has_many(seats: &[u32], classes: &Classes) -> bool {
    let mut known = FxHashSet::default();
    seats.iter().any(|&vertex| known.insert(classes.of[vertex as usize]) && known.len() > FEW)
}

/// The lanes that wait for others, or others for them, in every step.
fn in_step(schedule: &Schedule) -> FxHashSet<usize> {
    let lanes = schedule.lanes.iter().enumerate();
    let waits = lanes.flat_map(|(index, lane)| lane.waits.iter().map(move |wait| (index, wait)));
    let each = waits.filter(|(_, wait)| wait.pace == Pace::EachStep);
    each.flat_map(|(index, wait)| [index, wait.lane.0 as usize]).collect()
}

impl Search<'_, '_> {
    /// Finds the companies of all lanes in blocks.
    fn gather(&mut self) {
        let lanes = &self.world.schedule.lanes;
        for (index, lane) in lanes.iter().enumerate() {
            if self.scene.blocks[index].is_none() {
                continue;
            }
            let cards = lane.seats.iter().map(|rank| self.world.cards[rank.0 as usize]);
            let mut cards: Vec<CardId> = cards.collect();
            cards.sort_unstable();
            let company = self.company_of[cards[0].0 as usize];
            if !self.is_fit(index, lane) || !cards.is_sorted_by(|left, right| left < right) {
                self.mix(&cards);
            } else if let Some(known) = self.companies.get_mut(company as usize)
                && known.cards == cards
            {
                known.lanes.push(index);
            } else if cards.iter().all(|card| self.company_of[card.0 as usize] == NONE) {
                let next = self.companies.len() as u32;
                for card in &cards {
                    self.company_of[card.0 as usize] = next;
                }
                self.companies.push(Company { cards, lanes: vec![index] });
            } else {
                self.mix(&cards);
            }
        }
    }

    /// Whether the all-to-all stages of a lane can be told as bundles: each in one step, among seats that
    /// stand alike in one supernode, as many bytes to each and nothing to be paid for each that arrives.
    fn is_fit(&self, index: usize, lane: &Lane) -> bool {
        let Some(blocks) = &self.scene.blocks[index] else { return false };
        let seats = lane.seats.len() as u32;
        let conduct = |rank| self.world.conducts.of(rank);
        let adding_costs = lane.seats.iter().any(|&rank| conduct(rank).costs.reduce.is_some());
        let is_even = |stage: &Stage| {
            let chunk = |seat| chunk_of(&stage.payload, seats, seat);
            stage.payload.decided_by() == End::Source
                || (1..seats).all(|seat| chunk(seat) == chunk(0))
        };
        let is_fit = |stage: &Stage| {
            let is_at_once = stage.steps == 1 && stage.start == Start::Eager;
            let costs = stage.action == Action::Reduce && adding_costs;
            is_at_once && !costs && is_even(stage)
        };
        let mut stages = lane.stages.iter().filter(|stage| stage.pattern.is_all_pairs());
        blocks.inner_cells.len() == 1 && !self.in_step.contains(&index) && stages.all(is_fit)
    }

    /// Others talk by the ports of these cards, too.
    fn mix(&mut self, cards: &[CardId]) {
        for card in cards {
            self.company_of[card.0 as usize] = MIXED;
        }
    }

    /// Excludes the cards whose ports transfers cross that are not of blocks.
    fn exclude(&mut self) {
        let joined = &self.scene.joined;
        for side in [End::Source, End::Destination] {
            let accesses = joined.side(side);
            for access in accesses.all() {
                if accesses.shape(access.shape).domain == Domain::Inside {
                    self.company_of[access.card.0 as usize] = MIXED;
                }
            }
        }
        for listed in &self.scene.listed {
            for &(resource, _) in &self.scene.paths.first(listed.row).crossings {
                let Err(link) = self.scene.resources.kind(resource) else { continue };
                let link = self.world.fabric.link(link);
                if link.domain == Domain::Inside {
                    self.exclude_node(link.src);
                    self.exclude_node(link.dst);
                }
            }
        }
    }

    fn exclude_node(&mut self, node: NodeId) {
        if let Node::Card { .. } = self.world.fabric.node(node) {
            self.company_of[node.index()] = MIXED;
        }
    }

    /// Whether nobody else talks by the ports of a company.
    fn is_alone(&self, index: u32, company: &Company) -> bool {
        company.cards.iter().all(|card| self.company_of[card.0 as usize] == index)
    }

    /// Whether the ports that receive never decide; `None` if paths cross more than ports, or ports differ
    /// or change.
    fn has_room(&self, company: &Company) -> Option<bool> {
        let [first, second, ..] = company.cards[..] else { return None };
        let path = self.scene.spread.path(first, second).ok()?;
        if !path.trunks.is_empty() || !path.direct.is_empty() {
            return None;
        }
        let spread = &self.scene.spread;
        let rate = |links: &[LinkId], ports: &[(u32, u64)]| {
            let denominator = u128::from(path.denominator);
            let rates = ports.iter().map(|&(port, weight)| {
                let capacity = self.lasting(links[port as usize])?;
                Some(capacity * denominator / u128::from(weight))
            });
            rates.collect::<Option<Vec<u128>>>()?.into_iter().min()
        };
        let both = |card: CardId| {
            let out = rate(&spread.ports_out(card, Domain::Inside), &path.up)?;
            Some((out, rate(&spread.ports_in(card, Domain::Inside), &path.down)?))
        };
        let (send, receive) = both(first)?;
        if company.cards[1..].iter().any(|&card| both(card) != Some((send, receive))) {
            return None;
        }
        let others = company.cards.len() as u128 - 1;
        let lanes = company.lanes.len() as u128;
        let most = send / others;
        Some(others * most <= receive && (lanes == 1 || most >= others * lanes.pow(3)))
    }

    /// The capacity of a link that never changes.
    fn lasting(&self, link: LinkId) -> Option<u128> {
        let best = self.scene.resources.best[link.index()];
        (self.scene.resources.least(link.0) == best).then_some(best)
    }
}
