//! Which links may wait for each other, by the routes, before anything is sent.
//!
//! In a lossless class a link may wait for every link that some packet takes after it. Where that graph
//! has no circle no deadlock can come; where it has one, one may. Source: Dally, Seitz: *Deadlock-Free Message
//! Routing in Multiprocessor Interconnection Networks*, IEEE Transactions on Computers C-36 (5), 1987.
//!
//! Where routes change during the run, those of each state are looked at, each change, and several changes
//! together: what is under way has taken its links by the routes before and goes on by those after, at whatever
//! node, and what stands in a full queue may do so for as long as it likes. So that is more than what can come.
//! What is under way over more states than [`MOST_TOGETHER`] is not looked at.

use std::collections::VecDeque;

use topology::{CardId, Fabric, NodeId};
use units::Time;

use super::PacketNetwork;
use super::course::What;
use super::standstill::{Blocked, blocked, circle};
use super::way::choose;
use crate::Routing;
use crate::routes::{Next, Routes, SetId};

/// Links of a lossless class whose packets may wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The links, each before the one that it may wait for.
    pub links: Vec<Blocked>,
    /// By which routes.
    pub routes: CircleRoutes,
}

/// By which routes links may wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CircleRoutes {
    /// By those from an instant on; 0 is the start.
    From(Time),
    /// By those before an instant and those after it together, while packets of both are under way.
    Across(Time),
    /// By those of three states or more together, if packets of all are under way at once.
    Over {
        /// Since when the routes of the first are in force.
        from: Time,
        /// Since when those of the last are.
        until: Time,
    },
}

/// How many states are looked at together: memory and time grow with them.
const MOST_TOGETHER: usize = 8;

/// What is sent in a class from one card to another.
#[derive(Clone, Copy, Debug)]
struct Trip {
    src: CardId,
    dst: CardId,
    key: u64,
}

/// Where the way of a trip begins by some routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Leg {
    row: u32,
    ports: SetId,
}

/// Routes, and where the trips begin by them; `None` for one that has no way.
#[derive(Debug)]
struct View<'f> {
    routes: Routes<'f>,
    legs: Vec<Option<Leg>>,
}

impl<'f> View<'f> {
    fn new(fabric: &'f Fabric, trips: &[Trip]) -> Self {
        let mut routes = Routes::new(fabric, trips.iter().map(|trip| (trip.src, trip.dst)));
        let mut leg = |trip: &Trip| {
            let ports = routes.ports(trip.src, trip.dst).ok()?;
            Some(Leg { row: routes.row(trip.src, trip.dst), ports })
        };
        let legs = trips.iter().map(&mut leg).collect();
        Self { routes, legs }
    }
}

impl<'f> PacketNetwork<'f> {
    /// A circle of links of a lossless class whose packets may wait for each other, by the routes at the start,
    /// those of later states, or across changes; `None` if there is none: then no deadlock is possible.
    pub fn dependency_circle(&self) -> Option<Circle> {
        let later = self.turns_ahead.iter().filter_map(|turn| match turn.what {
            What::Routes(fabric) => Some((Time::from_picos(turn.at), fabric)),
            What::Links(_) => None,
        });
        let states: Vec<(Time, &'f Fabric)> =
            std::iter::once((Time::ZERO, self.shared.routes.fabric())).chain(later).collect();
        (0..self.shared.classes.len() as u8)
            .filter(|&class| self.shared.is_lossless(class))
            .find_map(|class| self.circle_of_class(class, &states))
    }

    fn circle_of_class(&self, class: u8, states: &[(Time, &'f Fabric)]) -> Option<Circle> {
        let trips = self.trips(class);
        let found = |views: &[&View<'_>], routes| {
            let followers = self.followers(&trips, views);
            let next = |link: u32| followers[link as usize].clone();
            let links = blocked(&circle(followers.len(), &next), class);
            (!links.is_empty()).then_some(Circle { links, routes })
        };
        let mut views: VecDeque<(Time, View<'f>)> = VecDeque::new();
        for &(at, fabric) in states {
            if views.len() == MOST_TOGETHER {
                views.pop_front();
            }
            views.push_back((at, View::new(fabric, &trips)));
            let last = |count: usize| {
                let (from, _) = views.get(views.len().checked_sub(count)?)?;
                let last: Vec<&View<'_>> =
                    views.range(views.len() - count..).map(|(_, view)| view).collect();
                let routes = match count {
                    1 => CircleRoutes::From(at),
                    2 => CircleRoutes::Across(at),
                    _ => CircleRoutes::Over { from: *from, until: at },
                };
                found(&last, routes)
            };
            // More states allow more: where all together have no circle fewer have none, but those that were
            // looked at before need no other look.
            let few = last(1).or_else(|| last(2));
            let many = || last(views.len()).and_then(|_| (3..=views.len()).find_map(last));
            if let Some(circle) = few.or_else(many) {
                return Some(circle);
            }
        }
        None
    }

    /// What is sent in a class.
    fn trips(&self, class: u8) -> Vec<Trip> {
        let trip = |src, dst, key| Trip { src: CardId(src), dst: CardId(dst), key };
        let data = self.connections.iter().filter(|it| it.class == class);
        let data = data.map(|it| trip(it.src, it.way.dst, it.way.key));
        // Control packets are of class 0.
        let control = self.receivers.iter().filter(|_| class == 0);
        data.chain(control.map(|it| trip(it.card, it.back.dst, it.back.key))).collect()
    }

    /// For each link those that trips take after it, by the routes of one view, or of several of which
    /// packets leave each for a later one at any node.
    fn followers(&self, trips: &[Trip], views: &[&View<'_>]) -> Vec<Vec<u32>> {
        let mut followers = vec![Vec::new(); self.shared.ends.len()];
        // The last trip that reached each link in each view: where the legs are its own the rest is known.
        let mut seen = vec![vec![None; self.shared.ends.len()]; views.len()];
        for trip in self.different(trips, views) {
            let legs: Vec<Option<Leg>> = views.iter().map(|view| view.legs[trip]).collect();
            let Trip { src, dst, key } = trips[trip];
            let rows: Vec<Option<u32>> = legs.iter().map(|leg| leg.map(|leg| leg.row)).collect();
            // Sprayed packets take all next hops, whatever their key.
            let is_hashed = matches!(self.shared.settings.routing, Routing::PerFlow { .. });
            let name = (rows, is_hashed.then_some(key));
            let mut ahead = Vec::new();
            for (view, leg) in legs.iter().enumerate() {
                let Some(leg) = leg else { continue };
                let next = views[view].routes.choices(leg.ports);
                let first = self.links(key, next, src.0);
                ahead.extend(first.into_iter().map(|link| (link, view)));
            }
            while let Some((link, view)) = ahead.pop() {
                let node = self.port(link).dst;
                let known = &mut seen[view][link as usize];
                if node == dst.0 || known.as_ref() == Some(&name) {
                    continue;
                }
                *known = Some(name.clone());
                for (later, leg) in legs.iter().enumerate().skip(view) {
                    let Some(leg) = leg else { continue };
                    let routes = &views[later].routes;
                    let column = routes.column(NodeId(node));
                    let next = routes.next((leg.row, column), node, dst.0);
                    for follower in self.links(key, next, node) {
                        if !followers[link as usize].contains(&follower) {
                            followers[link as usize].push(follower);
                        }
                        ahead.push((follower, later));
                    }
                }
            }
        }
        followers
    }

    /// The trips whose ways differ. Sprayed packets take all next hops: trips from one set of links to one
    /// group are alike, but for the last link, after which nothing comes.
    fn different(&self, trips: &[Trip], views: &[&View<'_>]) -> Vec<usize> {
        let mut different: Vec<usize> = (0..trips.len()).collect();
        if !matches!(self.shared.settings.routing, Routing::PerFlow { .. }) {
            let legs = |trip: usize| -> Vec<Option<Leg>> {
                views.iter().map(|view| view.legs[trip]).collect()
            };
            different.sort_by_cached_key(|&trip| legs(trip));
            different.dedup_by_key(|trip| legs(*trip));
        }
        different
    }

    /// The links of a choice that packets with a key may take at a node.
    fn links(&self, key: u64, next: Next<'_>, node: u32) -> Vec<u32> {
        match next {
            Next::Nowhere => Vec::new(),
            Next::Only(link) => vec![link.0],
            Next::Choices(..) | Next::Entries(..)
                if matches!(self.shared.settings.routing, Routing::PerFlow { .. }) =>
            {
                let nothing = |_| 0;
                let choice = (self.shared.settings.routing, nothing);
                vec![choose(choice, next, node, key).0.0]
            }
            Next::Choices(choices, _) => choices.iter().map(|choice| choice.link.0).collect(),
            Next::Entries(entries, from) => {
                let into = entries.iter().filter(|entry| entry.0 == from);
                into.map(|entry| entry.1.0).collect()
            }
        }
    }
}
